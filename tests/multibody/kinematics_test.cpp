// Poses, Jacobians and J̇ v of random mechanisms against homogeneous matrices and their finite differences.
#include "tribo/multibody/dynamics.hpp"
#include "tribo/multibody/jacobian.hpp"

#include "plain_kinematics.hpp"
#include "random_model.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::calc_plain_poses;
using testing::Matrix4d;
using testing::moved;
using testing::random_vector;
using testing::relative_error;

constexpr double kApart = 1e-5;  // s; a central difference is then good to about 1e-10

Model random_model(Random& random, Index bodies) {
  return Model::make(testing::random_description(random, {.bodies = bodies})).value();
}

class RandomTrees : public ::testing::TestWithParam<int> {
 protected:
  RandomTrees()
      : random_(static_cast<std::uint64_t>(1000 + GetParam())),
        model_(random_model(random_, 1 + GetParam() % 12)),
        state_(testing::random_state(model_, random_)),
        data_(model_) {
    calc_dynamics(model_, state_, data_);
  }
  // Where a point fixed in a body is at another time, from matrices alone.
  Vector3d place(const State& at, Index body, const Vector3d& local) const {
    return (calc_plain_poses(model_, at)[body] * local.homogeneous()).head<3>();
  }
  // Angular velocity from two attitudes 2 kApart apart.
  Vector3d turning(const State& before, const State& after, Index body) const {
    const Matrix3d A = calc_plain_poses(model_, before)[body].topLeftCorner<3, 3>();
    const Matrix3d B = calc_plain_poses(model_, after)[body].topLeftCorner<3, 3>();
    const Matrix3d D = (B - A) * calc_plain_poses(model_, state_)[body].topLeftCorner<3, 3>().transpose();
    return Vector3d(D(2, 1) - D(1, 2), D(0, 2) - D(2, 0), D(1, 0) - D(0, 1)) / (4.0 * kApart);
  }

  Random random_;
  Model model_;
  State state_;
  Data data_;
};

INSTANTIATE_TEST_SUITE_P(Seeds, RandomTrees, ::testing::Range(0, 36));

// The order of joints, anchors and references is a product of matrices, nothing else.
TEST_P(RandomTrees, PosesAreAProductOfMatrices) {
  const std::vector<Matrix4d> poses = calc_plain_poses(model_, state_);
  for (Index b = 0; b < model_.nb(); ++b) {
    EXPECT_LT(relative_error(data_.p[b], poses[b].topRightCorner<3, 1>()), 1e-12) << b;
    EXPECT_LT(relative_error(data_.R[b], poses[b].topLeftCorner<3, 3>()), 1e-12) << b;
    EXPECT_LT(relative_error(data_.quat[b].toRotationMatrix(), data_.R[b]), 1e-12) << b;
    const Vector3d com = (poses[b] * model_.bodies()[b].inertia.com.homogeneous()).head<3>();
    EXPECT_LT(relative_error(data_.com[b], com), 1e-12) << b;
  }
}

// Column by column: the velocity of a point when one coordinate of v is one and all others zero.
TEST_P(RandomTrees, JacobiansAreDerivativesOfPoses) {
  for (Index b = 1; b < model_.nb(); ++b) {
    const Vector3d local = random_vector(random_);
    const Vector3d point = place(state_, b, local);
    MatrixXd J(6, model_.nv());
    calc_jacobian(model_, data_, b, point, J);
    MatrixXd expected(6, model_.nv());
    for (Index k = 0; k < model_.nv(); ++k) {
      const VectorXd unit = VectorXd::Unit(model_.nv(), k);
      const State before = moved(model_, state_, unit, -kApart), after = moved(model_, state_, unit, kApart);
      expected.col(k).head<3>() = (place(after, b, local) - place(before, b, local)) / (2.0 * kApart);
      expected.col(k).tail<3>() = turning(before, after, b);
    }
    EXPECT_LT(relative_error(J, expected), 1e-8) << "body " << b;
  }
}

// Velocities of points are J v, and their change at constant v is J̇ v.
TEST_P(RandomTrees, VelocitiesAndTheirChangeAreDerivatives) {
  const State before = moved(model_, state_, state_.v, -kApart), after = moved(model_, state_, state_.v, kApart);
  Data data_before(model_), data_after(model_);
  calc_dynamics(model_, before, data_before);
  calc_dynamics(model_, after, data_after);
  for (Index b = 1; b < model_.nb(); ++b) {
    const Vector3d local = random_vector(random_);
    const Vector3d point = place(state_, b, local), point_before = place(before, b, local),
                   point_after = place(after, b, local);
    const PointMotion motion = calc_velocity(data_, b, point);
    EXPECT_LT(relative_error(motion.linear, (point_after - point_before) / (2.0 * kApart)), 1e-7) << b;
    EXPECT_LT(relative_error(motion.angular, turning(before, after, b)), 1e-7) << b;
    MatrixXd J(6, model_.nv());
    calc_jacobian(model_, data_, b, point, J);
    EXPECT_LT(relative_error(motion.linear, J.topRows<3>() * state_.v), 1e-12) << b;
    EXPECT_LT(relative_error(motion.angular, J.bottomRows<3>() * state_.v), 1e-12) << b;

    MatrixXd J_before(6, model_.nv()), J_after(6, model_.nv());
    calc_jacobian(model_, data_before, b, point_before, J_before);
    calc_jacobian(model_, data_after, b, point_after, J_after);
    const VectorXd change = (J_after - J_before) * state_.v / (2.0 * kApart);
    const PointMotion acceleration = calc_bias_acceleration(data_, b, point);
    EXPECT_LT(relative_error(acceleration.linear, change.head<3>()), 1e-7) << b;
    EXPECT_LT(relative_error(acceleration.angular, change.tail<3>()), 1e-7) << b;
  }
}

// A row is a combination of rows of the Jacobian, restricted to the tree.
TEST_P(RandomTrees, RowsAreCombinationsOfTheJacobian) {
  for (Index b = 1; b < model_.nb(); ++b) {
    const Index tree = model_.tree(b);
    if (tree < 0) continue;
    const Vector3d point = random_vector(random_), dir = random_vector(random_), turn = random_vector(random_);
    VectorXd row = VectorXd::Constant(model_.trees().size(tree), 0.5);
    add_row(model_, data_, b, point, dir, turn, -2.0, row.data());
    MatrixXd J(6, model_.nv());
    calc_jacobian(model_, data_, b, point, J);
    VectorXd expected = -2.0 * (J.topRows<3>().transpose() * dir + J.bottomRows<3>().transpose() * turn);
    const Index start = model_.trees().start(tree), size = model_.trees().size(tree);
    EXPECT_LT(relative_error(row.array() - 0.5, expected.segment(start, size)), 1e-12) << b;
    expected.segment(start, size).setZero();
    EXPECT_EQ(expected.cwiseAbs().maxCoeff(), 0.0) << "a body moves with its own tree alone";
  }
}

// The seeds above reach everything the issue names, or they would prove less than they say.
TEST(RandomTreesSeeds, HaveEveryKindOfJointAndTree) {
  std::vector<int> count(5, 0);
  int fixed = 0, several_joints = 0, several_trees = 0, branches = 0;
  for (int seed = 0; seed < 36; ++seed) {
    Random random(static_cast<std::uint64_t>(1000 + seed));
    const Model model = random_model(random, 1 + seed % 12);
    for (const Joint& joint : model.joints()) ++count[static_cast<std::size_t>(joint.type)];
    several_trees += model.trees().blocks() > 1 ? 1 : 0;
    for (Index b = 1; b < model.nb(); ++b) {
      fixed += model.joint_count(b) == 0 ? 1 : 0;
      several_joints += model.joint_count(b) > 1 ? 1 : 0;
      branches += b > 1 && model.bodies()[b].parent > 0 && model.bodies()[b].parent != b - 1 ? 1 : 0;
    }
  }
  for (const int joints : count) EXPECT_GT(joints, 5);
  for (const int others : {fixed, several_joints, several_trees, branches}) EXPECT_GT(others, 5);
}

// Directions of a planar joint: right-handed with its axis, and x, y themselves for the axis z.
TEST(PlanarJoint, SlidesAcrossItsAxis) {
  Random random(3);
  for (int k = 0; k < 50; ++k) {
    const Vector3d axis = k == 0 ? Vector3d(-Vector3d::UnitZ()) : Vector3d(random_vector(random).normalized());
    const std::array<Vector3d, 2> axes = planar_axes(axis);
    EXPECT_LT((axes[0].cross(axes[1]) - axis).norm(), 1e-12);
    EXPECT_NEAR(axes[0].norm(), 1.0, 1e-12);
    EXPECT_NEAR(axes[0].dot(axes[1]), 0.0, 1e-12);
  }
  EXPECT_EQ(planar_axes(Vector3d::UnitZ())[0], Vector3d::UnitX());
  EXPECT_EQ(planar_axes(Vector3d::UnitZ())[1], Vector3d::UnitY());
}

// A tree on a turning platform feels the platform: velocities are those of poses that move with it, and so are accelerations.
TEST(KinematicBody, CarriesWhatHangsOnIt) {
  Random random(8);
  for (int trial = 0; trial < 10; ++trial) {
    ModelDescription d;
    Body platform;
    platform.name = "platform";
    platform.kinematic = true;
    platform.pose = testing::random_pose(random);
    d.bodies.push_back(platform);
    for (Index b = 2; b <= 4; ++b) {
      Body body;
      body.parent = b - 1;
      body.pose = testing::random_pose(random);
      body.inertia = testing::random_inertia(random);
      d.bodies.push_back(body);
      if (b == 2) continue;  // fixed on the platform
      d.joints.push_back(testing::random_joint(random, {}, b));
    }
    const Model model = Model::make(d).value();
    State state = testing::random_state(model, random);
    KinematicState& motion = state.kinematic[0];
    motion.velocity = random_vector(random);
    motion.angular_velocity = random_vector(random);
    const auto at_time = [&](double t) {
      State out = moved(model, state, state.v, t);
      out.kinematic[0].pose.p += t * motion.velocity;
      const double rate = motion.angular_velocity.norm();
      out.kinematic[0].pose.q =
          Quaterniond(Eigen::AngleAxisd(t * rate, motion.angular_velocity / rate)) * motion.pose.q;
      return out;
    };
    Data data(model), data_before(model), data_after(model);
    calc_dynamics(model, state, data);
    calc_dynamics(model, at_time(-kApart), data_before);
    calc_dynamics(model, at_time(kApart), data_after);
    for (Index b = 1; b < model.nb(); ++b) {
      const std::vector<Matrix4d> before = calc_plain_poses(model, at_time(-kApart)),
                                  after = calc_plain_poses(model, at_time(kApart)),
                                  now = calc_plain_poses(model, state);
      const Vector3d local = random_vector(random);
      const auto place = [&](const std::vector<Matrix4d>& poses) -> Vector3d {
        return (poses[b] * local.homogeneous()).head<3>();
      };
      EXPECT_LT(
          relative_error(calc_velocity(data, b, place(now)).linear, (place(after) - place(before)) / (2 * kApart)),
          1e-7)
          << b;
      const Vector3d change =
          (calc_velocity(data_after, b, place(after)).linear - calc_velocity(data_before, b, place(before)).linear) /
          (2 * kApart);
      EXPECT_LT(relative_error(calc_bias_acceleration(data, b, place(now)).linear, change), 1e-7) << b;
      EXPECT_LT(
          relative_error(data.A[b].head<3>(), (data_after.V[b].head<3>() - data_before.V[b].head<3>()) / (2 * kApart)),
          1e-7)
          << b;
    }
  }
}

}  // namespace
}  // namespace tribo
