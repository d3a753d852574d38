// Performance profiles (Dolan and Moré): with t_ps the time of solver s on problem p, infinite where it is not solved,
//     share_s(τ) = share of the problems with  t_ps ≤ τ min_s t_ps                                              (1)
// share_s(1): how often s is the fastest; share_s(∞): how many problems it solves at all. All problems count, also
// those that nobody solves.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace tribo {

struct ProfileRow {
  std::string solver;
  std::vector<double> seconds;  // per problem; infinite: not solved
};

// (1)
double calc_share(const std::vector<ProfileRow>& rows, std::size_t solver, double tau);
// Problems with a finite time.
int count_solved(const ProfileRow& row);

}  // namespace tribo
