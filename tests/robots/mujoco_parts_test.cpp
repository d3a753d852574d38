// Tendons, muscles and sensors beside MuJoCo, which reads the same file: lengths, passive forces, forces of actuators, readings.
#include "tribo/multibody/actuation.hpp"
#include "tribo/sim/simulation.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>

#include "robots/robots.hpp"
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

namespace tribo {
namespace {

using testing::kAgree;
using testing::relative_error;

// An arm with a shoulder of two joints and an elbow. Strings go round a cylinder at the elbow, a ball at the shoulder (with side sites
// outside and inside), and over a pulley; three muscles and a filtered motor pull.
constexpr const char* kArm = R"(<mujoco>
  <compiler angle="radian" autolimits="true"/><option timestep="0.001"/>
  <worldbody>
    <site name="roof" pos="-0.4 0.05 0.02"/> <site name="roof2" pos="-0.2 0 0.5"/> <site name="floor" pos="0 0.1 -0.6"/>
    <body name="upper">
      <joint name="yaw" axis="0 0 1" range="-1 1" springdamper="0.3 1.1"/> <joint name="pitch" axis="0 1 0" range="-1 1.5"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" mass="1.5"/>
      <geom name="ball" type="sphere" size="0.06" pos="0.02 0.01 0" mass="0.1"/>
      <site name="u1" pos="0.15 0.02 0.05"/> <site name="u2" pos="0.2 -0.03 -0.06"/>
      <site name="above" pos="0.02 0.01 0.2"/> <site name="middle" pos="0.02 0.01 0"/>
      <body name="lower" pos="0.3 0 0">
        <joint name="elbow" axis="0 1 0" range="-2.2 0.2" springref="-0.3" stiffness="0.2"/>
        <geom type="capsule" fromto="0 0 0 0.25 0 0" size="0.025" mass="0.8"/>
        <geom name="drum" type="cylinder" size="0.04 0.05" euler="1.5707963267948966 0 0.1" mass="0.1"/>
        <site name="beyond" pos="0 0 0.09"/> <site name="l1" pos="0.12 0.01 0.04"/> <site name="tip" pos="0.25 0 0" euler="0.3 0.2 0.1"/>
        <body name="hand" pos="0.25 0 0"><joint name="wrist" type="ball" springdamper="0.2 0.7"/><geom size="0.04" mass="0.3"/></body>
      </body>
    </body>
  </worldbody>
  <tendon>
    <spatial name="biceps" stiffness="40" damping="3"><site site="u1"/><geom geom="drum" sidesite="beyond"/><site site="l1"/></spatial>
    <spatial name="deltoid" stiffness="20" springlength="0.35"><site site="roof"/><geom geom="ball" sidesite="above"/><site site="u1"/></spatial>
    <spatial name="ring" stiffness="15" springlength="0.2"><site site="roof2"/><geom geom="ball" sidesite="middle"/><site site="l1"/></spatial>
    <spatial name="tackle" damping="2"><site site="floor"/><site site="u2"/><pulley divisor="2"/><site site="u2"/><site site="l1"/><pulley divisor="3"/><site site="l1"/><geom geom="ball"/><site site="roof2"/></spatial>
    <fixed name="sum"><joint joint="yaw" coef="0.5"/><joint joint="elbow" coef="-0.2"/></fixed>
  </tendon>
  <actuator>
    <motor name="quick" tendon="tackle" gear="2"/>
    <muscle name="m_biceps" tendon="biceps" lengthrange="0.1 0.35" force="120"/>
    <muscle name="m_deltoid" tendon="deltoid" lengthrange="0.4 0.8" range="0.6 1.2" scale="50" timeconst="0.02 0.06"/>
    <muscle name="m_elbow" joint="elbow" gear="0.05" lengthrange="-0.11 0.02" lmax="1.7" fvmax="1.4" fpmax="1.1"/>
    <general name="slow" joint="yaw" dyntype="filter" dynprm="0.1" gainprm="3" biastype="affine" biasprm="0 -2 -0.1"/>
  </actuator>
  <sensor>
    <jointpos joint="elbow"/> <jointvel joint="pitch"/> <ballquat joint="wrist"/> <ballangvel joint="wrist"/>
    <tendonpos tendon="ring"/> <tendonvel tendon="biceps"/> <actuatorpos actuator="quick"/> <actuatorvel actuator="m_elbow"/>
    <gyro site="tip"/> <velocimeter site="tip"/> <framepos objtype="site" objname="tip"/>
    <framepos objtype="body" objname="hand" reftype="site" refname="u1"/> <framequat objtype="geom" objname="drum"/>
    <framequat objtype="xbody" objname="lower" reftype="site" refname="tip"/> <framezaxis objtype="site" objname="tip"/>
    <framelinvel objtype="site" objname="tip"/> <framelinvel objtype="xbody" objname="hand" reftype="site" refname="u1"/>
    <frameangvel objtype="body" objname="lower" reftype="xbody" refname="upper"/> <subtreecom body="lower"/>
    <subtreelinvel body="upper"/> <accelerometer site="tip"/> <force site="tip"/> <torque site="tip"/> <actuatorfrc actuator="quick"/>
  </sensor>
</mujoco>)";

struct Release {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
  void operator()(mjData* d) const { mj_deleteData(d); }
};

class PartsBesideMujoco : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string path = (std::filesystem::path(::testing::TempDir()) / "tribo_parts.xml").string();
    std::ofstream(path) << kArm;
    char error[1000] = "";
    m_.reset(mj_loadXML(path.c_str(), nullptr, error, sizeof error));
    Expected<World> world = load(path);
    std::filesystem::remove(path);
    ASSERT_TRUE(m_) << error;
    ASSERT_TRUE(world) << world.error().text();
    for (const Notice& notice : world->notices) ADD_FAILURE() << notice.element << ": " << notice.meaning;
    d_.reset(mj_makeData(m_.get()));
    world_.emplace(std::move(*world));
    ASSERT_EQ(model().nq(), m_->nq);
    ASSERT_EQ(model().sensor_size(), m_->nsensordata);
  }
  const Model& model() const { return world_->model; }

  // The same state on both sides, with activations.
  State make_state_of_both(Random& random) {
    State state = testing::make_random_state(model(), random);
    Index at = 0;
    for (Index u = 0; u < model().nu(); ++u) {
      const bool active = model().description().actuators[u].dynamics != ActuatorDynamics::kNone;
      state.activation(u) = active ? random.uniform(0.0, 1.0) : 0.0;
      if (active) d_->act[at++] = state.activation(u);
    }
    mju_copy(d_->qpos, state.q.data(), m_->nq);
    mju_copy(d_->qvel, state.v.data(), m_->nv);
    for (Index u = 0; u < model().nu(); ++u) d_->ctrl[u] = 0.3 + 0.1 * static_cast<double>(u);
    return state;
  }

  std::unique_ptr<mjModel, Release> m_;
  std::unique_ptr<mjData, Release> d_;
  std::optional<World> world_;
};

// Lengths at 200 states: each string is straight in some and round in others.
TEST_F(PartsBesideMujoco, TendonsAndMuscles) {
  Random random(31);
  Data data(model());
  VectorXd arms(model().nv());
  std::array<int, 5> fewest{}, most{};  // points of the way, as MuJoCo counts them: two more where it goes round a geom
  for (int k = 0; k < 200; ++k) {
    SCOPED_TRACE(k);
    const State state = make_state_of_both(random);
    mj_forward(m_.get(), d_.get());
    calc_dynamics(model(), state, data);
    for (std::size_t t = 0; t < 5; ++t) {
      fewest[t] = k == 0 ? d_->ten_wrapnum[t] : std::min(fewest[t], d_->ten_wrapnum[t]);
      most[t] = std::max(most[t], d_->ten_wrapnum[t]);
      EXPECT_NEAR(data.tendons[t].length, d_->ten_length[t], 1e-9) << t;
      EXPECT_NEAR(data.tendons[t].calc_speed(state.v), d_->ten_velocity[t], 1e-6) << t;
    }
    EXPECT_LE(relative_error(data.passive, Eigen::Map<const VectorXd>(d_->qfrc_passive, m_->nv)), 1e-6);
    VectorXd driven = VectorXd::Zero(model().nv());
    for (Index u = 0; u < model().nu(); ++u) {
      calc_arms(model(), state, data, u, arms);
      const Drive drive = calc_drive(model(), state, data, u, d_->ctrl[u], arms);
      EXPECT_NEAR(drive.force, d_->actuator_force[u], 1e-6 * (1.0 + std::abs(drive.force))) << u;
      driven += drive.force * arms;
    }
    EXPECT_LE(relative_error(driven, Eigen::Map<const VectorXd>(d_->qfrc_actuator, m_->nv)), 1e-6);
  }
  for (std::size_t t = 0; t < 4; ++t) EXPECT_LT(fewest[t], most[t]) << t;
}

// Springs and dampers by time constant and ratio, from the inertia at the reference.
TEST_F(PartsBesideMujoco, SpringDampers) {
  for (const char* name : {"yaw", "wrist"}) {
    const int theirs = mj_name2id(m_.get(), mjOBJ_JOINT, name);
    const Joint& ours = model().joints()[static_cast<std::size_t>(model().find_joint(name))];
    EXPECT_GT(ours.stiffness, 0.0);
    EXPECT_NEAR(ours.stiffness, m_->jnt_stiffness[theirs], 1e-9 * ours.stiffness) << name;
    EXPECT_NEAR(ours.damping, m_->dof_damping[m_->jnt_dofadr[theirs]], 1e-9 * ours.damping) << name;
  }
}

// The peak force that follows from `scale`, and how activations move: MuJoCo's by Euler's rule, ours exactly for small steps.
TEST_F(PartsBesideMujoco, ActivationsFollowControls) {
  Random random(32);
  make_state_of_both(random);
  State state = make_state(model());
  for (int k = 0; k < 20; ++k) {
    state = make_state_of_both(random);
    mj_forward(m_.get(), d_.get());
    Index at = 0;
    for (Index u = 0; u < model().nu(); ++u) {
      const Actuator& actuator = model().description().actuators[u];
      if (actuator.dynamics == ActuatorDynamics::kNone) continue;
      constexpr double kShort = 1e-7;
      const double rate =
          (calc_next_activation(actuator, state.activation(u), d_->ctrl[u], kShort) - state.activation(u)) / kShort;
      EXPECT_NEAR(rate, d_->act_dot[at++], 1e-3) << u;
    }
  }
}

// Positions and velocities agree; accelerations and forces with the mean over a short step.
TEST_F(PartsBesideMujoco, Sensors) {
  Random random(33);
  SimulationOptions options;
  options.step = 1e-6;
  Simulation sim = Simulation::make(world_->model, options).value();
  for (int k = 0; k < 20; ++k) {
    SCOPED_TRACE(k);
    const State state = make_state_of_both(random);
    m_->opt.disableflags |= mjDSBL_CONTACT;
    mj_forward(m_.get(), d_.get());
    sim.set_state(state);
    for (Index u = 0; u < model().nu(); ++u) sim.control()(u) = d_->ctrl[u];
    const auto compare = [&](bool stepped) {
      for (Index s = 0; s < m_->nsensor; ++s) {
        const bool mean = m_->sensor_needstage[s] == mjSTAGE_ACC;
        if (mean != stepped) continue;
        const int size = m_->sensor_dim[s];
        ASSERT_EQ(m_->sensor_adr[s], model().sensor_start(s));
        VectorXd ours = sim.sensors().segment(m_->sensor_adr[s], size);
        const Eigen::Map<const VectorXd> theirs(d_->sensordata + m_->sensor_adr[s], size);
        if (size == 4 && ours.dot(theirs) < 0.0) ours = -ours;
        const double tolerance = stepped ? 1e-3 * (1.0 + theirs.norm()) : 1e-6;
        EXPECT_LT((ours - theirs).norm(), tolerance) << s << ": " << ours.transpose() << " | " << theirs.transpose();
      }
    };
    compare(false);
    ASSERT_TRUE(is_solved(sim.step().status));
    compare(true);
  }
}

}  // namespace
}  // namespace tribo
