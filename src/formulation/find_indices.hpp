// FIND-INDICES (Drumwright 2015, spec B.2): which equality rows are independent, and Q, R of those.
//     Ê_accᵀ = Q R,    Ê: whitened bilateral rows J, then tangents
// Tangents first compete inside their pair of bodies, where a row is its few numbers ρ and V has orthonormal rows, so that
// shares are the same as in Rᵐ: a row is a candidate if more than τ of it is new beside the pair's candidates. All rows of
// the pair are then combinations of the candidates, and only these are tested in Rᵐ.
//
// A tangent with the new share s holds its new direction with a force of 1/s times the load along it, and rounding of that force
// is ε/s of the load. Corners of a face that are coplanar up to 1e-9 m have such tangents. Where the caller asks for it, tangents
// with s between τ and τ₁ are left out, and left_out() says so: the answer without them is that of the problem if it does not slip there.
#pragma once

#include "tribo/linalg/block_diagonal.hpp"
#include "tribo/linalg/growing_qr.hpp"
#include "tribo/linalg/padded.hpp"
#include "tribo/linalg/pair_rows.hpp"

#include <vector>

namespace tribo {

class FindIndices {
 public:
  static constexpr double kIndependent = 1e-8;         // τ, relative to the row's own norm
  static constexpr double kClearlyIndependent = 1e-5;  // τ₁: forces along the row keep eleven digits of the load

  // `coupling`: as in PairRows. `skip(row)`: tangents that are not imposed. `least_share`: of the tangents, τ or τ₁.
  void run(const BlockRows& J, const BlockCholesky& factor, const MatrixXd* coupling, const PairRows& tangents,
           const std::vector<char>& skip, Index m, double least_share = kIndependent);

  struct Accepted {
    bool tangent = false;
    Index row = 0;       // of J, or of the tangents as they were given
    Index position = 0;  // tangents
  };
  const std::vector<Accepted>& accepted() const { return accepted_; }
  const GrowingQr& factor() const { return qr_; }
  Index rank() const { return qr_.size(); }
  // Every pair has as many candidates as dimensions: no other row of it could add anything.
  bool full() const { return full_; }
  // Some tangent may have a new share above τ and is not among the accepted.
  bool left_out() const { return left_out_; }

  // A bilateral row in whitened coordinates.
  static void whiten(const BlockRows& J, Index i, const BlockCholesky& factor, const MatrixXd* coupling, double* x);

 private:
  void choose_candidates(const PairRows& tangents, Index pair, const std::vector<char>& skip);

  struct Trial {
    Accepted row;
    double share;  // of it that was new when last looked at; it only shrinks
  };
  GrowingQr qr_;
  bool full_ = true, left_out_ = false;
  double least_share_ = kIndependent;
  std::vector<Accepted> accepted_;
  std::vector<Trial> trials_;
  // Of one pair: candidates made orthonormal; a chunk of rows without them; what rows count for.
  padded::Vector basis_, rest_, weight_;
  padded::Vector rows_;  // to be tested in Rᵐ
};

}  // namespace tribo
