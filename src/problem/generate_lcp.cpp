#include "tribo/core/assert.hpp"
#include "tribo/problem/generate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "problem/generate_detail.hpp"

namespace tribo {

namespace {

using namespace generate_detail;

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

MatrixXd random_spd(Index n, Random& random) {
  MatrixXd M = gram(uniform_matrix(n, n + 2, random));
  for (Index i = 0; i < n; ++i) M(i, i) += 0.05;
  return M;
}

MatrixXd random_psd(Index n, Random& random) {
  const Index missing = std::max<Index>(1, n / 4);
  return gram(uniform_matrix(n, std::max<Index>(1, n - missing), random));
}

MatrixXd random_rank_deficient(Index n, Random& random) {
  const Index rank = std::max<Index>(1, n / 3);
  MatrixXd B = uniform_matrix(n, rank, random);
  for (Index i = 1; i < n; ++i) {
    const Index twin = random.integer(0, i - 1);
    const double kind = random.uniform();
    if (i == 1 || kind < 0.3) {  // the second row always repeats the first
      B.row(i) = B.row(twin);
    } else if (kind < 0.5) {
      const double near = std::ldexp(1.0, -static_cast<int>(random.integer(24, 36)));
      for (Index k = 0; k < rank; ++k) B(i, k) = B(twin, k) + near * random.uniform(-1.0, 1.0);
    }
  }
  return gram(B);
}

MatrixXd random_p(Index n, Random& random) {
  const auto kind = random.integer(0, 2);
  if (kind == 0) {  // positive definite + skew
    MatrixXd M = random_spd(n, random);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < i; ++j) {
        const double skew = random.uniform(-1.0, 1.0);
        M(i, j) += skew;
        M(j, i) -= skew;
      }
    }
    return M;
  }
  MatrixXd M = uniform_matrix(n, n, random);
  for (Index i = 0; i < n; ++i) {
    double others = 0.0;
    for (Index j = 0; j < n; ++j) {
      if (kind == 1 && j > i) M(i, j) = 0.0;  // triangular: minors are products of the diagonal
      if (j != i) others += std::abs(M(i, j));
    }
    M(i, i) = random.uniform(0.1, 1.0) + (kind == 2 ? others : 0.0);
  }
  return M;
}

// The friction LCP of spec C.1 in n variables: as many contacts with d directions as fit, the rest without
// friction.
MatrixXd random_friction_matrix(Index n, Index d, Random& random) {
  const Index frictional = n / (2 + d);
  const Index normals = n - frictional * (1 + d);
  const Index space = std::min<Index>(6, std::max<Index>(2, normals));  // few dimensions: contacts are redundant
  const Index rows = normals + frictional * d;
  MatrixXd B = uniform_matrix(rows, space, random);
  for (Index i = 0; i < frictional; ++i) {  // directions in opposite pairs
    for (Index k = 0; k < d; k += 2) B.row(normals + i * d + k + 1) = -B.row(normals + i * d + k);
  }
  MatrixXd M = MatrixXd::Zero(n, n);
  M.topLeftCorner(rows, rows) = gram(B);
  for (Index i = 0; i < frictional; ++i) {
    for (Index k = 0; k < d; ++k) {
      M(normals + i * d + k, rows + i) = 1.0;   // E
      M(rows + i, normals + i * d + k) = -1.0;  // −Eᵀ
    }
    M(rows + i, i) = random.uniform(0.1, 1.0);  // mu
  }
  return M;
}

MatrixXd random_copositive(Index n, Random& random) {
  const bool friction = random.chance(0.5);
  const Index d = random.chance(0.5) ? 4 : 2;
  if (friction && n >= 2 + d) return random_friction_matrix(n, d, random);
  MatrixXd M(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) M(i, j) = random.chance(0.2) ? 0.0 : random.uniform(0.0, 1.0);
  }
  return M;
}

VectorXd random_offset(Index n, Random& random) {
  VectorXd q = uniform_vector(n, -1.0, 1.0, random);
  for (Index i = 0; i < n; ++i) {
    if (random.chance(0.1)) q(i) = 0.0;
  }
  return q;
}

void choose_complementary(VectorXd& z, VectorXd& w, Index n, Random& random) {
  z = VectorXd::Zero(n);
  w = VectorXd::Zero(n);
  for (Index i = 0; i < n; ++i) {
    const double kind = random.uniform();
    const double value = random.uniform(0.1, 2.0);
    if (kind < 0.4) z(i) = value;
    if (kind > 0.6) w(i) = value;
  }
}

// Bounds of six kinds; the equal ones come with both signs of w.
void choose_bounds(BoxLcp& lcp, Random& random) {
  const Index n = lcp.q.size();
  lcp.lo.resize(n);
  lcp.hi.resize(n);
  for (Index i = 0; i < n; ++i) {
    const double a = random.uniform(-1.0, 0.5);
    const double width = random.uniform(0.1, 2.0);
    const auto kind = random.integer(0, 5);
    lcp.lo(i) = kind == 0 || kind == 2 ? -kUnbounded : kind == 1 ? 0.0 : a;
    lcp.hi(i) = kind == 0 || kind == 1 ? kUnbounded : kind == 3 ? a : a + width;
  }
}

MatrixXd random_mixed_matrix(Index free, Index complementary, Random& random) {
  const MatrixXd G = uniform_matrix(complementary, free, random);
  MatrixXd M = MatrixXd::Zero(free + complementary, free + complementary);
  M.topLeftCorner(free, free) = random_spd(free, random);
  M.topRightCorner(free, complementary) = -G.transpose();
  M.bottomLeftCorner(complementary, free) = G;
  if (random.chance(0.5)) M.bottomRightCorner(complementary, complementary) = random_psd(complementary, random);
  return M;
}

double power_of_two(Random& random) { return std::ldexp(1.0, static_cast<int>(random.integer(-20, 20))); }

}  // namespace

MatrixXd random_matrix(MatrixClass matrix_class, Index n, Random& random) {
  TRIBO_REQUIRE(n >= 0, "a matrix cannot have a negative size");
  switch (matrix_class) {
    case MatrixClass::kSpd:
      return random_spd(n, random);
    case MatrixClass::kPsd:
      return random_psd(n, random);
    case MatrixClass::kRankDeficient:
      return random_rank_deficient(n, random);
    case MatrixClass::kP:
      return random_p(n, random);
    case MatrixClass::kCopositive:
      return random_copositive(n, random);
  }
  throw_contract_error("matrix_class", __FILE__, __LINE__, "unknown matrix class");
}

Lcp random_lcp(MatrixClass matrix_class, Index n, Random& random) {
  Lcp lcp;
  lcp.M = random_matrix(matrix_class, n, random);
  lcp.q = random_offset(n, random);
  return lcp;
}

Lcp solvable_lcp(MatrixClass matrix_class, Index n, Random& random, LcpSolution* answer) {
  Lcp lcp;
  lcp.M = random_matrix(matrix_class, n, random);
  VectorXd z, w;
  choose_complementary(z, w, n, random);
  lcp.q = w - multiply(lcp.M, z);
  if (answer != nullptr) *answer = {std::move(z), std::move(w), {}};
  return lcp;
}

Lcp badly_scaled(const Lcp& lcp, MatrixClass matrix_class, Random& random, LcpSolution* answer) {
  TRIBO_REQUIRE(answer == nullptr || (answer->z.size() == lcp.size() && answer->w.size() == lcp.size()),
                "the answer must belong to the problem");
  Lcp scaled = lcp;
  const bool same = matrix_class != MatrixClass::kP;
  for (Index i = 0; i < lcp.size(); ++i) {
    const double row = power_of_two(random);
    const double column = same ? row : power_of_two(random);
    scaled.M.row(i) *= row;
    scaled.M.col(i) *= column;
    scaled.q(i) *= row;
    if (answer != nullptr) {
      answer->w(i) *= row;
      answer->z(i) /= column;
    }
  }
  return scaled;
}

BoxLcp random_box_lcp(Index n, Random& random) {
  BoxLcp lcp;
  lcp.M = random.chance(0.5) ? random_psd(n, random) : random_rank_deficient(n, random);
  lcp.q = random_offset(n, random);
  choose_bounds(lcp, random);
  return lcp;
}

BoxLcp solvable_box_lcp(Index n, Random& random, BoxLcpSolution* answer) {
  BoxLcp lcp = random_box_lcp(n, random);
  VectorXd z(n), w = VectorXd::Zero(n);
  for (Index i = 0; i < n; ++i) {
    const double lo = lcp.lo(i), hi = lcp.hi(i);
    const double share = random.uniform(0.1, 0.9);
    const double value = random.chance(0.3) ? 0.0 : random.uniform(0.1, 2.0);  // zero: a degenerate bound
    const bool at_lo = std::isfinite(lo) && random.chance(0.4);
    const bool at_hi = !at_lo && std::isfinite(hi) && random.chance(0.6);
    if (at_lo) {
      z(i) = lo;
      w(i) = value;
    } else if (at_hi || lo == hi) {
      z(i) = hi;
      w(i) = -value;
    } else if (std::isfinite(lo) && std::isfinite(hi)) {
      z(i) = lo + share * (hi - lo);
    } else {
      z(i) = std::isfinite(lo) ? lo + share : std::isfinite(hi) ? hi - share : share - 0.5;
    }
  }
  lcp.q = w - multiply(lcp.M, z);
  if (answer != nullptr) *answer = {std::move(z), std::move(w), {}};
  return lcp;
}

MixedLcp random_mixed_lcp(Index free, Index complementary, Random& random) {
  MixedLcp lcp;
  lcp.M = random_mixed_matrix(free, complementary, random);
  lcp.q = random_offset(free + complementary, random);
  lcp.free = free;
  return lcp;
}

MixedLcp solvable_mixed_lcp(Index free, Index complementary, Random& random, MixedLcpSolution* answer) {
  MixedLcp lcp;
  lcp.M = random_mixed_matrix(free, complementary, random);
  lcp.free = free;
  const VectorXd u = uniform_vector(free, -1.0, 1.0, random);
  VectorXd z, w;
  choose_complementary(z, w, complementary, random);
  VectorXd x(free + complementary);
  x << u, z;
  lcp.q = -multiply(lcp.M, x);
  lcp.q.tail(complementary) += w;
  if (answer != nullptr) *answer = {u, std::move(z), std::move(w), {}};
  return lcp;
}

Qp random_qp(Index n, Index equalities, Index inequalities, Random& random) {
  Qp qp;
  qp.H = random_spd(n, random);
  qp.g = uniform_vector(n, -1.0, 1.0, random);
  qp.E = uniform_matrix(equalities, n, random);
  qp.G = uniform_matrix(inequalities, n, random);
  for (Index i = 1; i < inequalities; ++i) {
    const Index twin = random.integer(0, i - 1);
    if (random.chance(0.3)) qp.G.row(i) = qp.G.row(twin);
  }
  const VectorXd inside = uniform_vector(n, -1.0, 1.0, random);
  qp.b = multiply(qp.E, inside);
  qp.d = multiply(qp.G, inside);
  for (Index i = 0; i < inequalities; ++i) qp.d(i) -= random.chance(0.2) ? 0.0 : random.uniform(0.0, 1.0);
  return qp;
}

}  // namespace tribo
