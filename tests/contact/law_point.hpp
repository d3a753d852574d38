// A second opinion on contact answers, for tests. It shares no code with certify/: dense rows, plain sums in extended
// precision, and friction compared component by component with the point that the law prescribes.
//
// Scales per island (bodies connected by rows): us the largest of |v|_M, |v + h M⁻¹f|_M, |v⁺|_M, |b_J|/ρ and −b_N/ρ; for a row
// of norm ρ and compliance R a speed counts over ρ us and an impulse over us/(ρ + R/ρ). With the tolerance δ a contact obeys
// Coulomb's law with semi-axes a_k = mu_k f_n if, with impulses within δ (us/(ρ_k + R_k/ρ_k) + a_k) and velocities within δ ρ_k us,
//     it does not slip, and lies inside of the ellipsoid                                                              (1)
//     or f_k = f*_k = −a_k ψ_k/|ψ|, ψ_k = mu_k û_k                                                                    (2)
// Polygon: f on two neighbouring corners, and each corner that is used within δ of the fastest. Box: row by row.
#pragma once

#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/model.hpp"
#include "tribo/problem/solution.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <Eigen/Cholesky>

namespace tribo::testing {

class LawPoint {
 public:
  using Real = long double;

  LawPoint(const ContactProblem& problem, const ContactModel& model, const ContactSolution& answer, double tolerance)
      : problem_(problem),
        answer_(answer),
        delta_(tolerance),
        eased_(std::holds_alternative<CoulombCone>(model)),
        M_(problem.mass.to_dense()),
        factor_(M_) {
    find_islands();
    find_scales();
    check_momentum();
    check_bilateral();
    check_normals();
    for (Index i = 0; i < problem.size(); ++i) {
      if (std::holds_alternative<CoulombCone>(model)) check_cone(i);
      if (const auto* pyramid = std::get_if<CoulombPyramid>(&model)) check_polygon(i, pyramid->sides);
      if (std::holds_alternative<FrictionBox>(model)) check_box(i);
    }
  }

  // Empty: the answer obeys the law within the tolerance. Otherwise the first violation that was found.
  const std::string& violation() const { return violation_; }

 private:
  struct Rows {
    MatrixXd dense;
    VectorXd norm, speed;  // ρ; velocities along the rows after the step
  };

  void refuse(const std::string& what, Index i, Real size, Real most) {
    if (!violation_.empty()) return;
    violation_ = what + " " + std::to_string(i) + ": " + std::to_string(static_cast<double>(size / most)) +
                 " of what is allowed";
  }
  void require(const std::string& what, Index i, Real size, Real most) {
    if (!(size <= most)) refuse(what, i, size, most);
  }

  void find_islands() {
    const BlockLayout& layout = problem_.mass.layout();
    std::vector<Index> of(static_cast<std::size_t>(layout.blocks()));
    std::iota(of.begin(), of.end(), Index{0});
    const auto join = [&](const BlockRows& rows) {
      for (Index i = 0; i < rows.rows(); ++i) {
        if (rows.block(i, 0) < 0 || rows.block(i, 1) < 0) continue;
        const Index from = of[static_cast<std::size_t>(rows.block(i, 0))],
                    to = of[static_cast<std::size_t>(rows.block(i, 1))];
        std::replace(of.begin(), of.end(), from, to);
      }
    };
    for (const BlockRows* rows : {&problem_.N, &problem_.S, &problem_.T, &problem_.spin, &problem_.roll_s,
                                  &problem_.roll_t, &problem_.J, &problem_.D})
      join(*rows);
    island_of_dof_.resize(static_cast<std::size_t>(problem_.dof()));
    for (Index b = 0; b < layout.blocks(); ++b) {
      for (Index k = 0; k < layout.size(b); ++k)
        island_of_dof_[static_cast<std::size_t>(layout.start(b) + k)] = of[static_cast<std::size_t>(b)];
    }
    us_.assign(static_cast<std::size_t>(layout.blocks()), 0.0L);
  }

  // −1: the row touches nothing.
  Index island(const MatrixXd& rows, Index i) const {
    for (Index k = 0; k < rows.cols(); ++k) {
      if (rows(i, k) != 0.0) return island_of_dof_[static_cast<std::size_t>(k)];
    }
    return -1;
  }
  Real us(Index i) const {
    const Index of = island(N_.dense, i);
    return of < 0 ? 0.0L : us_[static_cast<std::size_t>(of)];
  }

  Rows make_rows(const BlockRows& given) const {
    Rows rows{given.to_dense(), VectorXd::Zero(given.rows()), VectorXd::Zero(given.rows())};
    for (Index i = 0; i < given.rows(); ++i) {
      const VectorXd row = rows.dense.row(i).transpose();
      rows.norm(i) = std::sqrt(std::max(0.0, row.dot(factor_.solve(row))));
      Real sum = 0.0L;
      for (Index k = 0; k < row.size(); ++k) sum += Real(row(k)) * answer_.v_next(k);
      rows.speed(i) = static_cast<double>(sum);
    }
    return rows;
  }

  void find_scales() {
    N_ = make_rows(problem_.N);
    S_ = make_rows(problem_.S);
    T_ = make_rows(problem_.T);
    spin_ = make_rows(problem_.spin);
    roll_s_ = make_rows(problem_.roll_s);
    roll_t_ = make_rows(problem_.roll_t);
    J_ = make_rows(problem_.J);
    const VectorXd u0 = problem_.v + problem_.h * factor_.solve(problem_.f);
    for (const VectorXd* v : {&problem_.v, &u0, &answer_.v_next}) {
      std::vector<Real> squares(us_.size(), 0.0L);
      for (Index i = 0; i < v->size(); ++i) {
        for (Index k = 0; k < v->size(); ++k)
          squares[static_cast<std::size_t>(island_of_dof_[static_cast<std::size_t>(i)])] +=
              Real(M_(i, k)) * (*v)(i) * (*v)(k);
      }
      for (std::size_t k = 0; k < us_.size(); ++k) us_[k] = std::max(us_[k], std::sqrt(std::max(0.0L, squares[k])));
    }
    const auto offset = [&](const Rows& rows, Index i, double b) {
      const Index of = island(rows.dense, i);
      if (of >= 0 && rows.norm(i) > 0.0)
        us_[static_cast<std::size_t>(of)] =
            std::max(us_[static_cast<std::size_t>(of)], Real(std::abs(b) / rows.norm(i)));
    };
    for (Index i = 0; i < problem_.size(); ++i) offset(N_, i, std::min(problem_.b_N(i), 0.0));
    for (Index i = 0; i < problem_.bilateral(); ++i) offset(J_, i, problem_.b_J(i));
  }

  void check_momentum() {
    const Index m = problem_.dof();
    std::vector<Real> p(static_cast<std::size_t>(m));
    for (Index i = 0; i < m; ++i) {
      Real& sum = p[static_cast<std::size_t>(i)];
      sum = -Real(problem_.h) * problem_.f(i);
      for (Index k = 0; k < m; ++k) sum += Real(M_(i, k)) * (Real(answer_.v_next(k)) - problem_.v(k));
      const auto take = [&](const Rows& rows, const VectorXd& f) {
        for (Index k = 0; k < f.size(); ++k) sum -= Real(rows.dense(k, i)) * f(k);
      };
      take(N_, answer_.f_n);
      take(S_, answer_.f_s);
      take(T_, answer_.f_t);
      take(spin_, answer_.f_spin);
      take(roll_s_, answer_.f_roll_s);
      take(roll_t_, answer_.f_roll_t);
      take(J_, answer_.f_j);
    }
    for (std::size_t k = 0; k < us_.size(); ++k) {
      VectorXd part = VectorXd::Zero(m);
      for (Index i = 0; i < m; ++i) {
        if (island_of_dof_[static_cast<std::size_t>(i)] == static_cast<Index>(k))
          part(i) = static_cast<double>(p[static_cast<std::size_t>(i)]);
      }
      require("momentum of island", static_cast<Index>(k), std::sqrt(std::max(0.0, part.dot(factor_.solve(part)))),
              delta_ * us_[k]);
    }
  }

  void check_bilateral() {
    for (Index i = 0; i < problem_.bilateral(); ++i) {
      const Index of = island(J_.dense, i);
      require("bilateral row", i, std::abs(Real(J_.speed(i)) + problem_.b_J(i)),
              of < 0 ? 0.0L : delta_ * us_[static_cast<std::size_t>(of)] * J_.norm(i));
    }
  }

  void check_normals() {
    for (Index i = 0; i < problem_.size(); ++i) {
      const Real rho = N_.norm(i), R = eased_ ? at(i).compliance : 0.0, f_n = answer_.f_n(i);
      if (!(rho > 0.0L)) continue;
      const Real w = Real(N_.speed(i)) + problem_.b_N(i) + R * f_n;
      const Real small_f = delta_ * us(i) / (rho + R / rho), small_w = delta_ * us(i) * rho;
      require("pulling contact", i, -f_n, small_f);
      require("approaching contact", i, -w, small_w);
      if (f_n > small_f) require("contact that opens under load", i, w, small_w);
    }
  }

  const Contact& at(Index i) const { return problem_.contacts[static_cast<std::size_t>(i)]; }
  static double value(const VectorXd& x, Index i) { return x.size() > 0 ? x(i) : 0.0; }

  void check_cone(Index i) {
    constexpr std::size_t kParts = 5;
    const Contact& c = at(i);
    const Real f_n = std::max(answer_.f_n(i), 0.0), speed = us(i), R = c.tangential_compliance;
    const std::array<const Rows*, kParts> rows{&S_, &T_, &spin_, &roll_s_, &roll_t_};
    const std::array<const VectorXd*, kParts> forces{&answer_.f_s, &answer_.f_t, &answer_.f_spin, &answer_.f_roll_s,
                                                     &answer_.f_roll_t};
    const std::array<Real, kParts> mu{c.mu, c.mu, c.mu_spin, c.mu_roll, c.mu_roll}, ease{R, R, 0.0L, 0.0L, 0.0L},
        held{c.held_s, c.held_t, 0.0L, 0.0L, 0.0L};
    const Real tangent = std::max(value(S_.norm, i), value(T_.norm, i)),
               roll = std::max(value(roll_s_.norm, i), value(roll_t_.norm, i));
    const std::array<Real, kParts> rho{tangent, tangent, value(spin_.norm, i), roll, roll};

    std::array<Real, kParts> f{}, u{}, a{}, near_f{}, near_u{};
    bool slips = false;
    for (std::size_t k = 0; k < kParts; ++k) {
      if (rows[k]->dense.rows() == 0 || !(rho[k] > 0.0L)) continue;
      f[k] = value(*forces[k], i);
      near_f[k] = delta_ * speed / (rho[k] + ease[k] / rho[k]);
      if (!(mu[k] > 0.0L)) {
        require("force without a coefficient, contact", i, std::abs(f[k]), near_f[k]);
        f[k] = 0.0L;
        continue;
      }
      u[k] = Real(rows[k]->speed(i)) + ease[k] * (f[k] - held[k]);
      a[k] = mu[k] * f_n;
      near_f[k] += delta_ * a[k];
      near_u[k] = delta_ * rho[k] * speed;
      slips = slips || std::abs(u[k]) > near_u[k];
    }
    // The ellipsoid: the point nearest to the centre that the tolerance allows lies inside.
    Real least = 0.0L, most = 0.0L;
    for (std::size_t k = 0; k < kParts; ++k) {
      if (!(a[k] > 0.0L)) {
        if (std::abs(f[k]) > near_f[k]) refuse("friction without load, contact", i, std::abs(f[k]), near_f[k]);
        continue;
      }
      const Real low = std::max(0.0L, std::abs(f[k]) - near_f[k]) / a[k], high = (std::abs(f[k]) + near_f[k]) / a[k];
      least += low * low;
      most += high * high;
    }
    require("friction outside of its cone, contact", i, least, 1.0L);
    if (!slips || !(most > 0.0L)) return;  // it sticks, or bears no load
    require("less than full friction at a slip, contact", i, 1.0L, most);
    // (2), with one t = 1/|ψ| for all k: |f_k + t a_k mu_k û_k| ≤ near_f_k + t a_k mu_k near_u_k.
    Real slowest = 0.0L, fastest = 0.0L;  // |ψ|²
    for (std::size_t k = 0; k < kParts; ++k) {
      if (!(a[k] > 0.0L)) continue;
      const Real less = mu[k] * std::max(0.0L, std::abs(u[k]) - near_u[k]), more = mu[k] * (std::abs(u[k]) + near_u[k]);
      slowest += less * less;
      fastest += more * more;
    }
    Real low = 1.0L / std::sqrt(fastest), high = 1.0L / std::sqrt(slowest);  // it slips: |ψ| is not zero
    for (std::size_t k = 0; k < kParts; ++k) {
      if (!(a[k] > 0.0L)) continue;
      for (const Real sign : {1.0L, -1.0L}) {
        const Real slope = a[k] * mu[k] * (sign * u[k] - near_u[k]), room = near_f[k] - sign * f[k];
        if (slope > 0.0L) high = std::min(high, room / slope);
        if (slope < 0.0L) low = std::max(low, room / slope);
        if (slope == 0.0L && room < 0.0L) high = -1.0L;
      }
    }
    require("friction off the point of the law, contact", i, low, high);
  }

  void check_polygon(Index i, int sides) {
    const Contact& c = at(i);
    const bool spatial = T_.dense.rows() > 0;
    const Real rho = std::max(S_.norm(i), value(T_.norm, i)), speed = us(i);
    const Real limit = Real(c.mu) * std::max(answer_.f_n(i), 0.0);
    const Real f_s = answer_.f_s(i), f_t = value(answer_.f_t, i), u_s = S_.speed(i), u_t = value(T_.speed, i);
    if (!(rho > 0.0L)) return;
    const Real near_f = delta_ * (speed / rho + limit), near_u = 2.0L * delta_ * rho * speed;
    const int d = spatial ? sides : 2;
    const Real pi = std::acos(-1.0L), wedge = 2.0L * pi / d;
    const auto corner = [&](int k) {
      return std::array<Real, 2>{std::cos(wedge * k), spatial ? std::sin(wedge * k) : 0.0L};
    };
    Real fastest = 0.0L;  // against the slip
    for (int k = 0; k < d; ++k) fastest = std::max(fastest, -(corner(k)[0] * u_s + corner(k)[1] * u_t));
    // Shares of the two corners between which the force points; all others have none.
    Real sum = 0.0L;
    const auto use = [&](int k, Real share) {
      sum += share;
      const Real lag = fastest + corner(k)[0] * u_s + corner(k)[1] * u_t;
      if (share > near_f) require("friction on a corner that is not the fastest, contact", i, lag, near_u);
    };
    if (d == 2) {
      use(f_s >= 0.0L ? 0 : 1, std::abs(f_s));
    } else if (f_s != 0.0L || f_t != 0.0L) {
      Real angle = std::atan2(f_t, f_s);
      if (angle < 0.0L) angle += 2.0L * pi;
      const int k = std::min(static_cast<int>(angle / wedge), d - 1);
      const Real size = std::hypot(f_s, f_t), inside = angle - wedge * k;
      use(k, size * std::sin(wedge - inside) / std::sin(wedge));
      use((k + 1) % d, size * std::sin(inside) / std::sin(wedge));
    }
    require("friction outside of its polygon, contact", i, sum - limit, 2.0L * near_f);
    if (fastest > near_u) require("less than full friction at a slip, contact", i, limit - sum, 2.0L * near_f);
  }

  void check_box(Index i) {
    const Real bound = at(i).friction_bound, speed = us(i);
    const auto check = [&](const Rows& rows, const VectorXd& forces) {
      if (rows.dense.rows() == 0 || !(rows.norm(i) > 0.0)) return;
      const Real f = forces(i), u = rows.speed(i), rho = rows.norm(i);
      const Real near_f = delta_ * (speed / rho + bound);
      require("friction outside of its box, contact", i, std::abs(f), bound + near_f);
      if (std::abs(u) > delta_ * rho * speed)
        require("friction off the point of the law, contact", i, std::abs(f - (u > 0.0L ? -bound : bound)), near_f);
    };
    check(S_, answer_.f_s);
    check(T_, answer_.f_t);
  }

  const ContactProblem& problem_;
  const ContactSolution& answer_;
  Real delta_;
  bool eased_;  // compliance counts
  MatrixXd M_;
  Eigen::LLT<MatrixXd> factor_;
  std::vector<Index> island_of_dof_;
  std::vector<Real> us_;  // per island
  Rows N_, S_, T_, spin_, roll_s_, roll_t_, J_;
  std::string violation_;
};

}  // namespace tribo::testing
