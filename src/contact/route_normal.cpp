// Frictionless, no-slip, viscous: the point nearest to where the bodies would go (formulation/normal.hpp).
#include "tribo/contact/one_body.hpp"
#include "tribo/formulation/normal.hpp"

#include <array>

#include "contact/route.hpp"
#include "contact/solver_shelf.hpp"

namespace tribo {
namespace {

// For every solver. The second row is for slip that the certificate finds at a tangent which the first left out, and for answers of
// the short way of one body that do not certify.
constexpr std::array kNormalAttempts = {
    AttemptRow{.name = "dual-active-set", .solver = "dual-active-set"},
    AttemptRow{.name = "every tangent", .solver = "dual-active-set", .near_tangents = true},
};

class NormalRoute final : public ContactRoute {
 public:
  explicit NormalRoute(const std::string& solver) : rows_(kNormalAttempts) {
    if (solver != "auto") {
      for (AttemptRow& row : rows_) row.solver = require_solver(solver).name.data();
      rows_[0].name = rows_[0].solver;
    }
    short_way_ = rows_[0].solver == std::string_view("dual-active-set");
  }

  // The short way of one body needs no formulation; it is made when the general way is taken.
  Checked update(const RouteTask& task) override {
    task_ = &task;
    formulated_ = false;
    took_short_way_ = false;
    if (short_way_ && task.start->empty() && one_body_.solve(*task.problem, *task.model, short_, short_report_)) {
      took_short_way_ = true;
      return ok();
    }
    return formulate(NearTangents::kLeaveOut);
  }
  bool consistent() const override { return !formulated_ || formulation_.consistent(); }
  ContactSolution inconsistency() const override { return formulation_.inconsistency(); }
  std::span<const AttemptRow> attempts() const override { return rows_; }
  bool applies(const AttemptRow& row, int, std::string&) override {
    return !row.near_tangents || !formulated_ || formulation_.left_tangents_out();
  }

  SolveReport run(const AttemptRow& row, int, ContactSolution& out, std::string&) override {
    if (took_short_way_) {
      took_short_way_ = false;
      swap(out, short_);
      return short_report_;
    }
    if (row.near_tangents) {
      if (const Checked made = formulate(NearTangents::kImpose); !made) {
        return {.detail = "the general way refuses the problem"};
      }
      if (!formulation_.consistent()) {
        out = formulation_.inconsistency();
        return {.status = Status::kInfeasible, .detail = "the bilateral rows and the tangents contradict one another"};
      }
    }
    formulation_.start(*task_->start, warm_);
    ComplementaritySolver& solver = solvers_[row.solver];
    const bool factored = find_capability(row.solver)->factored;
    const SolveReport report = factored ? solver.solve(formulation_.problem(), warm_, answer_)
                                        : solver.solve(as_lcp(as_factored(formulation_.problem())), warm_, answer_);
    PhaseWatch watch(!task_->options->brief);
    formulation_.lift(answer_.z, out);
    lift_proof(formulation_, answer_.evidence, out);
    task_->seconds->lift += watch.lap();
    return report;
  }
  InfeasibilityCertificate refute(const ContactSolution& candidate) override {
    return certify_infeasible(*task_->problem, *task_->model, candidate);
  }

 private:
  Checked formulate(NearTangents near) {
    formulated_ = true;
    NormalOptions options;
    options.near = near;
    return formulation_.update(*task_->problem, *task_->model, options);
  }

  std::array<AttemptRow, 2> rows_;
  bool short_way_ = false, took_short_way_ = false, formulated_ = false;
  const RouteTask* task_ = nullptr;
  OneBody one_body_;
  ContactSolution short_;
  SolveReport short_report_;
  NormalFormulation formulation_;
  SolverShelf solvers_;
  WarmStart warm_;
  LcpSolution answer_;
};

// The route above, and for problems with rows of dry friction that of a box problem.
class OneOfTwoRoutes final : public ContactRoute {
 public:
  explicit OneOfTwoRoutes(const std::string& solver) : solver_(solver) {}

  Checked update(const RouteTask& task) override {
    std::unique_ptr<ContactRoute>& route = is_box_problem(*task.problem, *task.model) ? box_ : normal_;
    if (route == nullptr) route = &route == &box_ ? make_box_route(solver_) : std::make_unique<NormalRoute>(solver_);
    current_ = route.get();
    return current_->update(task);
  }
  bool consistent() const override { return current_->consistent(); }
  ContactSolution inconsistency() const override { return current_->inconsistency(); }
  std::span<const AttemptRow> attempts() const override { return current_->attempts(); }
  bool applies(const AttemptRow& row, int path, std::string& why) override { return current_->applies(row, path, why); }
  SolveReport run(const AttemptRow& row, int path, ContactSolution& out, std::string& note) override {
    return current_->run(row, path, out, note);
  }
  InfeasibilityCertificate refute(const ContactSolution& candidate) override { return current_->refute(candidate); }

 private:
  std::string solver_;
  std::unique_ptr<ContactRoute> normal_, box_;  // made when they are needed
  ContactRoute* current_ = nullptr;
};

}  // namespace

std::unique_ptr<ContactRoute> make_normal_route(const std::string& solver) {
  return std::make_unique<OneOfTwoRoutes>(solver);
}

}  // namespace tribo
