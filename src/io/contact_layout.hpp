// Which blocks a dense mass matrix falls into when the file does not say.
#pragma once

#include "tribo/linalg/block_diagonal.hpp"
#include "tribo/linalg/types.hpp"

#include <vector>

namespace tribo {

// Ends of the finest contiguous blocks outside of which M is zero.
std::vector<Index> calc_block_ends(const MatrixXd& M);

// The first of these that suits: blocks of 6 (free bodies), blocks of 3 (planar bodies), the finest blocks,
// one block. A layout suits when M is zero outside of its blocks and no row touches more than two of them.
BlockLayout choose_layout(const MatrixXd& M, const std::vector<MatrixXd>& rows);

}  // namespace tribo
