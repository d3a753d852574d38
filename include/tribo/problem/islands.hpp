// Islands: the connected components of bodies through contacts and joints. Nothing passes between them, so that
//     M = blockdiag(M_1, …, M_k),   every row of N, S, T, spin, roll, D, J has its numbers in one M_i only
// and the answer of the whole is the answers of the parts side by side, for every model.
//
// Two blocks belong together when one contact (all its rows taken together) or one row of J or D has numbers
// that are not zero in both. Islands are ordered by their smallest block, what is inside keeps its order.
//   Blocks without rows   all in one island: nothing is to be decided there, and one solve is cheaper than many.
//   Rows of zeros         belong to the first island: they move nothing, and must be judged all the same.
// A problem without blocks and rows has no island.
#pragma once

#include "tribo/linalg/types.hpp"
#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/contact_start.hpp"
#include "tribo/problem/model.hpp"
#include "tribo/problem/solution.hpp"

#include <span>
#include <vector>

namespace tribo {

// To which island everything belongs: cheap to find, nothing is copied.
struct IslandMap {
  Index islands = 0;
  IndexList of_block, of_contact, of_bilateral, of_dry;
};
IslandMap find_islands(const ContactProblem& problem);

struct Island {
  ContactProblem problem;                      // with the name, level and step of the whole
  IndexList blocks, contacts, bilateral, dry;  // where they are in the whole, ascending
};
std::vector<Island> split_islands(const ContactProblem& problem, const IslandMap& map);
std::vector<Island> split_islands(const ContactProblem& problem);

// The answers of the islands as one of the whole. A vector that one of the islands lacks is missing in the whole, but
// for y_n and y_e: there zeros stand for an island without a proof, and they are missing when no island has one.
// y_e has rows for the tangents when the model is NoSlip.
ContactSolution merge_islands(const ContactProblem& problem, const ContactModel& model,
                              const std::vector<Island>& islands, const std::vector<ContactSolution>& parts);

// The other way round, without y_n and y_e: the part of an answer that belongs to one island. A vector that does not
// have the size of the whole is missing in the part.
ContactSolution cut_island(const ContactProblem& problem, const Island& island, const ContactSolution& whole);

// All of this with memory that is kept, for step loops: nothing is allocated when problem and islands have the sizes of
// the last call. The problem given to cut and merge is the one that was split.
class IslandSplitter {
 public:
  void find(const ContactProblem& problem);   // the map alone; islands, cut and merge need split
  void split(const ContactProblem& problem);  // the map and the islands
  const IslandMap& map() const { return map_; }
  Index islands() const { return map_.islands; }
  // There is nothing to take apart: one island at most. Then nothing is copied: the problem of island 0 means nothing, the
  // whole stands in its place.
  bool whole() const { return map_.islands <= 1; }
  const Island& operator[](Index k) const { return islands_[static_cast<std::size_t>(k)]; }

  void cut(Index k, const ContactProblem& problem, const ContactSolution& whole, ContactSolution& part) const;
  void cut(Index k, const ContactProblem& problem, const StartValues& whole, StartValues& part) const;
  void merge(const ContactProblem& problem, const ContactModel& model, std::span<const ContactSolution> parts,
             ContactSolution& whole) const;

 private:
  IslandMap map_;
  std::vector<Island> islands_;  // at least as many as there are islands; those behind are kept for their memory
  IndexList parent_, position_;
  std::vector<char> has_rows_;
};

}  // namespace tribo
