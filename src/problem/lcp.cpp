// Validation of the plain complementarity problems and the QP, and the exact changes of form between them.
#include "tribo/problem/lcp.hpp"

#include "tribo/core/assert.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "problem/checks.hpp"

namespace tribo {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Checked check_square_and_offset(const MatrixXd& M, const VectorXd& q) {
  TRIBO_CHECK(check_size(M.rows(), M.cols(), "M", q.size(), q.size(), "a square matrix with one row per entry of q"));
  TRIBO_CHECK(check_finite(M, "M"));
  return check_finite(q, "q");
}

Checked check_bounds(double lo, double hi, Index i) {
  const std::string remedy = "give lo <= hi, where lo may be -inf and hi may be inf";
  if (std::isnan(lo) || lo == kInfinity) {
    return fail("no lower bound (" + number_text(lo) + ")", entry_text("lo", i), remedy);
  }
  if (std::isnan(hi) || hi == -kInfinity) {
    return fail("no upper bound (" + number_text(hi) + ")", entry_text("hi", i), remedy);
  }
  if (lo > hi) {
    return fail("above the upper bound (" + number_text(lo) + " > " + number_text(hi) + ")", entry_text("lo", i),
                remedy);
  }
  return ok();
}

// Rows A x against a right-hand side; a matrix without rows may have any width.
Checked check_rows(const MatrixXd& A, const char* field, const VectorXd& rhs, const char* rhs_field, Index n) {
  if (A.rows() > 0 || rhs.size() > 0) {
    TRIBO_CHECK(check_size(A.rows(), A.cols(), field, A.rows(), n, "one column per variable"));
  }
  TRIBO_CHECK(check_size(rhs, rhs_field, A.rows(), std::string("one entry per row of ") + field));
  TRIBO_CHECK(check_finite(A, field));
  return check_finite(rhs, rhs_field);
}

}  // namespace

Checked validate(const Lcp& lcp) { return check_square_and_offset(lcp.M, lcp.q); }

Checked validate(const MixedLcp& lcp) {
  TRIBO_CHECK(check_square_and_offset(lcp.M, lcp.q));
  if (lcp.free < 0 || lcp.free > lcp.size()) {
    return fail("is " + std::to_string(lcp.free) + " for " + std::to_string(lcp.size()) + " rows", "free",
                "give the number of free rows, 0 to the number of rows");
  }
  return ok();
}

Checked validate(const BoxLcp& lcp) {
  TRIBO_CHECK(check_square_and_offset(lcp.M, lcp.q));
  TRIBO_CHECK(check_size(lcp.lo, "lo", lcp.size(), "one bound per variable"));
  TRIBO_CHECK(check_size(lcp.hi, "hi", lcp.size(), "one bound per variable"));
  for (Index i = 0; i < lcp.size(); ++i) TRIBO_CHECK(check_bounds(lcp.lo(i), lcp.hi(i), i));
  return ok();
}

Checked validate(const FactoredLcp& lcp) {
  TRIBO_CHECK(check_size(lcp.G.rows(), lcp.G.cols(), "G", lcp.size(), lcp.G.cols(), "one row per entry of q"));
  TRIBO_CHECK(check_size(lcp.row_norm, "row_norm", lcp.size(), "one norm per row"));
  TRIBO_CHECK(check_finite(lcp.G, "G"));
  TRIBO_CHECK(check_finite(lcp.q, "q"));
  TRIBO_CHECK(check_non_negative(lcp.row_norm, "row_norm", "give the norm of the row"));
  return check_non_negative(lcp.speed, "speed", "", "give a typical size of t, >= 0");
}

Checked validate(const Qp& qp) {
  const Index n = qp.size();
  TRIBO_CHECK(check_size(qp.H.rows(), qp.H.cols(), "H", n, n, "a square matrix with one row per entry of g"));
  TRIBO_CHECK(check_finite(qp.g, "g"));
  TRIBO_CHECK(check_rows(qp.E, "E", qp.b, "b", n));
  TRIBO_CHECK(check_rows(qp.G, "G", qp.d, "d", n));
  return check_spd(qp.H, "H");
}

MixedLcp as_mixed(const Lcp& lcp) { return {lcp.M, lcp.q, 0}; }

BoxLcp as_box(const Lcp& lcp) {
  return {lcp.M, lcp.q, VectorXd::Zero(lcp.size()), VectorXd::Constant(lcp.size(), kInfinity)};
}

BoxLcp as_box(const MixedLcp& lcp) {
  BoxLcp box{lcp.M, lcp.q, VectorXd::Zero(lcp.size()), VectorXd::Constant(lcp.size(), kInfinity)};
  box.lo.head(lcp.free).setConstant(-kInfinity);
  return box;
}

Lcp as_lcp(const FactoredLcp& lcp) {
  // A matrix no longer knows the scale of its rows: what projection left of a row that it annihilated would look regular.
  constexpr double kAnnihilated = 1e-13, kZero = 1e-14;
  MatrixXd G = lcp.G;
  VectorXd q = lcp.q;
  for (Index i = 0; i < lcp.size(); ++i) {
    if (G.row(i).norm() <= kAnnihilated * lcp.row_norm(i)) G.row(i).setZero();
    if (std::abs(q(i)) <= kZero * lcp.row_norm(i) * lcp.speed) q(i) = 0.0;
  }
  MatrixXd M(lcp.size(), lcp.size());
  for (Index i = 0; i < lcp.size(); ++i) {  // each product once, so that M is symmetric to the last bit
    for (Index j = 0; j <= i; ++j) M(i, j) = M(j, i) = G.row(i).dot(G.row(j));
  }
  return {std::move(M), std::move(q)};
}

FactoredLcp make_factored(MatrixXd G, VectorXd q) {
  TRIBO_REQUIRE(G.rows() == q.size(), "G must have one row per entry of q");
  FactoredLcp lcp;
  lcp.row_norm = G.rowwise().norm();
  // |t| that a row alone needs to reach w = 0: the speeds that can occur.
  for (Index i = 0; i < q.size(); ++i) {
    if (lcp.row_norm(i) > 0.0) lcp.speed = std::max(lcp.speed, std::abs(q(i)) / lcp.row_norm(i));
  }
  lcp.G = std::move(G);
  lcp.q = std::move(q);
  return lcp;
}

bool is_symmetric(const MatrixXd& M, double tolerance) {
  if (M.rows() != M.cols()) return false;
  if (M.size() == 0) return true;
  return (M - M.transpose()).cwiseAbs().maxCoeff() <= tolerance * M.cwiseAbs().maxCoeff();
}

}  // namespace tribo
