// Frictionless, no-slip, viscous: the point nearest to where the bodies would go (formulation/normal.hpp).
#include "tribo/contact/one_body.hpp"
#include "tribo/formulation/normal.hpp"

#include <array>

#include "contact/route.hpp"
#include "contact/solver_shelf.hpp"

namespace tribo {
namespace {

constexpr std::array kNormalAttempts = {AttemptRow{.name = "dual-active-set", .solver = "dual-active-set"}};

class NormalRoute final : public ContactRoute {
 public:
  explicit NormalRoute(const std::string& solver) : rows_(solver, kNormalAttempts) {
    short_way_ = rows_.automatic() || solver == "dual-active-set";
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
    return formulate();
  }
  bool consistent() const override { return !formulated_ || formulation_.consistent(); }
  ContactSolution inconsistency() const override { return formulation_.inconsistency(); }
  std::span<const AttemptRow> attempts() const override { return rows_.rows(); }
  bool applies(const AttemptRow&, std::string&) override { return true; }

  SolveReport run(const AttemptRow& row, ContactSolution& out, std::string&) override {
    if (took_short_way_) {
      took_short_way_ = false;
      std::swap(out, short_);
      return short_report_;
    }
    if (!formulated_) {
      if (const Checked made = formulate(); !made) return {.detail = "the general way refuses the problem"};
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
  Checked formulate() {
    formulated_ = true;
    return formulation_.update(*task_->problem, *task_->model);
  }

  RouteTable rows_;
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
  bool applies(const AttemptRow& row, std::string& why) override { return current_->applies(row, why); }
  SolveReport run(const AttemptRow& row, ContactSolution& out, std::string& note) override {
    return current_->run(row, out, note);
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
