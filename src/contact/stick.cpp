#include "tribo/contact/stick.hpp"

#include "tribo/formulation/normal.hpp"
#include "tribo/linalg/padded.hpp"
#include "tribo/solve/pivot/dual_active_set.hpp"

#include <algorithm>
#include <cmath>

namespace tribo {
namespace {

constexpr double kSmall = 1e-9;   // of the problem's speed
constexpr double kAtRest = 1e-6;  // of the same: slower slip before the step is none
// What a contact is to (1): held, without friction, open.
constexpr std::uint8_t kHeld = 0, kSlides = 1, kOpens = 2;
constexpr double kInvented = 2.0;  // times the load of the other answer

}  // namespace

class StickRule::Workspace {
 public:
  bool prefer(const ContactProblem& problem, PyramidFormulation& formulation, ContactSolution& solution,
              SolveReport& report);

 private:
  // A contact that touches at the velocity of (1).
  struct Touching {
    Index contact;
    double mu, length;  // of its generators
    Index count;
  };

  Status share_out(const PyramidProblem& pyramid, double largest_mu, SolveReport& report);
  bool solve_no_slip(const ContactProblem& problem, const LeastDistance& rows, SolveReport& report);
  bool stops_sliding(const ContactProblem& problem, const PyramidProblem& pyramid, const VectorXd& load);

  NormalFormulation no_slip_;
  DualActiveSetSolver solver_;
  WarmStart nothing_;
  LcpSolution normals_;
  ContactSolution sticking_;  // of (1)
  std::vector<std::uint8_t> released_;
  VectorXd before_, n_, s_, t_, apart_;
  // Of (2).
  VectorXd push_;
  std::vector<Touching> touching_;
  FactoredLcp shares_;
  LcpSolution beta_;
  PyramidSolution impulses_;
};

// (2): impulses that do push_, from contacts that touch at the velocity of (1), with mu no larger than `largest_mu`.
Status StickRule::Workspace::share_out(const PyramidProblem& pyramid, double largest_mu, SolveReport& report) {
  const LeastDistance& rows = *pyramid.normals;
  const Index m = pyramid.dof(), d = pyramid.directions, n = pyramid.size();
  Index count = 0;
  for (Index i = 0; i < n; ++i) {
    if (released_[static_cast<std::size_t>(i)] == kOpens) continue;
    count += std::min(pyramid.mu[i], largest_mu) > 0.0 ? d : 1;
  }
  MatrixXd& generators = shares_.G;
  generators.resize(count, m);
  touching_.clear();
  Index used = 0;
  for (VectorXd* x : {&n_, &s_, &t_}) x->resize(m);
  for (const PairRows::Run& run : rows.rows.runs()) {
    for (Index k = 0; k < run.count; ++k) {
      const Index i = run.row + k;
      if (released_[static_cast<std::size_t>(i)] == kOpens) continue;
      for (VectorXd* x : {&n_, &s_, &t_}) std::fill_n(x->data(), m, 0.0);
      rows.rows.add_scaled(run.position + k, 1.0, n_.data());
      const double mu = std::min(pyramid.mu[i], largest_mu);
      if (mu > 0.0) pyramid.whiten_tangents(i, s_.data(), t_.data());
      const double length = n_.norm() + mu * std::max(s_.norm(), t_.norm());
      if (!(length > 0.0)) continue;
      touching_.push_back({i, mu, length, mu > 0.0 ? d : 1});
      const double scale = 1.0 / length;
      const Index directions = touching_.back().count;
      for (Index c = 0; c < m; ++c) {
        const double along_n = scale * n_(c), along_s = scale * mu * s_(c), along_t = scale * mu * t_(c);
        double* column = generators.data() + c * count + used;
        if (directions == padded::kLanes) {
          padded::lanes(column).v = along_n + along_s * padded::lanes(pyramid.cosine.data()).v +
                                    along_t * padded::lanes(pyramid.sine.data()).v;
          continue;
        }
        for (Index direction = 0; direction < directions; ++direction)
          column[direction] = along_n + along_s * pyramid.cosine[direction] + along_t * pyramid.sine[direction];
      }
      used += directions;
    }
  }
  if (used < count) generators.conservativeResize(used, m);
  if (rows.rank > 0) generators -= (generators * rows.Q()) * rows.Q().transpose();
  shares_.q.noalias() = -generators * push_;
  shares_.row_norm.setZero(used);  // column by column: rows are apart in memory
  for (Index c = 0; c < m; ++c) shares_.row_norm += generators.col(c).cwiseAbs2();
  shares_.row_norm = shares_.row_norm.cwiseSqrt();
  shares_.speed = used > 0 ? shares_.q.cwiseAbs().cwiseQuotient(shares_.row_norm).maxCoeff() : 0.0;
  const SolveReport second = solver_.solve(shares_, nothing_, beta_);
  report.pivots += second.pivots;
  report.iterations = report.pivots;
  if (second.status != Status::kSolved) return second.status;
  if ((generators.transpose() * beta_.z - push_).norm() > kSmall * (push_.norm() + rows.speed))
    return Status::kInfeasible;

  for (VectorXd* f : {&impulses_.theta, &impulses_.phi_s, &impulses_.phi_t}) f->setZero(n);
  Index at = 0;
  for (const Touching& contact : touching_) {
    const double cos = pyramid.turn.empty() ? 1.0 : pyramid.turn[2 * contact.contact];
    const double sin = pyramid.turn.empty() ? 0.0 : pyramid.turn[2 * contact.contact + 1];
    for (Index j = 0; j < contact.count; ++j) {
      const double beta = beta_.z(at++) / contact.length;
      const double along_s = contact.mu * beta * pyramid.cosine[j], along_t = contact.mu * beta * pyramid.sine[j];
      impulses_.theta(contact.contact) += beta;
      impulses_.phi_s(contact.contact) += cos * along_s - sin * along_t;
      if (pyramid.spatial()) impulses_.phi_t(contact.contact) += sin * along_s + cos * along_t;
    }
  }
  return Status::kSolved;
}

// (1), where contacts without friction and contacts that open are not held.
bool StickRule::Workspace::solve_no_slip(const ContactProblem& problem, const LeastDistance& rows,
                                         SolveReport& report) {
  constexpr int kPasses = 4;
  released_.clear();
  for (const Contact& contact : problem.contacts) released_.push_back(contact.mu > 0.0 ? kHeld : kSlides);
  for (int pass = 0; pass < kPasses; ++pass) {
    if (!no_slip_.update(problem, NoSlip{}, {.released = released_}) || !no_slip_.consistent()) return false;
    report = solver_.solve(no_slip_.problem(), nothing_, normals_);
    if (report.status != Status::kSolved) return false;
    no_slip_.lift(normals_.z, sticking_);
    bool opened = false;
    for (const PairRows::Run& run : rows.rows.runs()) {
      for (Index k = 0; k < run.count; ++k) {
        const Index i = run.row + k;
        const double gap = problem.N.dot(i, sticking_.v_next) + problem.b_N(i);
        const bool opens = gap > kSmall * (rows.rows.norm(run.position + k) * rows.speed + std::abs(problem.b_N(i)));
        std::uint8_t& released = released_[static_cast<std::size_t>(i)];
        opened = opened || (opens && released == kHeld);
        released = opens ? kOpens : released == kOpens ? kSlides : released;
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
  if (problem.dry() > 0) return false;  // where dry friction takes a share of the impulses, (2) is another problem
  if (pyramid.mu.empty()) return false;
  const double largest_mu = *std::max_element(pyramid.mu.begin(), pyramid.mu.end());
  if (!(largest_mu > 0.0)) return false;
  if (stops_sliding(problem, pyramid, solution.f_n)) return false;  // nothing is at rest here
  if (!solve_no_slip(problem, rows, report)) return false;
  const VectorXd& v = sticking_.v_next;
  apart_ = v - solution.v_next;
  pyramid.factor->whiten_velocity(apart_);
  if (apart_.norm() <= kSmall * rows.speed) return false;
  push_ = v;
  pyramid.factor->whiten_velocity(push_);
  push_ -= Eigen::Map<const VectorXd>(rows.start.data(), pyramid.dof());
  // Small coefficients first: where they suffice, forces are smaller and have more digits.
  for (const double largest : {std::min(10.0, largest_mu), largest_mu}) {
    const Status status = share_out(pyramid, largest, report);
    if (status != Status::kSolved && largest == largest_mu) return false;
    if (status != Status::kSolved) continue;
    if (stops_sliding(problem, pyramid, impulses_.theta)) return false;
    if (impulses_.theta.sum() <= kInvented * solution.f_n.sum()) {
      formulation.lift(impulses_, solution);
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
