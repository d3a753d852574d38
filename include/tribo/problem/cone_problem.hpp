// Coulomb friction with the true cone, as one problem over blocks of D numbers (the contacts, normal component first):
//     u = W r + q,    K = { |r_T| ≤ mu r_N }                                                                  (1)
//     K ∋ r ⟂ u + (mu |u_T|, 0) ∈ K*          de Saxcé's form of Signorini and Coulomb, block by block          (2)
// and for bilateral blocks (a joint's rows, filled up with zeros) r free, u = 0.
//
// W is given as it is, or by the bodies,
//     W = Ĥ Ĥᵀ + diag(R),                                                                                     (3)
// Ĥ the rows in coordinates where the mass is I: one row of blocks per contact, a column of blocks per body (B numbers; a
// tree takes several). W need not be symmetric and mostly is singular; nothing here needs either.
//
// D is the same for all blocks: 2 in the plane, 3 in space, 4 with spin, 6 with rolling. A contact with fewer components
// has zeros in the others and a one on the diagonal of W (or in R) there, which keeps them at zero. Elliptic cones become
// round by scaling their rows.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/linalg/block_sparse.hpp"
#include "tribo/linalg/types.hpp"

#include <cstdint>
#include <vector>

namespace tribo {

struct ConeProblem {
  int dimension = 3;                    // D: 2, 3, 4 or 6
  BlockSparse W;                        // n × n blocks of D × D, every diagonal block stored; or empty, then (3):
  BlockSparse H;                        // n × k blocks of D × B, B = 3 for D = 2, else 6
  VectorXd R;                           // D n, >= 0; with H only
  VectorXd q;                           // D n
  VectorXd mu;                          // n, >= 0
  std::vector<std::uint8_t> bilateral;  // n flags; empty: none
  // What the residual of contact i is compared with: norm_i times the largest speed of its island. Empty: the largest |q_i|
  // of the whole, as is usual for matrices.
  VectorXd norm, speed;

  Index contacts() const { return mu.size(); }
  bool by_bodies() const { return H.height > 0; }
  bool is_bilateral(Index i) const { return !bilateral.empty() && bilateral[static_cast<std::size_t>(i)] != 0; }
};

// Sizes, finite numbers, mu >= 0, diagonal blocks there.
Checked validate(const ConeProblem& problem);

// Without load: open, also where it touches. With load and slip: slide, and with mu = 0 in any case. Otherwise stick. How the
// states of an answer are decided: certify/classify.hpp.
enum class ContactState : std::uint8_t { kOpen, kSlide, kStick };

// Where to start. Where r is given, the states are not looked at. What has another size than the problem, or numbers that are
// not finite, counts as empty: nothing known.
struct ConeWarmStart {
  VectorXd r;                        // D n; it need not lie in the cones
  std::vector<ContactState> states;  // n, or without the bilateral blocks at the end, which stick
  bool empty() const { return r.size() == 0 && states.empty(); }
};

struct ConeSolution {
  VectorXd r, u;                     // D n
  std::vector<ContactState> states;  // n, as the answer shows them
};

}  // namespace tribo
