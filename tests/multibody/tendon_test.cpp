// Spatial tendons: lengths by hand, arms as the derivative of lengths, forces and limits on their way.
#include "tribo/multibody/dynamics.hpp"

#include <cmath>
#include <numbers>

#include "random_model.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::moved;
using testing::relative_error;

Tendon::PathPoint site(Index index) { return {PathPointType::kSite, index, -1, 1.0}; }
Tendon::PathPoint pulley(double divisor) { return {PathPointType::kPulley, -1, -1, divisor}; }

Geom make_round(ShapeType type, Index body, const Pose& pose, double radius) {
  Geom geom;
  geom.shape = {type, Vector3d(radius, 0.1, 0.0), -1};
  geom.body = body;
  geom.pose = pose;
  return geom;
}

// Random trees with one tendon round spheres and cylinders, with side sites outside and inside, and a branch behind a pulley.
ModelDescription make_strung(Random& random) {
  ModelDescription d = testing::random_description(random, {.bodies = 6});
  const auto last = static_cast<Index>(d.bodies.size()) - 1;
  Tendon tendon;
  for (int k = 0; k < 4; ++k) {
    const auto add_site = [&](const Pose& pose, Index body) {
      d.sites.push_back({.name = "", .body = body, .pose = pose});
      return static_cast<Index>(d.sites.size()) - 1;
    };
    tendon.path.push_back(site(add_site(testing::random_pose(random, 0.5), random.integer(0, static_cast<int>(last)))));
    if (k == 3) break;
    if (k == 1) {
      tendon.path.push_back(site(add_site(testing::random_pose(random, 0.5), last)));
      tendon.path.push_back(pulley(2.0));
      tendon.path.push_back(site(add_site(testing::random_pose(random, 0.5), 1)));
    }
    const bool sphere = random.chance(0.5);
    const Index body = random.integer(0, static_cast<int>(last));
    const Pose pose = testing::random_pose(random, 0.2);
    const double radius = random.uniform(0.05, 0.3);
    d.geoms.push_back(make_round(sphere ? ShapeType::kSphere : ShapeType::kCylinder, body, pose, radius));
    Index side = -1;
    if (random.chance(0.7)) {
      Pose at = pose;
      if (random.chance(0.6)) at.p += at.q * Vector3d(2.0 * radius, 0.0, 0.0);
      side = add_site(at, body);
    }
    const auto type = sphere ? PathPointType::kSphere : PathPointType::kCylinder;
    tendon.path.push_back({type, static_cast<Index>(d.geoms.size()) - 1, side, 1.0});
  }
  d.tendons.push_back(tendon);
  return d;
}

double length_at(const Model& model, const State& state) {
  Data data(model);
  calc_positions(model, state, data);
  return data.tendons[0].length;
}

// l̇ = aᵀ v: also where the string slides round what moves. Where it just begins to wrap, lengths may jump: such states are few.
TEST(SpatialTendon, ArmsAreTheDerivativeOfTheLength) {
  constexpr double kTime = 1e-6;
  int wrong = 0, wound = 0;
  for (int seed = 0; seed < 200; ++seed) {
    Random random(static_cast<std::uint64_t>(8000 + seed));
    const Model model = Model::make(make_strung(random)).value();
    const State state = testing::random_state(model, random);
    Data data(model);
    calc_positions(model, state, data);
    VectorXd arms = VectorXd::Zero(model.nv()), expected(model.nv());
    for (const TendonArm& arm : data.tendons[0].arms) arms(arm.dof) += arm.value;
    double straight = 0.0;
    const auto& path = model.description().tendons[0].path;
    const auto at = [&](Index s) -> Vector3d {
      const Site& one = model.description().sites[s];
      return data.p[one.body] + data.R[one.body] * one.pose.p;
    };
    double divisor = 1.0;
    for (std::size_t i = 0, before = 0; i < path.size(); ++i) {
      if (path[i].type == PathPointType::kPulley) divisor = path[i].divisor;
      if (path[i].type != PathPointType::kSite) continue;
      if (i > 0 && path[i - 1].type != PathPointType::kPulley)
        straight += (at(path[i].index) - at(path[before].index)).norm() / divisor;
      before = i;
    }
    EXPECT_GE(data.tendons[0].length, straight - 1e-14) << seed;
    wound += data.tendons[0].length > straight + 1e-6 ? 1 : 0;
    for (Index k = 0; k < model.nv(); ++k) {
      const VectorXd unit = VectorXd::Unit(model.nv(), k);
      expected(k) =
          (length_at(model, moved(model, state, unit, kTime)) - length_at(model, moved(model, state, unit, -kTime))) /
          (2.0 * kTime);
    }
    wrong += (arms - expected).cwiseAbs().maxCoeff() < 1e-7 ? 0 : 1;
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(wound, 60);
}

// A tackle: the load hangs on two ropes, each counts half.
TEST(SpatialTendon, PulleysDivide) {
  ModelDescription d;
  Body load;
  load.inertia.mass = 2.0;
  load.inertia.inertia = Matrix3d::Identity();
  d.bodies.push_back(load);
  Joint lift;
  lift.type = JointType::kSlide;
  lift.body = 1;
  d.joints.push_back(lift);
  d.sites = {{.name = "top", .body = 0, .pose = {Vector3d(0.0, 0.0, 3.0), Quaterniond::Identity()}},
             {.name = "hook", .body = 1, .pose = {}},
             {.name = "top 2", .body = 0, .pose = {Vector3d(0.0, 0.0, 2.0), Quaterniond::Identity()}}};
  Tendon rope;
  rope.path = {pulley(2.0), site(0), site(1), pulley(2.0), site(1), site(2)};
  rope.stiffness = 100.0;
  d.tendons.push_back(rope);
  const Model model = Model::make(d).value();
  const State state = make_state(model);
  Data data(model);
  calc_dynamics(model, state, data);
  EXPECT_DOUBLE_EQ(data.tendons[0].length, 2.5);
  ASSERT_EQ(data.tendons[0].arms.size(), 1u);
  EXPECT_DOUBLE_EQ(data.tendons[0].arms[0].value, -1.0);
  EXPECT_DOUBLE_EQ(data.passive(0), 250.0);  // it rests at length zero and lifts the load
}

// A weight on a string over a drum that turns freely: the string's pull has the drum's radius as its arm on neither side's account.
TEST(SpatialTendon, DrumFeelsNoNetPull) {
  ModelDescription d;
  Body drum;
  drum.inertia.mass = 1.0;
  drum.inertia.inertia = Matrix3d::Identity();
  d.bodies.push_back(drum);
  Joint axle;
  axle.body = 1;
  axle.axis = Vector3d::UnitY();
  d.joints.push_back(axle);
  const Quaterniond along_y(Eigen::AngleAxisd(-std::numbers::pi / 2.0, Vector3d::UnitX()));
  d.geoms.push_back(make_round(ShapeType::kCylinder, 1, {Vector3d::Zero(), along_y}, 0.5));
  d.sites = {{.name = "", .body = 0, .pose = {Vector3d(-0.5, 0.0, -1.0), Quaterniond::Identity()}},
             {.name = "", .body = 0, .pose = {Vector3d(0.5, 0.0, -1.0), Quaterniond::Identity()}}};
  Tendon string;
  d.sites.push_back({.name = "up", .body = 0, .pose = {Vector3d(0.0, 0.0, 1.0), Quaterniond::Identity()}});
  string.path = {site(0), {PathPointType::kCylinder, 0, 2, 1.0}, site(1)};
  d.tendons.push_back(string);
  const Model model = Model::make(d).value();
  Data data(model);
  calc_positions(model, make_state(model), data);
  EXPECT_NEAR(data.tendons[0].length, 2.0 + 0.5 * std::numbers::pi, 1e-14);
  for (const TendonArm& arm : data.tendons[0].arms) EXPECT_NEAR(arm.value, 0.0, 1e-15);
}

// Springs at rest where the file leaves the length open; passive forces are what the potential loses per way.
TEST(SpatialTendon, SpringsPullAlongTheWay) {
  constexpr double kTime = 1e-6;
  for (int seed = 0; seed < 20; ++seed) {
    Random random(static_cast<std::uint64_t>(8300 + seed));
    ModelDescription d = make_strung(random);
    d.tendons[0].stiffness = 30.0;
    d.tendons[0].rests_with_joints = true;
    const Model model = Model::make(d).value();
    EXPECT_EQ(model.description().tendons[0].spring_lower, model.description().tendons[0].spring_upper);
    State state = testing::random_state(model, random);
    state.v.setZero();
    Data data(model);
    calc_dynamics(model, state, data);
    VectorXd expected(model.nv());
    for (Index k = 0; k < model.nv(); ++k) {
      const auto potential_at = [&](double t) {
        const State at = moved(model, state, VectorXd::Unit(model.nv(), k), t);
        Data there(model);
        calc_dynamics(model, at, there);
        return calc_energy(model, at, there).potential;
      };
      expected(k) = -(potential_at(kTime) - potential_at(-kTime)) / (2.0 * kTime);
    }
    EXPECT_LT(relative_error(data.passive - data.bias, expected), 1e-6) << seed;
  }
}

// What a tendon may be: every mistake is named.
TEST(SpatialTendon, MistakesAreNamed) {
  Random random(8400);
  const ModelDescription good = make_strung(random);
  const auto refuse = [&](auto&& spoil) {
    ModelDescription d = good;
    spoil(d, d.tendons[0]);
    const Expected<Model> model = Model::make(d);
    EXPECT_FALSE(model);
    return model ? "" : model.error().text();
  };
  EXPECT_NE(refuse([](auto&, Tendon& t) { t.path[0].index = 99; }).find("site"), std::string::npos);
  EXPECT_NE(refuse([](auto&, Tendon& t) { t.terms = {{0, 1.0}}; }).find("path and joints"), std::string::npos);
  EXPECT_NE(refuse([](auto&, Tendon& t) { t.path.erase(t.path.begin()); }).find("between two sites"),
            std::string::npos);
  EXPECT_NE(refuse([](auto&, Tendon& t) { t.path.resize(1); }).find("one site alone"), std::string::npos);
  EXPECT_NE(refuse([](auto& d, Tendon&) { d.geoms[0].shape.type = ShapeType::kBox; }).find("no sphere"),
            std::string::npos);
  EXPECT_NE(refuse([](auto&, Tendon& t) { t.path.insert(t.path.begin(), pulley(0.0)); }).find("divisor"),
            std::string::npos);
}

}  // namespace
}  // namespace tribo
