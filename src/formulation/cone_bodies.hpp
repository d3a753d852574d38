// W = A Cᵀ (+ diag) from rows given body by body: block (i, j) is a sum over the bodies that contacts i and j share,
//     W_ij = Σ_b A_ib C_jbᵀ                                                                                     (1)
// A = C = Ĥ for a symmetric mass. Lists of contacts per body make it cost Σ_b c_b² products of small blocks, c_b the contacts
// of body b; of a symmetric W one triangle is computed.
#pragma once

#include "tribo/linalg/block_sparse.hpp"
#include "tribo/linalg/types.hpp"
#include "tribo/problem/cone_problem.hpp"

#include <span>
#include <vector>

namespace tribo {

// A Newton step factors a matrix over the numbers of the contacts (W) or of the bodies (Ĥ). Stacks, pegs and bodies at random
// are faster by bodies when the contacts have one and a half times as many numbers; few contacts are solved on W whatever they
// belong to.
inline constexpr double kBodiesPay = 1.5;
inline constexpr Index kFewContacts = 8;
// And one body that many others touch fills W, however many bodies there are: pairs of contacts that share a body, per contact.
inline constexpr double kMostPairs = 32.0;
inline bool contacts_pay(Index contact_numbers, Index body_numbers, Index contacts) {
  return contacts <= kFewContacts ||
         static_cast<double>(contact_numbers) < kBodiesPay * static_cast<double>(body_numbers);
}

// A part of W that is dense over some contacts: of a body too large to be cut into blocks.
struct DensePart {
  std::vector<std::int32_t> contacts;  // ascending
  MatrixXd W;                          // D rows and columns per contact
};

class BodyProduct {
 public:
  // The lists of contacts per column of blocks of A.
  void index(const BlockSparse& A);
  // (1) with A and C of the same pattern; every diagonal block is stored. Values of dense parts are added.
  void form(const BlockSparse& A, const BlockSparse& C, std::span<const DensePart> dense, BlockSparse& W);

 private:
  void make_pattern(const BlockSparse& A, std::span<const DensePart> dense, BlockSparse& W);

  struct Place {
    std::int32_t row, block;  // of A
  };
  std::vector<std::int32_t> begin_;  // of each column of blocks, in `places_`; one more than there are columns
  std::vector<Place> places_;        // ascending rows
  std::vector<std::vector<std::int32_t>> parts_;  // dense parts of a row
  std::vector<std::int32_t> where_, columns_, next_;
};

}  // namespace tribo
