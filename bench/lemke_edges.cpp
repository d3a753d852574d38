// `bench lemke`, the edge cases of spec G for Coulomb friction, a promise each. Velocities are compared relative to the
// motion, in the norm of the mass matrix (relative_change).
#include "tribo/contact/solve.hpp"
#include "tribo/problem/generate.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "lemke_parts.hpp"
#include "lemke_problems.hpp"
#include "no_slip_problems.hpp"
#include "timing.hpp"

namespace tribo {
namespace {

constexpr double kSameMotion = 1e-12;  // relative

struct Solved {
  SolveReport report;
  ContactSolution solution;
  double worst = std::numeric_limits<double>::infinity();

  bool certified() const { return worst <= kLemkeCertified; }
};

Solved solve_cold(const ContactProblem& problem) {
  const ContactAnswer answer =
      solve(problem, CoulombPyramid{8}, {.solver = "lemke/reduced", .tolerance = kLemkeCertified, .islands = false});
  Solved solved;
  solved.report = answer.report;
  if (!is_solved(answer.status)) return solved;
  solved.solution = answer.solution;
  solved.worst = answer.certificate.worst;
  return solved;
}

// One of each shape that the other cases vary.
std::vector<ContactProblem> shapes(std::uint64_t seed, std::uint64_t stream, std::uint64_t count) {
  std::vector<ContactProblem> problems;
  for (std::uint64_t k = 0; k < count; ++k) {
    Random random(derive_seed(seed, stream, k));
    problems.push_back(peg_in_hole(16, random));
    problems.push_back(box_stack(3, 6, random));
    problems.push_back(block_on_face(8, 0.4, random));
    problems.push_back(random_bodies({.bodies = 3, .contacts = 15}, random));
  }
  return problems;
}

void report(Output& output, const std::string& name, bool held, std::size_t problems, double worst,
            const std::string& detail) {
  output.object({{"kind", "edge"}, {"case", name}, {"problems_count", problems}, {"worst_relative", worst}});
  output.promise("edge: " + name, held, detail);
}

// f_n = 0, no pivot, v⁺ = v + h M⁻¹ f.
void check_open(Output& output) {
  ContactProblem none = keep_contacts(sphere_on_plane(), {});
  ContactProblem apart = sphere_on_plane({.velocity = Vector3d(1.0, 0.0, 0.5)});
  bool held = true;
  double worst = 0.0;
  int pivots = 0;
  for (const ContactProblem& problem : {none, apart}) {
    const Solved solved = solve_cold(problem);
    worst = std::max(worst, solved.worst);
    pivots += solved.report.pivots;
    held = held && solved.certified() && solved.report.pivots == 0 && solved.solution.f_n.isZero(0.0);
  }
  report(output, "no contact, one that opens", held, 2, worst, format("%d pivots, worst %.1e", pivots, worst));
}

void check_frictionless(Output& output, std::uint64_t seed, std::uint64_t count) {
  double change = 0.0, worst = 0.0;
  std::vector<ContactProblem> problems = shapes(seed, 411, count);
  for (ContactProblem& problem : problems) {
    for (Contact& contact : problem.contacts) contact.mu = 0.0;
    const Solved solved = solve_cold(problem);
    worst = std::max(worst, solved.worst);
    if (!solved.certified()) continue;
    const VectorXd v_next = solve(problem, Frictionless{}, {.islands = false}).v_next;
    change = std::max(change, relative_change(problem, v_next, solved.solution.v_next));
  }
  report(output, "mu = 0 is frictionless", change <= kSameMotion && worst <= kLemkeCertified, problems.size(), worst,
         format("v+ differs by %.1e at most from the dual active set, %zu problems, worst %.1e", change,
                problems.size(), worst));
}

void check_large_friction(Output& output, std::uint64_t seed, std::uint64_t count) {
  double worst = 0.0;
  std::vector<ContactProblem> problems = shapes(seed, 412, count);
  for (ContactProblem& problem : problems) {
    for (Contact& contact : problem.contacts) contact.mu = 1e6;
    worst = std::max(worst, solve_cold(problem).worst);
  }
  report(output, "mu = 1e6", worst <= kLemkeCertified, problems.size(), worst,
         format("%zu problems, worst %.1e", problems.size(), worst));
}

void check_duplicates(Output& output, std::uint64_t seed, std::uint64_t count) {
  double once_worst = 0.0, worst = 0.0, change = 0.0, force = 0.0;
  const std::vector<ContactProblem> problems = shapes(seed, 413, count);
  for (const ContactProblem& problem : problems) {
    const Solved once = solve_cold(problem), twenty = solve_cold(repeat_contacts(problem, 20));
    once_worst = std::max(once_worst, once.worst);
    worst = std::max(worst, twenty.worst);
    if (!once.certified() || !twenty.certified()) continue;
    change = std::max(change, relative_change(problem, once.solution.v_next, twenty.solution.v_next));
    const double sum = once.solution.f_n.sum();
    if (sum > 0.0) force = std::max(force, twenty.solution.f_n.maxCoeff() / sum);
  }
  report(output, "every contact twenty times", worst <= kLemkeCertified && std::isfinite(force), problems.size(), worst,
         format("worst %.1e, once %.1e; largest impulse %.2g of the sum without copies; v+ differs by %.1e at most "
                "(it need not be unique)",
                worst, once_worst, force, change));
}

void check_rest(Output& output) {
  Random random(1);
  ContactProblem still = peg_in_hole(16, random);
  still.v.setZero();
  still.f.setZero();
  ContactProblem stack = box_stack(4, 8, random);
  stack.v.setZero();
  stack.f.setZero();
  for (Index b = 0; b < 4; ++b) stack.f(6 * b + 2) = -9.81 * stack.mass.block(b)(0, 0);
  double speed = 0.0, worst = 0.0;
  for (const ContactProblem& problem : {still, stack}) {
    const Solved solved = solve_cold(problem);
    worst = std::max(worst, solved.worst);
    if (solved.certified()) speed = std::max(speed, solved.solution.v_next.cwiseAbs().maxCoeff());
  }
  report(output, "zero velocity", worst <= kLemkeCertified && speed <= 1e-12, 2, worst,
         format("a peg without load and a stack under its weight move with %.1e m/s or rad/s at most, worst %.1e",
                speed, worst));
}

// A block at rest on a slope of 0.3 rad (tan = 0.309) stays with mu = 0.4 and slides with mu = 0.2.
void check_slope(Output& output) {
  constexpr double kSlope = 0.3, kSpeedScale = 0.0981;  // rad; g h in m/s
  double worst = 0.0, slowest = 0.0, stays = 0.0;
  for (const double mu : {0.4, 0.2}) {
    Random random(2);
    ContactProblem problem = block_on_face(6, kSlope, random);
    problem.v.setZero();
    for (Contact& contact : problem.contacts) contact.mu = mu;
    const Solved solved = solve_cold(problem);
    worst = std::max(worst, solved.worst);
    if (solved.certified()) (mu > std::tan(kSlope) ? stays : slowest) = solved.solution.v_next.head(3).norm();
  }
  const bool held = worst <= kLemkeCertified && stays <= 1e-12 * kSpeedScale && slowest >= 0.05 * kSpeedScale;
  report(output, "slope inside and outside the cone", held, 2, worst,
         format("mu = 0.4 moves with %.1e m/s, mu = 0.2 with %.2g m/s; worst %.1e", stays, slowest, worst));
}

void check_mass_ratio(Output& output, std::uint64_t seed, std::uint64_t count) {
  double worst = 0.0;
  std::size_t problems = 0;
  for (std::uint64_t k = 0; k < count; ++k) {
    for (const double factor : {1e6, 1e-6}) {
      Random random(derive_seed(seed, 414, k));
      const ContactProblem stack = box_stack(2, 4, random);
      worst = std::max(worst, solve_cold(with_heavier_block(stack, 1, factor)).worst);
      ++problems;
    }
  }
  report(output, "mass ratio 1e6 and 1e-6", worst <= kLemkeCertified, problems, worst,
         format("light on heavy and heavy on light, %zu problems, worst %.1e", problems, worst));
}

// Angles from 1e-7 to 0.1 rad in equal ratios, and none.
void check_jams(Output& output, std::uint64_t angles) {
  double worst = 0.0, first = 0.0;
  std::size_t missed = 0;
  for (std::uint64_t k = 0; k <= angles; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(angles);
    const double angle = k == angles ? 0.0 : std::pow(10.0, -7.0 + 6.0 * share);
    const Solved solved = solve_cold(jam(false, angle));
    if (is_solved(solved.report.status)) {
      worst = std::max(worst, solved.worst);
    } else if (++missed == 1) {
      first = angle;
    }
  }
  const std::string where = missed > 0 ? format(", the first at %.17g rad", first) : "";
  report(output, "jam", missed == 0 && worst <= kLemkeCertified, angles + 1, worst,
         format("normals opposed but for 0 to 0.1 rad: %zu of %llu missed%s, worst %.1e", missed,
                static_cast<unsigned long long>(angles + 1), where.c_str(), worst));
  const Solved overlap = solve_cold(jam(true));
  report(output, "jam with overlap has no answer and is reported", !is_solved(overlap.report.status), 1, 0.0,
         std::string(to_string(overlap.report.status)) + ", " + overlap.report.detail);
}

void check_painleve(Output& output) {
  const Solved solved = solve_cold(painleve_rod());
  report(output, "Painleve rod at velocity level", solved.certified(), 1, solved.worst,
         format("%d pivots, worst %.1e", solved.report.pivots, solved.worst));
}

void check_many(Output& output) {
  Random random(3);
  const Solved solved = solve_cold(peg_in_hole(500, random));
  report(output, "500 contacts on one body within 30 pivots", solved.certified() && solved.report.pivots <= 30, 1,
         solved.worst, format("%d pivots, worst %.1e", solved.report.pivots, solved.worst));
}

void check_units(Output& output, std::uint64_t seed, std::uint64_t count) {
  int different = 0, largest = 0;
  double worst = 0.0;
  const std::vector<ContactProblem> problems = shapes(seed, 415, count);
  for (const ContactProblem& problem : problems) {
    const Solved here = solve_cold(problem), there = solve_cold(in_other_units(problem, 1000.0, 1000.0));
    worst = std::max({worst, here.worst, there.worst});
    different += here.report.pivots == there.report.pivots ? 0 : 1;
    largest = std::max(largest, std::abs(here.report.pivots - there.report.pivots));
  }
  report(output, "lengths and masses a thousand times: same pivots", different == 0 && worst <= kLemkeCertified,
         problems.size(), worst,
         format("%d of %zu differ, by %d at most; worst %.1e", different, problems.size(), largest, worst));
}

}  // namespace

void check_lemke_edges(Output& output, const BenchOptions& options) {
  output.progress("lemke: edge cases");
  output.line("edge cases");
  const std::uint64_t count = options.quick ? 3 : 25;
  check_open(output);
  check_frictionless(output, options.seed, count);
  check_large_friction(output, options.seed, count);
  check_duplicates(output, options.seed, count);
  check_rest(output);
  check_slope(output);
  check_mass_ratio(output, options.seed, count);
  check_jams(output, options.quick ? 6 : 600);
  check_painleve(output);
  check_many(output);
  check_units(output, options.seed, count);
  output.progress("");
}

}  // namespace tribo
