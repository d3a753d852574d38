// What Data keeps from call to call has the bits that a new Data computes, whatever changed in between; the closed forms of free
// bodies have the bits of the recursions.
#include "tribo/core/same_bits.hpp"
#include "tribo/multibody/dynamics.hpp"
#include "tribo/multibody/jacobian.hpp"

#include "multibody/spatial.hpp"
#include "random_model.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

// Several trees, some of them free, one below a plate that is moved by hand.
ModelDescription make_trees(Random& random, bool tendons) {
  ModelDescription d = testing::random_description(random, {.bodies = 7, .springs = true});
  const auto add_body = [&](Index parent) {
    Body body;
    body.parent = parent;
    body.pose = testing::random_pose(random);
    body.inertia = testing::random_inertia(random);
    d.bodies.push_back(body);
    return std::ssize(d.bodies) - 1;
  };
  for (int k = 0; k < 3; ++k) {
    Joint free;
    free.type = JointType::kFree;
    free.body = add_body(0);
    free.armature = 0.01;
    free.damping = 0.2 * k;
    d.joints.push_back(free);
    d.bodies.back().gravity_compensation = 0.5 * k;
    if (k == 1) add_body(free.body);  // fixed to it
    if (k == 2) {                     // hangs on it
      Joint hinge = testing::random_joint(random, {.one_dof_joints = true}, add_body(free.body));
      d.joints.push_back(hinge);
    }
  }
  Body plate;
  plate.kinematic = true;
  d.bodies.push_back(plate);
  const Index at = std::ssize(d.bodies) - 1;
  add_body(at);  // fixed to the plate
  d.joints.push_back(testing::random_joint(random, {}, add_body(at + 1)));
  if (tendons) {
    Tendon tendon;
    for (std::size_t j = 0; j < d.joints.size() && tendon.terms.empty(); ++j)
      if (calc_nv(d.joints[j].type) == 1) tendon.terms.push_back({static_cast<Index>(j), 2.0});
    tendon.stiffness = tendon.damping = tendon.armature = 0.3;
    if (!tendon.terms.empty()) d.tendons.push_back(tendon);
  }
  return d;
}

template <typename T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  return same_bits(a, b);
}

void expect_same_bits(const Data& a, const Data& b) {
  EXPECT_TRUE(same(a.p, b.p));
  EXPECT_TRUE(same(a.quat, b.quat));
  EXPECT_TRUE(same(a.R, b.R));
  EXPECT_TRUE(same(a.com, b.com));
  EXPECT_TRUE(same(a.origin, b.origin));
  EXPECT_TRUE(same(a.S, b.S));
  EXPECT_TRUE(same(a.inertia, b.inertia));
  EXPECT_TRUE(same(a.V, b.V));
  EXPECT_TRUE(same(a.A, b.A));
  for (std::size_t t = 0; t < a.M.size(); ++t)
    EXPECT_TRUE(same_bits(a.M[t].data(), b.M[t].data(), static_cast<std::size_t>(a.M[t].size()))) << t;
  EXPECT_TRUE(same_bits(a.bias.data(), b.bias.data(), static_cast<std::size_t>(a.bias.size())));
  EXPECT_TRUE(same_bits(a.passive.data(), b.passive.data(), static_cast<std::size_t>(a.passive.size())));
}

TEST(Kept, HasTheBitsOfANewComputation) {
  for (int seed = 0; seed < 20; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const Model model = Model::make(make_trees(random, seed % 3 == 0)).value();
    State state = testing::random_state(model, random);
    Data kept(model);
    kept.keeps_trees = true;
    for (int step = 0; step < 40; ++step) {
      // Nothing, one coordinate, one velocity, the plate or all of them change.
      const int change = static_cast<int>(random.integer(0, 5));
      if (change == 1 || change == 4) state.q(random.integer(0, model.nq() - 1)) += 0.1;
      if (change == 2 || change == 4) state.v(random.integer(0, model.nv() - 1)) += 0.1;
      if (change == 3 || change == 4) {
        state.kinematic[0].pose.p += Vector3d(0.1, 0.0, 0.2);
        state.kinematic[0].angular_velocity.x() += 0.1;
      }
      if (change == 5) calc_positions(model, testing::random_state(model, random), kept);  // and back
      calc_dynamics(model, state, kept);
      Data anew(model);
      calc_dynamics(model, state, anew);
      expect_same_bits(kept, anew);
      ASSERT_FALSE(HasFailure()) << "seed " << seed << " step " << step << " change " << change;
    }
  }
}

// Counts tell who moved: those of a tree grow when its own numbers change, and only then.
TEST(Kept, CountsTellWhatChanged) {
  Random random(5);
  const Model model = Model::make(make_trees(random, false)).value();
  State state = testing::random_state(model, random);
  Data data(model);
  data.keeps_trees = true;
  calc_dynamics(model, state, data);
  const Index tree = model.tree(model.dof_body(model.nv() - 2));
  for (int k = 0; k < 3; ++k) {
    const std::vector<std::uint64_t> placed = data.placed, moved = data.moved;
    if (k == 1) state.q(model.first_q(tree)) += 1.0;
    if (k == 2) state.v(model.trees().start(tree)) += 1.0;
    calc_dynamics(model, state, data);
    for (Index t = 0; t < model.trees().blocks(); ++t) {
      if (data.carried[t] != 0) continue;
      EXPECT_EQ(data.placed[t] - placed[t], k == 1 && t == tree ? 1U : 0U) << t;
      EXPECT_EQ(data.moved[t] - moved[t], k > 0 && t == tree ? 1U : 0U) << t;
    }
  }
}

// S · F and S · (I S) of the recursions, for trees with one free joint.
TEST(Kept, ClosedFormsHaveTheBitsOfTheRecursions) {
  int trees = 0;
  for (int seed = 0; seed < 20; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const Model model = Model::make(make_trees(random, false)).value();
    Data data(model);
    calc_dynamics(model, testing::random_state(model, random), data);
    for (Index t = 0; t < model.trees().blocks(); ++t) {
      if (!model.is_free(t)) continue;
      ++trees;
      const Index start = model.trees().start(t), root = model.first_body(t);
      for (Index i = 0; i < 6; ++i) {
        EXPECT_EQ(data.bias(start + i), data.S[start + i].dot(data.force[root]));
        for (Index j = i; j < 6; ++j) {
          const double m = data.S[start + i].dot(multiply(data.composite[root], data.S[start + j]));
          EXPECT_EQ(data.M[t](i, j), i == j ? m + model.armature()(start + i) : m) << i << " " << j;
          EXPECT_EQ(data.M[t](j, i), data.M[t](i, j));
        }
      }
      for (Index b = root; b < model.end_body(t); ++b) {
        const Vector3d point = testing::random_vector(random), dir = testing::random_vector(random),
                       turn = testing::random_vector(random);
        double row[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
        add_row(model, data, b, point, dir, turn, -1.0, row);
        SpatialVector force;
        force.head<3>() = -((point - data.origin[b]).cross(dir) + turn);
        force.tail<3>() = -dir;
        for (Index i = 0; i < 6; ++i) EXPECT_EQ(row[i], data.S[start + i].dot(force));
      }
    }
  }
  EXPECT_GE(trees, 40);
}

}  // namespace
}  // namespace tribo
