#include "tribo/contact/stick.hpp"

#include "tribo/formulation/normal.hpp"
#include "tribo/solve/pivot/dual_active_set.hpp"

#include <algorithm>
#include <cmath>

namespace tribo {
namespace {

constexpr double kSmall = 1e-9;    // of the problem's speed
constexpr double kAtRest = 1e-6;   // of the same: slower slip before the step is none
constexpr double kInvented = 2.0;  // times the load of the other answer

// (2): impulses that do `push`, from contacts that touch at v, with mu no larger than `largest_mu`.
Status share_out(const ContactProblem& problem, const PyramidProblem& pyramid, const VectorXd& v, const VectorXd& push,
                 double largest_mu, PyramidSolution& impulses, SolveReport& report) {
  const LeastDistance& rows = *pyramid.normals;
  const Index m = pyramid.dof(), d = pyramid.directions;
  struct Touching {
    Index contact;
    double mu, length;  // of its generators
    Index count;
  };
  std::vector<Touching> touching;
  MatrixXd generators(problem.size() * d, m);
  Index used = 0;
  VectorXd n(m), s(m), t(m);
  for (const PairRows::Run& run : rows.rows.runs()) {
    for (Index k = 0; k < run.count; ++k) {
      const Index i = run.row + k, position = run.position + k;
      const double gap = problem.N.dot(i, v) + problem.b_N(i);
      if (gap > kSmall * (rows.rows.norm(position) * rows.speed + std::abs(problem.b_N(i)))) continue;
      for (VectorXd* x : {&n, &s, &t}) x->setZero();
      rows.rows.add_scaled(position, 1.0, n.data());
      const double mu = std::min(pyramid.mu[i], largest_mu);
      if (mu > 0.0) pyramid.whiten_tangents(i, s.data(), t.data());
      const double length = n.norm() + mu * std::max(s.norm(), t.norm());
      if (!(length > 0.0)) continue;
      const Index count = mu > 0.0 ? d : 1;
      touching.push_back({i, mu, length, count});
      for (Index j = 0; j < count; ++j) {
        generators.row(used++) = (n + mu * (pyramid.cosine[j] * s + pyramid.sine[j] * t)) / length;
      }
    }
  }
  generators.conservativeResize(used, m);
  generators -= (generators * rows.Q()) * rows.Q().transpose();
  const VectorXd q = -generators * push;
  DualActiveSetSolver solver;
  LcpSolution shares;
  const SolveReport second = solver.solve(make_factored(generators, q), {}, shares);
  report.pivots += second.pivots;
  report.iterations = report.pivots;
  if (second.status != Status::kSolved) return second.status;
  if ((generators.transpose() * shares.z - push).norm() > kSmall * (push.norm() + rows.speed))
    return Status::kInfeasible;

  for (VectorXd* f : {&impulses.theta, &impulses.phi_s, &impulses.phi_t}) f->setZero(problem.size());
  Index at = 0;
  for (const Touching& contact : touching) {
    const double cos = pyramid.turn.empty() ? 1.0 : pyramid.turn[2 * contact.contact];
    const double sin = pyramid.turn.empty() ? 0.0 : pyramid.turn[2 * contact.contact + 1];
    for (Index j = 0; j < contact.count; ++j) {
      const double beta = shares.z(at++) / contact.length;
      const double along_s = contact.mu * beta * pyramid.cosine[j], along_t = contact.mu * beta * pyramid.sine[j];
      impulses.theta(contact.contact) += beta;
      impulses.phi_s(contact.contact) += cos * along_s - sin * along_t;
      if (pyramid.spatial()) impulses.phi_t(contact.contact) += sin * along_s + cos * along_t;
    }
  }
  return Status::kSolved;
}

}  // namespace

class StickRule::Workspace {
 public:
  bool prefer(const ContactProblem& problem, PyramidFormulation& formulation, ContactSolution& solution,
              SolveReport& report);

 private:
  bool solve_no_slip(const ContactProblem& problem, const LeastDistance& rows, SolveReport& report);
  bool stops_sliding(const ContactProblem& problem, const PyramidProblem& pyramid, const VectorXd& load);

  NormalFormulation no_slip_;
  DualActiveSetSolver solver_;
  WarmStart nothing_;
  LcpSolution normals_;
  ContactSolution sticking_;  // of (1)
  std::vector<std::uint8_t> released_;
  VectorXd before_, s_, t_, apart_;
};

// (1), where contacts without friction and contacts that open are not held.
bool StickRule::Workspace::solve_no_slip(const ContactProblem& problem, const LeastDistance& rows,
                                         SolveReport& report) {
  constexpr int kPasses = 4;
  released_.clear();
  for (const Contact& contact : problem.contacts) released_.push_back(contact.mu > 0.0 ? 0 : 1);
  for (int pass = 0; pass < kPasses; ++pass) {
    if (!no_slip_.update(problem, NoSlip{}, released_) || !no_slip_.consistent()) return false;
    report = solver_.solve(no_slip_.problem(), nothing_, normals_);
    if (report.status != Status::kSolved) return false;
    no_slip_.lift(normals_.z, sticking_);
    bool opened = false;
    for (const PairRows::Run& run : rows.rows.runs()) {
      for (Index k = 0; k < run.count; ++k) {
        const Index i = run.row + k;
        const double gap = problem.N.dot(i, sticking_.v_next) + problem.b_N(i);
        const bool opens = gap > kSmall * (rows.rows.norm(run.position + k) * rows.speed + std::abs(problem.b_N(i)));
        if (!opens || released_[static_cast<std::size_t>(i)] != 0) continue;
        released_[static_cast<std::size_t>(i)] = 1;
        opened = true;
      }
    }
    if (!opened) return true;
  }
  return false;
}

// Does the answer load a contact that slipped before the step?
bool StickRule::Workspace::stops_sliding(const ContactProblem& problem, const PyramidProblem& pyramid,
                                         const VectorXd& load) {
  if (problem.v.isZero(0.0)) return false;
  before_ = problem.v;
  pyramid.factor->whiten_velocity(before_);
  const Index m = pyramid.dof();
  for (Index i = 0; i < problem.size(); ++i) {
    if (!(load(i) > 0.0) || !(pyramid.mu[i] > 0.0)) continue;
    s_.setZero(m);
    t_.setZero(m);
    pyramid.whiten_tangents(i, s_.data(), t_.data());
    const double scale = kAtRest * pyramid.normals->speed;
    if (std::abs(s_.dot(before_)) > scale * s_.norm() || std::abs(t_.dot(before_)) > scale * t_.norm()) return true;
  }
  return false;
}

bool StickRule::Workspace::prefer(const ContactProblem& problem, PyramidFormulation& formulation,
                                  ContactSolution& solution, SolveReport& report) {
  const PyramidProblem& pyramid = formulation.problem();
  const LeastDistance& rows = *pyramid.normals;
  if (pyramid.mu.empty()) return false;
  const double largest_mu = *std::max_element(pyramid.mu.begin(), pyramid.mu.end());
  if (!(largest_mu > 0.0)) return false;
  if (stops_sliding(problem, pyramid, solution.f_n)) return false;  // nothing is at rest here
  if (!solve_no_slip(problem, rows, report)) return false;
  const VectorXd& v = sticking_.v_next;
  apart_ = v - solution.v_next;
  pyramid.factor->whiten_velocity(apart_);
  if (apart_.norm() <= kSmall * rows.speed) return false;
  VectorXd push = v;
  pyramid.factor->whiten_velocity(push);
  push -= Eigen::Map<const VectorXd>(rows.start.data(), pyramid.dof());
  // Small coefficients first: where they suffice, forces are smaller and have more digits.
  for (const double largest : {std::min(10.0, largest_mu), largest_mu}) {
    PyramidSolution impulses;
    const Status status = share_out(problem, pyramid, v, push, largest, impulses, report);
    if (status != Status::kSolved && largest == largest_mu) return false;
    if (status != Status::kSolved) continue;
    if (stops_sliding(problem, pyramid, impulses.theta)) return false;
    if (impulses.theta.sum() <= kInvented * solution.f_n.sum()) {
      formulation.lift(impulses, solution);
      return true;
    }
    if (largest == largest_mu) break;
  }
  return false;
}

StickRule::StickRule() : workspace_(std::make_unique<Workspace>()) {}
StickRule::~StickRule() = default;
StickRule::StickRule(StickRule&&) noexcept = default;
StickRule& StickRule::operator=(StickRule&&) noexcept = default;

bool StickRule::prefer(const ContactProblem& problem, PyramidFormulation& formulation, ContactSolution& solution,
                       SolveReport& report) {
  return workspace_->prefer(problem, formulation, solution, report);
}

}  // namespace tribo
