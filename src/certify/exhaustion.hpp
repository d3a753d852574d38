// No complementary cone contains q. An answer writes q = w − M z, with one of z_k, w_k zero for every k: q
// lies in a cone spanned by e_k or −M_k for each k (and ±M_k for free unknowns). A family allows 'w': e_k,
// 'z': −M_k, '*': both.
//     s·e_k ≤ 0,   −s·M_k ≤ 0   for the columns of the family,   s·M_k = 0 for free unknowns,   s·q > 0     (1)
// separates q from every cone of the family; if the families together hold all 2ⁿ choices, there is no
// answer.
#pragma once

#include "tribo/problem/solution.hpp"

#include <string>
#include <vector>

#include "certify/proof.hpp"

namespace tribo {

// Every word over {z, w} of length n matches a pattern. Found by splitting on the index that most patterns
// fix, so that families from a search tree are followed in its own order. Gives up (false) after `budget`
// nodes.
bool covers_all(const std::vector<std::string>& patterns, std::size_t n, std::size_t budget = 1'000'000);

Certificate check_exhaustion(const MatrixXd& M, const VectorXd& q, Index free, const Evidence& evidence);

}  // namespace tribo
