// The claim of the title: O(m³ + m² n) for n contacts and m degrees of freedom. Time and pivots against n at fixed m,
// and against m at 12 contacts per face. Exponents are fitted over the upper half of each series, where fixed costs
// count least.
#include "tribo/problem/generate.hpp"

#include <algorithm>
#include <functional>

#include "methods.hpp"
#include "parts.hpp"
#include "studies/statistics.hpp"
#include <fmt/format.h>

namespace tribo {
namespace {

constexpr double kFitOfSizes = 0.15;  // how well three or four sizes tell an exponent; caches bend the line by as much

struct Point {
  double size = 0.0;  // n or m
  Index contacts = 0, dof = 0;
  double seconds = 0.0;
  int pivots = 0;
  double worst = 0.0;
  bool certified = false;
};

struct Series {
  std::string name, against;  // against: "n" or "m"
  std::vector<Point> points;

  // Over the upper half of the series.
  double exponent() const {
    std::vector<double> x, y;
    for (std::size_t i = points.size() / 2; i < points.size(); ++i) {
      x.push_back(points[i].size);
      y.push_back(points[i].seconds);
    }
    return fit_exponent(x, y);
  }
  int most_pivots() const {
    int most = 0;
    for (const Point& point : points) most = std::max(most, point.pivots);
    return most;
  }
  bool certified() const {
    return std::all_of(points.begin(), points.end(), [](const Point& p) { return p.certified; });
  }
};

using MakeProblem = std::function<ContactProblem(Index)>;
using MakeMethod = std::function<std::unique_ptr<StepMethod>()>;

Series measure(StudyOutput& output, const std::string& name, const std::string& against,
               const std::vector<Index>& sizes, const MakeProblem& make_problem, const MakeMethod& make_method) {
  Series series{name, against, {}};
  const auto method = make_method();
  const double budget = output.quick() ? 0.01 : 0.2;
  for (const Index size : sizes) {
    output.progress(fmt::format("complexity: {}, {}", name, size));
    const ContactProblem problem = make_problem(size);
    ContactSolution solution;
    const SolveReport report = method->solve(problem, solution);
    Point& point = series.points.emplace_back();
    point.contacts = problem.size();
    point.dof = problem.dof();
    point.size = static_cast<double>(against == "n" ? point.contacts : point.dof);
    point.pivots = report.pivots;
    point.worst = method->certificate(problem, solution);
    point.certified = is_solved(report.status) && point.worst <= kAnswerTolerance;
    point.seconds = least_time([&] { static_cast<void>(method->solve(problem, solution)); }, budget);
  }
  output.progress("");
  return series;
}

void print(StudyOutput& output, const Series& series) {
  output.line(fmt::format("  {}: time grows like {}^{:.2f}", series.name, series.against, series.exponent()));
  for (const Point& point : series.points) {
    output.line(fmt::format("    n {:>5}  m {:>4}  {:>10.1f} us  pivots {:>4}  worst {:.1e}", point.contacts, point.dof,
                            1e6 * point.seconds, point.pivots, point.worst));
    output.object("complexity", {{"series", series.name},
                                 {"n", point.contacts},
                                 {"m", point.dof},
                                 {"seconds", point.seconds},
                                 {"pivots", point.pivots},
                                 {"worst", point.worst}});
  }
}

std::vector<Index> doubling(Index first, Index last) {
  std::vector<Index> sizes;
  for (Index n = first; n <= last; n *= 2) sizes.push_back(n);
  return sizes;
}

}  // namespace

void report_complexity(StudyOutput& output) {
  constexpr double kIncline = 0.3;  // rad
  const auto block = [](Index n) {
    Random random(7);
    return block_on_face(n, kIncline, random);
  };
  const auto grasp = [](Index n) { return grasp_row(1, n / 2); };
  const auto row = [](Index boxes) { return grasp_row(boxes, 12); };
  const auto stack = [](Index blocks) {
    Random random(7);
    return box_stack(blocks, 12, random);
  };
  const auto no_slip = [] { return make_normal_method(NoSlip{}, PivotRule::kPrincipalPivoting); };
  const auto frictionless = [] { return make_normal_method(Frictionless{}, PivotRule::kPrincipalPivoting); };
  const auto coulomb = [] { return make_stewart_trinkle(4); };

  const std::vector<Index> contacts = doubling(8, 1024), bodies = doubling(1, 16);
  const std::vector<Series> in_n = {
      measure(output, "block on a face, no slip", "n", contacts, block, no_slip),
      measure(output, "block on a face, frictionless", "n", contacts, block, frictionless),
      measure(output, "box between grippers, no slip", "n", contacts, grasp, no_slip),
  };
  const std::vector<Series> in_m = {
      measure(output, "row between grippers, no slip", "m", bodies, row, no_slip),
      measure(output, "stack, no slip", "m", bodies, stack, no_slip),
  };
  const Series pyramid =
      measure(output, "block on a face, Stewart-Trinkle", "n", doubling(8, output.quick() ? 32 : 128), block, coulomb);

  output.heading("Cost against contacts n and degrees of freedom m");
  for (const Series& series : in_n) print(output, series);
  for (const Series& series : in_m) print(output, series);
  print(output, pyramid);

  double exponent_n = 0.0, exponent_m = 0.0;
  std::string pivots_n, pivots_m;
  bool flat = true, linear = true, certified = pyramid.certified();
  for (const Series& series : in_n) {
    exponent_n = std::max(exponent_n, series.exponent());
    pivots_n +=
        fmt::format("{}{} to {}", pivots_n.empty() ? "" : ", ", series.points.front().pivots, series.most_pivots());
    // Iterations that followed n would have grown 128-fold; what may grow is the share of m that is found by then.
    flat = flat && series.most_pivots() <= series.points.front().pivots + series.points.front().dof;
    certified = certified && series.certified();
  }
  for (const Series& series : in_m) {
    exponent_m = std::max(exponent_m, series.exponent());
    pivots_m += fmt::format("{}{} of m = {}", pivots_m.empty() ? "" : ", ", series.points.back().pivots,
                            series.points.back().dof);
    for (const Point& point : series.points) linear = linear && point.pivots <= 2 * point.dof;
    certified = certified && series.certified();
  }
  output.claim("time grows linearly with the contacts at fixed m", "O(m³ + m² n)",
               fmt::format("exponent in n at most {:.2f}, n = 8 … 1024", exponent_n),
               reproduced_if(exponent_n <= 1.0 + kFitOfSizes));
  output.claim("time grows at most with the cube of the degrees of freedom", "O(m³ + m² n), n proportional to m",
               fmt::format("exponent in m at most {:.2f}, m = 6 … {}", exponent_m, in_m.front().points.back().dof),
               reproduced_if(exponent_m <= 3.0 + kFitOfSizes));
  output.claim("the method takes O(n) iterations", "O(n), assumed",
               fmt::format("pivots from n = 8 to 1024: {}; with m: {}", pivots_n, pivots_m),
               differs_if(flat && linear,
                          "the iterations follow m, not n; with O(n) of them the pass over all rows alone would cost "
                          "O(n² m) and the bound would not hold"));
  output.claim("Coulomb friction costs O(n³) by Lemke's method", "O(n³) expected",
               fmt::format("exponent in n {:.2f}, pivots {} to {}", pyramid.exponent(), pyramid.points.front().pivots,
                           pyramid.most_pivots()),
               reproduced_if(pyramid.exponent() <= 3.0 + kFitOfSizes));
  output.promise("every problem of the series is certified", certified,
                 fmt::format("tolerance {:.0e}", kAnswerTolerance));
  output.promise("iterations do not grow with the contacts", flat, "pivots " + pivots_n);
}

}  // namespace tribo
