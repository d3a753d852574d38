// What the paper says of its model: whether there is an answer (spec lcp-contact A.5), what no slip means where
// contacts separate (B.1), and the arithmetic of its percentages.
#include "tribo/contact/solve.hpp"
#include "tribo/problem/contact_builder.hpp"
#include "tribo/problem/generate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "methods.hpp"
#include "parts.hpp"
#include <fmt/format.h>

namespace tribo {
namespace {

// A ball in a corner of three walls, one of which it overlaps: without slip nothing is left to move.
ContactProblem ball_in_corner() {
  ContactBuilder builder;
  const double radius = 0.1;
  const Index ball = builder.add_body(1.0, sphere_inertia(1.0, radius), Vector3d::Zero());
  for (Index axis = 0; axis < 3; ++axis) {
    const Vector3d normal = Vector3d::Unit(axis);
    builder.add_contact(ball, ContactBuilder::kWorld, -radius * normal, normal);
  }
  builder.set_normal_offset(0, -0.1);
  return builder.build();
}

bool is_proved(const ContactAnswer& answer) {
  return answer.status == Status::kInfeasible && answer.infeasibility.verdict == Verdict::kInfeasible;
}

void report_existence(StudyOutput& output) {
  const ContactProblem walls = jam(true, 0.0);
  const ContactAnswer between = solve(walls, Frictionless{});
  const ContactAnswer corner = solve(ball_in_corner(), NoSlip{});
  SolveOptions relax;
  relax.relax = true;
  const ContactAnswer eased = solve(walls, Frictionless{}, relax);
  const bool proved = is_proved(between) && is_proved(corner);
  const double most = eased.eased.size() > 0 ? eased.eased.maxCoeff() : 0.0;
  output.claim(
      "the LCP always has a solution", "guaranteed by Baraff's algorithm",
      fmt::format("a ball between two overlapping walls: {}; in a corner without slip, overlapping one wall: {}; "
                  "proofs {}; the first, eased by {:.3f} m/s: {}",
                  to_string(between.status), to_string(corner.status), proved ? "verified" : "not verified", most,
                  to_string(eased.status)),
      differs_if(proved, "it holds for b_N = 0; stabilization and restitution can ask for what no velocity gives"));
  output.promise(
      "contradictory stabilization is detected with a verified proof, and can be eased",
      proved && eased.status == Status::kSolvedReduced,
      fmt::format("{}, {}, {}", to_string(between.status), to_string(corner.status), to_string(eased.status)));
}

void report_separating_contact(StudyOutput& output) {
  SphereSettings settings;
  settings.velocity = {1.0, 0.0, 0.5};
  settings.mu = 1e6;
  ContactProblem sphere = sphere_on_plane(settings);
  sphere.f.setZero();
  const ContactAnswer stuck = solve(sphere, NoSlip{});
  const ContactAnswer free = solve(sphere, CoulombPyramid{4});
  const double speed = stuck.v_next(0), spin = stuck.v_next(4);
  // A ball that rolls: 5/7 of the speed, by angular momentum about the contact.
  const bool rolls = std::abs(speed - 5.0 / 7.0) < 1e-9 && std::abs(spin - 50.0 / 7.0) < 1e-8;
  const bool untouched = std::abs(free.v_next(0) - 1.0) < 1e-9 && std::abs(free.v_next(4)) < 1e-8;
  output.claim(
      "no slip is friction with mu = ∞", "the model for sufficient friction, mu = ∞",
      fmt::format("a sphere leaving a plane with v = (1, 0, 0.5): no slip ({:.3f}, 0, {:.1f}) and spin {:.2f}; "
                  "Coulomb with mu = 1e6 ({:.3f}, 0, {:.1f}) and spin {:.2f}",
                  speed, stuck.v_next(2), spin, free.v_next(0), free.v_next(2), free.v_next(4)),
      differs_if(rolls && untouched,
                 "S v = T v = 0 is imposed at every listed contact, also where f_n = 0: a separating contact still "
                 "sticks; list only contacts that close"));
  output.promise("a separating contact sticks without slip and is free under Coulomb's law",
                 rolls && untouched && is_solved(stuck.status) && is_solved(free.status),
                 fmt::format("{:.3f} m/s, {:.2f} rad/s against {:.3f} m/s", speed, spin, free.v_next(0)));
}

// The grasp at rest, exactly as generated: how fast is it afterwards, according to answers that all pass?
void report_uniqueness(StudyOutput& output) {
  constexpr int kVectors = 8;
  const ContactProblem grasp = grasp_row(2, 12);
  double slowest = std::numeric_limits<double>::infinity(), fastest = 0.0;
  int certified = 0;
  for (int i = 0; i < kVectors; ++i) {
    const auto method = make_stewart_trinkle(4, i);
    ContactSolution solution;
    const bool solved = is_solved(method->solve(grasp, solution).status);
    if (!solved || method->certificate(grasp, solution) > kAnswerTolerance) continue;
    ++certified;
    slowest = std::min(slowest, solution.v_next.cwiseAbs().maxCoeff());
    fastest = std::max(fastest, solution.v_next.cwiseAbs().maxCoeff());
  }
  output.claim(
      "the grasp, ideally, does not move", "it stays grasped; falling is a numerical issue of Lemke's method",
      fmt::format("Stewart-Trinkle, {} covering vectors of Lemke's method, {} certified answers: the fastest entry "
                  "of v+ is between {:.1e} and {:.2f}",
                  kVectors, certified, slowest, fastest),
      differs_if(fastest > 1e-3,
                 "answers of the friction LCP are not unique: with the normal impulse on one contact of a face, "
                 "the others carry no friction and the boxes may turn about it; without slip v+ is unique"));
  output.promise("every covering vector gives a certified answer", certified == kVectors,
                 fmt::format("{} of {}", certified, kVectors));
}

double faster(double slow, double fast) { return 100.0 * (slow / fast - 1.0); }
double saved(double slow, double fast) { return 100.0 * (1.0 - fast / slow); }

void report_percentages(StudyOutput& output) {
  const double lemke = 10.9681, qp = 1.9892, ppm = 1.6680;  // s; Table I
  const double shell = 416.284, walking = 301.796;          // s; Table II
  const double viscous_lemke = 2936.36, viscous = 2139.73;  // s; Table III
  output.claim(
      "speed-ups in per cent", "451 and 558 (Table I), 20 (QP to PPM), 28 (Table II), 37 (Table III)",
      fmt::format("t1/t2 − 1 from the paper's times: {:.0f}, {:.0f}, {:.0f}, {:.0f}, {:.0f}; 1 − t2/t1 for Table "
                  "II: {:.1f}",
                  faster(lemke, qp), faster(lemke, ppm), faster(qp, ppm), faster(shell, walking),
                  faster(viscous_lemke, viscous), saved(shell, walking)),
      differs_if(std::abs(saved(shell, walking) - 28.0) < std::abs(faster(shell, walking) - 28.0),
                 "the 28 % of Table II is 1 − t2/t1, the others are t1/t2 − 1; 451 % is 5.5 times as fast"));
  output.claim("reduction of the variables in the grasp", "a factor of five", fmt::format("216 / 36 = {}", 216 / 36),
               differs_if(216 / 36 != 5, "216 is six times 36"));
}

}  // namespace

void report_model(StudyOutput& output) {
  output.heading("What the paper says of its model, and how it counts");
  report_existence(output);
  report_separating_contact(output);
  report_uniqueness(output);
  report_percentages(output);
}

}  // namespace tribo
