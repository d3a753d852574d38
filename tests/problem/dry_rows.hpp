// Rows of dry friction for random problems.
#pragma once

#include "tribo/core/random.hpp"
#include "tribo/problem/contact_problem.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tribo::testing {

// `count` rows over one block or two. Bounds between `weakest` and `strongest` times the impulse that would stop the row
// alone, or that a speed of 1 has where it stands still.
inline void add_dry_rows(ContactProblem& problem, Index count, Random& random, double weakest = 0.03,
                         double strongest = 3.0) {
  const BlockLayout& layout = problem.mass.layout();
  const BlockCholesky factor = BlockCholesky::factor(problem.mass).value();
  if (problem.D.layout() != layout) problem.D = BlockRows(layout);
  VectorXd bound(problem.dry() + count);
  bound.head(problem.dry()) = problem.bound;
  VectorXd free = problem.f;
  factor.solve(free);
  free = problem.v + problem.h * free;
  for (Index i = problem.dry(); i < bound.size(); ++i) {
    const Index a = random.integer(0, layout.blocks() - 1), b = random.integer(0, layout.blocks() - 1);
    VectorXd row = VectorXd::Zero(layout.size());
    for (const Index block : {a, b}) {
      for (Index k = 0; k < layout.size(block); ++k) {
        if (random.chance(0.5)) row(layout.start(block) + k) = random.uniform(-1.0, 1.0);
      }
      row(layout.start(block) + random.integer(0, layout.size(block) - 1)) = 1.0;
    }
    const auto segment = [&](Index block) {
      return BlockRows::Segment{block,
                                {row.data() + layout.start(block), static_cast<std::size_t>(layout.size(block))}};
    };
    problem.D.add_row(segment(a), a == b ? BlockRows::Segment{} : segment(b));
    VectorXd whitened = row;
    factor.whiten_force(whitened);
    const double speed = std::max(std::abs(row.dot(free)), 1e-3);
    bound(i) = speed / whitened.squaredNorm() * weakest * std::pow(strongest / weakest, random.uniform());
  }
  problem.bound = bound;
}

}  // namespace tribo::testing
