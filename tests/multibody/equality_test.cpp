// Rows of loops and couplings against finite differences of their error, and loops that are closed by moving q.
#include "tribo/multibody/equality.hpp"

#include "tribo/multibody/dynamics.hpp"

#include "plain_kinematics.hpp"
#include "random_model.hpp"
#include "runge_kutta.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::moved;
using testing::relative_error;

VectorXd to_vector(const std::vector<double>& x) {
  return Eigen::Map<const VectorXd>(x.data(), static_cast<Index>(x.size()));
}

EqualityRows calc_rows(const Model& model, const State& state) {
  Data data(model);
  calc_positions(model, state, data);
  calc_velocities(model, state, data);
  EqualityRows rows;
  calc_equalities(model, state, data, rows);
  return rows;
}

// A random mechanism with every kind of equality, at a state where none holds.
ModelDescription random_couplings(Random& random) {
  ModelDescription d = testing::random_description(random, {.bodies = 6});
  const auto body = [&] { return static_cast<Index>(random.integer(0, 6)); };
  IndexList joints;  // of one tree and with one dof, so that tendons touch no third tree
  const Model model = Model::make(d).value();
  for (std::size_t j = 0; j < d.joints.size(); ++j) {
    const bool same = joints.empty() || model.tree(d.joints[joints[0]].body) == model.tree(d.joints[j].body);
    if (calc_nv(d.joints[j].type) == 1 && same) joints.push_back(static_cast<Index>(j));
  }
  for (const EqualityType type : {EqualityType::kConnect, EqualityType::kWeld, EqualityType::kWeld}) {
    Equality equality;
    equality.type = type;
    equality.a = body();
    do equality.b = body();
    while (equality.b == equality.a);
    equality.frame_a = testing::random_pose(random);
    equality.frame_b = testing::random_pose(random);
    d.equalities.push_back(equality);
  }
  if (joints.size() < 2) return d;
  for (int t = 0; t < 2; ++t) {
    Tendon tendon;
    for (const Index j : joints) tendon.terms.push_back({j, random.normal()});
    d.tendons.push_back(tendon);
  }
  for (const EqualityType type : {EqualityType::kJoint, EqualityType::kTendon}) {
    Equality equality;
    equality.type = type;
    equality.a = type == EqualityType::kJoint ? joints[0] : 0;
    for (double& c : equality.polynomial) c = random.normal();
    d.equalities.push_back(equality);  // against nothing
    equality.b = type == EqualityType::kJoint ? joints[1] : 1;
    d.equalities.push_back(equality);
  }
  return d;
}

// g, ġ = J v and g̈ = J̇ v at constant v belong together, also where the loop is wide open.
TEST(EqualityRows, AreDerivativesOfTheirError) {
  constexpr double kTime = 1e-5;
  int couplings = 0;
  for (int seed = 0; seed < 40; ++seed) {
    Random random(static_cast<std::uint64_t>(4000 + seed));
    const Model model = Model::make(random_couplings(random)).value();
    couplings += model.description().equalities.size() > 3 ? 1 : 0;
    const State state = testing::random_state(model, random);
    const EqualityRows rows = calc_rows(model, state), before = calc_rows(model, moved(model, state, state.v, -kTime)),
                       after = calc_rows(model, moved(model, state, state.v, kTime));
    const VectorXd speed = (to_vector(after.error) - to_vector(before.error)) / (2.0 * kTime);
    EXPECT_LT(relative_error(rows.J.multiply(state.v), speed), 1e-7) << seed;
    const VectorXd drift = (after.J.multiply(state.v) - before.J.multiply(state.v)) / (2.0 * kTime);
    EXPECT_LT(relative_error(to_vector(rows.drift), drift), 1e-7) << seed;
    // Row by row, not only along one v.
    MatrixXd expected(rows.J.rows(), model.nv());
    for (Index k = 0; k < model.nv(); ++k) {
      const VectorXd unit = VectorXd::Unit(model.nv(), k);
      expected.col(k) = (to_vector(calc_rows(model, moved(model, state, unit, kTime)).error) -
                         to_vector(calc_rows(model, moved(model, state, unit, -kTime)).error)) /
                        (2.0 * kTime);
    }
    EXPECT_LT(relative_error(rows.J.to_dense(), expected), 1e-7) << seed;
  }
  EXPECT_GT(couplings, 10);
}

// The errors themselves, from matrices and from the polynomial written out.
TEST(EqualityRows, ErrorsAreWhatTheyMean) {
  for (int seed = 0; seed < 20; ++seed) {
    Random random(static_cast<std::uint64_t>(4000 + seed));
    const Model model = Model::make(random_couplings(random)).value();
    const State state = testing::random_state(model, random);
    const EqualityRows rows = calc_rows(model, state);
    const std::vector<testing::Matrix4d> poses = testing::calc_plain_poses(model, state);
    std::size_t at = 0;
    for (const Equality& equality : model.description().equalities) {
      if (equality.type == EqualityType::kConnect || equality.type == EqualityType::kWeld) {
        const testing::Matrix4d A = poses[equality.a] * testing::to_matrix(equality.frame_a);
        const testing::Matrix4d B = poses[equality.b] * testing::to_matrix(equality.frame_b);
        for (Index k = 0; k < 3; ++k) EXPECT_NEAR(rows.error[at++], A(k, 3) - B(k, 3), 1e-12);
        if (equality.type == EqualityType::kConnect) continue;
        // 2 sin(angle / 2) axis, from the rotation matrix between the frames.
        const Matrix3d R = A.topLeftCorner<3, 3>().transpose() * B.topLeftCorner<3, 3>();
        const Eigen::AngleAxisd turn(R);
        const Vector3d expected = 2.0 * std::sin(0.5 * turn.angle()) * turn.axis();
        for (Index k = 0; k < 3; ++k) EXPECT_NEAR(rows.error[at++], expected(k), 1e-9);
        continue;
      }
      const auto value = [&](Index index) {
        if (equality.type == EqualityType::kJoint)
          return state.q(model.q_start(index)) - model.joints()[index].reference;
        double sum = 0.0;
        for (const Tendon::Term& term : model.description().tendons[index].terms)
          sum += term.coefficient * (state.q(model.q_start(term.joint)) - model.joints()[term.joint].reference);
        return sum;
      };
      const std::array<double, 5>& c = equality.polynomial;
      const double x = equality.b < 0 ? 0.0 : value(equality.b);
      const double expected =
          value(equality.a) - (c[0] + c[1] * x + c[2] * x * x + c[3] * x * x * x + c[4] * x * x * x * x);
      EXPECT_NEAR(rows.error[at++], expected, 1e-12 * (1.0 + std::abs(expected)));
    }
    EXPECT_EQ(at, rows.error.size());
  }
}

TEST(EqualityRows, LeaveOutWhatIsNotActive) {
  Random random(4001);
  ModelDescription d = random_couplings(random);
  for (Equality& equality : d.equalities) equality.active = false;
  d.equalities[1].active = true;
  const Model model = Model::make(d).value();
  EXPECT_EQ(calc_rows(model, make_state(model)).J.rows(), 6);
}

Body make_link(Index parent, double at, double length) {
  Body body;
  body.parent = parent;
  body.pose.p = Vector3d(at, 0.0, 0.0);
  body.inertia = {1.0, Vector3d(0.5 * length, 0.0, 0.0), Vector3d(0.001, 0.02, 0.02).asDiagonal()};
  return body;
}
Joint make_hinge(Index body) {
  Joint joint;
  joint.body = body;
  joint.axis = -Vector3d::UnitY();  // positive angles lift x towards z
  return joint;
}

// Crank, coupler and follower of lengths 0.2, 0.5 and 0.4, ground pivots 0.45 apart. One tree closed on the world, or two
// trees closed on one another. The loop is planar: the row across the plane says nothing new.
constexpr double kCrank = 0.2, kCoupler = 0.5, kFollower = 0.4, kGround = 0.45;
ModelDescription four_bar(bool two_trees) {
  ModelDescription d;
  d.name = "four-bar";
  d.bodies.push_back(make_link(0, 0.0, kCrank));
  d.bodies.push_back(make_link(1, kCrank, kCoupler));
  d.bodies.push_back(two_trees ? make_link(0, kGround, kFollower) : make_link(2, kCoupler, kFollower));
  for (Index b = 1; b <= 3; ++b) d.joints.push_back(make_hinge(b));
  Equality loop;
  loop.name = "loop";
  loop.a = two_trees ? 2 : 3;
  loop.b = two_trees ? 3 : 0;
  loop.frame_a.p = Vector3d(two_trees ? kCoupler : kFollower, 0.0, 0.0);
  loop.frame_b.p = Vector3d(two_trees ? kFollower : kGround, 0.0, 0.0);
  d.equalities.push_back(loop);
  return d;
}
// Distance of the coupler's tip from the ground pivot, by trigonometry; the follower's length when the loop is closed.
double tip_distance(const State& state) {
  const double a = state.q(0), b = a + state.q(1);
  const double x = kCrank * std::cos(a) + kCoupler * std::cos(b), z = kCrank * std::sin(a) + kCoupler * std::sin(b);
  return std::hypot(x - kGround, z);
}

TEST(CloseLoops, ClosesAFourBar) {
  for (const bool two_trees : {true, false}) {
    const Model model = Model::make(four_bar(two_trees)).value();
    State state = make_state(model);
    state.q << 1.2, -0.5, two_trees ? 1.0 : -2.5;
    const Checked closed = close_loops(model, state);
    ASSERT_TRUE(closed) << closed.error().text();
    EXPECT_NEAR(tip_distance(state), kFollower, 1e-11);
    for (const double g : calc_rows(model, state).error) EXPECT_LE(std::abs(g), 1e-12);
  }
}

// Two slides of masses 1 and 3 that must be one metre apart share the way as 3 to 1: the least kinetic energy.
TEST(CloseLoops, MovesWhatIsLightest) {
  ModelDescription d;
  for (Index b = 1; b <= 2; ++b) {
    Body body;
    body.inertia.mass = b == 1 ? 1.0 : 3.0;
    d.bodies.push_back(body);
    Joint joint;
    joint.type = JointType::kSlide;
    joint.body = b;
    d.joints.push_back(joint);
  }
  Equality apart;
  apart.type = EqualityType::kJoint;
  apart.a = 0;
  apart.b = 1;
  apart.polynomial = {1.0, 1.0, 0.0, 0.0, 0.0};
  d.equalities.push_back(apart);
  const Model model = Model::make(d).value();
  State state = make_state(model);
  ASSERT_TRUE(close_loops(model, state));
  EXPECT_NEAR(state.q(0), 0.75, 1e-12);
  EXPECT_NEAR(state.q(1), -0.25, 1e-12);
}

// Every row twice is no contradiction.
TEST(CloseLoops, TakesRowsThatRepeatOthers) {
  ModelDescription d = four_bar(false);
  d.equalities.push_back(d.equalities[0]);
  const Model model = Model::make(d).value();
  State state = make_state(model);
  state.q << 1.2, -0.5, -2.5;
  ASSERT_TRUE(close_loops(model, state));
  EXPECT_NEAR(tip_distance(state), kFollower, 1e-11);
}

// One point in two places, and a point out of reach: said, and the state stays as it was.
TEST(CloseLoops, FailsClearlyOnAContradiction) {
  ModelDescription twice = four_bar(false);
  twice.equalities.push_back(twice.equalities[0]);
  twice.equalities[1].frame_b.p += Vector3d(0.1, 0.0, 0.0);
  ModelDescription far = four_bar(false);
  far.equalities[0].frame_b.p = Vector3d(5.0, 0.0, 0.0);
  ModelDescription across = four_bar(false);
  across.equalities[0].frame_b.p += Vector3d(0.0, 0.3, 0.0);
  for (const ModelDescription& d : {twice, far, across}) {
    const Model model = Model::make(d).value();
    State state = make_state(model);
    state.q << 1.2, -0.5, -2.5;
    const VectorXd q = state.q;
    const Checked closed = close_loops(model, state);
    ASSERT_FALSE(closed);
    EXPECT_NE(closed.error().text().find("do not close"), std::string::npos) << closed.error().text();
    EXPECT_NE(closed.error().text().find("four-bar"), std::string::npos);
    EXPECT_EQ(state.q, q);
  }
}

// A model that nothing moves and a model without equalities are closed as they are.
TEST(CloseLoops, HasNothingToDoWithoutRows) {
  const Model still = Model::make({}).value();
  State nothing = make_state(still);
  EXPECT_TRUE(close_loops(still, nothing));
  ModelDescription d = four_bar(true);
  d.equalities.clear();
  const Model open = Model::make(d).value();
  State state = make_state(open);
  EXPECT_TRUE(close_loops(open, state));
}

// v̇ of  M v̇ + bias = Jᵀ λ,  J v̇ + J̇v = 0, rows that repeat others included.
VectorXd accelerate(const Model& model, const State& state) {
  Data data(model);
  calc_dynamics(model, state, data);
  EqualityRows rows;
  calc_equalities(model, state, data, rows);
  const MatrixXd J = rows.J.to_dense(), M = make_dense_mass(model, data);
  const Eigen::LLT<MatrixXd> factor(M);
  const VectorXd free = factor.solve(data.passive - data.bias);
  const MatrixXd W = J * factor.solve(J.transpose());
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> system(W);
  system.setThreshold(1e-10);
  const VectorXd lambda = system.solve(VectorXd(-(J * free) - to_vector(rows.drift)));
  return free + factor.solve(J.transpose() * lambda);
}

// A four-bar that swings under gravity, its loop held by its rows and closed again after every step: |g| stays below 1e-9, and
// the energy stays, which it would not if rows or drift were wrong.
TEST(FourBar, SwingsWithItsLoopClosed) {
  for (const bool two_trees : {true, false}) {
    const Model model = Model::make(four_bar(two_trees)).value();
    State state = make_state(model);
    state.q << 1.2, -0.5, two_trees ? 1.0 : -2.5;
    ASSERT_TRUE(close_loops(model, state));
    const double before = testing::calc_total_energy(model, state);
    double worst_gap = 0.0, worst_drift = 0.0, fastest = 0.0;
    for (int step = 0; step < 1000; ++step) {
      testing::runge_kutta_step(model, 1e-3, state, [&](const State& at) { return accelerate(model, at); });
      for (const double g : calc_rows(model, state).error) worst_drift = std::max(worst_drift, std::abs(g));
      ASSERT_TRUE(close_loops(model, state));
      for (const double g : calc_rows(model, state).error) worst_gap = std::max(worst_gap, std::abs(g));
      fastest = std::max(fastest, state.v.cwiseAbs().maxCoeff());
    }
    EXPECT_LE(worst_gap, 1e-9);
    EXPECT_LE(worst_drift, 1e-7);  // what one step of order four opens
    EXPECT_GT(fastest, 1.0);       // it did swing
    EXPECT_NEAR(testing::calc_total_energy(model, state), before, 1e-6);
  }
}

}  // namespace
}  // namespace tribo
