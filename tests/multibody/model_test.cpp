// Model::make: how a description is numbered, and what it refuses, always with the element that is to blame.
#include "tribo/multibody/model.hpp"

#include "tribo/multibody/dynamics.hpp"

#include <functional>

#include "random_model.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Body make_body(const std::string& name, Index parent) {
  Body body;
  body.name = name;
  body.parent = parent;
  body.pose.p = Vector3d(0.1, 0.0, 0.0);
  body.inertia = {1.0, Vector3d(0.05, 0.0, 0.0), 0.01 * Matrix3d::Identity()};
  return body;
}
Joint make_joint(const std::string& name, Index body, JointType type) {
  Joint joint;
  joint.name = name;
  joint.body = body;
  joint.type = type;
  return joint;
}

// Two arms and a wrist: trees {shoulder, elbow, wrist}, {crate}, {slider}; a plate that is moved by hand.
ModelDescription workshop() {
  ModelDescription d;
  d.name = "workshop";
  d.bodies = only_world();
  for (const auto& [name, parent] : std::vector<std::pair<std::string, Index>>{
           {"upper", 0}, {"fore", 1}, {"hand", 2}, {"crate", 0}, {"slider", 0}, {"plate", 0}, {"lug", 6}})
    d.bodies.push_back(make_body(name, parent));
  d.bodies[6].kinematic = true;
  d.joints = {make_joint("shoulder", 1, JointType::kHinge), make_joint("elbow", 2, JointType::kHinge),
              make_joint("wrist", 3, JointType::kBall), make_joint("crate", 4, JointType::kFree),
              make_joint("slider", 5, JointType::kSlide)};
  d.joints[1].armature = 0.2;
  d.joints[2].damping = 0.3;
  d.joints[4].reference = 0.7;
  Tendon tendon;
  tendon.name = "cable";
  tendon.terms = {{0, 1.0}, {1, -1.0}};
  d.tendons.push_back(tendon);
  Equality equality;
  equality.name = "latch";
  equality.a = 3;
  equality.b = 4;
  d.equalities.push_back(equality);
  Actuator actuator;
  actuator.name = "motor";
  d.actuators.push_back(actuator);
  Geom geom;
  geom.name = "lid";
  geom.body = 4;
  d.geoms.push_back(geom);
  d.sites.push_back({"tip", 3, {}});
  Keyframe keyframe;
  keyframe.name = "home";
  d.keyframes.push_back(keyframe);
  return d;
}

// q and v go by joint, trees are contiguous in v, and what does not move belongs to none.
TEST(Model, NumbersJointsAndTrees) {
  const Model model = Model::make(workshop()).value();
  EXPECT_EQ(model.nq(), 1 + 1 + 4 + 7 + 1);
  EXPECT_EQ(model.nv(), 1 + 1 + 3 + 6 + 1);
  EXPECT_EQ(model.trees().sizes(), (std::vector<Index>{5, 6, 1}));
  const IndexList trees{-1, 0, 0, 0, 1, 2, -1, -1};
  for (Index b = 0; b < model.nb(); ++b) EXPECT_EQ(model.tree(b), trees[b]) << b;
  EXPECT_EQ(model.q_start(3), 6);
  EXPECT_EQ(model.v_start(3), 5);
  EXPECT_EQ(model.v_start(4), 11);
  const IndexList parents{-1, 0, 1, 2, 3, -1, 5, 6, 7, 8, 9, -1};
  for (Index dof = 0; dof < model.nv(); ++dof) EXPECT_EQ(model.parent_dof(dof), parents[dof]) << dof;
  EXPECT_EQ(model.last_dof(3), 4);
  EXPECT_EQ(model.last_dof(7), -1);
  EXPECT_EQ(model.armature()(1), 0.2);
  EXPECT_EQ(model.damping().segment<3>(2), Vector3d::Constant(0.3));
  EXPECT_EQ(model.q0()(13), 0.7);
  EXPECT_EQ(model.q0().segment<4>(2), Eigen::Vector4d(1, 0, 0, 0));
  EXPECT_EQ(model.q0()(6), 0.1);  // the crate stands where its pose says
  EXPECT_EQ(model.kinematic_bodies(), IndexList{6});
  EXPECT_EQ(model.carrier(7), 6);  // the lug moves with the plate
  EXPECT_EQ(model.carrier(5), -1);
  EXPECT_EQ(model.find_body("fore"), 2);
  EXPECT_EQ(model.find_joint("slider"), 4);
  EXPECT_EQ(model.find_joint("fore"), -1);
  EXPECT_NEAR(model.total_mass(), 7.0, 1e-15);
}

// A world with nothing in it is a model.
TEST(Model, MayBeEmpty) {
  const Model model = Model::make({}).value();
  EXPECT_EQ(model.nv(), 0);
  Data data(model);
  calc_dynamics(model, make_state(model), data);
  EXPECT_EQ(solve_mass(model, data, VectorXd(0)).value().size(), 0);
}

// Frames given with quaternions that are not unit mean the frames of the unit ones.
TEST(Model, MakesQuaternionsUnit) {
  ModelDescription d = workshop();
  d.bodies[2].pose.q = Quaterniond(3.0, 0.0, 4.0, 0.0);
  d.equalities[0].frame_a.q = Quaterniond(0.0, 2.0, 0.0, 0.0);
  d.geoms[0].pose.q = d.sites[0].pose.q = Quaterniond(0.0, 0.0, 0.5, 0.0);
  d.joints[0].axis = Vector3d(0.0, 5.0, 0.0);
  const Model model = Model::make(d).value();
  EXPECT_EQ(model.bodies()[2].pose.q.coeffs(), Eigen::Vector4d(0.0, 0.8, 0.0, 0.6));
  EXPECT_EQ(model.description().equalities[0].frame_a.q.x(), 1.0);
  EXPECT_EQ(model.description().geoms[0].pose.q.y(), 1.0);
  EXPECT_EQ(model.description().sites[0].pose.q.y(), 1.0);
  EXPECT_EQ(model.joints()[0].axis, Vector3d::UnitY());
}

struct Spoiled {
  const char* name;
  std::function<void(ModelDescription&)> spoil;
  std::string where;  // the element in the message
  std::string what;
};

// Bad data from outside is refused where it enters, by name.
TEST(Model, RefusesWhatIsNoMechanism) {
  const std::vector<Spoiled> cases{
      {"no world", [](auto& d) { d.bodies.clear(); }, "model", "world"},
      {"cycle", [](auto& d) { d.bodies[1].parent = 2; }, "body 'upper'", "parent"},
      {"own parent", [](auto& d) { d.bodies[3].parent = 3; }, "body 'hand'", "parent"},
      {"no parent", [](auto& d) { d.bodies[3].parent = -1; }, "body 'hand'", "parent"},
      {"far parent", [](auto& d) { d.bodies[3].parent = 99; }, "body 'hand'", "parent"},
      {"not depth first", [](auto& d) { d.bodies[5].parent = 1; }, "body 'slider'", "branch"},
      {"negative mass", [](auto& d) { d.bodies[2].inertia.mass = -1.0; }, "body 'fore'", "negative"},
      {"mass not a number", [](auto& d) { d.bodies[2].inertia.mass = kNan; }, "body 'fore'", "mass"},
      {"infinite mass", [](auto& d) { d.bodies[2].inertia.mass = kUnlimited; }, "body 'fore'", "mass"},
      {"inertia not a number", [](auto& d) { d.bodies[2].inertia.inertia(1, 2) = kNan; }, "body 'fore'", "inertia"},
      {"inertia not symmetric", [](auto& d) { d.bodies[2].inertia.inertia(1, 2) = 0.1; }, "body 'fore'", "symmetric"},
      {"negative inertia", [](auto& d) { d.bodies[2].inertia.inertia(0, 0) = -1.0; }, "body 'fore'", "negative"},
      {"pose not a number", [](auto& d) { d.bodies[2].pose.p(0) = kNan; }, "body 'fore'", "pose"},
      {"zero quaternion", [](auto& d) { d.bodies[2].pose.q.coeffs().setZero(); }, "body 'fore'", "quaternion"},
      {"endless quaternion", [](auto& d) { d.bodies[2].pose.q.coeffs().setConstant(1e200); }, "body 'fore'", "finite"},
      {"compensation", [](auto& d) { d.bodies[2].gravity_compensation = kNan; }, "body 'fore'", "compensation"},
      {"body without a name", [](auto& d) { d.bodies[2].name.clear(), d.bodies[2].inertia.mass = -1.0; }, "body 2",
       "negative"},
      {"massless", [](auto& d) { d.bodies[3].inertia = {}; }, "body 'hand'", "mass"},
      {"point mass on a ball joint",
       [](auto& d) { d.bodies[3].inertia.inertia.setZero(), d.bodies[3].inertia.com.setZero(); }, "body 'hand'",
       "inertia"},
      {"massless free body", [](auto& d) { d.bodies[4].inertia = {}; }, "body 'crate'", "mass"},
      {"kinematic below", [](auto& d) { d.bodies[7].kinematic = true; }, "body 'lug'", "kinematic"},
      {"kinematic with joint", [](auto& d) { d.bodies[5].kinematic = true; }, "joint 'slider'", "kinematic"},
      {"gravity", [](auto& d) { d.gravity(1) = kNan; }, "model", "gravity"},
      {"step", [](auto& d) { d.timestep = 0.0; }, "model", "step"},
      {"joint of the world", [](auto& d) { d.joints[0].body = 0; }, "joint 'shoulder'", "body"},
      {"joint of nothing", [](auto& d) { d.joints[4].body = 99; }, "joint 'slider'", "body"},
      {"joints not in order", [](auto& d) { std::swap(d.joints[0], d.joints[1]); }, "joint 'shoulder'", "order"},
      {"zero axis", [](auto& d) { d.joints[1].axis.setZero(); }, "joint 'elbow'", "axis"},
      {"endless axis", [](auto& d) { d.joints[1].axis *= 1e200; }, "joint 'elbow'", "axis"},
      {"axis not a number", [](auto& d) { d.joints[1].axis(0) = kNan; }, "joint 'elbow'", "axis"},
      {"anchor not a number", [](auto& d) { d.joints[1].anchor(0) = kNan; }, "joint 'elbow'", "anchor"},
      {"reference", [](auto& d) { d.joints[1].reference = kNan; }, "joint 'elbow'", "finite"},
      {"negative damping", [](auto& d) { d.joints[1].damping = -1.0; }, "joint 'elbow'", "damping"},
      {"negative armature", [](auto& d) { d.joints[1].armature = -1.0; }, "joint 'elbow'", "armature"},
      {"negative friction", [](auto& d) { d.joints[1].friction_loss = -1.0; }, "joint 'elbow'", "friction"},
      {"limits", [](auto& d) { d.joints[1].limited = true, d.joints[1].lower = 1.0; }, "joint 'elbow'", "limit"},
      {"limit not a number", [](auto& d) { d.joints[1].limited = true, d.joints[1].upper = kNan; }, "joint 'elbow'",
       "limit"},
      {"free below", [](auto& d) { d.joints[1].type = JointType::kFree; }, "joint 'elbow'", "free"},
      {"free and another",
       [](auto& d) { d.joints.insert(d.joints.begin() + 4, make_joint("extra", 4, JointType::kHinge)); },
       "joint 'crate'", "free"},
      {"tendon over a ball", [](auto& d) { d.tendons[0].terms[1].joint = 2; }, "tendon 'cable'", "hinge"},
      {"tendon over nothing", [](auto& d) { d.tendons[0].terms[1].joint = 9; }, "tendon 'cable'", "joint"},
      {"tendon coefficient", [](auto& d) { d.tendons[0].terms[1].coefficient = kNan; }, "tendon 'cable'", "finite"},
      {"tendon stiffness", [](auto& d) { d.tendons[0].stiffness = kNan; }, "tendon 'cable'", "stiffness"},
      {"tendon damping", [](auto& d) { d.tendons[0].damping = -1.0; }, "tendon 'cable'", "damping"},
      {"tendon limits", [](auto& d) { d.tendons[0].limited = true, d.tendons[0].lower = 1.0; }, "tendon 'cable'",
       "limit"},
      {"tendon spring", [](auto& d) { d.tendons[0].spring_lower = 1.0; }, "tendon 'cable'", "spring"},
      {"tendon armature", [](auto& d) { d.tendons[0].terms[1].joint = 4, d.tendons[0].armature = 1.0; },
       "tendon 'cable'", "armature"},
      {"equality of nothing", [](auto& d) { d.equalities[0].b = 77; }, "equality 'latch'", "body"},
      {"equality with itself", [](auto& d) { d.equalities[0].b = 3; }, "equality 'latch'", "itself"},
      {"equality of balls", [](auto& d) { d.equalities[0].type = EqualityType::kJoint, d.equalities[0].a = 2; },
       "equality 'latch'", "hinge"},
      {"equality of no tendon", [](auto& d) { d.equalities[0].type = EqualityType::kTendon; }, "equality 'latch'",
       "tendon"},
      {"equality frame", [](auto& d) { d.equalities[0].frame_b.p(0) = kNan; }, "equality 'latch'", "frame"},
      {"equality quaternion", [](auto& d) { d.equalities[0].frame_b.q.coeffs().setZero(); }, "equality 'latch'",
       "quaternion"},
      {"equality polynomial", [](auto& d) { d.equalities[0].polynomial[3] = kNan; }, "equality 'latch'", "finite"},
      {"actuator of nothing", [](auto& d) { d.actuators[0].target = 9; }, "actuator 'motor'", "joint"},
      {"actuator of no site",
       [](auto& d) { d.actuators[0].transmission = Transmission::kSite, d.actuators[0].target = 3; },
       "actuator 'motor'", "site"},
      {"actuator reference",
       [](auto& d) { d.actuators[0].transmission = Transmission::kSite, d.actuators[0].reference_site = 3; },
       "actuator 'motor'", "site"},
      {"actuator gain", [](auto& d) { d.actuators[0].gain[1] = kNan; }, "actuator 'motor'", "gain"},
      {"actuator gear", [](auto& d) { d.actuators[0].gear[0] = kNan; }, "actuator 'motor'", "gear"},
      {"actuator ratio", [](auto& d) { d.actuators[0].damping_ratio = kNan; }, "actuator 'motor'", "ratio"},
      {"actuator limits", [](auto& d) { d.actuators[0].force_limited = true, d.actuators[0].force_lower = 1.0; },
       "actuator 'motor'", "limit"},
      {"geom of nothing", [](auto& d) { d.geoms[0].body = 44; }, "geom 'lid'", "body"},
      {"geom without mesh", [](auto& d) { d.geoms[0].shape.type = ShapeType::kMesh, d.geoms[0].shape.index = 0; },
       "geom 'lid'", "mesh"},
      {"geom size", [](auto& d) { d.geoms[0].shape.size(0) = kNan; }, "geom 'lid'", "size"},
      {"site of nothing", [](auto& d) { d.sites[0].body = -2; }, "site 'tip'", "body"},
      {"pair of nothing", [](auto& d) { d.pairs.push_back({.name = "p", .geom_a = 0, .geom_b = 1}); }, "pair 'p'",
       "geom"},
      {"exclude of nothing",
       [](auto& d) {
         d.excludes.push_back({1, 50});
       },
       "exclude 0", "body"},
      {"keyframe positions", [](auto& d) { d.keyframes[0].q = VectorXd::Zero(3); }, "keyframe 'home'", "give 14"},
      {"keyframe velocities", [](auto& d) { d.keyframes[0].v = VectorXd::Zero(3); }, "keyframe 'home'", "12"},
      {"keyframe controls", [](auto& d) { d.keyframes[0].control = VectorXd::Zero(2); }, "keyframe 'home'", "controls"},
      {"keyframe control", [](auto& d) { d.keyframes[0].control = VectorXd::Constant(1, kNan); }, "keyframe 'home'",
       "finite"},
      {"keyframe quaternion", [](auto& d) { d.keyframes[0].q = VectorXd::Zero(14); }, "keyframe 'home'", "quaternion"},
      {"keyframe poses", [](auto& d) { d.keyframes[0].kinematic.resize(2); }, "keyframe 'home'", "kinematic"},
  };
  ASSERT_TRUE(Model::make(workshop()));
  for (const Spoiled& spoiled : cases) {
    ModelDescription d = workshop();
    spoiled.spoil(d);
    const Expected<Model> model = Model::make(d);
    ASSERT_FALSE(model) << spoiled.name;
    const Error& error = model.error();
    EXPECT_NE(error.where.find(spoiled.where), std::string::npos) << spoiled.name << ": " << error.text();
    EXPECT_NE(error.text().find(spoiled.what), std::string::npos) << spoiled.name << ": " << error.text();
    EXPECT_FALSE(error.remedy.empty()) << spoiled.name;
  }
}

// A row touches at most two trees: limits and equalities of tendons over three are refused, the tendon alone is not.
TEST(Model, RefusesRowsOverThreeTrees) {
  ModelDescription d;
  for (Index b = 1; b <= 3; ++b) {
    d.bodies.push_back(make_body("cart " + std::to_string(b), 0));
    d.joints.push_back(make_joint("rail " + std::to_string(b), b, JointType::kSlide));
  }
  Tendon tendon;
  tendon.name = "rope";
  tendon.terms = {{0, 1.0}, {1, 1.0}, {2, 1.0}};
  d.tendons.push_back(tendon);
  ASSERT_TRUE(Model::make(d));
  d.tendons[0].limited = true;
  const Expected<Model> limited = Model::make(d);
  ASSERT_FALSE(limited);
  EXPECT_NE(limited.error().text().find("tendon 'rope'"), std::string::npos);
  d.tendons[0].limited = false;
  Equality equality;
  equality.name = "taut";
  equality.type = EqualityType::kTendon;
  equality.a = 0;
  d.equalities.push_back(equality);
  const Expected<Model> coupled = Model::make(d);
  ASSERT_FALSE(coupled);
  EXPECT_NE(coupled.error().text().find("equality 'taut'"), std::string::npos);
}

// Numbers that are finite but absurd give a model or an error, never a hang or a crash.
TEST(Model, SurvivesHugeNumbers) {
  Random random(9);
  for (int trial = 0; trial < 2000; ++trial) {
    ModelDescription d = testing::random_description(random, {.bodies = 3, .springs = true});
    const double huge = std::pow(10.0, random.uniform(-320.0, 308.0)) * (random.chance(0.3) ? -1.0 : 1.0);
    Body& body = d.bodies[static_cast<std::size_t>(random.integer(1, 3))];
    Joint& joint =
        d.joints[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(d.joints.size()) - 1))];
    switch (random.integer(0, 6)) {
      case 0:
        body.inertia.mass = huge;
        break;
      case 1:
        body.inertia.com(1) = huge;
        break;
      case 2:
        body.inertia.inertia *= huge;
        break;
      case 3:
        body.pose.p(2) = huge;
        break;
      case 4:
        joint.axis *= huge;
        break;
      case 5:
        joint.anchor(0) = huge;
        break;
      default:
        joint.reference = joint.armature = huge;
    }
    const Expected<Model> model = Model::make(d);
    if (!model) {
      EXPECT_FALSE(model.error().where.empty());
      continue;
    }
    Data data(*model);
    calc_dynamics(*model, make_state(*model), data);
    EXPECT_TRUE(make_dense_mass(*model, data).allFinite());
  }
}

}  // namespace
}  // namespace tribo
