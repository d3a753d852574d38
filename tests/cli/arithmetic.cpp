#include "arithmetic.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tribo::testing {
namespace {

using nlohmann::json;
using Real = long double;

// A sum and the sum of its magnitudes.
struct Sum {
  Real value = 0, size = 0;
  void add(Real x) {
    value += x;
    size += std::abs(x);
  }
  // A remainder over the size of what was summed; one unit is the least size.
  Real relative() const { return std::abs(value) / std::max<Real>(1, size); }
};

Real dot(const json& row, const VectorXd& x) {
  Real sum = 0;
  for (Index k = 0; k < x.size(); ++k) sum += row[static_cast<std::size_t>(k)].get<Real>() * Real(x(k));
  return sum;
}

struct Contacts {
  const json& file;
  VectorXd v, f, x, f_n, f_s, f_t, f_j;  // x: velocity after the step, or the acceleration
  bool acceleration;
  Real h;
};

// M (v⁺ − v) − h f − Nᵀf_n − Sᵀf_s − Tᵀf_t − Jᵀf_j, or M a − f − …; entry by entry.
Real momentum(const Contacts& c) {
  Real worst = 0;
  for (Index k = 0; k < c.v.size(); ++k) {
    const auto column = static_cast<std::size_t>(k);
    Sum sum;
    for (Index l = 0; l < c.v.size(); ++l) {
      const Real mass = c.file["M"][column][static_cast<std::size_t>(l)].get<Real>();
      sum.add(mass * Real(c.x(l)));
      if (!c.acceleration) sum.add(-mass * Real(c.v(l)));
    }
    sum.add(-(c.acceleration ? Real(1) : c.h) * Real(c.f(k)));
    const auto push = [&](const char* rows, const VectorXd& force) {
      for (std::size_t i = 0; i < c.file[rows].size(); ++i) {
        sum.add(-c.file[rows][i][column].get<Real>() * Real(force(static_cast<Index>(i))));
      }
    };
    push("N", c.f_n);
    push("S", c.f_s);
    push("T", c.f_t);
    push("J", c.f_j);
    worst = std::max(worst, sum.relative());
  }
  return worst;
}

// Coulomb's law on a polygon with d corners, from forces and slip: the force lies in mu f_n times the polygon and
// dissipates as much as any force there: f·slip = −mu f_n max(0, max_k −D_k·slip).
Real pyramid_law(Real mu, Real f_n, Real f_s, Real f_t, Real slip_s, Real slip_t, int d) {
  const Real step = 2 * std::numbers::pi_v<Real> / d;
  Real gauge = 0, lambda = 0;
  for (int k = 0; k < d; ++k) {
    const Real edge = step * (Real(k) + Real(0.5));
    gauge = std::max(gauge, (f_s * std::cos(edge) + f_t * std::sin(edge)) / std::cos(step / 2));
    lambda = std::max(lambda, -(slip_s * std::cos(step * k) + slip_t * std::sin(step * k)));
  }
  Sum work;
  work.add(f_s * slip_s);
  work.add(f_t * slip_t);
  work.add(mu * f_n * lambda);
  const Real outside = std::max<Real>(0, gauge - mu * f_n) / std::max<Real>({1, gauge, mu * f_n});
  return std::max(outside, work.relative());
}

// Coulomb's law with the true cone: inside it, on its edge and against the slip while there is one.
Real cone_law(Real mu, Real f_n, Real f_s, Real f_t, Real slip_s, Real slip_t) {
  const Real force = std::hypot(f_s, f_t), slip = std::hypot(slip_s, slip_t);
  const Real outside = std::max<Real>(0, force - mu * f_n) / std::max<Real>(1, mu * f_n);
  const Real work = f_s * slip_s + f_t * slip_t + mu * f_n * slip;  // zero exactly where friction takes all it can
  return std::max(outside, std::abs(work) / std::max<Real>(1, mu * f_n * slip));
}

Real friction(const Contacts& c, const std::string& model, Index i) {
  const auto row = static_cast<std::size_t>(i);
  const bool tangents = c.file["S"].size() > row;
  const Real slip_s = tangents ? dot(c.file["S"][row], c.x) : 0, slip_t = tangents ? dot(c.file["T"][row], c.x) : 0;
  const Real f_s = c.f_s(i), f_t = c.f_t(i);
  if (model == "frictionless") return std::max(std::abs(f_s), std::abs(f_t));
  if (model == "no_slip") return std::max(std::abs(slip_s), std::abs(slip_t));
  if (model == "friction_box") {
    const Real bound = c.file["bound"][row].get<Real>();
    const auto law = [&](Real force, Real slip) {
      return std::abs(force - std::clamp(force - slip, -bound, bound)) / std::max<Real>(1, bound);
    };
    return std::max(law(f_s, slip_s), law(f_t, slip_t));
  }
  if (model.starts_with("viscous")) {
    const VectorXd& y = model == "viscous_vel_implicit" ? c.x : c.v;
    const Real coefficient = (c.acceleration ? Real(1) : c.h) * c.file["mu_v"][row].get<Real>();
    const auto law = [&](Real force, const json& direction) {
      Sum sum;
      sum.add(force);
      sum.add(coefficient * dot(direction, y));
      // The slip is a sum that cancels: its rounding counts with the coefficient in front.
      return std::abs(sum.value) / std::max<Real>({1, sum.size, coefficient});
    };
    return std::max(law(f_s, c.file["S"][row]), law(f_t, c.file["T"][row]));
  }
  if (model == "cone") return cone_law(c.file["mu"][row].get<Real>(), c.f_n(i), f_s, f_t, slip_s, slip_t);
  return pyramid_law(c.file["mu"][row].get<Real>(), c.f_n(i), f_s, f_t, slip_s, slip_t, std::stoi(model.substr(4)));
}

}  // namespace

VectorXd to_vector(const json& list) {
  VectorXd x(static_cast<Index>(list.size()));
  for (std::size_t i = 0; i < list.size(); ++i) x(static_cast<Index>(i)) = list[i].get<double>();
  return x;
}

double mixed_violation(const MatrixXd& M, const VectorXd& q, const std::vector<bool>& equality, const VectorXd& u,
                       const VectorXd& z, const VectorXd& w) {
  VectorXd x(q.size());
  Index next_u = 0, next_z = 0;
  for (Index i = 0; i < q.size(); ++i) x(i) = equality[static_cast<std::size_t>(i)] ? u(next_u++) : z(next_z++);
  Real worst = 0;
  const Real size = std::max<Real>(1, q.size() > 0 ? q.cwiseAbs().maxCoeff() : 0);
  Index next_w = 0;
  for (Index i = 0; i < q.size(); ++i) {
    Sum row;
    row.add(q(i));
    for (Index j = 0; j < q.size(); ++j) row.add(Real(M(i, j)) * Real(x(j)));
    if (equality[static_cast<std::size_t>(i)]) {
      worst = std::max(worst, row.relative());
      continue;
    }
    const Real reported = w(next_w++);
    worst = std::max(worst, std::abs(row.value - reported) / std::max<Real>(1, row.size));
    worst = std::max(worst, std::abs(std::min<Real>(x(i), row.value)) / size);
  }
  return static_cast<double>(worst);
}

double lcp_violation(const MatrixXd& M, const VectorXd& q, const VectorXd& z, const VectorXd& w) {
  return mixed_violation(M, q, std::vector<bool>(static_cast<std::size_t>(q.size()), false), VectorXd(), z, w);
}

double friction_violation(const LocalFriction& problem, const VectorXd& r, const VectorXd& u) {
  const Eigen::SparseMatrix<double, Eigen::RowMajor> W(problem.W);
  const Index d = problem.dimension;
  Real worst = 0, size = 1e-10L;
  for (Index i = 0; i < problem.contacts(); ++i) size = std::max<Real>(size, problem.q.segment(i * d, d).norm());
  for (Index i = 0; i < problem.contacts(); ++i) {
    Real velocity[3] = {}, target[3] = {}, mean = 0;
    for (Index c = 0; c < d; ++c) {
      Sum row;
      row.add(problem.q(i * d + c));
      for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator entry(W, i * d + c); entry; ++entry) {
        row.add(Real(entry.value()) * Real(r(entry.col())));
      }
      velocity[c] = row.value;
      mean += Real(W.coeff(i * d + c, i * d + c)) / Real(d);
      worst = std::max(worst, std::abs(row.value - Real(u(i * d + c))) / std::max<Real>(1, row.size));
    }
    if (!(mean > 0)) mean = 1;
    const Real mu = problem.mu(i);
    velocity[0] += mu * std::hypot(velocity[1], velocity[2]);
    for (Index c = 0; c < d; ++c) target[c] = Real(r(i * d + c)) - velocity[c] / mean;
    const Real tangent = std::hypot(target[1], target[2]);
    if (mu * tangent <= -target[0]) {
      target[0] = target[1] = target[2] = 0;
    } else if (tangent > mu * target[0]) {
      target[0] = (target[0] + mu * tangent) / (1 + mu * mu);
      for (Index c = 1; c < d; ++c) target[c] *= mu * target[0] / tangent;
    }
    Real defect = 0;
    for (Index c = 0; c < d; ++c) defect = std::hypot(defect, Real(r(i * d + c)) - target[c]);
    worst = std::max(worst, mean * defect / size);
  }
  return static_cast<double>(worst);
}

double contact_violation(const json& file, const std::string& model, const json& answer) {
  const bool acceleration = model == "viscous_acc";
  const Contacts c{file,
                   to_vector(file["v"]),
                   to_vector(file["f"]),
                   to_vector(answer[acceleration ? "a" : "v_next"]),
                   to_vector(answer["f_n"]),
                   to_vector(answer["f_s"]),
                   to_vector(answer["f_t"]),
                   to_vector(answer["f_j"]),
                   acceleration,
                   file["h"].get<Real>()};
  Real worst = momentum(c);
  for (std::size_t k = 0; k < file["J"].size(); ++k) {
    const Real offset = file[acceleration ? "a_J" : "b_J"][k].get<Real>();
    worst = std::max(worst, std::abs(dot(file["J"][k], c.x) + offset));
  }
  for (std::size_t i = 0; i < file["N"].size(); ++i) {
    const Real w = dot(file["N"][i], c.x) + file[acceleration ? "a_N" : "b_N"][i].get<Real>();
    const Real f_n = c.f_n(static_cast<Index>(i));
    worst = std::max({worst, -f_n, -w, std::abs(std::min(f_n, w))});
    worst = std::max(worst, friction(c, model, static_cast<Index>(i)));
  }
  return static_cast<double>(worst);
}

}  // namespace tribo::testing
