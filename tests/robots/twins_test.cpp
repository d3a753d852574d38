// Each of our robots is there twice, as MJCF and as URDF. What both languages can say is to be the same.
#include <optional>

#include "robots/robots.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::relative_error;

// Relative to the largest entry. The URDF files carry 15 digits.
constexpr double kTwinsAgree = 1e-12;
constexpr int kTwinStates = 20;

class Twins : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    for (auto& [model, ending] : {std::pair(&mjcf_, ".xml"), std::pair(&urdf_, ".urdf")}) {
      Expected<World> world = load(testing::own_robot(GetParam() + ending));
      ASSERT_TRUE(world) << world.error().text();
      model->emplace(std::move(world).value().model);
    }
    ASSERT_EQ(mjcf().nb(), urdf().nb());
    ASSERT_EQ(mjcf().nq(), urdf().nq());
    ASSERT_EQ(mjcf().nv(), urdf().nv());
  }

  const Model& mjcf() const { return *mjcf_; }
  const Model& urdf() const { return *urdf_; }

  // Calls check(state, data of the MJCF, data of the URDF).
  template <typename Check>
  void at_random_states(Check&& check) const {
    Random random(16);
    Data one(mjcf()), two(urdf());
    for (int k = 0; k < kTwinStates; ++k) {
      SCOPED_TRACE(k);
      const State state = testing::make_random_state(mjcf(), random);
      calc_dynamics(mjcf(), state, one);
      calc_dynamics(urdf(), state, two);
      check(state, one, two);
    }
  }

 private:
  std::optional<Model> mjcf_, urdf_;
};

// Same names in the same order: a state of one is a state of the other.
TEST_P(Twins, HaveTheSameTree) {
  for (Index b = 1; b < mjcf().nb(); ++b) {
    EXPECT_EQ(urdf().bodies()[b].name, mjcf().bodies()[b].name);
    EXPECT_EQ(urdf().bodies()[b].parent, mjcf().bodies()[b].parent);
  }
  ASSERT_EQ(urdf().joints().size(), mjcf().joints().size());
  for (std::size_t j = 0; j < mjcf().joints().size(); ++j) {
    const Joint &one = mjcf().joints()[j], &two = urdf().joints()[j];
    EXPECT_EQ(two.name, one.name);
    EXPECT_EQ(two.type, one.type) << one.name;
    EXPECT_EQ(two.body, one.body) << one.name;
  }
}

// Limits, dampers and dry friction are in both languages.
TEST_P(Twins, HaveTheSameJoints) {
  for (std::size_t j = 0; j < mjcf().joints().size(); ++j) {
    const Joint &one = mjcf().joints()[j], &two = urdf().joints()[j];
    SCOPED_TRACE(one.name);
    EXPECT_EQ(two.limited, one.limited);
    EXPECT_NEAR(two.lower, one.lower, kTwinsAgree);
    EXPECT_NEAR(two.upper, one.upper, kTwinsAgree);
    EXPECT_EQ(two.damping, one.damping);
    EXPECT_EQ(two.friction_loss, one.friction_loss);
  }
}

// Body frames of MJCF are link frames of URDF.
TEST_P(Twins, StandAlike) {
  at_random_states([&](const State&, const Data& one, const Data& two) {
    for (Index b = 1; b < mjcf().nb(); ++b) {
      EXPECT_LE((one.p[b] - two.p[b]).norm(), kTwinsAgree) << mjcf().bodies()[b].name;
      EXPECT_LE(testing::angle_between(one.quat[b], two.quat[b]), kTwinsAgree) << mjcf().bodies()[b].name;
    }
  });
}

// Armature is MJCF's alone; the rest of the mass matrix is matter and the same.
TEST_P(Twins, HaveTheSameInertia) {
  EXPECT_NEAR(urdf().total_mass(), mjcf().total_mass(), kTwinsAgree * mjcf().total_mass());
  EXPECT_TRUE((urdf().armature().array() == 0.0).all());
  at_random_states([&](const State&, const Data& one, const Data& two) {
    MatrixXd M = make_dense_mass(mjcf(), one);
    M.diagonal() -= mjcf().armature();
    EXPECT_LE(relative_error(make_dense_mass(urdf(), two), M), kTwinsAgree);
  });
}

// The same forces at the same velocities; gravity is the same, although URDF does not say so.
TEST_P(Twins, HaveTheSameBias) {
  at_random_states([&](const State&, const Data& one, const Data& two) {
    EXPECT_LE(relative_error(two.bias, one.bias), kTwinsAgree);
  });
}

// Largest failure of an equality: m for connects and tendons, rad for joints.
double calc_gap(const Model& model, const State& state, const Data& data) {
  const auto coordinate = [&](const Equality& equality, Index k) {
    if (equality.type == EqualityType::kTendon) return data.tendons[k].length;
    return state.q(model.q_start(k));
  };
  double worst = 0.0;
  for (const Equality& equality : model.description().equalities) {
    double gap = 0.0;
    if (equality.type == EqualityType::kConnect) {
      const Vector3d a = data.p[equality.a] + data.R[equality.a] * equality.frame_a.p;
      const Vector3d b = data.p[equality.b] + data.R[equality.b] * equality.frame_b.p;
      gap = (a - b).norm();
    } else {
      const double x = equality.b >= 0 ? coordinate(equality, equality.b) : 0.0;
      double power = 1.0;
      gap = coordinate(equality, equality.a);
      for (const double c : equality.polynomial) {
        gap -= c * power;
        power *= x;
      }
    }
    worst = std::max(worst, std::abs(gap));
  }
  return worst;
}

// Sets every mimic joint of the URDF to what it has to be.
void obey_mimics(const Model& model, State& state) {
  for (const Equality& equality : model.description().equalities) {
    ASSERT_EQ(equality.type, EqualityType::kJoint);
    const double x = state.q(model.q_start(equality.b));
    state.q(model.q_start(equality.a)) = equality.polynomial[0] + equality.polynomial[1] * x;
  }
}

// Belts, tendons and four-bar loops of the MJCF are closed wherever the URDF's mimic joints are obeyed: both robots move alike.
TEST_P(Twins, AreCoupledAlike) {
  at_random_states([&](State state, Data one, const Data&) {
    const double before = calc_gap(mjcf(), state, one);
    obey_mimics(urdf(), state);
    calc_dynamics(mjcf(), state, one);
    EXPECT_LE(calc_gap(mjcf(), state, one), kTwinsAgree);
    if (!mjcf().description().equalities.empty()) {
      EXPECT_GT(before, 1e-4);  // random states tear them
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Robots, Twins, ::testing::ValuesIn(testing::own_robots()),
                         [](const auto& robot) { return robot.param; });

}  // namespace
}  // namespace tribo
