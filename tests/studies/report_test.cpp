// The page of --report, from lines as a study writes them.
#include "studies/report.hpp"

#include <sstream>

#include "studies/output.hpp"
#include "studies/report_plot.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

StudyRecord small_record(const std::string& word) {
  std::ostringstream out, lines;
  StudyOptions options;
  options.out = &out;
  options.lines = &lines;
  StudyOutput output(options, "small");
  output.heading("Figure 4 " + word);
  for (const int n : {8, 16, 32}) {
    for (const char* method : {"slow", "fast"}) {
      output.object("peg", {{"method", method + word},
                            {"n", n},
                            {"seconds", (method[0] == 's' ? 1e-6 * n * n * n : 1e-6 * n)},
                            {"pivots_mean", n / 8.0},
                            {"peer", {{"solver", word}, {"seconds", nullptr}}}});
    }
  }
  output.claim("it is linear " + word, "O(n) " + word, "1.04 " + word, reproduced_if(true));
  output.claim("it is exact", "always", "never", reproduced_if(false));
  output.claim("it is short", "3", "2", differs_if(true, "we count otherwise"));
  output.promise("all certified " + word, false, "7 of 8 " + word);
  EXPECT_EQ(out.str().find('{'), std::string::npos) << "the lines must not reach the table for people";
  return {
      .name = "small" + word, .summary = "a study " + word, .lines = lines.str(), .held = output.held(), .error = {}};
}

// The page is the output in another form: every claim with its two numbers and its verdict, and the promise that was missed.
TEST(StudyReport, ShowsEveryClaimWithItsVerdict) {
  const StudyRecord record = small_record("");
  const std::string page = make_study_report({&record, 1}, "Tribo, today");
  EXPECT_NE(page.find("<td>it is linear </td><td>O(n) </td><td>1.04 </td><td class=\"good\">reproduced</td>"),
            std::string::npos);
  EXPECT_NE(page.find("<td class=\"bad\">not reproduced</td>"), std::string::npos);
  EXPECT_NE(page.find("<td class=\"note\">differs because we count otherwise</td>"), std::string::npos);
  EXPECT_NE(page.find("<td>7 of 8 </td><td class=\"bad\">missed</td>"), std::string::npos);
  EXPECT_NE(page.find("<p class=\"soft\">Tribo, today</p>"), std::string::npos);
}

// The index counts what the sections show, one line per study, and links to it.
TEST(StudyReport, TheIndexCountsVerdicts) {
  StudyRecord records[] = {small_record(""), small_record("b")};
  records[1].error = "the folder is gone";
  const std::string page = make_study_report(records, "");
  EXPECT_EQ(count_of(page, "<a href=\"#study-"), 2u);
  EXPECT_NE(page.find("<section id=\"study-2\">"), std::string::npos);
  EXPECT_EQ(count_of(page,
                     "<td class=\"number\">1</td><td class=\"number\">1</td><td class=\"number\">1</td>"
                     "<td class=\"number\">0 of 1</td>"),
            2u);
  EXPECT_NE(page.find("Not run: the folder is gone"), std::string::npos);
}

// Names come from files of others: none may become a tag, close an attribute or fetch anything.
TEST(StudyReport, NothingInItIsTakenForHtml) {
  const StudyRecord record = small_record("<img src=x onerror=\"a()\">'&</svg>\xff");
  const std::string page = make_study_report({&record, 1}, "<b>");
  EXPECT_EQ(page.find("<img"), std::string::npos);
  EXPECT_EQ(page.find("onerror=\""), std::string::npos);
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  EXPECT_EQ(count_of(page, "<svg "), count_of(page, "</svg>"));
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  for (const char* outside : {"http:", "https:", "<script", "<link", " src=\"", "url(", "@import"}) {
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
  }
}

// Times and pivots against n: two plots, and in each a line with three marks per method.
TEST(StudyReport, DrawsALinePerMethod) {
  const StudyRecord record = small_record("");
  const std::string page = make_study_report({&record, 1}, "");
  EXPECT_EQ(count_of(page, "<svg "), 2u);
  EXPECT_EQ(count_of(page, "<title>slow</title>"), 2u);
  EXPECT_EQ(count_of(page, "<circle "), 2u * (3 + 1));  // the legend has one more
  EXPECT_NE(page.find("peg: time against n, contacts"), std::string::npos);
}

std::vector<ReportRow> rows_of(const std::vector<std::pair<double, double>>& values) {
  std::vector<ReportRow> rows;
  for (const auto& [n, seconds] : values) rows.push_back({{"method", "one"}, {"n", n}, {"seconds", seconds}});
  return rows;
}

// A power law is a straight line on log-log axes: equal factors are equal distances.
TEST(StudyReport, AxesAreLogarithmic) {
  const std::string plot = make_plots("law", rows_of({{10, 1e-5}, {100, 1e-3}, {1000, 1e-1}}));
  const std::size_t at = plot.find("<polyline points=\"");
  ASSERT_NE(at, std::string::npos);
  double x[3], y[3];
  char comma = 0;
  std::istringstream in(plot.substr(at + 18));
  for (int i = 0; i < 3; ++i) in >> x[i] >> comma >> y[i];
  EXPECT_NEAR(x[1] - x[0], x[2] - x[1], 0.11);  // one decimal is written
  EXPECT_NEAR(y[1] - y[0], y[2] - y[1], 0.11);
  EXPECT_LT(x[0], x[1]);
  EXPECT_GT(y[0], y[1]);  // SVG counts downwards
  EXPECT_NE(plot.find(">10 µs</text>"), std::string::npos);
}

// What has no logarithm is left out, and two values at one size make no line.
TEST(StudyReport, DrawsOnlyWhatCanBeDrawn) {
  EXPECT_EQ(make_plots("none", {}), "");
  EXPECT_EQ(make_plots("one size", rows_of({{8, 1e-5}, {8, 2e-5}})), "");
  EXPECT_EQ(make_plots("zeros", rows_of({{8, 0.0}, {16, 0.0}})), "");
  const std::string scattered = make_plots("scattered", rows_of({{8, 1e-5}, {8, 2e-5}, {16, 0.0}, {32, 1e-5}}));
  EXPECT_EQ(count_of(scattered, "<polyline "), 1u);  // the legend's
  EXPECT_EQ(count_of(scattered, "<circle "), 3u + 1);
  for (const char* wrong : {"nan", "inf"}) EXPECT_EQ(scattered.find(wrong), std::string::npos) << wrong;
}

// Without a size there are bars whose lengths are the times.
TEST(StudyReport, BarsAreProportional) {
  const std::string plot =
      make_plots("methods", {{{"method", "a"}, {"seconds_mean", 1e-3}}, {{"method", "b"}, {"seconds_mean", 4e-3}}});
  EXPECT_NE(plot.find("width=\"77.5\""), std::string::npos) << plot;
  EXPECT_NE(plot.find("width=\"310.0\""), std::string::npos) << plot;
  EXPECT_NE(plot.find(">4 ms</text>"), std::string::npos);
}

}  // namespace
}  // namespace tribo
