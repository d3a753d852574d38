// Lemke's method as Bullet and DART have it, on our LCPs: peers to be measured beside us, never part of the library. Both
// are optional. Bullet is linked where libbullet-dev (double precision) was found, else bullet_absent.cpp takes its place.
// DART is loaded at run time from a module of its own, built where libdart-dev was found: its library exchanges Eigen
// matrices, whose memory belongs to other vector instructions than those this program may be built with.
#pragma once

#include "tribo/problem/lcp.hpp"

namespace tribo {

struct OtherAnswer {
  bool claimed = false;  // it calls z an answer
  VectorXd z;            // zeros where it gives none
};

bool has_bullet();
// btLemkeAlgorithm with the limit of 1000 steps that btLemkeSolver gives it. Includes the copy into its matrix type.
OtherAnswer solve_with_bullet(const Lcp& lcp);

bool has_dart();
// dart::lcpsolver::Lemke: at most 1000 steps and a check of its own, to 1e-4. Includes the copy.
OtherAnswer solve_with_dart(const Lcp& lcp);

}  // namespace tribo
