#include "tribo/problem/islands.hpp"

#include "tribo/core/assert.hpp"

#include <algorithm>
#include <array>

namespace tribo {

namespace {

// Union-find; the root of a set is its smallest member.
class Components {
 public:
  explicit Components(Index n) : parent_(static_cast<std::size_t>(n)) {
    for (Index i = 0; i < n; ++i) parent_[static_cast<std::size_t>(i)] = i;
  }
  Index root(Index i) {
    while (parent(i) != i) i = parent(i) = parent(parent(i));
    return i;
  }
  void join(Index i, Index j) {
    i = root(i);
    j = root(j);
    parent(std::max(i, j)) = std::min(i, j);
  }

 private:
  Index& parent(Index i) { return parent_[static_cast<std::size_t>(i)]; }
  IndexList parent_;
};

// Joins the blocks in which row i has numbers to `first` (-1: none yet), which is their common member afterwards.
void join_row(const BlockRows& rows, Index i, Components& components, Index& first) {
  for (const BlockRows::Segment& part : rows.row(i)) {
    const bool touches = std::any_of(part.values.begin(), part.values.end(), [](double x) { return x != 0.0; });
    if (!touches) continue;
    if (first >= 0) components.join(first, part.block);
    first = first < 0 ? part.block : first;
  }
}

// The chosen rows over the blocks of the island. What is left out is zero there.
BlockRows cut_rows(const BlockRows& rows, const IndexList& chosen, const BlockLayout& layout,
                   const std::vector<Index>& position) {
  BlockRows result(layout);
  if (rows.rows() == 0) return result;  // no tangents, nothing against turning
  for (const Index i : chosen) {
    std::array<BlockRows::Segment, 2> parts = rows.row(i);
    for (BlockRows::Segment& part : parts) {
      if (part.block < 0) continue;
      const Index block = position[static_cast<std::size_t>(part.block)];
      part = block < 0 ? BlockRows::Segment{} : BlockRows::Segment{block, part.values};
    }
    result.add_row(parts[0], parts[1]);
  }
  return result;
}

VectorXd cut(const VectorXd& x, const IndexList& chosen) {
  VectorXd result(static_cast<Index>(chosen.size()));
  for (std::size_t k = 0; k < chosen.size(); ++k) result(static_cast<Index>(k)) = x(chosen[k]);
  return result;
}

// The degrees of freedom of the blocks, in their order.
IndexList coordinates(const BlockLayout& layout, const IndexList& blocks) {
  IndexList result;
  for (const Index block : blocks) {
    for (Index k = 0; k < layout.size(block); ++k) result.push_back(layout.start(block) + k);
  }
  return result;
}

void fill_problem(const ContactProblem& whole, const std::vector<Index>& position, Island& island) {
  ContactProblem& part = island.problem;
  part.name = whole.name;
  part.level = whole.level;
  part.h = whole.h;
  for (const Index block : island.blocks) part.mass.append(whole.mass.block(block));
  const BlockLayout& layout = part.mass.layout();
  const IndexList at = coordinates(whole.mass.layout(), island.blocks);
  part.v = cut(whole.v, at);
  part.f = cut(whole.f, at);
  part.J = cut_rows(whole.J, island.bilateral, layout, position);
  part.N = cut_rows(whole.N, island.contacts, layout, position);
  part.S = cut_rows(whole.S, island.contacts, layout, position);
  part.T = cut_rows(whole.T, island.contacts, layout, position);
  part.spin = cut_rows(whole.spin, island.contacts, layout, position);
  part.roll_s = cut_rows(whole.roll_s, island.contacts, layout, position);
  part.roll_t = cut_rows(whole.roll_t, island.contacts, layout, position);
  part.b_J = cut(whole.b_J, island.bilateral);
  part.a_J = cut(whole.a_J, island.bilateral);
  part.b_N = cut(whole.b_N, island.contacts);
  part.a_N = cut(whole.a_N, island.contacts);
  part.contacts.reserve(island.contacts.size());
  for (const Index i : island.contacts) part.contacts.push_back(whole.contacts[static_cast<std::size_t>(i)]);
}

// x of the island into its places in the whole.
void scatter(const VectorIn& x, const IndexList& places, Eigen::Ref<VectorXd> whole) {
  for (std::size_t k = 0; k < places.size(); ++k) whole(places[k]) = x(static_cast<Index>(k));
}

// One vector of the answers: `places[k]` says where the entries of island k go.
VectorXd merge_vector(const std::vector<ContactSolution>& parts, VectorXd ContactSolution::*member,
                      const std::vector<IndexList>& places, Index size) {
  VectorXd whole = VectorXd::Zero(size);
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const VectorXd& x = parts[k].*member;
    if (x.size() != static_cast<Index>(places[k].size())) return {};
    scatter(x, places[k], whole);
  }
  return whole;
}

// y_e has the rows J, for no-slip followed by all of S and all of T (solution.hpp).
VectorXd merge_equality_proof(const ContactProblem& problem, bool tangents, const std::vector<Island>& islands,
                              const std::vector<ContactSolution>& parts) {
  const Index j = problem.bilateral(), s = problem.S.rows(), t = problem.T.rows();
  VectorXd whole = VectorXd::Zero(j + (tangents ? s + t : 0));
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const VectorXd& y = parts[k].y_e;
    const Index rows = static_cast<Index>(islands[k].bilateral.size());
    const Index contacts = static_cast<Index>(islands[k].contacts.size());
    if (y.size() < rows) continue;
    scatter(y.head(rows), islands[k].bilateral, whole.head(j));
    if (!tangents || y.size() == rows) continue;
    if (s > 0) scatter(y.segment(rows, contacts), islands[k].contacts, whole.segment(j, s));
    if (t > 0) scatter(y.tail(contacts), islands[k].contacts, whole.tail(t));
  }
  return whole;
}

}  // namespace

IslandMap find_islands(const ContactProblem& problem) {
  const Index blocks = problem.mass.blocks(), n = problem.size(), j = problem.bilateral();
  Components components(blocks);
  IndexList block_of_contact(static_cast<std::size_t>(n), -1), block_of_row(static_cast<std::size_t>(j), -1);
  std::vector<bool> has_rows(static_cast<std::size_t>(blocks), false);
  for (Index i = 0; i < n; ++i) {
    Index& first = block_of_contact[static_cast<std::size_t>(i)];
    for (const BlockRows* rows :
         {&problem.N, &problem.S, &problem.T, &problem.spin, &problem.roll_s, &problem.roll_t}) {
      if (rows->rows() > 0) join_row(*rows, i, components, first);
    }
  }
  for (Index i = 0; i < j; ++i) join_row(problem.J, i, components, block_of_row[static_cast<std::size_t>(i)]);
  for (const IndexList* list : {&block_of_contact, &block_of_row}) {
    for (const Index block : *list) {
      if (block >= 0) has_rows[static_cast<std::size_t>(components.root(block))] = true;
    }
  }

  IslandMap map;
  map.of_block.resize(static_cast<std::size_t>(blocks));
  Index free = -1;  // the island of blocks without rows
  for (Index b = 0; b < blocks; ++b) {
    const Index root = components.root(b);
    Index& island = map.of_block[static_cast<std::size_t>(b)];
    if (root < b) {
      island = map.of_block[static_cast<std::size_t>(root)];
    } else if (has_rows[static_cast<std::size_t>(b)]) {
      island = map.islands++;
    } else {
      if (free < 0) free = map.islands++;
      island = free;
    }
  }
  const auto island_of = [&](Index block) { return block < 0 ? 0 : map.of_block[static_cast<std::size_t>(block)]; };
  for (const Index block : block_of_contact) map.of_contact.push_back(island_of(block));
  for (const Index block : block_of_row) map.of_bilateral.push_back(island_of(block));
  if (n + j > 0) map.islands = std::max<Index>(map.islands, 1);  // rows over nothing
  return map;
}

std::vector<Island> split_islands(const ContactProblem& problem, const IslandMap& map) {
  TRIBO_REQUIRE(static_cast<Index>(map.of_block.size()) == problem.mass.blocks() &&
                    static_cast<Index>(map.of_contact.size()) == problem.size() &&
                    static_cast<Index>(map.of_bilateral.size()) == problem.bilateral(),
                "the map must be that of the problem");
  std::vector<Island> islands(static_cast<std::size_t>(map.islands));
  const auto deal = [&](const IndexList& of, IndexList Island::*member) {
    for (std::size_t i = 0; i < of.size(); ++i) {
      (islands[static_cast<std::size_t>(of[i])].*member).push_back(static_cast<Index>(i));
    }
  };
  deal(map.of_block, &Island::blocks);
  deal(map.of_contact, &Island::contacts);
  deal(map.of_bilateral, &Island::bilateral);
  std::vector<Index> position(static_cast<std::size_t>(problem.mass.blocks()), -1);
  for (Island& island : islands) {
    for (std::size_t k = 0; k < island.blocks.size(); ++k) {
      position[static_cast<std::size_t>(island.blocks[k])] = static_cast<Index>(k);
    }
    fill_problem(problem, position, island);
    for (const Index block : island.blocks) position[static_cast<std::size_t>(block)] = -1;
  }
  return islands;
}

std::vector<Island> split_islands(const ContactProblem& problem) {
  return split_islands(problem, find_islands(problem));
}

ContactSolution merge_islands(const ContactProblem& problem, const ContactModel& model,
                              const std::vector<Island>& islands, const std::vector<ContactSolution>& parts) {
  TRIBO_REQUIRE(parts.size() == islands.size(), "one answer per island");
  std::vector<IndexList> velocities, contacts, rows;
  for (const Island& island : islands) {
    velocities.push_back(coordinates(problem.mass.layout(), island.blocks));
    contacts.push_back(island.contacts);
    rows.push_back(island.bilateral);
  }
  ContactSolution whole;
  whole.v_next = merge_vector(parts, &ContactSolution::v_next, velocities, problem.dof());
  whole.f_n = merge_vector(parts, &ContactSolution::f_n, contacts, problem.size());
  whole.f_s = merge_vector(parts, &ContactSolution::f_s, contacts, problem.size());
  whole.f_t = merge_vector(parts, &ContactSolution::f_t, contacts, problem.size());
  whole.f_spin = merge_vector(parts, &ContactSolution::f_spin, contacts, problem.size());
  whole.f_roll_s = merge_vector(parts, &ContactSolution::f_roll_s, contacts, problem.size());
  whole.f_roll_t = merge_vector(parts, &ContactSolution::f_roll_t, contacts, problem.size());
  whole.f_j = merge_vector(parts, &ContactSolution::f_j, rows, problem.bilateral());
  const bool proved = std::any_of(parts.begin(), parts.end(),
                                  [](const ContactSolution& s) { return s.y_n.size() > 0 || s.y_e.size() > 0; });
  if (!proved) return whole;
  whole.y_n = VectorXd::Zero(problem.size());
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (parts[k].y_n.size() == static_cast<Index>(contacts[k].size())) scatter(parts[k].y_n, contacts[k], whole.y_n);
  }
  whole.y_e = merge_equality_proof(problem, std::holds_alternative<NoSlip>(model), islands, parts);
  return whole;
}

ContactSolution cut_island(const ContactProblem& problem, const Island& island, const ContactSolution& whole) {
  const auto part_of = [](const VectorXd& x, Index size, const IndexList& places) {
    return x.size() == size ? cut(x, places) : VectorXd();
  };
  ContactSolution part;
  part.v_next = part_of(whole.v_next, problem.dof(), coordinates(problem.mass.layout(), island.blocks));
  part.f_n = part_of(whole.f_n, problem.size(), island.contacts);
  part.f_s = part_of(whole.f_s, problem.size(), island.contacts);
  part.f_t = part_of(whole.f_t, problem.size(), island.contacts);
  part.f_spin = part_of(whole.f_spin, problem.size(), island.contacts);
  part.f_roll_s = part_of(whole.f_roll_s, problem.size(), island.contacts);
  part.f_roll_t = part_of(whole.f_roll_t, problem.size(), island.contacts);
  part.f_j = part_of(whole.f_j, problem.bilateral(), island.bilateral);
  return part;
}

}  // namespace tribo
