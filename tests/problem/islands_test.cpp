#include "tribo/problem/islands.hpp"

#include "tribo/problem/contact_builder.hpp"
#include "tribo/problem/generate.hpp"

#include "problem/combined.hpp"
#include "problem/dry_rows.hpp"
#include "problem/problem_testing.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::combined;
using testing::kWorld;
using testing::random_order;
using testing::reordered;

// n unit spheres in a row along x, none of them in contact yet.
ContactBuilder spheres(Index n) {
  ContactBuilder builder;
  for (Index i = 0; i < n; ++i) {
    builder.add_body(1.0, sphere_inertia(1.0, 0.5), Vector3d(static_cast<double>(i), 0.0, 0.0));
    builder.set_velocity(i, VectorXd::Constant(6, static_cast<double>(i)));
  }
  return builder;
}

void touch(ContactBuilder& builder, Index a, Index b) {
  builder.add_contact(a, b, Vector3d(0.5, 0.0, 0.0), Vector3d::UnitX());
}

// Contacts and joints tie bodies together; the world is no body and ties nothing. Order: by the smallest body.
TEST(Islands, AreTheConnectedComponents) {
  ContactBuilder builder = spheres(6);
  touch(builder, 5, kWorld);
  touch(builder, 4, 2);
  touch(builder, 0, kWorld);
  touch(builder, 3, 5);
  builder.add_point_joint(1, 4, Vector3d::Zero());
  const std::vector<Island> islands = split_islands(builder.build());
  ASSERT_EQ(islands.size(), 3u);
  EXPECT_EQ(islands[0].blocks, (IndexList{0}));
  EXPECT_EQ(islands[0].contacts, (IndexList{2}));
  EXPECT_EQ(islands[1].blocks, (IndexList{1, 2, 4}));
  EXPECT_EQ(islands[1].contacts, (IndexList{1}));
  EXPECT_EQ(islands[1].bilateral, (IndexList{0, 1, 2}));
  EXPECT_EQ(islands[2].blocks, (IndexList{3, 5}));
  EXPECT_EQ(islands[2].contacts, (IndexList{0, 3}));
}

// Bodies that nothing touches need no decision: they share one island.
TEST(Islands, FreeBodiesAreTogether) {
  ContactBuilder builder = spheres(4);
  touch(builder, 2, kWorld);
  const std::vector<Island> islands = split_islands(builder.build());
  ASSERT_EQ(islands.size(), 2u);
  EXPECT_EQ(islands[0].blocks, (IndexList{0, 1, 3}));
  EXPECT_EQ(islands[0].problem.size(), 0);
  EXPECT_EQ(islands[1].blocks, (IndexList{2}));
  EXPECT_EQ(islands[0].problem.v(17), 3.0);
}

// Nothing is lost: rows of zeros are in the first island, and rows without any body are an island by themselves.
TEST(Islands, RowsOfZerosAreKept) {
  ContactBuilder builder = spheres(2);
  touch(builder, 1, kWorld);
  ContactProblem problem = builder.build();
  for (BlockRows* rows : {&problem.N, &problem.S, &problem.T, &problem.J}) rows->add_row({});
  problem.b_N = problem.a_N = VectorXd::Zero(2);
  problem.b_J = problem.a_J = VectorXd::Zero(1);
  problem.contacts.resize(2);
  ASSERT_TRUE(validate(problem));
  const std::vector<Island> islands = split_islands(problem);
  ASSERT_EQ(islands.size(), 2u);
  EXPECT_EQ(islands[0].contacts, (IndexList{1}));
  EXPECT_EQ(islands[0].bilateral, (IndexList{0}));
  EXPECT_TRUE(validate(islands[0].problem));

  ContactProblem nothing;
  nothing.N.add_row({});
  nothing.b_N = nothing.a_N = VectorXd::Constant(1, 2.0);
  nothing.contacts.resize(1);
  ASSERT_TRUE(validate(nothing));
  const std::vector<Island> alone = split_islands(nothing);
  ASSERT_EQ(alone.size(), 1u);
  EXPECT_EQ(alone[0].problem.b_N(0), 2.0);
}

// A problem without anything has no part.
TEST(Islands, OfNothingThereAreNone) { EXPECT_TRUE(split_islands(ContactProblem{}).empty()); }

// Numbers decide, not what is stored: a part of a row that is zero ties nothing.
TEST(Islands, StoredZerosTieNothing) {
  ContactBuilder builder = spheres(2);
  ContactProblem problem = builder.build();
  const VectorXd one = VectorXd::Ones(6), zero = VectorXd::Zero(6);
  const auto part = [](Index block, const VectorXd& x) { return BlockRows::Segment{block, {x.data(), 6}}; };
  problem.N.add_row(part(0, zero), part(1, one));
  problem.N.add_row(part(0, one), part(1, zero));
  problem.b_N = problem.a_N = VectorXd::Zero(2);
  problem.contacts.resize(2);
  ASSERT_TRUE(validate(problem));
  ASSERT_EQ(split_islands(problem).size(), 2u);
  // The tangent of the same contact does tie them.
  for (int i = 0; i < 2; ++i) problem.S.add_row(part(0, one), part(1, one));
  EXPECT_EQ(split_islands(problem).size(), 1u);
}

// Every number of the whole is in exactly one part: put together again, in any order of bodies and rows, all is there.
TEST(Islands, HoldEveryNumberOnce) {
  Random random(11);
  for (int k = 0; k < 50; ++k) {
    std::vector<ContactProblem> parts;
    const Index components = random.integer(1, 4);
    for (Index c = 0; c < components; ++c) {
      parts.push_back(random_bodies(random));
      if (k % 2 == 0) testing::add_dry_rows(parts.back(), random.integer(0, 3), random);
    }
    ContactProblem whole = combined(parts);
    whole = reordered(whole, random_order(whole, random));
    const IslandMap map = find_islands(whole);
    const std::vector<Island> islands = split_islands(whole, map);
    ASSERT_EQ(static_cast<Index>(islands.size()), map.islands);
    EXPECT_GE(map.islands, components);
    std::vector<ContactProblem> problems;
    testing::Order order;
    for (const Island& island : islands) {
      ASSERT_TRUE(validate(island.problem)) << k;
      problems.push_back(island.problem);
      order.blocks.insert(order.blocks.end(), island.blocks.begin(), island.blocks.end());
      order.contacts.insert(order.contacts.end(), island.contacts.begin(), island.contacts.end());
      order.bilateral.insert(order.bilateral.end(), island.bilateral.begin(), island.bilateral.end());
      order.dry.insert(order.dry.end(), island.dry.begin(), island.dry.end());
    }
    ContactProblem again = combined(problems), expected = reordered(whole, order);
    again.name = expected.name;
    EXPECT_TRUE(equal(again, expected)) << k;
  }
}

// A proof of one island speaks of its own rows: zeros elsewhere, J first, then all of S, then all of T.
TEST(Islands, MergePutsAnswersInTheirPlaces) {
  ContactBuilder builder = spheres(2);
  touch(builder, 1, kWorld);
  touch(builder, 0, kWorld);
  builder.add_direction(1, kWorld, Vector3d::Zero(), Vector3d::UnitZ());
  const ContactProblem problem = builder.build();
  const std::vector<Island> islands = split_islands(problem);
  ASSERT_EQ(islands.size(), 2u);
  std::vector<ContactSolution> parts(2);
  for (std::size_t k = 0; k < 2; ++k) {
    const double value = static_cast<double>(k + 1);
    parts[k].v_next = VectorXd::Constant(6, value);
    parts[k].f_n = VectorXd::Constant(1, 10.0 * value);
    parts[k].f_s = parts[k].f_t = VectorXd::Zero(1);
    parts[k].f_j = VectorXd::Constant(islands[k].problem.bilateral(), value);
  }
  EXPECT_EQ(merge_islands(problem, NoSlip{}, islands, parts).y_n.size(), 0);
  parts[1].y_n = VectorXd::Constant(1, 5.0);
  parts[1].y_e = Vector3d(6.0, 7.0, 8.0);
  const ContactSolution whole = merge_islands(problem, NoSlip{}, islands, parts);
  EXPECT_EQ(whole.v_next(0), 1.0);
  EXPECT_EQ(whole.v_next(11), 2.0);
  EXPECT_EQ(whole.f_n, Eigen::Vector2d(20.0, 10.0));
  EXPECT_EQ(whole.f_j(0), 2.0);
  EXPECT_EQ(whole.y_n, Eigen::Vector2d(5.0, 0.0));
  EXPECT_EQ(whole.y_e, (VectorXd(5) << 6.0, 7.0, 0.0, 8.0, 0.0).finished());
  for (std::size_t k = 0; k < 2; ++k) {
    const ContactSolution again = cut_island(problem, islands[k], whole);
    EXPECT_EQ(again.v_next, parts[k].v_next);
    EXPECT_EQ(again.f_n, parts[k].f_n);
    EXPECT_EQ(again.f_j, parts[k].f_j);
  }
  // A proof without contacts has a place for every tangent all the same.
  parts[1].y_n.resize(0);
  parts[1].y_e = VectorXd::Constant(1, 6.0);
  EXPECT_EQ(merge_islands(problem, NoSlip{}, islands, parts).y_e, (VectorXd(5) << 6, 0, 0, 0, 0).finished());
  EXPECT_EQ(merge_islands(problem, Frictionless{}, islands, parts).y_e, VectorXd::Constant(1, 6.0));
  parts[0].v_next.resize(0);
  EXPECT_EQ(merge_islands(problem, NoSlip{}, islands, parts).v_next.size(), 0);
}

// One object for many problems, islands coming and going: what it keeps from one call must not show in the next.
TEST(Islands, AKeptSplitterSaysWhatAFreshOneSays) {
  Random random(29);
  IslandSplitter kept;
  ContactSolution part, merged;
  for (int k = 0; k < 60; ++k) {
    std::vector<ContactProblem> problems;
    const Index components = random.integer(1, 4);
    for (Index c = 0; c < components; ++c) problems.push_back(random_bodies(random));
    ContactProblem whole = combined(problems);
    whole = reordered(whole, random_order(whole, random));
    const std::vector<Island> fresh = split_islands(whole);
    kept.split(whole);
    ASSERT_EQ(kept.islands(), static_cast<Index>(fresh.size()));
    EXPECT_EQ(kept.whole(), fresh.size() <= 1);
    EXPECT_EQ(kept.map().of_contact, find_islands(whole).of_contact);
    ContactSolution answer;
    answer.v_next = VectorXd::LinSpaced(whole.dof(), 1.0, 2.0);
    answer.f_n = VectorXd::LinSpaced(whole.size(), 2.0, 3.0);
    answer.f_j = VectorXd::LinSpaced(whole.bilateral(), 3.0, 4.0);
    std::vector<ContactSolution> parts;
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      const Island& island = kept[static_cast<Index>(i)];
      EXPECT_EQ(island.blocks, fresh[i].blocks);
      EXPECT_EQ(island.contacts, fresh[i].contacts);
      EXPECT_EQ(island.bilateral, fresh[i].bilateral);
      if (!kept.whole()) {
        EXPECT_TRUE(equal(island.problem, fresh[i].problem)) << k;
      }
      kept.cut(static_cast<Index>(i), whole, answer, part);
      EXPECT_EQ(part.v_next, cut_island(whole, fresh[i], answer).v_next);
      EXPECT_EQ(part.f_s.size(), 0);
      parts.push_back(part);
    }
    kept.merge(whole, NoSlip{}, parts, merged);
    EXPECT_EQ(merged.v_next, answer.v_next);
    EXPECT_EQ(merged.f_n, answer.f_n);
    EXPECT_EQ(merged.f_j, answer.f_j);
    EXPECT_EQ(merged.f_s.size(), 0);
    EXPECT_EQ(merged.y_n.size() + merged.y_e.size(), 0);
  }
}

}  // namespace
}  // namespace tribo
