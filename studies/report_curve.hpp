// Curves of a study as SVG, for report.cpp: rows with "figure", "series", "x_name", "y_name" and the arrays "xs" and
// "ys". Both axes are linear and may be negative, unlike those of report_plot.hpp. One picture per figure, its lines in
// the order of the rows.
#pragma once

#include <string>
#include <vector>

#include "studies/report_plot.hpp"

namespace tribo {

inline constexpr const char* kCurveKind = "curve";

// Zero or more <figure> elements. Rows without two finite points are left out.
std::string make_curves(const std::vector<ReportRow>& rows);

}  // namespace tribo
