// The order in which the methods are tried, island by island.
#pragma once

#include "tribo/problem/cone_problem.hpp"
#include "tribo/solve/cone/cone_solver.hpp"
#include "tribo/solve/report.hpp"

#include <memory>
#include <vector>

#include "solve/cone/body_operator.hpp"
#include "solve/cone/cone_islands.hpp"
#include "solve/cone/contact_operator.hpp"
#include "solve/cone/island_solver.hpp"
#include "solve/cone/reduced_island.hpp"
#include "solve/cone/small_newton.hpp"

namespace tribo::cone {

template <int D>
class Portfolio {
 public:
  void reserve(const ConeProblem& problem);
  SolveReport solve(const ConeProblem& problem, const ConeWarmStart& warm, const ConeSettings& settings,
                    ConeSolution& solution);

 private:
  struct Task;  // one solve and what its islands share

  void calc_scales(const ConeProblem& problem);
  void calc_sizes(const ConeProblem& problem);
  bool solve_one(Task& task, std::int32_t contact);
  bool calc_block(const ConeProblem& problem, std::int32_t i, std::int32_t j, double* block) const;
  bool solve_small(Task& task, std::span<const std::int32_t> members);
  std::span<const std::int32_t> sort_members(const ConeProblem& problem, std::span<const std::int32_t> members);
  template <typename Operator>
  void gather(const Task& task, std::span<const std::int32_t> members, IslandSolver<D, Operator>& island);
  template <typename Operator>
  void start_from_states(Task& task, std::span<const std::int32_t> members, IslandSolver<D, Operator>& island);
  template <typename Operator>
  bool solve_by_energy(Task& task, std::span<const std::int32_t> members, IslandSolver<D, Operator>& island,
                       IslandCounts& counts);
  template <typename Operator>
  bool solve_large(Task& task, std::span<const std::int32_t> members, IslandSolver<D, Operator>& island);
  bool solve_capped(Task& task, std::span<const std::int32_t> members);
  bool is_solved(const Task& task, std::span<const std::int32_t> members) const;
  bool solve_by_mu(Task& task, std::span<const std::int32_t> members, double most);
  bool solve_island(Task& task, std::span<const std::int32_t> members);
  bool solve_islands(Task& task);
  bool leave_out(const ConeProblem& problem, const VectorXd& r);
  bool list_closed(const ConeProblem& problem, double tolerance, const ConeSolution& solution);
  bool solve_listed(Task& task);
  static ContactState calc_state(const double* r, const double* u, double mu, bool bilateral, double small);
  double finish(const ConeProblem& problem, double tolerance, ConeSolution& solution) const;
  void full_diagonal(const ConeProblem& problem, std::int32_t contact, double* block) const;

  std::vector<double> scale_, size_;  // of each contact: s, and what its residual is compared with
  Islands islands_;
  std::vector<std::uint8_t> listed_;  // contacts that count for now
  std::vector<std::int32_t> sorted_;
  mutable std::vector<double> body_velocity_;
  LaneVector best_;
  std::vector<ContactState> states_;
  SmallNewton<D> small_;
  IslandSolver<D, ContactOperator<D>> by_contacts_;
  IslandSolver<D, BodyOperator<D>> by_bodies_;
  ReducedIsland<D> reduced_;
  VectorXd given_r_;
};

extern template class Portfolio<2>;
extern template class Portfolio<3>;
extern template class Portfolio<4>;
extern template class Portfolio<6>;

}  // namespace tribo::cone
