#include "tribo/solve/cone/cone_gradient.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/core/random.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "solve/cone/change_system.hpp"

namespace tribo {
namespace {

using cone::Sparse;
using Triplets = std::vector<Eigen::Triplet<double>>;
constexpr int kMost = 6;
using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMost, 1>;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMost, kMost>;

// Of a direction of length one: what (2) leaves of it where it is open, and what it moves where u is not determined.
constexpr double kOpen = 1e-7, kMoves = 1e-4;
constexpr double kSmallestVelocity = 1e-10;  // of the scale of a residual, as in the stopping test

// The law of one contact, linear about (r, u) in scaled units: (2) of the header.
struct LinearLaw {
  ContactState state = ContactState::kOpen;
  bool undecided = false;
  Matrix T, E;
  Vector c;           // per dmu
  double damp = 0.0;  // d, on all unknowns but the first
};

// Columns that complete the unit vector n to an orthonormal basis: those of the reflection that takes n to an axis.
Matrix complement(const Vector& n) {
  const Index size = n.size();
  Vector w = n;
  w(0) += n(0) >= 0.0 ? 1.0 : -1.0;
  Matrix result = Matrix::Identity(size, size).rightCols(size - 1);
  result.noalias() -= (1.0 / (1.0 + std::abs(n(0)))) * w * w.tail(size - 1).transpose();
  return result;
}

LinearLaw linearize(const Vector& r, const Vector& u, double mu, bool bilateral, double margin) {
  const Index d = r.size();
  LinearLaw law;
  law.c.setZero(d);
  const double load = r(0) - u(0) / std::max(1.0, mu);
  if (!bilateral && load <= 0.0) {
    law.undecided = u(0) <= margin;
    law.T.resize(d, 0);
    law.E.resize(d, 0);
    return law;
  }
  const Vector x = (r - u).tail(d - 1);
  const double length = x.norm(), radius = mu * load;
  if (bilateral || (mu > 0.0 && length <= radius)) {
    law.state = ContactState::kStick;
    law.undecided = !bilateral && mu * r(0) - r.tail(d - 1).norm() <= margin * std::hypot(1.0, mu);
    law.T.setIdentity(d, d);
    law.E.setIdentity(d, d);
    return law;
  }
  law.state = ContactState::kSlide;
  law.undecided = u.tail(d - 1).norm() <= margin || r.norm() <= margin;
  Vector n = Vector::Zero(d - 1);
  if (length > 0.0) n = x / length;
  law.c.tail(d - 1) = r(0) * n;
  const Index unknowns = mu > 0.0 ? d - 1 : 1;
  law.T.setZero(d, unknowns);
  law.E.setZero(d, unknowns);
  law.T(0, 0) = law.E(0, 0) = 1.0;
  if (mu == 0.0) return law;
  const double k = radius / length;
  law.damp = 1.0 - k;
  const Matrix Q = complement(n);
  law.T.col(0).tail(d - 1) = mu * n;
  law.T.bottomRightCorner(d - 1, d - 2) = Q;
  law.E.bottomRightCorner(d - 1, d - 2) = k * Q;
  return law;
}

void add_block(const Matrix& block, Index row, Index column, Triplets& entries) {
  for (Index j = 0; j < block.cols(); ++j) {
    for (Index i = 0; i < block.rows(); ++i) {
      if (block(i, j) != 0.0) entries.emplace_back(row + i, column + j, block(i, j));
    }
  }
}

}  // namespace

struct ConeGradient::Data {
  Index dimension = 0;
  std::vector<ContactState> states;
  IndexList undecided;
  bool unique = true;
  VectorXd scale;  // s_i of every component: r = s r̃, u = ũ/s
  VectorXd c;      // per dmu
  cone::ChangeSystem system;

  bool is_unique() const;
};

// A solve of a singular system blows up the direction that (2) leaves open. Does that one move anything?
bool ConeGradient::Data::is_unique() const {
  Random random(1);
  VectorXd b(system.unknowns());
  if (b.size() == 0) return true;
  for (Index i = 0; i < b.size(); ++i) b(i) = random.uniform(-1.0, 1.0);
  VectorXd z = system.solve_once(b, false).normalized();
  z -= system.solve_once(system.multiply(z, false), false);  // only what is open stays
  const VectorXd impulse = system.T() * z;
  const bool open = z.norm() >= 0.5 && system.multiply(z, false).norm() <= kOpen;
  return !open || system.multiply_W(impulse, false).norm() <= kMoves * impulse.norm();
}

ConeGradient::ConeGradient(std::unique_ptr<Data> data) : data_(std::move(data)) {}
ConeGradient::~ConeGradient() = default;
ConeGradient::ConeGradient(ConeGradient&&) noexcept = default;
ConeGradient& ConeGradient::operator=(ConeGradient&&) noexcept = default;

Expected<ConeGradient> ConeGradient::make(const ConeProblem& problem, const ConeSolution& solution,
                                          const ConeGradientSettings& settings) {
  const Index d = problem.dimension, n = problem.contacts();
  TRIBO_REQUIRE(d >= 2 && d <= kMost, "a cone has 2 to 6 components");
  TRIBO_REQUIRE(problem.q.size() == d * n, "q has one entry per component");
  TRIBO_REQUIRE(solution.r.size() == d * n && solution.u.size() == d * n, "the answer must be one of this problem");
  TRIBO_REQUIRE(settings.alpha > 0.0 && settings.boundary >= 0.0, "alpha is positive, boundary not negative");
  if (!solution.r.allFinite() || !solution.u.allFinite()) {
    return fail("the answer has numbers that are not finite", "solution", "differentiate answers that are solved");
  }
  auto data = std::make_unique<Data>();
  data->dimension = d;
  data->system.set_problem(problem);
  const VectorXd diagonal = data->system.diagonal();
  data->scale.resize(d * n);
  data->c.resize(d * n);
  double velocity = kSmallestVelocity;
  for (Index i = 0; i < n; ++i) {
    const double trace = diagonal.segment(i * d, d).sum();
    data->scale.segment(i * d, d).setConstant(trace > 0.0 ? std::sqrt(static_cast<double>(d) / trace) : 1.0);
    velocity = std::max(velocity, problem.q.segment(i * d, d).norm());
  }
  data->system.scale(data->scale);

  Triplets T_entries, E_entries;
  std::vector<double> damping;
  IndexList start{0};
  for (Index i = 0; i < n; ++i) {
    const double s = data->scale(i * d);
    const LinearLaw law = linearize(solution.r.segment(i * d, d) / s, solution.u.segment(i * d, d) * s, problem.mu(i),
                                    problem.is_bilateral(i), settings.boundary * velocity * s);
    data->states.push_back(law.state);
    if (law.undecided) data->undecided.push_back(i);
    data->c.segment(i * d, d) = law.c;
    add_block(law.T, i * d, start.back(), T_entries);
    add_block(law.E, i * d, start.back(), E_entries);
    for (Index k = 0; k < law.T.cols(); ++k) damping.push_back(k == 0 ? 0.0 : law.damp);
    start.push_back(start.back() + law.T.cols());
  }
  Sparse T(d * n, start.back()), E(d * n, start.back());
  T.setFromTriplets(T_entries.begin(), T_entries.end());
  E.setFromTriplets(E_entries.begin(), E_entries.end());
  data->system.set_laws(std::move(T), std::move(E), Eigen::Map<const VectorXd>(damping.data(), start.back()), start);
  if (!data->system.factor(settings.alpha)) {
    return fail("the equations of a change are singular", "ConeGradient",
                "raise ConeGradientSettings::alpha (" + std::to_string(settings.alpha) + ")");
  }
  data->unique = data->is_unique();
  return ConeGradient(std::move(data));
}

ConeGradient::Tangent ConeGradient::forward(const VectorIn& delta, const VectorIn& dmu) const {
  const Data& data = *data_;
  TRIBO_REQUIRE(delta.size() == data.scale.size(), "delta has one entry per component");
  TRIBO_REQUIRE(dmu.size() * data.dimension == delta.size(), "dmu has one entry per contact");
  VectorXd c = data.c;
  for (Index i = 0; i < dmu.size(); ++i) c.segment(i * data.dimension, data.dimension) *= dmu(i);
  const VectorXd change = delta.cwiseProduct(data.scale) + data.system.multiply_W(c, false);
  const VectorXd b = -(data.system.E().transpose() * change);
  const VectorXd z = data.system.solve(b, false);
  const VectorXd moved = data.system.T() * z;
  Tangent out;
  out.du = (change + data.system.multiply_W(moved, false)).cwiseQuotient(data.scale);
  out.dr = (moved + c).cwiseProduct(data.scale);
  if (const double size = change.lpNorm<Eigen::Infinity>(); z.size() > 0 && size > 0.0) {
    out.contradiction = (b - data.system.multiply(z, false)).lpNorm<Eigen::Infinity>() / size;
  }
  return out;
}

ConeGradient::Adjoint ConeGradient::adjoint(const VectorIn& g_u, const VectorIn& g_r) const {
  const Data& data = *data_;
  TRIBO_REQUIRE(g_u.size() == data.scale.size() && g_r.size() == data.scale.size(), "one entry per component");
  const VectorXd u = g_u.cwiseQuotient(data.scale), r = g_r.cwiseProduct(data.scale);
  const VectorXd along = data.system.T().transpose() * VectorXd(data.system.multiply_W(u, true) + r);
  const VectorXd p = u - data.system.E() * data.system.solve(along, true);
  const VectorXd over_c = (r + data.system.multiply_W(p, true)).cwiseProduct(data.c);
  Adjoint out;
  out.delta = p.cwiseProduct(data.scale);
  out.mu.resize(p.size() / data.dimension);
  for (Index i = 0; i < out.mu.size(); ++i) out.mu(i) = over_c.segment(i * data.dimension, data.dimension).sum();
  return out;
}

ConeGradient::Adjoint ConeGradient::adjoint(const VectorIn& g_u) const {
  return adjoint(g_u, VectorXd::Zero(g_u.size()));
}

const std::vector<ContactState>& ConeGradient::states() const { return data_->states; }
const IndexList& ConeGradient::undecided() const { return data_->undecided; }
bool ConeGradient::unique() const { return data_->unique; }
Index ConeGradient::unknowns() const { return data_->system.unknowns(); }

}  // namespace tribo
