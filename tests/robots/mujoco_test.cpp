// Our own robots beside MuJoCo, which reads the same files: both are to say the same about them at random states.
#include "tribo/multibody/jacobian.hpp"

#include <cmath>
#include <memory>
#include <optional>

#include "robots/robots.hpp"
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

namespace tribo {
namespace {

using testing::kAgree;
using testing::relative_error;

constexpr int kStates = 20;

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Free {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
  void operator()(mjData* d) const { mj_deleteData(d); }
};

class BesideMujoco : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const std::string path = testing::own_robot(GetParam() + ".xml");
    char error[1000] = "";
    m_.reset(mj_loadXML(path.c_str(), nullptr, error, sizeof error));
    ASSERT_TRUE(m_) << error;
    m_->opt.enableflags |= mjENBL_ENERGY;  // without it MuJoCo says zero
    d_.reset(mj_makeData(m()));
    Expected<World> world = load(path);
    ASSERT_TRUE(world) << world.error().text();
    model_.emplace(std::move(world).value().model);
    ASSERT_EQ(model().nq(), m()->nq);
    ASSERT_EQ(model().nv(), m()->nv);
    ASSERT_EQ(model().nb(), m()->nbody);
  }

  const Model& model() const { return *model_; }
  const mjModel* m() const { return m_.get(); }
  mjData* d() const { return d_.get(); }
  Eigen::Map<const VectorXd> of_dofs(const mjtNum* numbers) const { return {numbers, model().nv()}; }

  // Calls check(state, data) with everything computed on either side.
  template <typename Check>
  void at_random_states(Check&& check) const {
    Random random(6);
    Data data(model());
    for (int k = 0; k < kStates; ++k) {
      SCOPED_TRACE(k);
      const State state = testing::make_random_state(model(), random);
      mju_copy(d()->qpos, state.q.data(), m()->nq);
      mju_copy(d()->qvel, state.v.data(), m()->nv);
      mj_forward(m(), d());
      calc_dynamics(model(), state, data);
      check(state, data);
    }
  }

 private:
  std::unique_ptr<mjModel, Free> m_;
  std::unique_ptr<mjData, Free> d_;
  std::optional<Model> model_;
};

// The same bodies under the same names, each as heavy: densities and shapes are read alike.
TEST_P(BesideMujoco, Masses) {
  for (int b = 1; b < m()->nbody; ++b) {
    EXPECT_EQ(model().bodies()[b].name, mj_id2name(m(), mjOBJ_BODY, b));
    EXPECT_NEAR(model().bodies()[b].inertia.mass, m()->body_mass[b], kAgree * m()->body_mass[b]);
  }
  EXPECT_NEAR(model().total_mass(), mj_getTotalmass(m()), kAgree * mj_getTotalmass(m()));
}

// Where bodies are and how they are turned.
TEST_P(BesideMujoco, PosesOfBodies) {
  at_random_states([&](const State&, const Data& data) {
    for (int b = 0; b < m()->nbody; ++b) {
      const double* q = d()->xquat + 4 * b;
      EXPECT_LE((data.p[b] - Eigen::Map<const Vector3d>(d()->xpos + 3 * b)).norm(), kAgree) << b;
      EXPECT_LE(testing::angle_between(data.quat[b], Quaterniond(q[0], q[1], q[2], q[3])), kAgree) << b;
    }
  });
}

// The mass matrix, whole.
TEST_P(BesideMujoco, MassMatrix) {
  at_random_states([&](const State&, const Data& data) {
    RowMatrix M(m()->nv, m()->nv);
    mj_fullM(m(), M.data(), d()->qM);
    EXPECT_LE(relative_error(make_dense_mass(model(), data), M), kAgree);
  });
}

// Forces that M a has to balance: bias by Newton–Euler, then springs and dampers.
TEST_P(BesideMujoco, BiasAndPassiveForces) {
  at_random_states([&](const State&, const Data& data) {
    EXPECT_LE(relative_error(data.bias, of_dofs(d()->qfrc_bias)), kAgree);
    EXPECT_LE(relative_error(data.passive, of_dofs(d()->qfrc_passive)), kAgree);
  });
}

// Both count height from the world's origin and springs from their rest.
TEST_P(BesideMujoco, Energy) {
  at_random_states([&](const State& state, const Data& data) {
    const tribo::Energy energy = calc_energy(model(), state, data);
    EXPECT_NEAR(energy.potential, d()->energy[0], kAgree * std::abs(d()->energy[0]));
    EXPECT_NEAR(energy.kinetic, d()->energy[1], kAgree * std::abs(d()->energy[1]));
  });
}

// Jacobians at a point away from the body's origin, so that lever arms count.
TEST_P(BesideMujoco, JacobiansOfBodies) {
  RowMatrix linear(3, m()->nv), angular(3, m()->nv);
  MatrixXd ours(6, m()->nv), theirs(6, m()->nv);
  at_random_states([&](const State&, const Data& data) {
    for (int b = 1; b < m()->nbody; ++b) {
      const Vector3d point = data.p[b] + Vector3d(0.1, -0.2, 0.3);
      mj_jac(m(), d(), linear.data(), angular.data(), point.data(), b);
      theirs << linear, angular;
      calc_jacobian(model(), data, b, point, ours);
      EXPECT_LE(relative_error(ours, theirs), kAgree) << model().bodies()[b].name;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Robots, BesideMujoco, ::testing::ValuesIn(testing::own_robots()),
                         [](const auto& robot) { return robot.param; });

}  // namespace
}  // namespace tribo
