// Coulomb friction on a polygon (formulation/pyramid.hpp).
#include "tribo/contact/stick.hpp"
#include "tribo/formulation/pyramid.hpp"
#include "tribo/solve/pivot/lemke.hpp"
#include "tribo/solve/pivot/structured_lemke.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "contact/route.hpp"
#include "contact/solver_shelf.hpp"

namespace tribo {
namespace {

// What sticks under a moderate coefficient sticks under any larger one, and the answer has smaller internal forces and more digits.
constexpr double kModerateMu = 10.0, kAnyMu = std::numeric_limits<double>::infinity();

// Paths beside that of the solver by its name, in the order of their cost.
struct Path {
  const char* name;
  StructuredLemkeSettings settings;
  double largest_mu = kAnyMu;  // coefficients above it are lowered to it: another problem, judged with the true ones
};
constexpr StructuredLemkeSettings kStructural = {.form = LemkeForm::kStructural, .lexicographic = true};
constexpr std::array kOtherPaths = {
    Path{"structural, lexicographic, mu <= 10", kStructural, kModerateMu},
    Path{"another covering vector", {.form = LemkeForm::kReduced, .seed = 2}},
    Path{"structural, lexicographic", kStructural},
};

constexpr std::array kPyramidAttempts = {
    AttemptRow{.name = "lemke/reduced", .solver = "lemke/reduced"},
    AttemptRow{.name = "normals alone", .solver = "dual-active-set", .proof = true},
    AttemptRow{.name = "other paths", .solver = "lemke/reduced", .paths = static_cast<int>(kOtherPaths.size())},
};

class PyramidRoute final : public ContactRoute {
 public:
  explicit PyramidRoute(const std::string& solver) : rows_(solver, kPyramidAttempts) {}

  Checked update(const RouteTask& task) override {
    task_ = &task;
    limited_ = false;
    return formulation_.update(*task_->problem, std::get<CoulombPyramid>(*task_->model));
  }
  bool consistent() const override { return formulation_.consistent(); }
  ContactSolution inconsistency() const override { return formulation_.inconsistency(); }
  std::span<const AttemptRow> attempts() const override { return rows_.rows(); }
  bool applies(const AttemptRow& row, int path, std::string&) override {
    const double largest = row.paths > 1 ? kOtherPaths[static_cast<std::size_t>(path)].largest_mu : kAnyMu;
    const auto& contacts = task_->problem->contacts;
    return largest == kAnyMu ||
           std::any_of(contacts.begin(), contacts.end(), [&](const Contact& c) { return c.mu > largest; });
  }

  SolveReport run(const AttemptRow& row, int path, ContactSolution& out, std::string& note) override {
    ray_ = {};
    restore();
    if (row.proof) return refute_normals(*task_->problem, out);
    if (!find_capability(row.solver)->pyramid) return run_dense(row, out);
    if (row.paths > 1) {
      const Path& other = kOtherPaths[static_cast<std::size_t>(path)];
      note = other.name;
      if (other.largest_mu < kAnyMu) limited_ = formulation_.limit_friction(other.largest_mu);
      return finish(StructuredLemkeSolver(other.settings).solve(formulation_.problem(), {}, impulses_), out);
    }
    formulation_.start(*task_->start, loaded_);
    return finish(solvers_[row.solver].solve(formulation_.problem(), loaded_, impulses_), out);
  }

  InfeasibilityCertificate refute(const ContactSolution& candidate) override {
    if (candidate.y_n.size() == 0) return ray_;
    const InfeasibilityCertificate proof = certify_infeasible(*task_->problem, *task_->model, candidate);
    return proof.verdict == Verdict::kInfeasible ? proof : ray_;
  }

  bool select(const ContactSolution& answer, ContactSolution& other, SolveReport& report) override {
    if (!rows_.automatic() || !task_->options->selection.sticking) return false;
    restore();
    other = answer;
    return stick_.prefer(*task_->problem, formulation_, other, report);
  }

 private:
  // The true coefficients.
  void restore() {
    if (!limited_) return;
    static_cast<void>(formulation_.update(*task_->problem, std::get<CoulombPyramid>(*task_->model)).has_value());
    limited_ = false;
  }

  void lift(ContactSolution& out) {
    PhaseWatch watch(!task_->options->brief);
    formulation_.lift(impulses_, out);
    task_->seconds->lift += watch.lap();
  }

  SolveReport finish(SolveReport report, ContactSolution& out) {
    lift(out);
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
    const SolveReport report = solvers_[row.solver].solve(pyramid.lcp(), guess, answer);
    if (answer.evidence.kind != Evidence::Kind::kNone) ray_ = certify_infeasible(pyramid.lcp(), answer.evidence);
    if (ray_.verdict == Verdict::kInfeasible) ray_.verdict = Verdict::kRay;
    pyramid.lift(answer.z, impulses_);
    lift(out);
    const VectorXd y = farkas_vector(answer.evidence);
    if (const VectorXd normals = y.size() > 0 ? pyramid.normals_of(y) : VectorXd(); normals.size() > 0) {
      const ContactSolution proof = formulation_.lift_farkas(normals);
      out.y_n = proof.y_n;
      out.y_e = proof.y_e;
    }
    return report;
  }

  RouteTable rows_;
  const RouteTask* task_ = nullptr;
  PyramidFormulation formulation_;
  bool limited_ = false;  // by limit_friction
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
