// Plots of a study's rows as SVG, for report.cpp. Which columns are drawn follows from their names alone.
//     a size (m, n, contacts) and a time or a number of pivots    lines on log-log axes, one per method, series, …
//     taus and shares                                             lines, the share on a linear axis
//     no size, and a time per method                              bars
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace tribo {

using ReportRow = nlohmann::ordered_json;  // an object whose members are numbers, strings, booleans or arrays

// Characters that mean something in HTML, SVG and quoted attributes.
std::string escape_html(std::string_view text);

// Zero or more <figure> elements.
std::string make_plots(const std::string& title, const std::vector<ReportRow>& rows);

}  // namespace tribo
