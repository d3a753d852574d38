// The true Coulomb cone (formulation/cone.hpp).
#include "tribo/formulation/cone.hpp"
#include "tribo/solve/cone/cone_solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "contact/cone_steps.hpp"
#include "contact/rest.hpp"
#include "contact/route.hpp"

namespace tribo {
namespace {

constexpr Index kAnyPath =
    600;  // rows of a polygon's LCP up to which all attempts of the pyramid model are made for a start

constexpr std::array kConeAttempts = {
    AttemptRow{.name = "cone", .solver = "cone"},
    AttemptRow{.name = "normals alone", .solver = "dual-active-set", .proof = true},
    AttemptRow{.name = "cone", .solver = "cone", .largest_mu = kModerateMu},
    AttemptRow{.name = "cone from a polygon", .solver = "cone", .sides = 8},
    AttemptRow{.name = "cone from a polygon", .solver = "cone", .sides = 32},
    AttemptRow{.name = "cone from a polygon", .solver = "cone", .sides = 128},
    AttemptRow{.name = "cone from a polygon", .solver = "cone", .sides = 512},
};

class ConeRoute final : public ContactRoute {
 public:
  explicit ConeRoute(const std::string& solver) : rows_(solver, kConeAttempts), method_(cone_method(solver)) {}

  Checked update(const RouteTask& task) override {
    task_ = &task;
    unanswered_ = 0;
    claimed_ = false;
    immovable_ = -1;
    if (Checked made = formulation_.update(*task.problem); !made) return made;
    if (formulation_.consistent()) immovable_ = find_immovable(formulation_.problem());
    return ok();
  }
  bool consistent() const override { return formulation_.consistent(); }
  ContactSolution inconsistency() const override { return formulation_.inconsistency(); }
  std::span<const AttemptRow> attempts() const override { return rows_.rows(); }

  bool applies(const AttemptRow& row, std::string& why) override {
    if (row.proof || (!is_other_problem(row) && row.sides == 0)) return true;
    if (immovable_ >= 0) return false;
    if (row.sides == 0)
      return formulation_.problem().mu.size() > 0 && formulation_.problem().mu.maxCoeff() > row.largest_mu;
    if (unanswered_ == 2) return false;
    const Index rows = pyramid_rows(*task_->problem, {row.sides, true});
    if (rows > kMostRows && row.sides == 8) why = std::to_string(rows) + " rows";
    return rows <= kMostRows;
  }

  SolveReport run(const AttemptRow& row, ContactSolution& out, std::string& note) override {
    claimed_ = false;
    refinements_ = 0;
    if (row.proof) return refute_normals(*task_->problem, out);
    if (immovable_ >= 0) return stop_immovable(out);
    problem_ = &formulation_.problem();
    if (is_other_problem(row)) {
      moderate_ = *problem_;
      moderate_.mu = problem_->mu.cwiseMin(row.largest_mu);
      problem_ = &moderate_;
      note = "mu <= 10";
      warm_ = {};
    } else if (row.sides > 0) {
      SolveReport report;
      if (start_from_polygon(row.sides, out, note, report)) return report;
    } else if (task_->start->empty()) {
      warm_.r.resize(0);
      warm_.states.clear();
    } else {
      formulation_.warm_start(task_->start->impulses, warm_);
    }
    SolveReport report = solver_for(1.0).solve(*problem_, warm_, found_);
    lift(out);
    if (note.empty()) note = report.stages;
    claimed_ = report.status == Status::kSolved;
    if (task_->options->selection.rest) settle(out, report);
    return report;
  }

  // The solver's residual and the certificate differ in their scales: where the first passes and the second does not, the solver goes
  // on from there.
  bool refine(ContactSolution& out, SolveReport& report) override {
    constexpr double kShares[] = {0.02, 2e-4};
    if (!claimed_ || refinements_ == std::ssize(kShares)) return false;
    warm_.r = found_.r;
    warm_.states = found_.states;
    ConeSettings settings = settings_for(kShares[refinements_++]);
    settings.max_outer = 50;  // it is near; what rounding does not allow is not worth more
    const SolveReport again = ConeSolver(settings).solve(*problem_, warm_, found_);
    lift(out);
    report.pivots += again.pivots;
    report.sweeps += again.sweeps;
    report.iterations += again.iterations;
    claimed_ = again.status == Status::kSolved;
    return true;
  }

  InfeasibilityCertificate refute(const ContactSolution& candidate) override {
    if (candidate.y_n.size() == 0) return {};
    return certify_infeasible(*task_->problem, *task_->model, candidate);
  }

 private:
  // Newton's last steps are cheap, and residual impulses accumulate as drift of resting bodies, so answers are polished. In step loops
  // large islands are polished only when they nearly rest, see settle().
  ConeSettings settings_for(double share) const {
    constexpr double kLoosest = 1e-4, kPolish = 1e-15;
    constexpr Index kMostPolished = 24;  // contacts
    const bool step_loop = task_->options->selection.rest;
    const double tolerance = task_->options->tolerance;
    ConeSettings settings;
    settings.method = method_;
    settings.tolerance = std::clamp(share * (step_loop ? 0.5 : 0.3) * tolerance, 1e-15, kLoosest);
    settings.polish = step_loop ? kPolish : 1e-3 * settings.tolerance;
    if (step_loop) settings.most_polished = kMostPolished;
    return settings;
  }
  ConeSolver& solver_for(double share) {
    if (tolerance_ != task_->options->tolerance) {
      solver_ = ConeSolver(settings_for(share));
      tolerance_ = task_->options->tolerance;
    }
    return solver_;
  }

  void lift(ContactSolution& out) {
    formulation_.lift(found_, out);
    out.y_n.resize(0);
    out.y_e.resize(0);
  }

  // True: `report` and `out` are the result of the attempt.
  bool start_from_polygon(int sides, ContactSolution& out, std::string& note, SolveReport& report) {
    const CoulombPyramid pyramid{sides, true};
    note = std::to_string(sides) + " corners";
    SolveOptions options = *task_->options;
    options.solver = pyramid_rows(*task_->problem, pyramid) > kAnyPath ? "lemke/reduced" : "auto";
    options.islands = false;
    const ContactAnswer polygon = tribo::solve(*task_->problem, pyramid, options);
    if (!is_solved(polygon.status)) {
      ++unanswered_;
      note += ": no answer";
      out = polygon.solution;
      report = {.detail = "the polygon has no answer to start from"};
      return true;
    }
    // Where everything sticks or opens, a polygon is as good as a circle; but it knows nothing of turning.
    const auto turns = [](const Contact& contact) { return contact.mu_spin > 0.0 || contact.mu_roll > 0.0; };
    const auto& contacts = task_->problem->contacts;
    if (std::none_of(contacts.begin(), contacts.end(), turns)) {
      out = polygon.solution;
      out.f_spin.setZero(task_->problem->spin.rows());
      out.f_roll_s.setZero(task_->problem->roll_s.rows());
      out.f_roll_t.setZero(task_->problem->roll_t.rows());
      if (task_->certify(out).passes(task_->options->tolerance)) {
        note += ", as they are";
        report = polygon.report;
        return true;
      }
    }
    formulation_.warm_start(polygon.solution, warm_);
    return false;
  }

  SolveReport stop_immovable(ContactSolution& out) {
    found_.r.setZero(formulation_.problem().q.size());
    lift(out);
    SolveReport report;
    report.index = formulation_.contact_of(immovable_);
    report.detail = "a contact approaches that no impulse can move";
    return report;
  }

  // Residual velocities near the tolerance keep a settled pile jittering. What nearly rests is solved to the last digit.
  void settle(ContactSolution& out, SolveReport& report) {
    if (!is_nearly_at_rest(*task_->problem, out.v_next, task_->options->tolerance)) return;
    warm_.r = found_.r;
    const SolveReport again = settling_.solve(*problem_, warm_, exact_);
    report.pivots += again.pivots;
    report.sweeps += again.sweeps;
    formulation_.lift(exact_, out);  // the best point that was met, if not the last digit
  }

  NamedAttempt rows_;
  ConeMethod method_;
  const RouteTask* task_ = nullptr;
  ConeFormulation formulation_;
  double tolerance_ = 0.0;  // of solver_
  ConeSolver solver_;
  ConeSolver settling_{{.method = ConeMethod::kProximal, .tolerance = 1e-14, .max_outer = 12}};
  const ConeProblem* problem_ = nullptr;
  ConeProblem moderate_;
  ConeWarmStart warm_;
  ConeSolution found_, exact_;
  Index immovable_ = -1;
  bool claimed_ = false;
  int refinements_ = 0, unanswered_ = 0;
};

}  // namespace

std::unique_ptr<ContactRoute> make_cone_route(const std::string& solver) { return std::make_unique<ConeRoute>(solver); }

}  // namespace tribo
