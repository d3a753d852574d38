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

// (1), where contacts without friction and contacts that open are not held.
bool solve_no_slip(const ContactProblem& problem, const LeastDistance& rows, VectorXd& v, SolveReport& report) {
  constexpr int kPasses = 4;
  ContactProblem held = problem;
  for (Contact& contact : held.contacts) contact.released = !(contact.mu > 0.0);
  NormalFormulation no_slip;
  DualActiveSetSolver solver;
  LcpSolution normals;
  for (int pass = 0; pass < kPasses; ++pass) {
    if (!no_slip.update(held, NoSlip{}) || !no_slip.consistent()) return false;
    report = solver.solve(no_slip.problem(), {}, normals);
    if (report.status != Status::kSolved) return false;
    v = no_slip.lift(normals.z).v_next;
    bool opened = false;
    for (const PairRows::Run& run : rows.rows.runs()) {
      for (Index k = 0; k < run.count; ++k) {
        const Index i = run.row + k;
        const double gap = problem.N.dot(i, v) + problem.b_N(i);
        const bool opens = gap > kSmall * (rows.rows.norm(run.position + k) * rows.speed + std::abs(problem.b_N(i)));
        if (!opens || held.contacts[i].released) continue;
        held.contacts[i].released = true;
        opened = true;
      }
    }
    if (!opened) return true;
  }
  return false;
}

// Does the answer load a contact that slipped before the step?
bool stops_sliding(const ContactProblem& problem, const PyramidProblem& pyramid, const VectorXd& load) {
  VectorXd before = problem.v;
  pyramid.factor->whiten_velocity(before);
  const Index m = pyramid.dof();
  VectorXd s(m), t(m);
  for (Index i = 0; i < problem.size(); ++i) {
    if (!(load(i) > 0.0) || !(pyramid.mu[i] > 0.0)) continue;
    s.setZero();
    t.setZero();
    pyramid.whiten_tangents(i, s.data(), t.data());
    const double scale = kAtRest * pyramid.normals->speed;
    if (std::abs(s.dot(before)) > scale * s.norm() || std::abs(t.dot(before)) > scale * t.norm()) return true;
  }
  return false;
}

}  // namespace

bool prefer_sticking(const ContactProblem& problem, PyramidFormulation& formulation, ContactSolution& solution,
                     SolveReport& report) {
  const PyramidProblem& pyramid = formulation.problem();
  const LeastDistance& rows = *pyramid.normals;
  if (stops_sliding(problem, pyramid, solution.f_n)) return false;  // nothing is at rest here
  VectorXd v;
  if (!solve_no_slip(problem, rows, v, report)) return false;
  VectorXd apart = v - solution.v_next;
  pyramid.factor->whiten_velocity(apart);
  if (apart.norm() <= kSmall * rows.speed) return false;
  VectorXd push = v;
  pyramid.factor->whiten_velocity(push);
  push -= Eigen::Map<const VectorXd>(rows.start.data(), pyramid.dof());
  // Small coefficients first: where they suffice, forces are smaller and have more digits.
  const double largest_mu = *std::max_element(pyramid.mu.begin(), pyramid.mu.end());
  if (!(largest_mu > 0.0)) return false;
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

}  // namespace tribo
