#include "cone_judge.hpp"

#include "tribo/certify/certify.hpp"
#include "tribo/contact/solve.hpp"

#include <algorithm>
#include <cmath>

#include "cone_alone.hpp"
#include "cone_parts.hpp"
#include "cone_physics.hpp"
#include "lemke_problems.hpp"

namespace tribo {
namespace {

constexpr double kTight = 1e-12;

ContactAnswer answer_to(const ContactProblem& problem, double tolerance) {
  return solve(problem, CoulombCone{}, {.tolerance = tolerance});
}
FrictionAnswer answer_to(const LocalFriction& problem, double tolerance) {
  return solve(problem, {.tolerance = tolerance});
}

Certificate certificate_of(const ContactProblem& problem, const ContactAnswer& answer) {
  return certify(problem, CoulombCone{}, answer.solution);
}
Certificate certificate_of(const LocalFriction& problem, const FrictionAnswer& answer) {
  return certify(problem, answer.solution);
}

bool is_proved(const ContactProblem& problem, const ContactAnswer& answer) {
  if (answer.infeasibility.verdict == Verdict::kInfeasible) return true;
  const Status frictionless = solve(problem, Frictionless{}).status;
  return frictionless == Status::kInfeasible || frictionless == Status::kInconsistentEqualities;
}
bool is_proved(const LocalFriction&, const FrictionAnswer&) { return false; }

bool can_rescale(const ContactProblem& problem) {
  for (Index b = 0; b < problem.mass.blocks(); ++b) {
    if (problem.mass.layout().size(b) != 6) return false;
  }
  return problem.bilateral() == 0;
}
bool can_rescale(const LocalFriction&) { return true; }

// What it is made of is certified to 1e-12.
template <typename Problem>
bool make_tight(const Problem& problem, MatrixAnswer& result) {
  const auto answer = answer_to(problem, kTight);
  if (!is_solved(answer.status) || !certificate_of(problem, answer).passes(kTight)) return false;
  result = make_matrix_answer(problem, answer);
  return true;
}

template <typename Problem>
void judge_slip(const Problem& problem, const MatrixAnswer& answer, ConeCount& count) {
  SlipAngle slip = calc_slip_angle(answer);
  if (slip.largest > kConeAngle) {
    ++count.asked_again;
    if (MatrixAnswer tight; make_tight(problem, tight)) slip = calc_slip_angle(tight);
  }
  count.slips = slip.compared;
  count.angle = slip.largest;
}

template <typename Problem>
void judge_rescaled(const Problem& problem, const MatrixAnswer& before, ConeCount& count) {
  constexpr double kLength = 1000.0, kMass = 1000.0;
  if (!can_rescale(problem)) return;
  const Problem other = in_other_units(problem, kLength, kMass);
  const auto answer = answer_to(other, kConeCertified);
  ++count.rescaled;
  if (!is_solved(answer.status)) {
    ++count.rescaled_failed;
    return;
  }
  double change = calc_change(before, make_matrix_answer(other, answer), kLength);
  if (change > kConeUnits) {
    ++count.asked_again;
    if (MatrixAnswer here, there; make_tight(problem, here) && make_tight(other, there)) {
      change = calc_change(here, there, kLength);
      if (change > kConeUnits) {
        ++count.other_answers;
        return;
      }
    }
  }
  count.change = std::max(count.change, change);
  count.rescaled_changed += change > kConeUnits ? 1 : 0;
}

// Above mu = 1, and for contact problems, the solver promises another residual (solve/cone/cone_solver.hpp).
void judge_alone(const ContactProblem&, const VectorXd&, ConeCount&) {}
void judge_alone(const LocalFriction& problem, const VectorXd& r, ConeCount& count) {
  if (problem.mu.size() > 0 && problem.mu.maxCoeff() > 1.0) return;
  constexpr double kRounding = 1.01;  // W is summed in another order here
  const double share = certify(problem, {r, {}, {}}).worst / kConeCertified;
  ++count.alone;
  if (share <= kRounding) return;
  ++count.overstated;
  count.overstatement = share;
}

template <typename Problem>
void judge_restart(const Problem& problem, ConeCount& count) {
  ConeAlone run(kConeCertified);
  if (!is_solved(run.run(problem).status)) return;
  judge_alone(problem, run.solution().r, count);
  const SolveReport again = run.solve(run.warm_start());
  ++count.restarted;
  count.moved += is_solved(again.status) && again.sweeps + again.pivots == 0 ? 0 : 1;
}

template <typename Problem>
ConeCount judge(const Problem& problem, bool solvable, bool more, std::string& ending) {
  ConeCount count;
  count.problems = 1;
  const auto answer = answer_to(problem, kConeCertified);
  ending = std::string(to_string(answer.status));
  if (*answer.report.detail != '\0') ending += std::string(", ") + answer.report.detail;
  if (!is_solved(answer.status)) {
    count.motionless = is_proved(problem, answer) ? 1 : 0;
    count.unsolved = 1 - count.motionless;
    count.missed = solvable ? 1 : 0;
    return count;
  }
  const Certificate certificate = certificate_of(problem, answer);
  count.solved = 1;
  count.worst = certificate.worst;
  count.wrong = certificate.passes(kConeCertified) ? 0 : 1;
  const MatrixAnswer matrices = make_matrix_answer(problem, answer);
  count.matrix = certify(matrices.problem, {matrices.r, {}, {}}).worst;
  judge_slip(problem, matrices, count);
  count.energy = calc_created_energy(matrices);
  if (!more) return count;
  judge_rescaled(problem, matrices, count);
  judge_restart(problem, count);
  return count;
}

}  // namespace

void ConeCount::add(const ConeCount& other) {
  problems += other.problems;
  solved += other.solved;
  wrong += other.wrong;
  motionless += other.motionless;
  unsolved += other.unsolved;
  missed += other.missed;
  worst = std::max(worst, other.worst);
  matrix = std::max(matrix, other.matrix);
  slips += other.slips;
  angle = std::max(angle, other.angle);
  energy = std::max(energy, other.energy);
  rescaled += other.rescaled;
  rescaled_failed += other.rescaled_failed;
  rescaled_changed += other.rescaled_changed;
  other_answers += other.other_answers;
  change = std::max(change, other.change);
  asked_again += other.asked_again;
  restarted += other.restarted;
  moved += other.moved;
  alone += other.alone;
  overstated += other.overstated;
  overstatement = std::max(overstatement, other.overstatement);
}

bool ConeCount::fine() const {
  return wrong == 0 && unsolved == 0 && angle <= kConeAngle && energy <= kConeEnergy && rescaled_failed == 0 &&
         rescaled_changed == 0 && moved == 0 && overstated == 0;
}

ConeCount judge_cone_trial(const ConeTrial& trial, bool more, std::string& ending) {
  return trial.contact ? judge(*trial.contact, trial.solvable, more, ending)
                       : judge(trial.local, trial.solvable, more, ending);
}

}  // namespace tribo
