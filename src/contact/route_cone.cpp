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

// Polygons of more and more corners: continuation towards the circle.
constexpr std::array kPolygons = {8, 32, 128, 512};
constexpr int kMostUnanswered = 2;  // polygons without an answer, before it is given up

constexpr std::array kConeAttempts = {
    AttemptRow{.name = "cone", .solver = "cone"},
    AttemptRow{.name = "normals alone", .solver = "dual-active-set", .proof = true},
    AttemptRow{.name = "cone from polygons", .solver = "cone", .paths = static_cast<int>(kPolygons.size())},
};

class ConeRoute final : public ContactRoute {
 public:
  explicit ConeRoute(const std::string& solver)
      : rows_(solver, solver == "cone" ? std::span(kConeAttempts).first(1) : std::span(kConeAttempts)),
        method_(cone_method(solver)) {}

  Checked update(const RouteTask& task) override {
    task_ = &task;
    claimed_ = false;
    immovable_ = -1;
    if (Checked made = formulation_.update(*task.problem); !made) return made;
    if (formulation_.consistent()) immovable_ = find_immovable(formulation_.problem());
    return ok();
  }
  bool consistent() const override { return formulation_.consistent(); }
  ContactSolution inconsistency() const override { return formulation_.inconsistency(); }
  std::span<const AttemptRow> attempts() const override { return rows_.rows(); }

  bool applies(const AttemptRow& row, int path, std::string& why) override {
    if (row.paths == 1) return true;
    if (path == 0) unanswered_ = 0;
    if (immovable_ >= 0 || unanswered_ == kMostUnanswered) return false;
    const Index rows = pyramid_rows(*task_->problem, {kPolygons[static_cast<std::size_t>(path)], true});
    if (rows > kMostRows) why = std::to_string(rows) + " rows";
    return rows <= kMostRows;
  }

  SolveReport run(const AttemptRow& row, int path, ContactSolution& out, std::string& note) override {
    claimed_ = false;
    refinements_ = 0;
    if (row.proof) return refute_normals(*task_->problem, out);
    if (immovable_ >= 0) return stop_immovable(out);
    if (row.paths > 1) return run_from_polygon(kPolygons[static_cast<std::size_t>(path)], out, note);
    if (task_->start->empty()) {
      warm_.r.resize(0);
      warm_.states.clear();
    } else {
      formulation_.warm_start(task_->start->impulses, warm_);
    }
    return run_solver(out);
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
    const SolveReport again = ConeSolver(settings).solve(formulation_.problem(), warm_, found_);
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
    PhaseWatch watch(!task_->options->brief);
    formulation_.lift(found_, out);
    out.y_n.resize(0);
    out.y_e.resize(0);
    task_->seconds->lift += watch.lap();
  }

  SolveReport run_solver(ContactSolution& out) {
    SolveReport report = solver_for(1.0).solve(formulation_.problem(), warm_, found_);
    lift(out);
    claimed_ = report.status == Status::kSolved;
    if (task_->options->selection.rest) settle(out, report);
    return report;
  }

  SolveReport run_from_polygon(int sides, ContactSolution& out, std::string& note) {
    note = std::to_string(sides) + " corners";
    SolveReport report;
    bool answered = false;
    if (!start_from_polygon(sides, out, answered, report)) report = run_solver(out);
    report.pivots += polygon_.pivots;
    report.sweeps += polygon_.sweeps;
    unanswered_ += answered ? 0 : 1;
    return report;
  }

  // True: `report` and `out` are the result for this polygon.
  bool start_from_polygon(int sides, ContactSolution& out, bool& answered, SolveReport& report) {
    const CoulombPyramid pyramid{sides, true};
    SolveOptions options = *task_->options;
    options.solver = "auto";
    options.islands = false;
    const ContactAnswer polygon = tribo::solve(*task_->problem, pyramid, options);
    polygon_ = polygon.report;
    if (!is_solved(polygon.status)) {
      out = polygon.solution;
      report = {.detail = "the polygon has no answer to start from"};
      return true;
    }
    answered = true;
    // Where everything sticks or opens, a polygon is as good as a circle; but it knows nothing of turning.
    const auto turns = [](const Contact& contact) { return contact.mu_spin > 0.0 || contact.mu_roll > 0.0; };
    const auto& contacts = task_->problem->contacts;
    if (std::none_of(contacts.begin(), contacts.end(), turns)) {
      out = polygon.solution;
      out.f_spin.setZero(task_->problem->spin.rows());
      out.f_roll_s.setZero(task_->problem->roll_s.rows());
      out.f_roll_t.setZero(task_->problem->roll_t.rows());
      if (task_->certify(out).passes(task_->options->tolerance)) {
        report.status = Status::kSolved;
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
    const SolveReport again = settling_.solve(formulation_.problem(), warm_, exact_);
    report.pivots += again.pivots;
    report.sweeps += again.sweeps;
    formulation_.lift(exact_, out);  // the best point that was met, if not the last digit
  }

  RouteTable rows_;
  ConeMethod method_;
  const RouteTask* task_ = nullptr;
  ConeFormulation formulation_;
  double tolerance_ = 0.0;  // of solver_
  ConeSolver solver_;
  ConeSolver settling_{{.method = ConeMethod::kProximal, .tolerance = 1e-14, .max_outer = 12}};
  ConeWarmStart warm_;
  ConeSolution found_, exact_;
  Index immovable_ = -1;
  bool claimed_ = false;
  int refinements_ = 0;
  int unanswered_ = 0;   // polygons
  SolveReport polygon_;  // of the last one, with the sums of all its attempts
};

}  // namespace

std::unique_ptr<ContactRoute> make_cone_route(const std::string& solver) { return std::make_unique<ConeRoute>(solver); }

}  // namespace tribo
