// solve(ContactProblem, CoulombCone). The chain:
//     cone                                 the portfolio of methods, or the one that was named
//     dual-active-set                      are the normals contradictory? That is a proof
//     cone (mu <= 10)                      with moderate coefficients; the certificate judges with the true ones
//     coulomb-pyramid:8, … :512            if that answer is one of the cone as well: everything sticks or opens
//     cone from coulomb-pyramid:8, … :512  started at the answer with polygons instead of circles, while their LCP is small:
//                                          pivoting finds answers where descent loses its way. Two polygons without an
//                                          answer are enough
#include "contact/solve_cone.hpp"

#include "tribo/formulation/cone.hpp"

#include <cmath>

#include "contact/contact_steps.hpp"
#include "contact/refute.hpp"

namespace tribo {
namespace {

constexpr double kModerate = 10.0;
constexpr double kInside = 1.0 - 1e-9;  // of the cone: what is further in sticks
constexpr Index kAnyPath = 600;         // rows up to which other paths of Lemke's method are tried for a start

WithStates<ContactSolution> with_states(const ContactProblem& problem, const ContactSolution& solution) {
  WithStates<ContactSolution> result{solution, {}};
  result.solution.f_spin.setZero(problem.spin.rows());
  result.solution.f_roll_s.setZero(problem.roll_s.rows());
  result.solution.f_roll_t.setZero(problem.roll_t.rows());
  for (Index i = 0; i < problem.size(); ++i) {
    const double load = solution.f_n(i), friction = std::hypot(solution.f_s(i), solution.f_t(i));
    const bool sticks = friction < kInside * problem.contacts[static_cast<std::size_t>(i)].mu * load;
    result.states.push_back(load <= 0.0 ? ContactState::kOpen : sticks ? ContactState::kStick : ContactState::kSlide);
  }
  return result;
}

}  // namespace

Index find_immovable(const ConeProblem& problem) {
  const int d = problem.dimension;
  for (Index i = 0; i < problem.contacts(); ++i) {
    if (problem.is_bilateral(i) || !(problem.q(i * d) < 0.0)) continue;
    const BlockSparse& A = problem.by_bodies() ? problem.H : problem.W;
    bool moves = problem.by_bodies() && problem.R(i * d) > 0.0;
    for (Index k = A.start[i]; k < A.start[i + 1] && !moves; ++k) {
      for (int c = 0; c < A.width && !moves; ++c) moves = A.block(k)[c * d] != 0.0;
    }
    if (!moves) return i;
  }
  return -1;
}

bool moderate_friction(const ConeProblem& problem, ConeProblem& moderate) {
  if (problem.mu.size() == 0 || problem.mu.maxCoeff() <= kModerate) return false;
  moderate = problem;
  moderate.mu = problem.mu.cwiseMin(kModerate);
  return true;
}

ConeMethod cone_method(const std::string& solver) {
  return solver == "cone/newton"         ? ConeMethod::kNewton
         : solver == "cone/gauss-seidel" ? ConeMethod::kGaussSeidel
         : solver == "cone/proximal"     ? ConeMethod::kProximal
                                         : ConeMethod::kAuto;
}

void solve_cone(const ContactProblem& problem, const SolveOptions& options, ContactAnswer& answer) {
  const ContactModel model = CoulombCone{};
  ConeFormulation formulation;
  if (const Checked made = formulation.update(problem); !made) throw ContractError(made.error().text());
  if (!formulation.consistent()) return refuse_equalities(problem, model, formulation.inconsistency(), answer);
  const auto lift = [&](const ConeSolution& found, ContactSolution& s) { formulation.lift(found, s); };
  const auto judge = [&](const ContactSolution& s) { return certify(problem, model, s); };
  ConeChain<ContactAnswer, ContactSolution, decltype(lift), decltype(judge)> chain(options, answer, lift, judge);
  const ConeProblem& cone = formulation.problem();
  const bool automatic = options.solver == "auto";
  const bool immovable = chain.refuse_immovable(cone);
  if (!immovable && (chain(automatic ? "cone" : options.solver, cone, {}) || !automatic))
    return chain.finish(problem.size());

  if (automatic && refute_normals(problem, model, options, answer)) {
    answer.states.clear();
    return;
  }
  if (ConeProblem moderate; automatic && !immovable && moderate_friction(cone, moderate)) {
    if (chain("cone (mu <= 10)", moderate, {})) return chain.finish(problem.size());
  }
  int unanswered = 0;
  for (const int sides : {8, 32, 128, 512}) {
    const CoulombPyramid pyramid{sides, true};
    const Index rows = pyramid_rows(problem, pyramid);
    if (!automatic || immovable || rows > kMostRows || unanswered == 2) break;
    SolveOptions reduced = options;
    reduced.solver = rows > kAnyPath ? "lemke/reduced" : "auto";
    const ContactAnswer start = solve_as_given(problem, pyramid, reduced);
    if (!is_solved(start.status)) {
      answer.stages.push_back(to_string(ContactModel(pyramid)) + ": " + std::string(to_string(start.status)));
      ++unanswered;
      continue;
    }
    // Where everything sticks or opens, a polygon is as good as a circle.
    if (chain.offer(to_string(ContactModel(pyramid)), start.report, with_states(problem, start.solution))) break;
    ConeWarmStart warm;
    formulation.warm_start(start.solution, warm);
    if (chain("cone from " + to_string(ContactModel(pyramid)), cone, warm)) break;
  }
  chain.finish(problem.size());
}

}  // namespace tribo
