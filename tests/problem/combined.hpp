// Problems side by side in one, and in another order: for tests of islands.
#pragma once

#include "tribo/core/random.hpp"
#include "tribo/problem/contact_problem.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace tribo::testing {

// The row over the blocks of `target`, with block b renamed to place[b].
inline void append_row(const BlockRows& rows, Index i, const IndexList& place, BlockRows& target) {
  auto parts = rows.row(i);
  for (auto& part : parts) {
    if (part.block >= 0) part.block = place[static_cast<std::size_t>(part.block)];
  }
  target.add_row(parts[0], parts[1]);
}

inline void append(VectorXd& x, const VectorXd& more) {
  VectorXd all(x.size() + more.size());
  all << x, more;
  x = all;
}

// Bodies, contacts, bilateral rows and rows of dry friction of all of them, one after the other; level and step of the first.
inline ContactProblem combined(const std::vector<ContactProblem>& parts) {
  ContactProblem whole;
  whole.name = "combined";
  whole.level = parts.front().level;
  whole.h = parts.front().h;
  for (const ContactProblem& part : parts) {
    for (Index b = 0; b < part.mass.blocks(); ++b) whole.mass.append(part.mass.block(b));
  }
  for (BlockRows* rows :
       {&whole.J, &whole.N, &whole.S, &whole.T, &whole.spin, &whole.roll_s, &whole.roll_t, &whole.D}) {
    *rows = BlockRows(whole.mass.layout());
  }
  Index first = 0;
  for (const ContactProblem& part : parts) {
    IndexList place(static_cast<std::size_t>(part.mass.blocks()));
    std::iota(place.begin(), place.end(), first);
    first += part.mass.blocks();
    for (Index i = 0; i < part.J.rows(); ++i) append_row(part.J, i, place, whole.J);
    for (Index i = 0; i < part.N.rows(); ++i) append_row(part.N, i, place, whole.N);
    for (Index i = 0; i < part.S.rows(); ++i) append_row(part.S, i, place, whole.S);
    for (Index i = 0; i < part.T.rows(); ++i) append_row(part.T, i, place, whole.T);
    for (Index i = 0; i < part.spin.rows(); ++i) append_row(part.spin, i, place, whole.spin);
    for (Index i = 0; i < part.roll_s.rows(); ++i) append_row(part.roll_s, i, place, whole.roll_s);
    for (Index i = 0; i < part.roll_t.rows(); ++i) append_row(part.roll_t, i, place, whole.roll_t);
    for (Index i = 0; i < part.D.rows(); ++i) append_row(part.D, i, place, whole.D);
    append(whole.bound, part.bound);
    append(whole.v, part.v);
    append(whole.f, part.f);
    append(whole.b_J, part.b_J);
    append(whole.a_J, part.a_J);
    append(whole.b_N, part.b_N);
    append(whole.a_N, part.a_N);
    whole.contacts.insert(whole.contacts.end(), part.contacts.begin(), part.contacts.end());
  }
  return whole;
}

// A random order of 0 … n − 1 (Fisher-Yates).
inline IndexList random_order(Index n, Random& random) {
  IndexList order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  for (Index i = n - 1; i > 0; --i) {
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(random.integer(0, i))]);
  }
  return order;
}

struct Order {
  IndexList blocks, contacts, bilateral, dry;  // block k of the new problem is block blocks[k] of the old one
};

inline Order random_order(const ContactProblem& problem, Random& random) {
  return {random_order(problem.mass.blocks(), random), random_order(problem.size(), random),
          random_order(problem.bilateral(), random), random_order(problem.dry(), random)};
}

// A vector over the degrees of freedom, in the new order.
inline VectorXd reordered(const ContactProblem& problem, const IndexList& blocks, const VectorXd& x) {
  VectorXd result(0);
  const BlockLayout& layout = problem.mass.layout();
  for (const Index b : blocks) append(result, x.segment(layout.start(b), layout.size(b)));
  return result;
}

inline ContactProblem reordered(const ContactProblem& problem, const Order& order) {
  ContactProblem result;
  result.name = problem.name;
  result.level = problem.level;
  result.h = problem.h;
  IndexList place(order.blocks.size());
  for (std::size_t k = 0; k < order.blocks.size(); ++k) {
    place[static_cast<std::size_t>(order.blocks[k])] = static_cast<Index>(k);
    result.mass.append(problem.mass.block(order.blocks[k]));
  }
  for (BlockRows* rows :
       {&result.J, &result.N, &result.S, &result.T, &result.spin, &result.roll_s, &result.roll_t, &result.D}) {
    *rows = BlockRows(result.mass.layout());
  }
  result.v = reordered(problem, order.blocks, problem.v);
  result.f = reordered(problem, order.blocks, problem.f);
  for (const Index i : order.bilateral) {
    append_row(problem.J, i, place, result.J);
    append(result.b_J, problem.b_J.segment(i, 1));
    append(result.a_J, problem.a_J.segment(i, 1));
  }
  for (const Index i : order.dry) {
    append_row(problem.D, i, place, result.D);
    append(result.bound, problem.bound.segment(i, 1));
  }
  for (const Index i : order.contacts) {
    append_row(problem.N, i, place, result.N);
    if (problem.S.rows() > 0) append_row(problem.S, i, place, result.S);
    if (problem.T.rows() > 0) append_row(problem.T, i, place, result.T);
    if (problem.spin.rows() > 0) append_row(problem.spin, i, place, result.spin);
    if (problem.roll_s.rows() > 0) append_row(problem.roll_s, i, place, result.roll_s);
    if (problem.roll_t.rows() > 0) append_row(problem.roll_t, i, place, result.roll_t);
    append(result.b_N, problem.b_N.segment(i, 1));
    append(result.a_N, problem.a_N.segment(i, 1));
    result.contacts.push_back(problem.contacts[static_cast<std::size_t>(i)]);
  }
  return result;
}

}  // namespace tribo::testing
