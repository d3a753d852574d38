#include "lemke_problems.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/problem/generate.hpp"

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "no_slip_problems.hpp"
#include "timing.hpp"
#include <Eigen/Geometry>

namespace tribo {
namespace {

constexpr std::uint64_t kLemkeStream = 403;

void draw_offsets(ContactProblem& problem, double probability, double low, double high, Random& random) {
  for (Index i = 0; i < problem.size(); ++i) {
    problem.b_N(i) = random.chance(probability) ? random.uniform(low, high) : 0.0;
  }
}

ContactProblem stack_at_rest(Random& random) {
  const Index blocks = random.integer(1, 5);
  ContactProblem problem = box_stack(blocks, random.integer(3, 8), random);
  problem.v.setZero();
  problem.f.setZero();
  for (Index b = 0; b < blocks; ++b) problem.f(6 * b + 2) = -9.81 * problem.mass.block(b)(0, 0);
  return problem;
}

ContactProblem make_lemke_problem(std::uint64_t kind, Random& random, std::string& name) {
  switch (kind) {
    case 0:
      name = "peg";
      return peg_in_hole(random.integer(4, 40), random);
    case 1: {
      name = "stack under a wrench";
      const Index blocks = random.integer(1, 5);
      return box_stack(blocks, random.integer(3, 8), random);
    }
    case 2:
      name = "stack at rest";
      return stack_at_rest(random);
    case 3: {
      name = "face";
      const Index n = random.integer(1, 40);
      return block_on_face(n, random.uniform(0.0, 1.2), random);
    }
    case 4:
      name = "bodies";
      return random_bodies(random);
    case 5: {
      name = "mu 1e-3 to 1e6";
      ContactProblem problem = random_bodies({.bodies = 3, .contacts = 20, .redundant = 0.8}, random);
      draw_friction(problem, -3.0, 6.0, random);
      return problem;
    }
    case 6: {
      name = "mu = 0 in places";
      ContactProblem problem = random_bodies({.bodies = 4, .contacts = 16}, random);
      for (Contact& contact : problem.contacts) contact.mu = random.chance(0.4) ? 0.0 : contact.mu;
      return problem;
    }
    case 7: {
      name = "mass ratio to 1e6";
      ContactProblem problem = random.chance(0.5) ? box_stack(3, 4, random) : random_bodies(random);
      const Index block = random.integer(0, problem.mass.blocks() - 1);
      return with_heavier_block(problem, block, std::pow(10.0, random.uniform(-6.0, 6.0)));
    }
    case 8: {
      name = "zero velocity";
      ContactProblem problem = random.chance(0.5) ? peg_in_hole(16, random) : random_bodies(random);
      problem.v.setZero();
      if (random.chance(0.5)) problem.f.setZero();
      return problem;
    }
    case 9: {
      name = "twenty duplicates";
      ContactProblem problem =
          random.chance(0.5) ? peg_in_hole(4, random) : random_bodies({.bodies = 2, .contacts = 4}, random);
      return repeat_contacts(problem, 20);
    }
    case 10: {
      name = "bilateral rows, trees";
      const RandomBodies settings{.bodies = random.integer(1, 6),
                                  .contacts = random.integer(4, 40),
                                  .redundant = 0.6,
                                  .bilateral = random.integer(1, 3),
                                  .trees = true};
      return random_bodies(settings, random);
    }
    case 11: {
      name = "jam";
      return repeat_contacts(jam(false, random.chance(0.3) ? 0.0 : std::pow(10.0, random.uniform(-5.0, -0.5))),
                             static_cast<int>(random.integer(1, 4)));
    }
    case 12:
      name = "Painleve rod";
      return painleve_rod(random.uniform(0.2, 3.0), random.uniform(0.2, 1.5));
    case 13: {
      name = "gaps, b_N >= 0";
      ContactProblem problem = random.chance(0.5) ? random_bodies(random) : box_stack(3, 6, random);
      draw_offsets(problem, 0.4, 0.0, 0.2, random);
      return problem;
    }
    case 14: {
      name = "b_N of both signs";
      ContactProblem problem =
          random.chance(0.3) ? jam(true, random.chance(0.5) ? 0.0 : random.uniform(1e-4, 0.3)) : random_bodies(random);
      if (problem.size() > 2) draw_offsets(problem, 0.4, -0.1, 0.1, random);
      return problem;
    }
    default: {
      name = "b_J and b_N";
      const RandomBodies settings{.bodies = random.integer(1, 5),
                                  .contacts = random.integer(4, 30),
                                  .redundant = 0.6,
                                  .bilateral = random.integer(1, 3),
                                  .trees = random.chance(0.5)};
      ContactProblem problem = random_bodies(settings, random);
      for (Index i = 0; i < problem.bilateral(); ++i) problem.b_J(i) = 0.1 * random.normal();
      draw_offsets(problem, 0.3, 0.0, 0.5, random);
      return problem;
    }
  }
}

}  // namespace

void make_one_body_rows(ContactProblem& problem, const Vector3d& centre) {
  TRIBO_REQUIRE(problem.dof() == 6, "one free body");
  for (BlockRows* rows : {&problem.N, &problem.S, &problem.T}) *rows = BlockRows(problem.mass.layout());
  for (const Contact& contact : problem.contacts) {
    const Vector3d arm = contact.point - centre;
    const auto add = [&](BlockRows& rows, Index column) {
      const Vector3d along = contact.frame.col(column), turning = arm.cross(along);
      const std::array<double, 6> values = {along.x(), along.y(), along.z(), turning.x(), turning.y(), turning.z()};
      rows.add_row({.block = 0, .values = values});
    };
    add(problem.S, 0);
    add(problem.T, 1);
    add(problem.N, 2);
  }
}

void draw_friction(ContactProblem& problem, double low, double high, Random& random) {
  for (Contact& contact : problem.contacts) contact.mu = std::pow(10.0, random.uniform(low, high));
}

LemkeTrial make_lemke_trial(std::uint64_t seed, std::uint64_t index) {
  Random random(derive_seed(seed, kLemkeStream, index));
  LemkeTrial trial;
  trial.problem = make_lemke_problem(index % kLemkeKinds, random, trial.kind);
  const std::uint64_t turn = index / kLemkeKinds % 8;
  trial.sides = turn == 3 ? 4 : turn == 5 ? 16 : 8;
  trial.solvable = (trial.problem.b_N.array() >= 0.0).all() && trial.problem.b_J.isZero(0.0);
  return trial;
}

ContactProblem stack_of_five(Random& random) {
  constexpr std::array<Index, 5> per_interface = {7, 7, 6, 6, 6};
  constexpr Index kMade = 8;
  IndexList kept;
  for (Index i = 0; i < static_cast<Index>(per_interface.size()); ++i) {
    for (Index k = 0; k < per_interface[i]; ++k) kept.push_back(kMade * i + k);
  }
  return keep_contacts(box_stack(static_cast<Index>(per_interface.size()), kMade, random), kept);
}

ContactProblem keep_contacts(const ContactProblem& problem, const IndexList& kept) {
  ContactProblem result = problem;
  const Index n = static_cast<Index>(kept.size());
  result.contacts.clear();
  result.b_N.resize(n);
  result.a_N.resize(n);
  result.N = BlockRows(problem.N.layout());
  result.S = BlockRows(problem.S.layout());
  result.T = BlockRows(problem.T.layout());
  for (Index i = 0; i < n; ++i) {
    for (const auto& [from, to] :
         {std::pair{&problem.N, &result.N}, {&problem.S, &result.S}, {&problem.T, &result.T}}) {
      if (from->rows() == 0) continue;
      const auto [first, second] = from->row(kept[i]);
      to->add_row(first, second);
    }
    result.contacts.push_back(problem.contacts[kept[i]]);
    result.b_N(i) = problem.b_N(kept[i]);
    result.a_N(i) = problem.a_N(kept[i]);
  }
  return result;
}

ContactProblem with_heavier_block(const ContactProblem& problem, Index block, double factor) {
  ContactProblem result = problem;
  std::vector<MatrixXd> blocks;
  for (Index b = 0; b < problem.mass.blocks(); ++b) {
    blocks.push_back(b == block ? MatrixXd(factor * problem.mass.block(b)) : problem.mass.block(b));
  }
  result.mass = BlockDiagonal(blocks);
  const BlockLayout& layout = problem.mass.layout();
  result.f.segment(layout.start(block), layout.size(block)) *= factor;
  return result;
}

ContactProblem in_other_units(const ContactProblem& problem, double length, double mass) {
  TRIBO_REQUIRE(problem.bilateral() == 0, "bilateral rows may be lengths or angles");
  ContactProblem result = problem;
  std::vector<MatrixXd> blocks;
  for (Index b = 0; b < problem.mass.blocks(); ++b) {
    TRIBO_REQUIRE(problem.mass.layout().size(b) == 6, "free bodies only");
    MatrixXd block = mass * problem.mass.block(b);
    block.bottomRows(3) *= length;
    block.rightCols(3) *= length;
    blocks.push_back(block);
    result.v.segment(6 * b, 3) *= length;
    result.f.segment(6 * b, 3) *= mass * length;
    result.f.segment(6 * b + 3, 3) *= mass * length * length;
  }
  result.mass = BlockDiagonal(blocks);
  for (const auto& [from, to] : {std::pair{&problem.N, &result.N}, {&problem.S, &result.S}, {&problem.T, &result.T}}) {
    MatrixXd rows = from->to_dense();
    for (Index b = 0; b < problem.mass.blocks(); ++b) rows.middleCols(6 * b + 3, 3) *= length;
    *to = BlockRows::from_dense(rows, from->layout()).value();
  }
  result.b_N *= length;
  result.a_N *= length;
  for (Contact& contact : result.contacts) {
    contact.gap *= length;
    contact.point *= length;
  }
  return result;
}

}  // namespace tribo
