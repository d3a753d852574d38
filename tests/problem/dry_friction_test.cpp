// Rows of dry friction and rows of limits: how they are built, judged, compared and taken apart.
#include "tribo/problem/contact_builder.hpp"
#include "tribo/problem/islands.hpp"
#include "tribo/problem/model.hpp"

#include "problem/problem_testing.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::kInf;
using testing::kNan;
using testing::kWorld;
using testing::Spoiled;

VectorXd number(double x) { return VectorXd::Constant(1, x); }

// Two sliders of one degree of freedom, one with a ball of its own in contact with the ground; dry friction on each slider
// and on a tendon between them.
ContactProblem two_sliders() {
  ContactBuilder builder;
  const Index a = builder.add_tree(MatrixXd::Constant(1, 1, 2.0));
  const Index b = builder.add_tree(MatrixXd::Constant(1, 1, 3.0));
  const Index ball = builder.add_body(1.0, sphere_inertia(1.0, 0.1), {0, 0, 0.1});
  builder.add_contact(ball, kWorld, {0, 0, 0}, Vector3d::UnitZ());
  builder.add_contact_rows({{{a, number(1.0)}}, {}, {}}, {.kind = RowKind::kLimit});
  builder.add_dry_friction({{a, number(1.0)}}, 0.1);
  builder.add_dry_friction({{b, number(1.0)}}, 0.2);
  return builder.build();
}

TEST(DryFriction, IsValidatedEntryByEntry) {
  const ContactProblem good = two_sliders();
  testing::expect_refused<ContactProblem>(good,
                                          {{[](auto& p) { p.bound.resize(1); }, "bound", "entries"},
                                           {[](auto& p) { p.bound(1) = -1.0; }, "row 1 of D", "bound"},
                                           {[](auto& p) { p.bound(0) = kInf; }, "bound(0)", "not finite"},
                                           {[](auto& p) { p.bound(0) = kNan; }, "bound(0)", "not finite"},
                                           {[](auto& p) {
                                              p.D = BlockRows(BlockLayout({8}));
                                              p.D.add_row({});
                                              p.D.add_row({});
                                            },
                                            "D", "blocks"},
                                           {[](auto& p) { p.D.values(0, 0)[0] = kNan; }, "D(0, 0)", "finite"},
                                           {[](auto& p) { p.D.clear(); }, "bound", "entries"},
                                           {[](auto& p) { p.level = Level::kAcceleration; }, "D", "acceleration"}});
  ContactProblem none = good;  // without rows the layout does not matter: most problems have no D at all
  none.D = BlockRows();
  none.bound.resize(0);
  EXPECT_TRUE(validate(none).has_value());
}

// A limit with friction would be a contact in disguise.
TEST(DryFriction, LimitsHaveNoFriction) {
  testing::expect_refused<ContactProblem>(
      two_sliders(), {{[](auto& p) { p.contacts[1].mu = 0.1; }, "contact 1", "limit"},
                      {[](auto& p) { p.contacts[1].friction_bound = 0.1; }, "contact 1", "limit"},
                      {[](auto& p) { p.contacts[0].kind = RowKind::kLimit; }, "S, row 0", "contact 0"}});
}

TEST(DryFriction, CountsInComparisons) {
  const ContactProblem one = two_sliders();
  EXPECT_TRUE(equal(one, two_sliders()));
  for (const auto& change : std::vector<std::function<void(ContactProblem&)>>{
           [](ContactProblem& p) { p.bound(0) = 0.3; }, [](ContactProblem& p) { p.D.values(0, 0)[0] = 2.0; },
           [](ContactProblem& p) { p.contacts[1].kind = RowKind::kContact; },
           [](ContactProblem& p) {
             p.D.clear();
             p.bound.resize(0);
           }}) {
    ContactProblem other = one;
    change(other);
    EXPECT_FALSE(equal(one, other));
  }
}

// A row of its own makes a slider an island; a tendon over two of them ties them.
TEST(DryFriction, TiesWhatItsRowsTouch) {
  ContactProblem problem = two_sliders();
  std::vector<Island> islands = split_islands(problem);
  ASSERT_EQ(islands.size(), 3u);
  EXPECT_EQ(islands[0].dry, (IndexList{0}));
  EXPECT_EQ(islands[0].contacts, (IndexList{1}));
  EXPECT_EQ(islands[0].problem.contacts[0].kind, RowKind::kLimit);
  EXPECT_EQ(islands[1].dry, (IndexList{1}));
  EXPECT_EQ(islands[1].problem.bound, VectorXd::Constant(1, 0.2));
  EXPECT_TRUE(islands[2].dry.empty());
  for (const Island& island : islands) EXPECT_TRUE(validate(island.problem).has_value());

  const double ratio[] = {1.0, -2.0};
  problem.D.add_row({0, {&ratio[0], 1}}, {1, {&ratio[1], 1}});
  problem.D.add_row({});
  problem.bound = Eigen::Vector4d(0.1, 0.2, 0.3, 0.4);
  islands = split_islands(problem);
  ASSERT_EQ(islands.size(), 2u);
  EXPECT_EQ(islands[0].dry, (IndexList{0, 1, 2, 3}));  // the row of zeros as well
  EXPECT_EQ(islands[0].problem.D.to_dense().row(2), Eigen::RowVector2d(1.0, -2.0));
}

TEST(DryFriction, AnswersAreCutAndMerged) {
  const ContactProblem problem = two_sliders();
  const std::vector<Island> islands = split_islands(problem);
  ContactSolution whole;
  whole.v_next = VectorXd::LinSpaced(8, 0.0, 7.0);
  whole.f_n = whole.f_s = whole.f_t = Eigen::Vector2d(1.0, 2.0);
  whole.f_d = Eigen::Vector2d(3.0, 4.0);
  std::vector<ContactSolution> parts;
  for (const Island& island : islands) parts.push_back(cut_island(problem, island, whole));
  EXPECT_EQ(parts[0].f_d, VectorXd::Constant(1, 3.0));
  EXPECT_EQ(parts[1].f_d, VectorXd::Constant(1, 4.0));
  EXPECT_EQ(parts[2].f_d.size(), 0);
  EXPECT_EQ(merge_islands(problem, CoulombCone{}, islands, parts).f_d, whole.f_d);
  parts[1].f_d.resize(0);  // one that lacks it makes the whole lack it
  EXPECT_EQ(merge_islands(problem, CoulombCone{}, islands, parts).f_d.size(), 0);
  whole.f_d.resize(0);
  EXPECT_EQ(cut_island(problem, islands[0], whole).f_d.size(), 0);
}

}  // namespace
}  // namespace tribo
