// Coulomb friction on a polygon (formulation/pyramid.hpp).
#include "tribo/contact/stick.hpp"
#include "tribo/formulation/pyramid.hpp"
#include "tribo/solve/pivot/lemke.hpp"

#include <array>

#include "contact/route.hpp"
#include "contact/solver_shelf.hpp"

namespace tribo {
namespace {

constexpr std::array kPyramidAttempts = {
    AttemptRow{.name = "lemke/reduced", .solver = "lemke/reduced", .largest_mu = kModerateMu},
    AttemptRow{.name = "lemke/reduced", .solver = "lemke/reduced"},
    AttemptRow{.name = "normals alone", .solver = "dual-active-set", .proof = true},
    AttemptRow{.name = "lemke/standard", .solver = "lemke/standard", .largest_mu = kModerateMu},
    AttemptRow{.name = "lemke/standard", .solver = "lemke/standard"},
    AttemptRow{.name = "lemke/standard", .solver = "lemke/standard", .cover = 1},
    AttemptRow{.name = "lemke/standard", .solver = "lemke/standard", .cover = 2},
    AttemptRow{.name = "lemke/standard", .solver = "lemke/standard", .cover = 3},
    AttemptRow{.name = "lemke/standard", .solver = "lemke/standard", .cover = 4},
    AttemptRow{.name = "lemke/standard", .solver = "lemke/standard", .cover = 5},
    AttemptRow{.name = "lemke/standard", .solver = "lemke/standard", .cover = 6},
    AttemptRow{.name = "lemke/standard", .solver = "lemke/standard", .cover = 7},
    AttemptRow{.name = "lemke/standard", .solver = "lemke/standard", .cover = 8},
};
// A named solver has both of its rows.

class PyramidRoute final : public ContactRoute {
 public:
  explicit PyramidRoute(const std::string& solver) : automatic_(solver == "auto") {
    if (automatic_) return;
    named_[0].name = named_[0].solver = named_[1].name = named_[1].solver = require_solver(solver).name.data();
    named_[0].largest_mu = kModerateMu;
  }

  Checked update(const RouteTask& task) override {
    task_ = &task;
    return reset();
  }
  bool consistent() const override { return formulation_.consistent(); }
  ContactSolution inconsistency() const override { return formulation_.inconsistency(); }
  std::span<const AttemptRow> attempts() const override {
    return automatic_ ? std::span<const AttemptRow>(kPyramidAttempts) : std::span<const AttemptRow>(named_);
  }

  bool applies(const AttemptRow& row, std::string& why) override {
    const auto is_larger = [&](const Contact& contact) { return contact.mu > row.largest_mu; };
    const auto& contacts = task_->problem->contacts;
    if (is_other_problem(row) && std::none_of(contacts.begin(), contacts.end(), is_larger)) return false;
    if (!automatic_ || std::string_view(row.solver) != "lemke/standard") return true;
    const Index rows = pyramid_rows(*task_->problem, model());
    if (rows <= kMostRows) return true;
    if (row.cover == 0 && !is_other_problem(row)) why = std::to_string(rows) + " rows";
    return false;
  }

  SolveReport run(const AttemptRow& row, ContactSolution& out, std::string& note) override {
    ray_ = {};
    if (row.proof) return refute_normals(*task_->problem, out);
    if (limited_) static_cast<void>(reset().has_value());
    limited_ = is_other_problem(row) && formulation_.limit_friction(row.largest_mu);
    if (limited_) note = "mu <= 10";
    SolveReport report = find_capability(row.solver)->pyramid ? run_structured(row, out) : run_dense(row, out);
    if (limited_ && !is_solved(report.status)) report.status = Status::kBreakdown;  // said of another problem
    return report;
  }

  InfeasibilityCertificate refute(const ContactSolution& candidate) override {
    if (candidate.y_n.size() == 0) return ray_;
    const InfeasibilityCertificate proof = certify_infeasible(*task_->problem, *task_->model, candidate);
    return proof.verdict == Verdict::kInfeasible ? proof : ray_;
  }

  bool select(ContactSolution& solution, SolveReport& report) override {
    if (!automatic_ || !task_->options->selection.sticking) return false;
    if (limited_) static_cast<void>(reset().has_value());
    return stick_.prefer(*task_->problem, formulation_, solution, report);
  }

 private:
  const CoulombPyramid& model() const { return std::get<CoulombPyramid>(*task_->model); }
  Checked reset() {
    limited_ = false;
    return formulation_.update(*task_->problem, model());
  }

  SolveReport run_structured(const AttemptRow& row, ContactSolution& out) {
    formulation_.start(*task_->start, loaded_);
    SolveReport report = solvers_[row.solver].solve(formulation_.problem(), loaded_, impulses_);
    formulation_.lift(impulses_, out);
    if (report.status == Status::kRay) {
      report.status = Status::kBreakdown;
      report.detail = "the path ended in a ray, of which this solver keeps no proof";
    }
    return report;
  }

  // What only the LCP of the friction model can show (the ray along which Lemke's path left) is judged here, and is never more
  // than a ray.
  SolveReport run_dense(const AttemptRow& row, ContactSolution& out) {
    const PyramidLcp pyramid(formulation_.problem());
    LcpSolution answer;
    WarmStart guess;
    guess.z = pyramid.guess();
    const SolveReport report = std::string_view(row.solver) == "lemke/standard"
                                   ? LemkeSolver({.cover_seed = row.cover}).solve(pyramid.lcp(), guess, answer)
                                   : solvers_[row.solver].solve(pyramid.lcp(), {}, answer);
    if (answer.evidence.kind != Evidence::Kind::kNone) ray_ = certify_infeasible(pyramid.lcp(), answer.evidence);
    if (ray_.verdict == Verdict::kInfeasible) ray_.verdict = Verdict::kRay;
    pyramid.lift(answer.z, impulses_);
    formulation_.lift(impulses_, out);
    const VectorXd y = farkas_vector(answer.evidence);
    if (const VectorXd normals = y.size() > 0 ? pyramid.normals_of(y) : VectorXd(); normals.size() > 0) {
      const ContactSolution proof = formulation_.lift_farkas(normals);
      out.y_n = proof.y_n;
      out.y_e = proof.y_e;
    }
    return report;
  }

  bool automatic_, limited_ = false;
  std::array<AttemptRow, 2> named_{AttemptRow{""}, AttemptRow{""}};
  const RouteTask* task_ = nullptr;
  PyramidFormulation formulation_;
  SolverShelf solvers_;
  StickRule stick_;
  std::vector<LoadedContact> loaded_;
  PyramidSolution impulses_;
  InfeasibilityCertificate ray_;
};

}  // namespace

std::unique_ptr<ContactRoute> make_pyramid_route(const std::string& solver) {
  return std::make_unique<PyramidRoute>(solver);
}

}  // namespace tribo
