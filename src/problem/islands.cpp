#include "tribo/problem/islands.hpp"

#include "tribo/core/assert.hpp"

#include <algorithm>
#include <array>

namespace tribo {

namespace {

// Union-find over memory of the caller; the root of a set is its smallest member.
class Components {
 public:
  Components(Index n, IndexList& parent) : parent_(parent) {
    parent_.resize(static_cast<std::size_t>(n));
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
  IndexList& parent_;
};

// The blocks in which the rows of one contact have numbers, as far as they are joined already.
struct Touched {
  Index first = -1, second = -1;
};

// Joins the blocks in which row i has numbers. Rows of one contact have the same blocks as a rule: what the last row has
// joined is not looked at again.
void join_row(const BlockRows& rows, Index i, Components& components, Touched& touched) {
  for (int k = 0; k < 2; ++k) {
    const Index block = rows.block(i, k);
    if (block < 0 || block == touched.first || block == touched.second) continue;
    const double* values = rows.values(i, k);
    const bool touches = std::any_of(values, values + rows.layout().size(block), [](double x) { return x != 0.0; });
    if (!touches) continue;
    if (touched.first < 0) {
      touched.first = block;
    } else {
      components.join(touched.first, block);
      touched.second = block;
    }
  }
}

// The chosen rows over the blocks of the island. What is left out is zero there.
void cut_rows(const BlockRows& rows, const IndexList& chosen, const IndexList& position, BlockRows& result) {
  result.clear();
  if (rows.rows() == 0) return;  // no tangents, nothing against turning
  for (const Index i : chosen) {
    std::array<BlockRows::Segment, 2> parts = rows.row(i);
    for (BlockRows::Segment& part : parts) {
      if (part.block < 0) continue;
      const Index block = position[static_cast<std::size_t>(part.block)];
      part = block < 0 ? BlockRows::Segment{} : BlockRows::Segment{block, part.values};
    }
    result.add_row(parts[0], parts[1]);
  }
}

void cut_vector(const VectorXd& x, const IndexList& chosen, VectorXd& part) {
  part.resize(static_cast<Index>(chosen.size()));
  for (std::size_t k = 0; k < chosen.size(); ++k) part(static_cast<Index>(k)) = x(chosen[k]);
}

// The numbers of the blocks' degrees of freedom.
void cut_blocks(const VectorXd& x, const BlockLayout& layout, const IndexList& blocks, VectorXd& part) {
  Index size = 0;
  for (const Index block : blocks) size += layout.size(block);
  part.resize(size);
  Index at = 0;
  for (const Index block : blocks) {
    std::copy_n(x.data() + layout.start(block), layout.size(block), part.data() + at);
    at += layout.size(block);
  }
}

// position: of the island's blocks among themselves, -1 elsewhere.
void fill_problem(const ContactProblem& whole, const IndexList& position, Island& island) {
  ContactProblem& part = island.problem;
  part.name = whole.name;
  part.level = whole.level;
  part.h = whole.h;
  part.mass.assign(whole.mass, island.blocks);
  const BlockLayout& layout = part.mass.layout();
  BlockRows* const all_rows[] = {&part.J, &part.N, &part.S, &part.T, &part.spin, &part.roll_s, &part.roll_t, &part.D};
  if (part.J.layout() != layout) {  // they change together
    for (BlockRows* rows : all_rows) *rows = BlockRows(layout);
  }
  cut_blocks(whole.v, whole.mass.layout(), island.blocks, part.v);
  cut_blocks(whole.f, whole.mass.layout(), island.blocks, part.f);
  cut_rows(whole.J, island.bilateral, position, part.J);
  cut_rows(whole.N, island.contacts, position, part.N);
  cut_rows(whole.S, island.contacts, position, part.S);
  cut_rows(whole.T, island.contacts, position, part.T);
  cut_rows(whole.spin, island.contacts, position, part.spin);
  cut_rows(whole.roll_s, island.contacts, position, part.roll_s);
  cut_rows(whole.roll_t, island.contacts, position, part.roll_t);
  cut_rows(whole.D, island.dry, position, part.D);
  cut_vector(whole.bound, island.dry, part.bound);
  cut_vector(whole.b_J, island.bilateral, part.b_J);
  cut_vector(whole.a_J, island.bilateral, part.a_J);
  cut_vector(whole.b_N, island.contacts, part.b_N);
  cut_vector(whole.a_N, island.contacts, part.a_N);
  part.contacts.clear();
  for (const Index i : island.contacts) part.contacts.push_back(whole.contacts[static_cast<std::size_t>(i)]);
}

// Who belongs to which island; room for more islands is made, and none is given back.
void deal(const IslandMap& map, std::vector<Island>& islands) {
  if (islands.size() < static_cast<std::size_t>(map.islands)) islands.resize(static_cast<std::size_t>(map.islands));
  const auto deal_out = [&](const IndexList& of, IndexList Island::*member) {
    for (Index k = 0; k < map.islands; ++k) (islands[static_cast<std::size_t>(k)].*member).clear();
    for (std::size_t i = 0; i < of.size(); ++i) {
      (islands[static_cast<std::size_t>(of[i])].*member).push_back(static_cast<Index>(i));
    }
  };
  deal_out(map.of_block, &Island::blocks);
  deal_out(map.of_contact, &Island::contacts);
  deal_out(map.of_bilateral, &Island::bilateral);
  deal_out(map.of_dry, &Island::dry);
}

void fill_problems(const ContactProblem& problem, Index count, IndexList& position, std::vector<Island>& islands) {
  position.assign(static_cast<std::size_t>(problem.mass.blocks()), -1);
  for (Index i = 0; i < count; ++i) {
    Island& island = islands[static_cast<std::size_t>(i)];
    for (std::size_t k = 0; k < island.blocks.size(); ++k) {
      position[static_cast<std::size_t>(island.blocks[k])] = static_cast<Index>(k);
    }
    fill_problem(problem, position, island);
    for (const Index block : island.blocks) position[static_cast<std::size_t>(block)] = -1;
  }
}

void find_into(const ContactProblem& problem, IslandMap& map, IndexList& parent, std::vector<char>& has_rows) {
  const Index blocks = problem.mass.blocks(), n = problem.size(), j = problem.bilateral(), d = problem.dry();
  Components components(blocks, parent);
  // First a block that each contact and row belongs to, -1: none; then its island.
  map.of_contact.assign(static_cast<std::size_t>(n), -1);
  map.of_bilateral.assign(static_cast<std::size_t>(j), -1);
  map.of_dry.assign(static_cast<std::size_t>(d), -1);
  for (Index i = 0; i < n; ++i) {
    Touched touched;
    for (const BlockRows* rows :
         {&problem.N, &problem.S, &problem.T, &problem.spin, &problem.roll_s, &problem.roll_t}) {
      if (rows->rows() > 0) join_row(*rows, i, components, touched);
    }
    map.of_contact[static_cast<std::size_t>(i)] = touched.first;
  }
  const auto join_each = [&](const BlockRows& rows, IndexList& of_row) {
    for (Index i = 0; i < rows.rows(); ++i) {
      Touched touched;
      join_row(rows, i, components, touched);
      of_row[static_cast<std::size_t>(i)] = touched.first;
    }
  };
  join_each(problem.J, map.of_bilateral);
  join_each(problem.D, map.of_dry);
  has_rows.assign(static_cast<std::size_t>(blocks), 0);
  for (const IndexList* list : {&map.of_contact, &map.of_bilateral, &map.of_dry}) {
    for (const Index block : *list) {
      if (block >= 0) has_rows[static_cast<std::size_t>(components.root(block))] = 1;
    }
  }

  map.islands = 0;
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
  for (IndexList* list : {&map.of_contact, &map.of_bilateral, &map.of_dry}) {
    for (Index& at : *list) at = at < 0 ? 0 : map.of_block[static_cast<std::size_t>(at)];
  }
  if (n + j + d > 0) map.islands = std::max<Index>(map.islands, 1);  // rows over nothing
}

// x of the island into its places in the whole.
void scatter(const VectorIn& x, const IndexList& places, Eigen::Ref<VectorXd> whole) {
  for (std::size_t k = 0; k < places.size(); ++k) whole(places[k]) = x(static_cast<Index>(k));
}

using Islands = std::span<const Island>;
using Parts = std::span<const ContactSolution>;

// One vector of the answers, over contacts or over rows of J or D.
void merge_vector(Islands islands, IndexList Island::*places, Parts parts, VectorXd ContactSolution::*member,
                  Index size, VectorXd& whole) {
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if ((parts[k].*member).size() == static_cast<Index>((islands[k].*places).size())) continue;
    whole.resize(0);
    return;
  }
  whole.setZero(size);
  for (std::size_t k = 0; k < parts.size(); ++k) scatter(parts[k].*member, islands[k].*places, whole);
}

void merge_velocities(const BlockLayout& layout, Islands islands, Parts parts, VectorXd& whole) {
  for (std::size_t k = 0; k < parts.size(); ++k) {
    Index size = 0;
    for (const Index block : islands[k].blocks) size += layout.size(block);
    if (parts[k].v_next.size() == size) continue;
    whole.resize(0);
    return;
  }
  whole.setZero(layout.size());
  for (std::size_t k = 0; k < parts.size(); ++k) {
    Index at = 0;
    for (const Index block : islands[k].blocks) {
      std::copy_n(parts[k].v_next.data() + at, layout.size(block), whole.data() + layout.start(block));
      at += layout.size(block);
    }
  }
}

// y_e has the rows J, for no-slip followed by all of S and all of T (solution.hpp).
void merge_equality_proof(const ContactProblem& problem, bool tangents, Islands islands, Parts parts, VectorXd& whole) {
  const Index j = problem.bilateral(), s = problem.S.rows(), t = problem.T.rows();
  whole.setZero(j + (tangents ? s + t : 0));
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
}

void merge_into(const ContactProblem& problem, const ContactModel& model, Islands islands, Parts parts,
                ContactSolution& whole) {
  TRIBO_REQUIRE(parts.size() == islands.size(), "one answer per island");
  merge_velocities(problem.mass.layout(), islands, parts, whole.v_next);
  for (VectorXd ContactSolution::*member :
       {&ContactSolution::f_n, &ContactSolution::f_s, &ContactSolution::f_t, &ContactSolution::f_spin,
        &ContactSolution::f_roll_s, &ContactSolution::f_roll_t}) {
    merge_vector(islands, &Island::contacts, parts, member, problem.size(), whole.*member);
  }
  merge_vector(islands, &Island::bilateral, parts, &ContactSolution::f_j, problem.bilateral(), whole.f_j);
  merge_vector(islands, &Island::dry, parts, &ContactSolution::f_d, problem.dry(), whole.f_d);
  const bool proved = std::any_of(parts.begin(), parts.end(),
                                  [](const ContactSolution& s) { return s.y_n.size() > 0 || s.y_e.size() > 0; });
  whole.y_n.setZero(proved ? problem.size() : 0);
  whole.y_e.resize(0);
  if (!proved) return;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const IndexList& contacts = islands[k].contacts;
    if (parts[k].y_n.size() == static_cast<Index>(contacts.size())) scatter(parts[k].y_n, contacts, whole.y_n);
  }
  merge_equality_proof(problem, std::holds_alternative<NoSlip>(model), islands, parts, whole.y_e);
}

void cut_into(const ContactProblem& problem, const Island& island, const ContactSolution& whole,
              ContactSolution& part) {
  if (whole.v_next.size() == problem.dof()) {
    cut_blocks(whole.v_next, problem.mass.layout(), island.blocks, part.v_next);
  } else {
    part.v_next.resize(0);
  }
  const auto cut = [&](VectorXd ContactSolution::*member, Index size, const IndexList& places) {
    if ((whole.*member).size() == size) {
      cut_vector(whole.*member, places, part.*member);
    } else {
      (part.*member).resize(0);
    }
  };
  for (VectorXd ContactSolution::*member :
       {&ContactSolution::f_n, &ContactSolution::f_s, &ContactSolution::f_t, &ContactSolution::f_spin,
        &ContactSolution::f_roll_s, &ContactSolution::f_roll_t}) {
    cut(member, problem.size(), island.contacts);
  }
  cut(&ContactSolution::f_j, problem.bilateral(), island.bilateral);
  cut(&ContactSolution::f_d, problem.dry(), island.dry);
  part.y_n.resize(0);
  part.y_e.resize(0);
}

}  // namespace

void IslandSplitter::find(const ContactProblem& problem) { find_into(problem, map_, parent_, has_rows_); }

void IslandSplitter::split(const ContactProblem& problem) {
  find(problem);
  deal(map_, islands_);
  if (!whole()) fill_problems(problem, map_.islands, position_, islands_);
}

void IslandSplitter::cut(Index k, const ContactProblem& problem, const ContactSolution& whole,
                         ContactSolution& part) const {
  cut_into(problem, (*this)[k], whole, part);
}

void IslandSplitter::cut(Index k, const ContactProblem& problem, const StartValues& whole, StartValues& part) const {
  const Island& island = (*this)[k];
  cut_into(problem, island, whole.impulses, part.impulses);
  part.states.clear();
  if (!whole.states.empty()) {
    for (const Index i : island.contacts) part.states.push_back(whole.states[static_cast<std::size_t>(i)]);
  }
  part.at_rest.clear();
  if (whole.at_rest.empty()) return;
  for (const Index i : island.contacts) part.at_rest.push_back(whole.at_rest[static_cast<std::size_t>(i)]);
  for (const Index i : island.dry) part.at_rest.push_back(whole.at_rest[static_cast<std::size_t>(problem.size() + i)]);
}

void IslandSplitter::merge(const ContactProblem& problem, const ContactModel& model, Parts parts,
                           ContactSolution& whole) const {
  merge_into(problem, model, {islands_.data(), static_cast<std::size_t>(map_.islands)}, parts, whole);
}

IslandMap find_islands(const ContactProblem& problem) {
  IslandMap map;
  IndexList parent;
  std::vector<char> has_rows;
  find_into(problem, map, parent, has_rows);
  return map;
}

std::vector<Island> split_islands(const ContactProblem& problem, const IslandMap& map) {
  TRIBO_REQUIRE(static_cast<Index>(map.of_block.size()) == problem.mass.blocks() &&
                    static_cast<Index>(map.of_contact.size()) == problem.size() &&
                    static_cast<Index>(map.of_bilateral.size()) == problem.bilateral() &&
                    static_cast<Index>(map.of_dry.size()) == problem.dry(),
                "the map must be that of the problem");
  std::vector<Island> islands;
  IndexList position;
  deal(map, islands);
  fill_problems(problem, map.islands, position, islands);
  return islands;
}

std::vector<Island> split_islands(const ContactProblem& problem) {
  return split_islands(problem, find_islands(problem));
}

ContactSolution merge_islands(const ContactProblem& problem, const ContactModel& model,
                              const std::vector<Island>& islands, const std::vector<ContactSolution>& parts) {
  ContactSolution whole;
  merge_into(problem, model, islands, parts, whole);
  return whole;
}

ContactSolution cut_island(const ContactProblem& problem, const Island& island, const ContactSolution& whole) {
  ContactSolution part;
  cut_into(problem, island, whole, part);
  return part;
}

}  // namespace tribo
