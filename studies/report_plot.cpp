#include "studies/report_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

namespace tribo {
namespace {

constexpr double kPlotWidth = 640.0, kPlotHeight = 340.0;  // of the axes with their numbers
constexpr double kPlotLeft = 74.0, kPlotRight = 16.0, kPlotTop = 14.0, kPlotBottom = 46.0;  // what the numbers need
constexpr std::size_t kMostSeries = 8;  // colours and marks that can be told apart
constexpr std::array<const char*, kMostSeries> kDashes = {"none", "7 3", "2 3", "9 3 2 3",
                                                          "none", "7 3", "2 3", "9 3 2 3"};

struct PlotPoint {
  double x = 0.0, y = 0.0;
};

struct PlotSeries {
  std::string name;
  std::vector<PlotPoint> points;
};

struct PlotFrame {
  std::string title, x_name, y_name;
  bool log_y = true, seconds = false;  // seconds: numbers on the y axis with s, ms, us, ns
  std::vector<PlotSeries> series;
};

std::optional<double> number_in(const ReportRow& row, const std::string& column) {
  const auto found = row.find(column);
  if (found == row.end() || !found->is_number()) return std::nullopt;
  const double value = found->get<double>();
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::string seconds_text(double seconds) {
  if (seconds >= 0.9995) return fmt::format("{:.3g} s", seconds);
  if (seconds >= 0.9995e-3) return fmt::format("{:.3g} ms", 1e3 * seconds);
  if (seconds >= 0.9995e-6) return fmt::format("{:.3g} µs", 1e6 * seconds);
  return fmt::format("{:.3g} ns", 1e9 * seconds);
}

// One axis: from data to the pixels of [start, end], with round numbers on it.
class PlotAxis {
 public:
  PlotAxis(double least, double most, bool log, double start, double end) : log_(log), start_(start), end_(end) {
    low_ = log ? std::log10(least) : 0.0;
    high_ = log ? std::log10(most) : std::max(most, std::numeric_limits<double>::min());
    const double margin = log ? std::max(0.04 * (high_ - low_), 0.05) : 0.0;
    low_ -= margin;
    high_ += margin;
  }
  double at(double value) const {
    return start_ + (end_ - start_) * ((log_ ? std::log10(value) : value) - low_) / (high_ - low_);
  }
  // Decades, and 2 and 5 between them where there are few; five equal parts of a linear axis.
  std::vector<double> ticks() const {
    std::vector<double> chosen;
    if (!log_) {
      for (int i = 0; i <= 5; ++i) chosen.push_back(high_ * i / 5.0);
      return chosen;
    }
    const bool few = high_ - low_ < 2.5;
    const int every = std::max(1, static_cast<int>(std::ceil((high_ - low_) / 9.0)));
    for (int decade = static_cast<int>(std::floor(low_)); decade <= static_cast<int>(std::ceil(high_)); ++decade) {
      if (decade % every != 0) continue;
      for (const double digit : {1.0, 2.0, 5.0}) {
        const double value = digit * std::pow(10.0, decade);
        if ((digit == 1.0 || few) && std::log10(value) >= low_ && std::log10(value) <= high_) chosen.push_back(value);
      }
    }
    return chosen;
  }

 private:
  bool log_;
  double start_, end_, low_ = 0.0, high_ = 1.0;
};

// A mark of its own shape for every series: colours alone are lost in print.
std::string mark(std::size_t series, double x, double y) {
  switch (series % 4) {
    case 0:
      return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.4\"/>", x, y);
    case 1:
      return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"6.4\" height=\"6.4\"/>", x - 3.2, y - 3.2);
    case 2:
      return fmt::format("<path d=\"M{:.1f} {:.1f}l4.2 7.2h-8.4z\"/>", x, y - 4.6);
    default:
      return fmt::format("<path d=\"M{:.1f} {:.1f}l4.4 4.4l-4.4 4.4l-4.4-4.4z\"/>", x, y - 4.4);
  }
}

std::string draw_series(const PlotSeries& series, std::size_t k, const PlotAxis& x, const PlotAxis& y) {
  std::vector<PlotPoint> points = series.points;
  std::stable_sort(points.begin(), points.end(), [](const PlotPoint& a, const PlotPoint& b) { return a.x < b.x; });
  std::string line, marks;
  bool function = points.size() > 1;  // two values at one size are points, and no line
  for (std::size_t i = 0; i < points.size(); ++i) {
    function = function && (i == 0 || points[i].x > points[i - 1].x);
    line += fmt::format("{:.1f},{:.1f} ", x.at(points[i].x), y.at(points[i].y));
    marks += mark(k, x.at(points[i].x), y.at(points[i].y));
  }
  if (function) {
    line = fmt::format("<polyline points=\"{}\" stroke-dasharray=\"{}\"/>", line, kDashes[k]);
  } else {
    line.clear();
  }
  return fmt::format("<g class=\"s{}\"><title>{}</title>{}{}</g>\n", k, escape_html(series.name), line, marks);
}

std::string draw_axes(const PlotFrame& frame, const PlotAxis& x, const PlotAxis& y) {
  const double right = kPlotWidth - kPlotRight, bottom = kPlotHeight - kPlotBottom;
  std::string svg;
  for (const double value : x.ticks()) {
    svg += fmt::format(
        "<path class=\"grid\" d=\"M{0:.1f} {1}V{2}\"/><text x=\"{0:.1f}\" y=\"{3}\" "
        "text-anchor=\"middle\">{4:g}</text>\n",
        x.at(value), kPlotTop, bottom, bottom + 17.0, value);
  }
  for (const double value : y.ticks()) {
    svg += fmt::format(
        "<path class=\"grid\" d=\"M{0} {2:.1f}H{1}\"/><text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
        kPlotLeft, right, y.at(value), kPlotLeft - 7.0, y.at(value) + 4.0,
        frame.seconds ? seconds_text(value) : fmt::format("{:g}", value));
  }
  svg += fmt::format("<path class=\"axis\" d=\"M{} {}V{}H{}\"/>\n", kPlotLeft, kPlotTop, bottom, right);
  svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", 0.5 * (kPlotLeft + right),
                     kPlotHeight - 8.0, escape_html(frame.x_name));
  return svg;
}

std::string figure(const std::string& caption, const std::string& label, double height, const std::string& drawing) {
  return fmt::format(
      "<figure><figcaption>{}</figcaption>\n<svg viewBox=\"0 0 {} {:.0f}\" role=\"img\" "
      "aria-label=\"{}\">\n{}</svg></figure>\n",
      escape_html(caption), kPlotWidth, height, escape_html(label), drawing);
}

std::string draw_lines(PlotFrame frame) {
  std::erase_if(frame.series, [](const PlotSeries& series) { return series.points.empty(); });
  if (frame.series.empty()) return "";
  std::string left_out;
  if (frame.series.size() > kMostSeries) {
    left_out = fmt::format("; the first {} of {}, all are in the table", kMostSeries, frame.series.size());
    frame.series.resize(kMostSeries);
  }
  const double infinity = std::numeric_limits<double>::infinity();
  PlotPoint least{infinity, infinity}, most{-infinity, -infinity};
  for (const PlotSeries& series : frame.series) {
    for (const PlotPoint& point : series.points) {
      least = {std::min(least.x, point.x), std::min(least.y, point.y)};
      most = {std::max(most.x, point.x), std::max(most.y, point.y)};
    }
  }
  const PlotAxis x(least.x, most.x, true, kPlotLeft, kPlotWidth - kPlotRight);
  const PlotAxis y(least.y, most.y, frame.log_y, kPlotHeight - kPlotBottom, kPlotTop);
  std::string drawing = draw_axes(frame, x, y);
  for (std::size_t k = 0; k < frame.series.size(); ++k) drawing += draw_series(frame.series[k], k, x, y);
  double height = kPlotHeight;
  for (std::size_t k = 0; k < frame.series.size(); ++k, height += 19.0) {  // the legend, one line each
    drawing += fmt::format(
        "<g class=\"s{0}\"><polyline points=\"{1},{2:.1f} {3},{2:.1f}\" stroke-dasharray=\"{4}\"/>{5}</g>"
        "<text x=\"{6}\" y=\"{7:.1f}\">{8}</text>\n",
        k, kPlotLeft, height + 8.0, kPlotLeft + 36.0, kDashes[k], mark(k, kPlotLeft + 18.0, height + 8.0),
        kPlotLeft + 46.0, height + 12.0, escape_html(frame.series[k].name));
  }
  const std::string caption = fmt::format("{}: {} against {}{}", frame.title, frame.y_name, frame.x_name, left_out);
  return figure(caption, caption, height + 4.0, drawing);
}

std::string draw_bars(const std::string& title, const std::string& y_name,
                      const std::vector<std::pair<std::string, double>>& bars) {
  constexpr double kLabels = 250.0, kNumbers = 80.0, kStep = 26.0;
  double most = 0.0, top = 6.0;
  for (const auto& [name, value] : bars) most = std::max(most, value);
  std::string drawing;
  for (const auto& [name, value] : bars) {
    const double length = most > 0.0 ? (kPlotWidth - kLabels - kNumbers) * value / most : 0.0;
    drawing += fmt::format(
        "<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text><g class=\"s0\"><rect x=\"{}\" y=\"{:.1f}\" "
        "width=\"{:.1f}\" "
        "height=\"18\"/></g><text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        kLabels - 8.0, top + 13.0, escape_html(name), kLabels, top, std::max(length, 1.0), kLabels + length + 7.0,
        top + 13.0, seconds_text(value));
    top += kStep;
  }
  const std::string caption = title + ": " + y_name;
  return figure(caption, caption, top, drawing);
}

// The first of these columns that the rows have as text: what tells one series from another.
std::string name_column(const std::vector<ReportRow>& rows) {
  for (const char* column : {"series", "method", "variant", "solver"}) {
    if (rows.front().contains(column) && rows.front().at(column).is_string()) return column;
  }
  return "";
}

std::string name_of(const ReportRow& row, const std::string& column) {
  const auto found = column.empty() ? row.end() : row.find(column);
  return found != row.end() && found->is_string() ? found->get<std::string>() : "";
}

// The size that a series was measured against: the first of these that takes two values in it. Where the degrees of freedom
// m grow, the contacts n grow with them.
std::string size_column(const std::vector<const ReportRow*>& rows) {
  for (const char* column : {"m", "n", "contacts"}) {
    std::set<double> values;
    for (const ReportRow* row : rows) {
      if (const auto value = number_in(*row, column); value && *value > 0.0) values.insert(*value);
    }
    if (values.size() > 1) return column;
  }
  return "";
}

struct Measure {
  const char* name;
  bool seconds;
  std::vector<std::string> columns;
};

std::string plot_sizes(const std::string& title, const std::vector<ReportRow>& rows, const Measure& measure) {
  const std::string naming = name_column(rows);
  std::vector<std::string> columns;
  for (const std::string& column : measure.columns) {
    const auto has = [&](const ReportRow& row) { return number_in(row, column).has_value(); };
    if (std::any_of(rows.begin(), rows.end(), has)) columns.push_back(column);
  }
  std::vector<std::pair<std::string, std::vector<const ReportRow*>>> named;  // in the order of the rows
  for (const ReportRow& row : rows) {
    const std::string name = name_of(row, naming);
    auto found = std::find_if(named.begin(), named.end(), [&](const auto& one) { return one.first == name; });
    if (found == named.end()) found = named.insert(named.end(), {name, {}});
    found->second.push_back(&row);
  }
  std::map<std::string, PlotFrame> frames;  // by size column
  for (const auto& [name, members] : named) {
    const std::string size = size_column(members);
    if (size.empty()) continue;
    PlotFrame& frame = frames[size];
    for (const std::string& column : columns) {
      PlotSeries& series = frame.series.emplace_back();
      const std::string label = column == "peer.seconds"     ? "the fastest peer"
                                : column == "solver_seconds" ? "ours"
                                                             : column;
      series.name = name.empty() ? label : columns.size() > 1 ? name + ", " + label : name;
      for (const ReportRow* row : members) {
        const auto x = number_in(*row, size), y = number_in(*row, column);
        if (x && y && *x > 0.0 && *y > 0.0) series.points.push_back({*x, *y});
      }
    }
  }
  std::string html;
  for (auto& [size, frame] : frames) {
    frame.title = title;
    frame.x_name = size == "m" ? "m, degrees of freedom" : size == "n" ? "n, contacts" : size;
    frame.y_name = measure.name;
    frame.seconds = measure.seconds;
    html += draw_lines(frame);
  }
  return html;
}

std::string plot_profile(const std::string& title, const std::vector<ReportRow>& rows) {
  PlotFrame frame{title, "tau, times the fastest", "share solved", false, false, {}};
  for (const ReportRow& row : rows) {
    const auto taus = row.find("taus"), shares = row.find("shares");
    if (taus == row.end() || shares == row.end() || taus->size() != shares->size()) return "";
    PlotSeries& series = frame.series.emplace_back();
    series.name = name_of(row, "solver");
    for (std::size_t i = 0; i < taus->size(); ++i) {
      if (!taus->at(i).is_number() || !shares->at(i).is_number() || taus->at(i).get<double>() <= 0.0) return "";
      series.points.push_back({taus->at(i).get<double>(), shares->at(i).get<double>()});
    }
  }
  return draw_lines(frame);
}

std::string plot_bars(const std::string& title, const std::vector<ReportRow>& rows) {
  const std::string naming = name_column(rows), column = "seconds_mean";
  if (naming.empty() || rows.size() < 2 || rows.size() > 24) return "";
  std::vector<std::pair<std::string, double>> bars;
  for (const ReportRow& row : rows) {
    const auto value = number_in(row, column);
    if (!value || *value < 0.0) return "";
    bars.emplace_back(name_of(row, naming), *value);
  }
  return draw_bars(title, "mean time", bars);
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string make_plots(const std::string& title, const std::vector<ReportRow>& rows) {
  if (rows.empty()) return "";
  if (rows.front().contains("taus")) return plot_profile(title, rows);
  const std::string lines = plot_sizes(title, rows, {"time", true, {"seconds", "solver_seconds", "peer.seconds"}}) +
                            plot_sizes(title, rows, {"pivots", false, {"pivots_mean", "pivots"}});
  return lines.empty() ? plot_bars(title, rows) : lines;
}

}  // namespace tribo
