#include "studies/report.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

#include "studies/report_curve.hpp"
#include "studies/report_plot.hpp"
#include <fmt/format.h>

namespace tribo {
namespace {

// Colours have the same names in light, dark and print; print is always light.
constexpr const char* kHead = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline';
  base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tribo: studies</title>
<style>
:root { color-scheme: light; --page: #fff; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de;
  --good: #116329; --bad: #b3261e; --note: #7a4d00; --c0: #0b62a8; --c1: #c24e00; --c2: #00785a; --c3: #8a3ffc;
  --c4: #a11e5b; --c5: #6b5d00; --c6: #00707f; --c7: #444c56; }
@media screen and (prefers-color-scheme: dark) { :root { color-scheme: dark; --page: #14171b; --ink: #e6e9ec;
  --soft: #a3adb8; --line: #3a424b; --good: #56d364; --bad: #ff8b81; --note: #e3b341; --c0: #6cb6ff; --c1: #ff9a57;
  --c2: #4fd1a5; --c3: #c8a6ff; --c4: #ff8fc0; --c5: #dcc95a; --c6: #56d4dd; --c7: #b6bec8; } }
body { margin: 0 auto; max-width: 68rem; padding: 1rem 1.2rem 4rem; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
a { color: var(--c0); }
h1, h2, h3 { line-height: 1.25; }
h2 { margin-top: 3rem; border-top: 2px solid var(--line); padding-top: 1rem; }
.soft { color: var(--soft); }
.good { color: var(--good); }
.bad { color: var(--bad); font-weight: 600; }
.note { color: var(--note); }
table { border-collapse: collapse; margin: .6rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top; }
th { color: var(--soft); font-weight: 600; }
td.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.wide { overflow-x: auto; }
.rows { font-size: .82rem; }
summary { cursor: pointer; }
figure { margin: 1rem 0; max-width: 44rem; break-inside: avoid; }
figcaption { font-weight: 600; margin-bottom: .3rem; }
svg { width: 100%; height: auto; }
svg text { fill: var(--ink); font: 12px system-ui, sans-serif; }
svg polyline { fill: none; stroke-width: 1.8; }
svg .grid { stroke: var(--line); }
svg .axis { fill: none; stroke: var(--soft); }
.s0 { fill: var(--c0); stroke: var(--c0); }
.s1 { fill: var(--c1); stroke: var(--c1); }
.s2 { fill: var(--c2); stroke: var(--c2); }
.s3 { fill: var(--c3); stroke: var(--c3); }
.s4 { fill: var(--c4); stroke: var(--c4); }
.s5 { fill: var(--c5); stroke: var(--c5); }
.s6 { fill: var(--c6); stroke: var(--c6); }
.s7 { fill: var(--c7); stroke: var(--c7); }
@media screen and (max-width: 640px) { body { padding: .6rem .8rem 3rem; overflow-wrap: anywhere; }
  table { display: block; max-width: 100%; overflow-x: auto; } th, td { overflow-wrap: normal; min-width: 4.5rem; }
  .rows td, .rows th { min-width: 0; } }
@media print { body { max-width: none; padding: 0; font-size: 10pt; } tr { break-inside: avoid; } h2, h3 { break-after: avoid; } }
</style>
</head>
<body>
)";

// What stands under one heading: rows of the same kind make one table, in the order in which the kinds came.
struct ReportSection {
  std::string heading;
  std::vector<ReportRow> claims, promises, left_out;
  std::vector<std::pair<std::string, std::vector<ReportRow>>> tables;
};

struct Tally {
  int reproduced = 0, differs = 0, not_reproduced = 0, held = 0, missed = 0;
};

std::string text_in(const ReportRow& row, const char* field) {
  const auto found = row.find(field);
  return found != row.end() && found->is_string() ? found->get<std::string>() : "";
}

bool is_held(const ReportRow& promise) {
  const auto found = promise.find("held");
  return found != promise.end() && found->is_boolean() && found->get<bool>();
}

// Objects inside a row become columns with a dot in their name.
ReportRow flattened(const ReportRow& row) {
  ReportRow flat = ReportRow::object();
  for (const auto& [name, value] : row.items()) {
    if (name == "study" || name == "kind") continue;
    if (value.is_object()) {
      for (const auto& [inner, member] : value.items()) flat[name + "." + inner] = member;
    } else {
      flat[name] = value;
    }
  }
  return flat;
}

std::vector<ReportSection> read_sections(const std::string& lines) {
  std::vector<ReportSection> sections(1);
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) {
    const ReportRow row = ReportRow::parse(line);
    const std::string kind = text_in(row, "kind");
    if (kind == "heading") {
      sections.emplace_back().heading = text_in(row, "text");
    } else if (kind == "claim") {
      sections.back().claims.push_back(row);
    } else if (kind == "promise") {
      sections.back().promises.push_back(row);
    } else if (kind == "left-out") {
      sections.back().left_out.push_back(row);
    } else {
      auto& tables = sections.back().tables;
      auto table = std::find_if(tables.begin(), tables.end(), [&](const auto& one) { return one.first == kind; });
      if (table == tables.end()) table = tables.insert(tables.end(), {kind, {}});
      table->second.push_back(flattened(row));
    }
  }
  return sections;
}

Tally count(const std::vector<ReportSection>& sections) {
  Tally tally;
  for (const ReportSection& section : sections) {
    for (const ReportRow& claim : section.claims) {
      const std::string verdict = text_in(claim, "verdict");
      ++(verdict == "reproduced"       ? tally.reproduced
         : verdict == "not reproduced" ? tally.not_reproduced
                                       : tally.differs);
    }
    for (const ReportRow& promise : section.promises) ++(is_held(promise) ? tally.held : tally.missed);
  }
  return tally;
}

std::string claims_html(const std::vector<ReportRow>& claims) {
  if (claims.empty()) return "";
  std::string html = "<table class=\"claims\"><tr><th>claim</th><th>paper</th><th>ours</th><th>verdict</th></tr>\n";
  for (const ReportRow& claim : claims) {
    const std::string verdict = text_in(claim, "verdict");
    const char* style = verdict == "reproduced" ? "good" : verdict == "not reproduced" ? "bad" : "note";
    html += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td class=\"{}\">{}</td></tr>\n",
                        escape_html(text_in(claim, "claim")), escape_html(text_in(claim, "paper")),
                        escape_html(text_in(claim, "ours")), style, escape_html(verdict));
  }
  return html + "</table>\n";
}

std::string promises_html(const std::vector<ReportRow>& promises) {
  if (promises.empty()) return "";
  std::string html = "<table class=\"promises\"><tr><th>promise</th><th>found</th><th></th></tr>\n";
  for (const ReportRow& promise : promises) {
    const bool held = is_held(promise);
    html +=
        fmt::format("<tr><td>{}</td><td>{}</td><td class=\"{}\">{}</td></tr>\n", escape_html(text_in(promise, "name")),
                    escape_html(text_in(promise, "detail")), held ? "good" : "bad", held ? "held" : "missed");
  }
  return html + "</table>\n";
}

std::string cell_text(const ReportRow& value) {
  if (value.is_null()) return "–";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{:.4g}", value.get<double>());
  if (!value.is_array()) return value.dump();
  std::string text;
  for (const ReportRow& member : value) text += (text.empty() ? "" : ", ") + cell_text(member);
  return text;
}

std::string table_html(const std::string& kind, const std::vector<ReportRow>& rows) {
  std::vector<std::string> columns;
  for (const ReportRow& row : rows) {
    for (const auto& [name, value] : row.items()) {
      if (std::find(columns.begin(), columns.end(), name) == columns.end()) columns.push_back(name);
    }
  }
  std::string html =
      fmt::format("<details><summary>the numbers: {}, {} row{}</summary><div class=\"wide\"><table class=\"rows\"><tr>",
                  escape_html(kind), rows.size(), rows.size() == 1 ? "" : "s");
  for (const std::string& column : columns) html += "<th>" + escape_html(column) + "</th>";
  html += "</tr>\n";
  for (const ReportRow& row : rows) {
    html += "<tr>";
    for (const std::string& column : columns) {
      const auto found = row.find(column);
      const bool number = found != row.end() && found->is_number();
      html += fmt::format("<td{}>{}</td>", number ? " class=\"number\"" : "",
                          found != row.end() ? escape_html(cell_text(*found)) : "");
    }
    html += "</tr>\n";
  }
  return html + "</table></div></details>\n";
}

std::string section_html(const ReportSection& section) {
  std::string html = section.heading.empty() ? "" : "<h3>" + escape_html(section.heading) + "</h3>\n";
  for (const ReportRow& row : section.left_out) {
    html += "<p class=\"note\">Left out, because it is not here: " + escape_html(text_in(row, "what")) + "</p>\n";
  }
  html += claims_html(section.claims) + promises_html(section.promises);
  for (const auto& [kind, rows] : section.tables) {
    html += kind == kCurveKind ? make_curves(rows) : make_plots(kind, rows) + table_html(kind, rows);
  }
  return html;
}

std::string verdict_of(const StudyRecord& study) {
  if (!study.error.empty()) return "<span class=\"bad\">not run</span>";
  return study.held ? "<span class=\"good\">held</span>" : "<span class=\"bad\">missed</span>";
}

std::string index_row(const StudyRecord& study, std::size_t number, const Tally& tally) {
  return fmt::format(
      "<tr><td><a href=\"#study-{}\">{}</a><br><span class=\"soft\">{}</span></td><td class=\"number\">{}</td>"
      "<td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{} of {}</td><td>{}</td></tr>\n",
      number, escape_html(study.name), escape_html(study.summary), tally.reproduced, tally.differs,
      tally.not_reproduced, tally.held, tally.held + tally.missed, verdict_of(study));
}

}  // namespace

std::string make_study_report(std::span<const StudyRecord> studies, const std::string& made) {
  std::string index =
      "<table class=\"index\"><tr><th>study</th><th>reproduced</th><th>differs</th><th>not reproduced</th><th>promises "
      "held</th>"
      "<th>all certified, all promises</th></tr>\n";
  std::string body;
  for (std::size_t i = 0; i < studies.size(); ++i) {
    const StudyRecord& study = studies[i];
    const std::vector<ReportSection> sections = read_sections(study.lines);
    index += index_row(study, i + 1, count(sections));
    body += fmt::format("<section id=\"study-{}\">\n<h2>{}</h2>\n<p>{}</p>\n", i + 1, escape_html(study.name),
                        escape_html(study.summary));
    if (!study.error.empty()) body += "<p class=\"bad\">Not run: " + escape_html(study.error) + "</p>\n";
    for (const ReportSection& section : sections) body += section_html(section);
    body += "</section>\n";
  }
  return fmt::format(
      "{}<h1>Studies: what papers say, and what comes out here</h1>\n<p class=\"soft\">{}</p>\n{}</table>\n"
      "<p class=\"soft\">A claim that is not reproduced is a result; a promise that is missed is a fault of ours. "
      "Times are of the machine that made this page.</p>\n{}</body>\n</html>\n",
      kHead, escape_html(made), index, body);
}

}  // namespace tribo
