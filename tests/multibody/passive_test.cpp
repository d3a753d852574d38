// Springs, dampers, tendons and weight that is carried from outside.
#include "tribo/multibody/dynamics.hpp"
#include "tribo/multibody/jacobian.hpp"

#include "random_model.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::moved;
using testing::relative_error;

// Two tendons over all hinges and slides: one pulled beyond the range where its spring rests, one damped.
void add_tendons(ModelDescription& d, Random& random) {
  for (int t = 0; t < 2; ++t) {
    Tendon tendon;
    for (std::size_t j = 0; j < d.joints.size(); ++j) {
      if (calc_nv(d.joints[j].type) == 1) tendon.terms.push_back({static_cast<Index>(j), random.normal()});
    }
    tendon.stiffness = 3.0;
    tendon.damping = t == 0 ? 0.0 : 2.0;
    tendon.spring_lower = -0.2;
    tendon.spring_upper = 0.3;
    d.tendons.push_back(tendon);
  }
}

// With v = 0, passive forces and gravity are what the potential energy loses per way, joint by joint of every type.
TEST(Passive, IsTheGradientOfThePotential) {
  constexpr double kTime = 1e-5;
  int stretched = 0;
  for (int seed = 0; seed < 24; ++seed) {
    Random random(static_cast<std::uint64_t>(5000 + seed));
    ModelDescription d = testing::random_description(random, {.bodies = 1 + seed % 8, .springs = true});
    add_tendons(d, random);
    const Model model = Model::make(d).value();
    State state = testing::random_state(model, random);
    state.v.setZero();
    Data data(model);
    calc_dynamics(model, state, data);
    for (std::size_t t = 0; t < data.tendons.size(); ++t) {
      const Tendon& tendon = model.description().tendons[t];
      const double length = data.tendons[t].length;
      stretched += length < tendon.spring_lower || length > tendon.spring_upper ? 1 : 0;
    }
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
    EXPECT_LT(relative_error(data.passive - data.bias, expected), 1e-7) << seed;
  }
  EXPECT_GT(stretched, 10);
}

// What v adds is −D v, D = joint damping + Σ c a aᵀ of tendons.
TEST(Passive, DampersPullAgainstTheMotion) {
  for (int seed = 0; seed < 12; ++seed) {
    Random random(static_cast<std::uint64_t>(5100 + seed));
    ModelDescription d = testing::random_description(random, {.bodies = 1 + seed % 8, .springs = true});
    add_tendons(d, random);
    const Model model = Model::make(d).value();
    State state = testing::random_state(model, random);
    MatrixXd D = MatrixXd::Zero(model.nv(), model.nv());
    for (std::size_t j = 0; j < model.joints().size(); ++j) {
      for (int k = 0; k < calc_nv(model.joints()[j].type); ++k) {
        const Index dof = model.v_start(static_cast<Index>(j)) + k;
        D(dof, dof) = model.joints()[j].damping;
      }
    }
    VectorXd a = VectorXd::Zero(model.nv());
    for (const Tendon::Term& term : model.description().tendons[1].terms)
      a(model.v_start(term.joint)) += term.coefficient;
    D += 2.0 * a * a.transpose();
    Data data(model), rest(model);
    calc_dynamics(model, state, data);
    const VectorXd v = state.v;
    state.v.setZero();
    calc_dynamics(model, state, rest);
    EXPECT_LT(relative_error(data.passive - rest.passive, -D * v), 1e-12) << seed;
  }
}

// A robot whose weight is carried does not feel gravity; a body carried by half feels half of its own.
TEST(Passive, CompensationCarriesWeight) {
  for (int seed = 0; seed < 12; ++seed) {
    Random random(static_cast<std::uint64_t>(5200 + seed));
    ModelDescription d = testing::random_description(random, {.bodies = 6});
    for (Body& body : d.bodies) body.gravity_compensation = 1.0;
    const Model carried = Model::make(d).value();
    State state = testing::random_state(carried, random);
    state.v.setZero();
    Data data(carried);
    calc_dynamics(carried, state, data);
    EXPECT_LT((data.passive - data.bias).cwiseAbs().maxCoeff(), 1e-11) << seed;

    for (Body& body : d.bodies) body.gravity_compensation = 0.0;
    d.bodies[4].gravity_compensation = 0.5;
    const Model half = Model::make(d).value();
    calc_dynamics(half, state, data);
    MatrixXd J(6, half.nv());
    calc_jacobian(half, data, 4, data.com[4], J);
    const VectorXd expected = J.topRows<3>().transpose() * (-0.5 * d.bodies[4].inertia.mass * d.gravity);
    EXPECT_LT(relative_error(data.passive, expected), 1e-12) << seed;
  }
}

// A tendon does not pull while its length is in the range where its spring rests.
TEST(Passive, TendonsRestInTheirRange) {
  ModelDescription d;
  Body body;
  body.inertia.mass = 1.0;
  d.bodies.push_back(body);
  Joint joint;
  joint.type = JointType::kSlide;
  joint.body = 1;
  d.joints.push_back(joint);
  Tendon tendon;
  tendon.terms = {{0, 2.0}};
  tendon.stiffness = 10.0;
  tendon.spring_lower = -1.0;
  tendon.spring_upper = 1.0;
  d.tendons.push_back(tendon);
  const Model model = Model::make(d).value();
  State state = make_state(model);
  Data data(model);
  const auto force_at = [&](double q) {
    state.q(0) = q;
    calc_dynamics(model, state, data);
    return data.passive(0);
  };
  EXPECT_EQ(force_at(0.4), 0.0);
  EXPECT_EQ(force_at(-0.5), 0.0);
  EXPECT_DOUBLE_EQ(force_at(1.0), -20.0);  // length 2, one too long; arm 2
  EXPECT_DOUBLE_EQ(force_at(-1.0), 20.0);
}

}  // namespace
}  // namespace tribo
