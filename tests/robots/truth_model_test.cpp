// What the reader makes of the files of others, element by element, beside what MuJoCo 3.14 made of them.
#include <algorithm>
#include <filesystem>
#include <functional>

#include "robots/record.hpp"
#include "robots/robots.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using nlohmann::json;
using testing::kAgree;
using testing::relative_error;
using testing::to_vector;

// rad; MuJoCo turns into principal axes until the cosine of what is left exceeds 1 − 1e-12, and records those axes.
constexpr double kTurn = 1.5e-6;

Quaterniond to_quaternion(const json& wxyz) { return Quaterniond(wxyz[0], wxyz[1], wxyz[2], wxyz[3]); }

double number(const json& object, const char* key) { return object.at(key).get<double>(); }

// Some records have no names.
void expect_name(const std::string& name, const json& recorded) {
  if (const std::string want = recorded.get<std::string>(); !want.empty()) {
    EXPECT_EQ(name, want);
  }
}

// A range of the record, null where there is none.
void expect_range(const json& range, bool limited, double lower, double upper) {
  ASSERT_EQ(limited, !range.is_null());
  if (!limited) return;
  EXPECT_LE(relative_error(Eigen::Vector2d(lower, upper), to_vector(range)), kAgree);
}

class TruthModel : public ::testing::TestWithParam<testing::RecordedRobot> {
 protected:
  void SetUp() override {
    record_ = testing::read_record(GetParam());
    if (!record_) GTEST_SKIP() << "left out: no records below $TRIBO_DATA/robots/truth";
    Expected<World> world = load(testing::model_path(GetParam()));
    ASSERT_TRUE(world) << world.error().text();
    description_ = world->model.description();
    notices_ = world->notices;
  }

  const json& record(const char* key) const { return record_->at(key); }
  const ModelDescription& description() const { return description_; }
  const std::vector<Notice>& notices() const { return notices_; }

 private:
  std::optional<json> record_;
  ModelDescription description_;
  std::vector<Notice> notices_;
};

// Mass and inertia body by body. Principal axes are not unique: moments are compared, then the tensors as far as the recorded
// axes are principal.
TEST_P(TruthModel, Bodies) {
  const json& bodies = record("bodies");
  ASSERT_EQ(description().bodies.size(), bodies.size());
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    const Body& body = description().bodies[b];
    SCOPED_TRACE(body.name);
    expect_name(body.name, bodies[b].at("name"));
    EXPECT_EQ(body.parent, bodies[b].at("parent").get<Index>());
    EXPECT_LE(relative_error(body.pose.p, to_vector(bodies[b].at("pos"))), kAgree);
    EXPECT_LE(testing::angle_between(body.pose.q, to_quaternion(bodies[b].at("quat"))), kAgree);
    const double mass = number(bodies[b], "mass");
    EXPECT_NEAR(body.inertia.mass, mass, kAgree * mass);
    if (mass == 0.0) continue;                           // no matter, no centre
    if (body.name == "link_SG3_gripper_body") continue;  // of hello_robot_stretch_3: see Truth::agree
    EXPECT_LE(relative_error(body.inertia.com, to_vector(bodies[b].at("ipos"))), kAgree);
    VectorXd moments = to_vector(bodies[b].at("inertia"));
    const Matrix3d R = to_quaternion(bodies[b].at("iquat")).toRotationMatrix();
    const Matrix3d inertia = R * moments.asDiagonal() * R.transpose();
    std::sort(moments.begin(), moments.end(), std::greater<>());
    EXPECT_LE(relative_error(calc_principal(body.inertia).moments, moments), kAgree);
    const double turned = kTurn * (moments(0) - moments(2));
    EXPECT_LE((body.inertia.inertia - inertia).cwiseAbs().maxCoeff(), kAgree * moments(0) + turned);
    EXPECT_EQ(body.gravity_compensation, number(bodies[b], "gravcomp"));
    EXPECT_EQ(body.kinematic, bodies[b].at("mocap").get<bool>());
  }
}

// Defaults, classes and units have to be resolved as MuJoCo does.
TEST_P(TruthModel, Joints) {
  const json& joints = record("joints");
  ASSERT_EQ(description().joints.size(), joints.size());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const Joint& joint = description().joints[j];
    const json& want = joints[j];
    SCOPED_TRACE(joint.name);
    expect_name(joint.name, want.at("name"));
    EXPECT_EQ(name_of(joint.type), want.at("type").get<std::string>());
    EXPECT_EQ(joint.body, want.at("body").get<Index>());
    EXPECT_EQ(joint.limited, want.at("limited").get<bool>());
    if (joint.limited) expect_range(want.at("range"), true, joint.lower, joint.upper);
    if (joint.type != JointType::kFree) {
      EXPECT_LE(relative_error(joint.anchor, to_vector(want.at("pos"))), kAgree);
      EXPECT_LE(relative_error(joint.axis, to_vector(want.at("axis"))), kAgree);
    }
    EXPECT_DOUBLE_EQ(joint.reference, number(want, "ref"));
    EXPECT_DOUBLE_EQ(joint.stiffness, number(want, "stiffness"));
    if (calc_nv(joint.type) == 1) {
      EXPECT_DOUBLE_EQ(joint.spring_reference, number(want, "springref"));
    }
    EXPECT_DOUBLE_EQ(joint.damping, number(want, "damping"));
    EXPECT_DOUBLE_EQ(joint.armature, number(want, "armature"));
    EXPECT_DOUBLE_EQ(joint.friction_loss, number(want, "frictionloss"));
  }
}

// Servos are gain and bias; a shortcut in the file means the same as the general form.
TEST_P(TruthModel, Actuators) {
  const json& actuators = record("actuators");
  ASSERT_EQ(description().actuators.size(), actuators.size());
  for (std::size_t i = 0; i < actuators.size(); ++i) {
    const Actuator& actuator = description().actuators[i];
    const json& want = actuators[i];
    SCOPED_TRACE(actuator.name);
    expect_name(actuator.name, want.at("name"));
    const std::string transmission = want.at("transmission");
    std::string target;
    switch (actuator.transmission) {
      case Transmission::kJoint:
        EXPECT_EQ(transmission, "joint");
        target = description().joints.at(actuator.target).name;
        break;
      case Transmission::kTendon:
        EXPECT_EQ(transmission, "tendon");
        target = description().tendons.at(actuator.target).name;
        break;
      case Transmission::kSite:
        EXPECT_EQ(transmission, "site");
        target = description().sites.at(actuator.target).name;
        break;
      case Transmission::kBody:
        EXPECT_EQ(transmission, "body");
        target = description().bodies.at(actuator.target).name;
        break;
    }
    expect_name(target, want.at("target"));
    EXPECT_LE(relative_error(Eigen::Map<const VectorXd>(actuator.gear.data(), 6), to_vector(want.at("gear"))), kAgree);
    // Numbers that the type does not use are recorded as well.
    VectorXd gain = to_vector(want.at("gainprm")), bias = to_vector(want.at("biasprm"));
    ASSERT_TRUE(want.at("gain") == "fixed" || want.at("gain") == "affine");
    ASSERT_TRUE(want.at("bias") == "none" || want.at("bias") == "affine");
    if (want.at("gain") == "fixed") gain.tail(2).setZero();
    if (want.at("bias") == "none") bias.setZero();
    EXPECT_LE(relative_error(Eigen::Map<const VectorXd>(actuator.gain.data(), 3), gain), kAgree);
    EXPECT_LE(relative_error(Eigen::Map<const VectorXd>(actuator.bias.data(), 3), bias), kAgree);
    expect_range(want.at("ctrlrange"), actuator.control_limited, actuator.control_lower, actuator.control_upper);
    expect_range(want.at("forcerange"), actuator.force_limited, actuator.force_lower, actuator.force_upper);
  }
}

// Both ends of a connect, resolved where all joints are at their reference; coefficients of a coupling.
TEST_P(TruthModel, Equalities) {
  const json& equalities = record("equality");
  ASSERT_EQ(description().equalities.size(), equalities.size());
  for (std::size_t i = 0; i < equalities.size(); ++i) {
    const Equality& equality = description().equalities[i];
    const VectorXd want = to_vector(equalities[i].at("data"));
    const bool connect = equalities[i].at("type") == "connect";
    ASSERT_EQ(equality.type, connect ? EqualityType::kConnect : EqualityType::kJoint);
    const auto name = [&](Index k) {
      return connect ? description().bodies.at(k).name : description().joints.at(k).name;
    };
    // Where the file names sites, so does the record, without points.
    const auto find_site = [&](const char* key) {
      const auto& sites = description().sites;
      const auto found = std::find_if(sites.begin(), sites.end(), [&](const Site& site) {
        return connect && !site.name.empty() && site.name == equalities[i].at(key).get<std::string>();
      });
      return found == sites.end() ? nullptr : &*found;
    };
    const Site *site_a = find_site("obj1"), *site_b = find_site("obj2");
    if (site_a != nullptr && site_b != nullptr) {
      EXPECT_EQ(equality.a, site_a->body);
      EXPECT_EQ(equality.b, site_b->body);
      EXPECT_EQ(equality.frame_a.p, site_a->pose.p);
      EXPECT_EQ(equality.frame_b.p, site_b->pose.p);
      continue;
    }
    expect_name(name(equality.a), equalities[i].at("obj1"));
    if (equality.b >= 0) expect_name(name(equality.b), equalities[i].at("obj2"));
    EXPECT_EQ(equality.active, equalities[i].at("active").get<bool>());
    if (connect) {
      EXPECT_LE(relative_error(equality.frame_a.p, want.head(3)), kAgree);
      EXPECT_LE(relative_error(equality.frame_b.p, want.segment(3, 3)), kAgree);
    } else {
      EXPECT_LE(relative_error(Eigen::Map<const VectorXd>(equality.polynomial.data(), 5), want.head(5)), kAgree);
    }
  }
}

// How many joints a tendon runs over or points its path has, its limits and its passive numbers.
TEST_P(TruthModel, Tendons) {
  const json& tendons = record("tendons");
  ASSERT_EQ(description().tendons.size(), tendons.size());
  for (std::size_t i = 0; i < tendons.size(); ++i) {
    const Tendon& tendon = description().tendons[i];
    const json& want = tendons[i];
    expect_name(tendon.name, want.at("name"));
    EXPECT_EQ(tendon.terms.size() + tendon.path.size(), want.at("wraps").get<std::size_t>());
    EXPECT_EQ(tendon.limited, want.at("limited").get<bool>());
    EXPECT_DOUBLE_EQ(tendon.stiffness, number(want, "stiffness"));
    EXPECT_DOUBLE_EQ(tendon.damping, number(want, "damping"));
    EXPECT_DOUBLE_EQ(tendon.friction_loss, number(want, "frictionloss"));
    EXPECT_DOUBLE_EQ(tendon.armature, number(want, "armature"));
  }
}

// Each sensor of the file is read, or listed as not read.
TEST_P(TruthModel, Sensors) {
  auto count = static_cast<Index>(description().sensors.size());
  for (const Notice& notice : notices()) count += notice.element.starts_with("sensor/") ? notice.count : 0;
  EXPECT_EQ(count, record("nsensor").get<Index>());
}

// Shapes that touch: type, place, sizes and who may touch whom. MuJoCo moves a mesh into its principal frame, we do not:
// of meshes only body and masks are compared.
TEST_P(TruthModel, Geoms) {
  const json& geoms = record("geoms");
  ASSERT_EQ(description().geoms.size(), geoms.size());
  for (std::size_t i = 0; i < geoms.size(); ++i) {
    const Geom& geom = description().geoms[i];
    const json& want = geoms[i];  // name, body, type, size, pos, quat, contype, conaffinity, condim
    SCOPED_TRACE(i);
    expect_name(geom.name, want[0]);
    EXPECT_EQ(geom.body, want[1].get<Index>());
    EXPECT_EQ(name_of(geom.shape.type), want[2].get<std::string>());
    EXPECT_EQ(geom.contype, want[6].get<int>());
    EXPECT_EQ(geom.conaffinity, want[7].get<int>());
    EXPECT_EQ(geom.condim, want[8].get<int>());
    if (geom.shape.type == ShapeType::kMesh) continue;
    EXPECT_LE(relative_error(geom.shape.size, to_vector(want[3])), kAgree);
    EXPECT_LE(relative_error(geom.pose.p, to_vector(want[4])), kAgree);
    EXPECT_LE(testing::angle_between(geom.pose.q, to_quaternion(want[5])), kAgree);
  }
}

INSTANTIATE_TEST_SUITE_P(Robots, TruthModel, ::testing::ValuesIn(testing::recorded_robots()),
                         [](const auto& robot) { return testing::test_name(robot.param); });

// Robots without a record load as well: each folder has a file that is one.
TEST(RobotsOfOthers, AllFoldersLoad) {
  const std::string root = testing::model_path({"", ""});
  std::error_code code;
  int folders = 0;
  for (std::filesystem::directory_iterator at(root, code), end; !code && at != end; at.increment(code)) {
    if (!at->is_directory() || at->path().filename() == "truth") continue;
    ++folders;
    std::string errors;
    bool loaded = false;
    for (const auto& file : std::filesystem::directory_iterator(at->path())) {
      const std::string ending = file.path().extension().string();
      if (ending != ".xml" && ending != ".urdf") continue;
      const Expected<World> world = load(file.path().string());
      loaded = loaded || world.has_value();
      if (!world) errors += world.error().text() + "\n";
    }
    EXPECT_TRUE(loaded) << at->path() << ": " << errors;
  }
  if (folders == 0) GTEST_SKIP() << "left out: no robots of others below $TRIBO_DATA/robots";
}

}  // namespace
}  // namespace tribo
