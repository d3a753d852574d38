#include "tribo/formulation/normal.hpp"

#include "tribo/linalg/growing_qr.hpp"
#include "tribo/linalg/padded.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

#include "formulation/find_indices.hpp"
#include "formulation/reduction.hpp"
#include "formulation/viscous.hpp"

namespace tribo {
namespace {

std::string text(double value) {
  std::ostringstream out;
  out.precision(3);
  out << value;
  return out.str();
}

Eigen::Map<VectorXd> view(std::vector<double>& values, Index size) { return {values.data(), size}; }

}  // namespace

class NormalFormulation::Workspace {
 public:
  enum class Friction { kNone, kNoSlip, kExplicit, kImplicit };

  Checked check(const ContactProblem& p, const ContactModel& m, DryRows dry);
  Checked update(const ContactProblem& p, const ContactModel& m, const NormalOptions& options);
  Checked make_friction();
  void eliminate();
  void find_contradiction();

  // y_e has the layout J, S, T.
  Index equality_index(const FindIndices::Accepted& row) const {
    if (!row.tangent) return row.row;
    return problem->bilateral() + (row.row % tangents) * problem->size() + row.row / tangents;
  }
  Index equality_rows() const {
    return problem->bilateral() + (friction == Friction::kNoSlip ? tangents * problem->size() : 0);
  }
  const MatrixXd* coupling_factor() const { return friction == Friction::kImplicit ? &coupling : nullptr; }
  void unwhiten_velocity(Eigen::Ref<VectorXd> u) const;
  void calc_slip(const VectorXd& v);  // S v and T v by position of the tangents
  // Σ z_i N̂_i over the rows with z_i ≠ 0.
  void add_normals(const VectorXd& z, double* sum) const;
  void add_given(const GivenImpulses& given);

  const ContactProblem* problem = nullptr;
  Friction friction = Friction::kNone;
  bool accelerations = false, impact = false;
  Index tangents = 0;  // tangential rows per contact (0, 1, 2)
  LeastDistance distance;
  BlockCholesky factor;
  Damping damping;
  MatrixXd coupling;                             // C of M + B = (L C)(L C)ᵀ
  PairRows tangent_rows;                         // S and T, whitened with L alone where B couples
  std::vector<double> drag;                      // per contact: impulse per slip speed (viscous)
  std::vector<char> released;                    // per tangential row; empty: none
  std::span<const std::uint8_t> other_released;  // per contact, during update(); empty: those of the problem
  std::vector<double> force;                     // applied force, with explicit viscous friction
  std::vector<double> free;                      // u₀ of (1)
  FindIndices indices;
  double least_share = FindIndices::kIndependent;  // of tangents
  VectorXd contradiction;                          // empty: none
  VectorXd tested;                                 // the row that may contradict others, whitened
  std::vector<double> scratch, push, along;        // padded vectors of Rᵐ; coordinates along Q
  std::vector<double> twists, slip, least;
};

Checked NormalFormulation::Workspace::check(const ContactProblem& p, const ContactModel& m, DryRows dry) {
  if (dry == DryRows::kRefuse && p.dry() > 0) {
    return fail("has rows of dry friction, whose impulses have two bounds", "D", "use BoxFormulation");
  }
  const bool frictionless = std::holds_alternative<Frictionless>(m);
  if (!frictionless && p.size() > 0 && p.S.rows() == 0) {
    return fail("the model '" + to_string(m) + "' needs tangential rows, and the problem has none", "S",
                "give S (and T in space), or use the model frictionless");
  }
  if (p.level == Level::kVelocity) return ok();
  const auto* viscous = std::get_if<Viscous>(&m);
  if (frictionless || (viscous != nullptr && !viscous->impact)) return ok();
  return fail("the model '" + to_string(m) + "' is not available at acceleration level", "level",
              "use velocity level, or the models frictionless or viscous");
}

// What friction does to forces or mass before any contact force is known.
Checked NormalFormulation::Workspace::make_friction() {
  const ContactProblem& p = *problem;
  const Index m = p.dof(), n = p.size();
  if (friction == Friction::kNone) return ok();
  if (friction == Friction::kNoSlip) {  // eliminate() takes the rows it needs
    released.clear();
    for (Index i = 0; i < n; ++i) {
      if (!(other_released.empty() ? p.contacts[i].released : other_released[static_cast<std::size_t>(i)] != 0))
        continue;
      released.resize(static_cast<std::size_t>(tangents * n), 0);
      for (Index k = 0; k < tangents; ++k) released[i * tangents + k] = 1;
    }
    return ok();
  }
  tangent_rows.assign({&p.S, &p.T}, factor);
  if (friction == Friction::kImplicit) {
    damping.calc(tangent_rows, tangents, drag, m);
    damping.B().diagonal().array() += 1.0;
    // Beyond, forces −c (slip) are differences that have lost their digits; the motion is that of no-slip long before.
    constexpr double kStiffest = 1e12;
    const double stiffest = damping.B().diagonal().maxCoeff();
    if (!(stiffest < kStiffest) || !factor_cholesky(damping.B(), coupling)) {
      return fail(
          "viscous friction is " + text(stiffest) + " times as strong as inertia, too much for double precision",
          impact ? "impact_damping" : "mu_v", "use coefficients a millionth of that, or the model no-slip");
    }
    return ok();
  }
  if (!accelerations) {
    damping.calc(tangent_rows, tangents, drag, m);  // drag = h mu_v
    if (!damping.is_stable()) {
      const double rate = damping.largest_rate();
      return fail("explicit viscous friction is unstable here: h times the largest damping rate is " + text(rate) +
                      ", the bound is 2",
                  "mu_v", "use the implicit form (viscous), or a step below " + text(2.0 * p.h / rate) + " s");
    }
  }
  const double per_step = accelerations ? 1.0 : p.h;
  auto f = view(force, m);
  for (const BlockRows* rows : {&p.S, &p.T}) {
    for (Index i = 0; i < rows->rows(); ++i) {
      if (drag[i] != 0.0) rows->add_scaled(i, -drag[i] / per_step * rows->dot(i, p.v), f);
    }
  }
  return ok();
}

void NormalFormulation::Workspace::calc_slip(const VectorXd& v) {
  const auto positions = static_cast<std::size_t>(tangent_rows.positions());
  slip.assign(positions, 0.0);
  least.resize(tangent_rows.chunks().size());
  twists.resize(static_cast<std::size_t>(tangent_rows.maps().twist_size()));
  scratch.resize(static_cast<std::size_t>(v.size()));
  auto u = view(scratch, v.size());
  u = v;
  factor.whiten_velocity(u);
  tangent_rows.maps().twists(u, twists.data());
  tangent_rows.multiply(twists.data(), slip.data(), slip.data(), least.data());
}

void NormalFormulation::Workspace::unwhiten_velocity(Eigen::Ref<VectorXd> u) const {
  if (friction == Friction::kImplicit) coupling.triangularView<Eigen::Lower>().transpose().solveInPlace(u);
  factor.unwhiten_velocity(u);
}

void NormalFormulation::Workspace::add_normals(const VectorXd& z, double* out) const {
  for (const PairRows::Run& run : distance.rows.runs()) {  // normals have one source, so rows follow one another
    const double* from = z.data() + run.row;
    const auto add = [&](Index i) {
      if (from[i] != 0.0) distance.rows.add_scaled(run.position + i, from[i], out);
    };
    constexpr Index kAtOnce = 64;  // few of many are loaded
    for (Index begin = 0; begin < run.count; begin += kAtOnce) {
      const Index count = std::min(kAtOnce, run.count - begin);
      if (padded::is_zero(from + begin, count)) continue;
      for (Index i = begin; i < begin + count; ++i) add(i);
    }
  }
}

// push += Ŝᵀ f_s + T̂ᵀ f_t + D̂ᵀ f_d.
void NormalFormulation::Workspace::add_given(const GivenImpulses& given) {
  scratch.assign(push.size(), 0.0);
  auto sum = view(scratch, problem->dof());
  const auto add = [&](const BlockRows& rows, Index i, const VectorXd& f) {
    if (f(i) != 0.0) rows.add_scaled(i, f(i), sum);
  };
  for (Index i = 0; given.f_s != nullptr && i < given.f_s->size(); ++i) {
    add(problem->S, i, *given.f_s);
    add(problem->T, i, *given.f_t);
  }
  for (Index i = 0; given.f_d != nullptr && i < given.f_d->size(); ++i) add(problem->D, i, *given.f_d);
  factor.whiten_force(sum);
  if (friction == Friction::kImplicit) coupling.triangularView<Eigen::Lower>().solveInPlace(sum);
  for (std::size_t i = 0; i < push.size(); ++i) push[i] += scratch[i];
}

// (2) and (3).
void NormalFormulation::Workspace::eliminate() {
  const ContactProblem& p = *problem;
  const Index m = p.dof();
  const VectorXd& b_J = accelerations ? p.a_J : p.b_J;
  static const PairRows kNoTangents;
  if (friction != Friction::kNoSlip) {
    indices.run(p.J, factor, coupling_factor(), kNoTangents, released, m);
  } else {
    // Of many contacts with the world a few often fix all that a body can do; the others are then combinations of them.
    constexpr Index kMany = 1024, kFew = 32;
    bool done = false;
    if (p.size() >= kMany && released.empty() && p.S.block(0, 1) < 0) {
      tangent_rows.assign({&p.S, &p.T}, factor, nullptr, kFew);
      if (tangent_rows.positions() < p.size() / 4) {
        indices.run(p.J, factor, nullptr, tangent_rows, released, m, least_share);
        done = indices.full();
      }
    }
    if (!done) {
      tangent_rows.assign({&p.S, &p.T}, factor);
      indices.run(p.J, factor, nullptr, tangent_rows, released, m, least_share);
    }
  }
  const GrowingQr& qr = indices.factor();
  const Index rank = indices.rank();
  const auto numbers = static_cast<std::size_t>(rank * qr.padded());
  if (distance.fixed.size() < numbers) distance.fixed.resize(numbers);
  distance.rank = rank;
  padded::copy(qr.columns(), rank * qr.padded(), distance.fixed.data());
  // u_p = u₀ − Q (Qᵀ u₀) − Q R⁻ᵀ b_acc. What rounding leaves along Q is relative to u₀, as all tolerances are.
  scratch.assign(static_cast<std::size_t>(qr.padded()), 0.0);
  if (along.size() < static_cast<std::size_t>(m)) along.resize(static_cast<std::size_t>(m));
  std::copy_n(free.data(), m, scratch.data());
  if (rank > 0) {
    qr.remove_span(scratch.data(), along.data());
    if (!b_J.isZero(0.0)) {
      for (Index k = 0; k < rank; ++k) {
        const FindIndices::Accepted& row = indices.accepted()[static_cast<std::size_t>(k)];
        along[k] = row.tangent ? 0.0 : -b_J(row.row);
      }
      qr.solve_lower(view(along, rank));
      qr.add_span(along.data(), 0, scratch.data());
    }
  }
  distance.start.assign(scratch.begin(), scratch.begin() + m);
  const auto u_p = view(distance.start, m);
  distance.speed = std::max(view(free, m).norm(), u_p.norm());
  find_contradiction();
}

// Rows that were not accepted are combinations of those that were; do their offsets agree (spec B.2)?
void NormalFormulation::Workspace::find_contradiction() {
  const ContactProblem& p = *problem;
  const Index m = p.dof();
  const VectorXd& b_J = accelerations ? p.a_J : p.b_J;
  contradiction.resize(0);
  if (b_J.isZero(0.0)) return;  // all offsets are zero: so is every combination of them
  const auto u_p = view(distance.start, m);
  const auto contradicts = [&](const VectorXd& row, double b, Index at) {
    if (std::abs(row.dot(u_p) + b) <= kConsistent * (row.norm() * distance.speed + std::abs(b))) return false;
    VectorXd alpha = distance.Q().transpose() * row;  // the row is this combination of the accepted ones: y = ±(e − α)
    indices.factor().solve_upper(alpha);
    contradiction = VectorXd::Zero(equality_rows());
    contradiction(at) = 1.0;
    for (Index k = 0; k < alpha.size(); ++k) contradiction(equality_index(indices.accepted()[k])) -= alpha(k);
    if (contradiction.head(p.bilateral()).dot(b_J) > 0.0) contradiction = -contradiction;
    return true;
  };
  for (Index i = 0; i < p.bilateral(); ++i) {
    tested.setZero(m);
    FindIndices::whiten(p.J, i, factor, coupling_factor(), tested.data());
    if (contradicts(tested, b_J(i), i)) return;
  }
  if (friction != Friction::kNoSlip || indices.left_out()) return;
  for (const PairRows::Run& run : tangent_rows.runs()) {
    for (Index i = 0; i < run.count; ++i) {
      const Index row = run.row + i * run.step;
      if (!released.empty() && released[row] != 0) continue;
      tested.setZero(m);
      tangent_rows.add_scaled(run.position + i, 1.0, tested.data());
      if (contradicts(tested, 0.0, equality_index({true, row, run.position + i}))) return;
    }
  }
}

Checked NormalFormulation::Workspace::update(const ContactProblem& p, const ContactModel& m,
                                             const NormalOptions& options) {
  if (Checked checked = check(p, m, options.dry); !checked) return checked;
  problem = &p;
  other_released = options.released;
  least_share = options.near == NearTangents::kLeaveOut ? FindIndices::kClearlyIndependent : FindIndices::kIndependent;
  accelerations = p.level == Level::kAcceleration;
  tangents = (p.S.rows() > 0 ? 1 : 0) + (p.T.rows() > 0 ? 1 : 0);
  friction = std::holds_alternative<NoSlip>(m) ? Friction::kNoSlip : Friction::kNone;
  if (tangents == 0) friction = Friction::kNone;
  if (const auto* viscous = std::get_if<Viscous>(&m); viscous != nullptr && tangents > 0) {
    friction = !accelerations && (viscous->implicit || viscous->impact) ? Friction::kImplicit : Friction::kExplicit;
    impact = viscous->impact;
    drag.resize(static_cast<std::size_t>(p.size()));
    for (Index i = 0; i < p.size(); ++i) {
      const Contact& contact = p.contacts[i];
      drag[i] = viscous->impact ? contact.impact_damping : contact.mu_v * (accelerations ? 1.0 : p.h);
    }
  }
  if (Checked checked = factor.assign(p.mass); !checked) return checked;
  const Index dof = p.dof();
  force.resize(static_cast<std::size_t>(dof));
  free.resize(static_cast<std::size_t>(dof));
  view(force, dof) = p.f;
  if (Checked checked = make_friction(); !checked) return checked;

  // (1), where (M + B) v⁺ = M v + h f for implicit friction: u₀ = C⁻¹ (Lᵀ v + h L⁻¹ f).
  auto u0 = view(free, dof);
  auto f = view(force, dof);
  factor.whiten_force(f);
  if (accelerations) {
    u0 = f;
  } else {
    u0 = p.v;
    factor.whiten_velocity(u0);
    u0 += p.h * f;
  }
  if (friction == Friction::kImplicit) coupling.triangularView<Eigen::Lower>().solveInPlace(u0);

  distance.rows.assign({&p.N}, factor, coupling_factor());
  eliminate();

  const VectorXd& b_N = accelerations ? p.a_N : p.b_N;
  const PairRows& rows = distance.rows;
  distance.offset.clear();
  if (padded::is_zero(b_N.data(), b_N.size())) return ok();
  distance.offset.resize(static_cast<std::size_t>(rows.positions()), 0.0);
  double* offset = distance.offset.data();
  for (const PairRows::Run& run : rows.runs()) std::copy_n(b_N.data() + run.row, run.count, offset + run.position);
  // What b < 0 asks for; a gap asks for nothing.
  double lowest = 0.0;
  for (Index i = 0; i < rows.positions(); ++i) lowest = std::min(lowest, PairRows::score(offset[i], rows.weights()[i]));
  const double fastest = std::sqrt(-lowest);
  distance.speed = std::max(distance.speed, fastest);
  return ok();
}

NormalFormulation::NormalFormulation() : workspace_(std::make_unique<Workspace>()) {}
NormalFormulation::~NormalFormulation() = default;
NormalFormulation::NormalFormulation(NormalFormulation&&) noexcept = default;
NormalFormulation& NormalFormulation::operator=(NormalFormulation&&) noexcept = default;

bool NormalFormulation::takes(const ContactModel& model) {
  return std::holds_alternative<Frictionless>(model) || std::holds_alternative<NoSlip>(model) ||
         std::holds_alternative<Viscous>(model);
}

Checked NormalFormulation::update(const ContactProblem& problem, const ContactModel& model,
                                  const NormalOptions& options) {
  return workspace_->update(problem, model, options);
}

bool NormalFormulation::consistent() const { return workspace_->contradiction.size() == 0; }

ContactSolution NormalFormulation::inconsistency() const {
  ContactSolution solution;
  solution.y_n = VectorXd::Zero(workspace_->problem->size());
  solution.y_e = workspace_->contradiction;
  return solution;
}

const LeastDistance& NormalFormulation::problem() const { return workspace_->distance; }

const BlockCholesky& NormalFormulation::mass_factor() const { return workspace_->factor; }

Index NormalFormulation::equality_rank() const { return workspace_->indices.rank(); }

bool NormalFormulation::left_tangents_out() const { return workspace_->indices.left_out(); }

void NormalFormulation::start(const StartValues& values, WarmStart& warm) const {
  warm.clear();
  const VectorXd& f_n = values.impulses.f_n;
  if (f_n.size() != workspace_->problem->size()) return;
  for (const double load : f_n) warm.states.push_back(load > 0.0 ? IndexState::kActive : IndexState::kLower);
}

void NormalFormulation::whiten(const BlockRows& rows, Index i, double* x) const {
  FindIndices::whiten(rows, i, workspace_->factor, workspace_->coupling_factor(), x);
}

void NormalFormulation::lift(const VectorXd& z, const GivenImpulses& given, ContactSolution& solution) {
  Workspace& work = *workspace_;
  const ContactProblem& p = *work.problem;
  const Index n = p.size(), m = p.dof(), rank = work.indices.rank();
  const LeastDistance& distance = work.distance;
  solution.f_n = z;
  const auto take = [](const VectorXd* f, Index size, VectorXd& out) {
    if (f != nullptr) {
      out = *f;
    } else {
      out.setZero(size);
    }
  };
  take(given.f_s, n, solution.f_s);
  take(given.f_t, n, solution.f_t);
  take(given.f_d, p.dry(), solution.f_d);
  solution.f_j.setZero(p.bilateral());
  for (VectorXd* couple : {&solution.f_spin, &solution.f_roll_s, &solution.f_roll_t}) couple->resize(0);
  solution.v_next.resize(m);
  solution.y_n.resize(0);
  solution.y_e.resize(0);

  // (4): u⁺ = u_p + (I − Q Qᵀ) push,  push = N̂ᵀ z,  R f_acc = Qᵀ (u⁺ − u₀ − push)
  const GrowingQr& qr = work.indices.factor();
  work.push.assign(static_cast<std::size_t>(qr.padded()), 0.0);
  work.add_normals(z, work.push.data());
  if (given.f_s != nullptr || given.f_d != nullptr) work.add_given(given);
  work.scratch = work.push;
  std::vector<double>& along = work.along;
  if (rank > 0) {
    qr.remove_span(work.scratch.data(), along.data());
    qr.remove_span(work.scratch.data(), along.data());  // what rounding left of the first
  }
  double* u = solution.v_next.data();
  for (Index i = 0; i < m; ++i) {
    u[i] = distance.start[i] + work.scratch[i];
    work.scratch[i] = u[i] - work.free[i] - work.push[i];
  }
  qr.calc_coordinates(work.scratch.data(), along.data());
  qr.solve_upper(view(along, rank));
  for (Index k = 0; k < rank; ++k) {
    const FindIndices::Accepted& row = work.indices.accepted()[static_cast<std::size_t>(k)];
    if (!row.tangent) {
      solution.f_j(row.row) = along[k];
    } else {
      (row.row % work.tangents == 0 ? solution.f_s : solution.f_t)(row.row / work.tangents) = along[k];
    }
  }
  work.unwhiten_velocity(solution.v_next);

  if (work.friction == Workspace::Friction::kExplicit || work.friction == Workspace::Friction::kImplicit) {
    work.calc_slip(work.friction == Workspace::Friction::kImplicit ? solution.v_next : p.v);
    for (const PairRows::Run& run : work.tangent_rows.runs()) {
      VectorXd& force = run.source == 0 ? solution.f_s : solution.f_t;
      for (Index i = 0; i < run.count; ++i) {
        force(run.first + i) = -work.drag[run.first + i] * work.slip[run.position + i];
      }
    }
  }
}

void NormalFormulation::lift(const VectorXd& z, ContactSolution& solution) { lift(z, GivenImpulses{}, solution); }

ContactSolution NormalFormulation::lift(const VectorXd& z) {
  ContactSolution solution;
  lift(z, solution);
  return solution;
}

ContactSolution NormalFormulation::lift_farkas(const VectorXd& y) const {
  const Workspace& work = *workspace_;
  ContactSolution solution;
  if (y.size() != work.problem->size()) return solution;
  solution.y_n = without_dust(y);
  VectorXd push = VectorXd::Zero(work.problem->dof());
  work.add_normals(solution.y_n, push.data());
  VectorXd alpha = -(work.distance.Q().transpose() * push);
  work.indices.factor().solve_upper(alpha);
  VectorXd y_e = VectorXd::Zero(work.equality_rows());
  for (Index k = 0; k < alpha.size(); ++k) y_e(work.equality_index(work.indices.accepted()[k])) = alpha(k);
  solution.y_e = without_dust(y_e);
  return solution;
}

}  // namespace tribo
