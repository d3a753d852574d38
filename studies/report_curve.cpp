#include "studies/report_curve.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace tribo {
namespace {

constexpr double kCurveWidth = 640.0, kCurveHeight = 300.0;
constexpr double kCurveLeft = 84.0, kCurveRight = 16.0, kCurveTop = 14.0, kCurveBottom = 46.0;
constexpr std::size_t kMostCurves = 8;
constexpr std::array<const char*, 4> kCurveDashes = {"none", "7 3", "2 3",
                                                     "9 3 2 3"};  // colours alone are lost in print

struct Curve {
  std::string name;
  std::vector<std::array<double, 2>> points;
};

struct CurveRange {
  double low = 1e300, high = -1e300;
  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  // Where a value lies between two pixels; a range of one value is in the middle.
  double at(double value, double start, double end) const {
    return high > low ? start + (end - start) * (value - low) / (high - low) : 0.5 * (start + end);
  }
  // Round numbers, four to ten of them.
  std::vector<double> ticks() const {
    if (!(high > low)) return {low};
    const double rough = (high - low) / 5.0, decade = std::pow(10.0, std::floor(std::log10(rough)));
    const double step = rough / decade < 1.5   ? decade
                        : rough / decade < 3.5 ? 2.0 * decade
                        : rough / decade < 7.5 ? 5.0 * decade
                                               : 10.0 * decade;
    std::vector<double> chosen;
    for (double k = std::ceil(low / step); k * step <= high + 1e-9 * step; k += 1.0) chosen.push_back(k * step + 0.0);
    return chosen;
  }
};

std::string curve_text(const ReportRow& row, const char* field) {
  const auto found = row.find(field);
  return found != row.end() && found->is_string() ? found->get<std::string>() : "";
}

Curve read_curve(const ReportRow& row) {
  Curve curve{curve_text(row, "series"), {}};
  const auto xs = row.find("xs"), ys = row.find("ys");
  if (xs == row.end() || ys == row.end() || !xs->is_array() || !ys->is_array()) return curve;
  for (std::size_t i = 0; i < std::min(xs->size(), ys->size()); ++i) {
    const ReportRow &x = xs->at(i), &y = ys->at(i);
    if (x.is_number() && y.is_number()) curve.points.push_back({x.get<double>(), y.get<double>()});
  }
  return curve;
}

std::string draw_figure(const std::string& title, const std::string& x_name, const std::string& y_name,
                        const std::vector<Curve>& curves) {
  const double right = kCurveWidth - kCurveRight, bottom = kCurveHeight - kCurveBottom;
  CurveRange x, y;
  for (const Curve& curve : curves) {
    for (const auto& point : curve.points) {
      x.include(point[0]);
      y.include(point[1]);
    }
  }
  std::string svg;
  for (const double value : x.ticks()) {
    svg += fmt::format(
        "<path class=\"grid\" d=\"M{0:.1f} {1}V{2}\"/><text x=\"{0:.1f}\" y=\"{3}\" "
        "text-anchor=\"middle\">{4:.4g}</text>\n",
        x.at(value, kCurveLeft, right), kCurveTop, bottom, bottom + 17.0, value);
  }
  for (const double value : y.ticks()) {
    const double at = y.at(value, bottom, kCurveTop);
    svg += fmt::format(
        "<path class=\"grid\" d=\"M{0} {2:.1f}H{1}\"/><text x=\"{3}\" y=\"{4:.1f}\" "
        "text-anchor=\"end\">{5:.4g}</text>\n",
        kCurveLeft, right, at, kCurveLeft - 7.0, at + 4.0, value);
  }
  svg += fmt::format("<path class=\"axis\" d=\"M{} {}V{}H{}\"/>\n", kCurveLeft, kCurveTop, bottom, right);
  svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", 0.5 * (kCurveLeft + right),
                     kCurveHeight - 8.0, escape_html(x_name));
  double height = kCurveHeight;
  for (std::size_t k = 0; k < curves.size(); ++k, height += 19.0) {
    std::string line;
    for (const auto& point : curves[k].points) {
      line += fmt::format("{:.1f},{:.1f} ", x.at(point[0], kCurveLeft, right), y.at(point[1], bottom, kCurveTop));
    }
    svg += fmt::format(
        "<g class=\"s{0}\"><title>{1}</title><polyline points=\"{2}\" stroke-dasharray=\"{3}\"/><polyline "
        "points=\"{4},{5:.1f} {6},{5:.1f}\" "
        "stroke-dasharray=\"{3}\"/></g><text x=\"{7}\" y=\"{8:.1f}\">{1}</text>\n",
        k, escape_html(curves[k].name), line, kCurveDashes[k % kCurveDashes.size()], kCurveLeft, height + 8.0,
        kCurveLeft + 36.0, kCurveLeft + 46.0, height + 12.0);
  }
  const std::string caption = escape_html(title + ": " + y_name);
  return fmt::format(
      "<figure><figcaption>{0}</figcaption>\n<svg viewBox=\"0 0 {1} {2:.0f}\" role=\"img\" "
      "aria-label=\"{0}\">\n{3}</svg></figure>\n",
      caption, kCurveWidth, height + 4.0, svg);
}

}  // namespace

std::string make_curves(const std::vector<ReportRow>& rows) {
  std::vector<std::string> figures;
  for (const ReportRow& row : rows) {
    const std::string figure = curve_text(row, "figure");
    if (std::find(figures.begin(), figures.end(), figure) == figures.end()) figures.push_back(figure);
  }
  std::string html;
  for (const std::string& figure : figures) {
    std::vector<Curve> curves;
    std::string x_name, y_name;
    for (const ReportRow& row : rows) {
      if (curve_text(row, "figure") != figure || curves.size() == kMostCurves) continue;
      Curve curve = read_curve(row);
      if (curve.points.size() < 2) continue;
      x_name = curve_text(row, "x_name");
      y_name = curve_text(row, "y_name");
      curves.push_back(std::move(curve));
    }
    if (!curves.empty()) html += draw_figure(figure, x_name, y_name, curves);
  }
  return html;
}

}  // namespace tribo
