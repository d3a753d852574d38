// Impulses with two bounds: the friction box, and dry friction under the models of normal.hpp (formulation/friction_box.hpp).
#include "tribo/formulation/box.hpp"
#include "tribo/formulation/friction_box.hpp"

#include <array>

#include "contact/route.hpp"
#include "contact/solver_shelf.hpp"

namespace tribo {
namespace {

constexpr std::array kBoxAttempts = {
    AttemptRow{.name = "dantzig", .solver = "dantzig"},
    AttemptRow{.name = "pgs-sm", .solver = "pgs-sm"},
    AttemptRow{.name = "lemke/standard", .solver = "lemke/standard"},
};

class BoxRoute final : public ContactRoute {
 public:
  explicit BoxRoute(const std::string& solver) : rows_(solver, kBoxAttempts) {}

  Checked update(const RouteTask& task) override {
    task_ = &task;
    return formulation_.update(*task.problem, *task.model);
  }
  bool consistent() const override { return formulation_.consistent(); }
  ContactSolution inconsistency() const override { return formulation_.inconsistency(); }
  std::span<const AttemptRow> attempts() const override { return rows_.rows(); }
  bool applies(const AttemptRow&, int, std::string&) override { return true; }

  SolveReport run(const AttemptRow& row, int, ContactSolution& out, std::string&) override {
    const BoxLcp& box = formulation_.problem();
    SolveReport report;
    if (find_capability(row.solver)->box) {
      formulation_.start(*task_->start, warm_);
      report = solvers_[row.solver].solve(box, warm_, answer_);
    } else {
      const BoxAsMixed mixed(box);
      MixedLcpSolution found;
      report = solvers_[row.solver].solve(mixed.problem(), {}, found);
      answer_ = mixed.lift(found);
    }
    PhaseWatch watch(!task_->options->brief);
    formulation_.lift(answer_.z, out);
    lift_proof(formulation_, answer_.evidence, out);
    task_->seconds->lift += watch.lap();
    return report;
  }
  InfeasibilityCertificate refute(const ContactSolution& candidate) override {
    if (candidate.y_n.size() == 0) return {};
    return certify_infeasible(*task_->problem, *task_->model, candidate);
  }

 private:
  RouteTable rows_;
  const RouteTask* task_ = nullptr;
  BoxFormulation formulation_;
  SolverShelf solvers_;
  WarmStart warm_;
  BoxLcpSolution answer_;
};

}  // namespace

std::unique_ptr<ContactRoute> make_box_route(const std::string& solver) { return std::make_unique<BoxRoute>(solver); }

}  // namespace tribo
