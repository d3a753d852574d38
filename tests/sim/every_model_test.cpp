// What a step promises in every contact model: rest costs nothing and moves no bit, start values save work, threads change no bit, and
// nothing that a scene contains ends in an exception.
#include "sim/every_model.hpp"

#include "tribo/contact/solve.hpp"
#include "tribo/problem/generate.hpp"
#include "tribo/solve/registry.hpp"

#include <iostream>

#include <gtest/gtest.h>

namespace tribo::testing {
namespace {

class EveryModel : public ::testing::TestWithParam<ModelCase> {};
INSTANTIATE_TEST_SUITE_P(Models, EveryModel, ::testing::ValuesIn(every_model()), NameOfModel());

// A stack, a wall and a door on its limit; a stack on a slope where friction holds.
TEST_P(EveryModel, RestCostsNoPivotAndNoSweep) {
  Simulation simulation = make_rest(GetParam());
  for (int k = 0; k < 300; ++k) ASSERT_TRUE(is_solved(simulation.step().status)) << simulation.report().detail;
  const VectorXd q = simulation.state().q;
  int work = 0;
  for (int k = 0; k < 300; ++k) {
    const StepReport& report = simulation.step();
    ASSERT_EQ(report.status, Status::kSolved) << report.detail;
    work += report.pivots + report.sweeps;
  }
  EXPECT_EQ(work, 0);
  EXPECT_TRUE(simulation.state().v.isZero(0.0));
  EXPECT_TRUE(simulation.state().q == q);
}

struct Work {
  int pivots = 0, sweeps = 0;
  int total() const { return pivots + sweeps; }
};

Work count_work(Simulation simulation) {
  Work work;
  for (int k = 0; k < 200; ++k) {
    const StepReport& report = simulation.step();
    EXPECT_TRUE(is_solved(report.status)) << "step " << k << ": " << report.detail;
    work.pivots += report.pivots;
    work.sweeps += report.sweeps;
  }
  return work;
}

// Sliding, rolling, a hinge with limits and dry friction; a moving grasp; a peg that slides down its hole; dominoes that fall. Some of
// them cost nothing without a start either (no-slip: one body whose contacts all hold), none may cost more with one.
TEST_P(EveryModel, MotionTakesLessWorkFromTheLastStep) {
  Work all_warm, all_cold;
  const auto compare = [&](const char* name, const auto& make) {
    const Work warm = count_work(make(GetParam().with({.step = 1e-3, .warm_start = true})));
    const Work cold = count_work(make(GetParam().with({.step = 1e-3, .warm_start = false})));
    std::cout << "  " << name << ": warm " << warm.pivots << " pivots, " << warm.sweeps << " sweeps; cold "
              << cold.pivots << " pivots, " << cold.sweeps << " sweeps\n";
    EXPECT_LE(warm.total(), cold.total()) << name;
    all_warm.pivots += warm.pivots;
    all_warm.sweeps += warm.sweeps;
    all_cold.pivots += cold.pivots;
    all_cold.sweeps += cold.sweeps;
  };
  compare("motion", [&](const SimulationOptions& options) { return make_motion(GetParam(), options); });
  for (const char* scene : {"hand_grasp", "peg_in_hole", "dominoes"})
    compare(scene, [&](const SimulationOptions& options) { return make_scene(scene, options); });
  EXPECT_LT(3 * all_warm.total(), all_cold.total());
}

// Piles of many sizes that fall, meet and part: what a worker solved before must not show.
TEST_P(EveryModel, ThreadsChangeNoBit) {
  const auto make = [&](int threads) {
    ModelDescription d;
    add_floor(d, 0.4);
    for (int i = 0; i < 18; ++i) {
      const Vector3d at(0.4 * (i % 5) + 0.013 * i, 0.5 * (i / 5 % 2), 0.06 + 0.11 * (i / 6) + 0.003 * i);
      if (i % 4 == 3) {
        add_sphere(d, 0.05, 0.5, 0.4, at);
      } else {
        add_box(d, Vector3d(0.05, 0.06, 0.04), 1.0 + i % 3, 0.4, {.p = at});
      }
    }
    set_viscous(d);
    return make_simulation(std::move(d), GetParam().with({.step = 2e-3, .threads = threads}));
  };
  Simulation one = make(1), four = make(4);
  std::size_t most = 0;
  for (int k = 0; k < 200; ++k) {
    most = std::max(most, one.step().islands.size());
    four.step();
    ASSERT_EQ(one.calc_hash(), four.calc_hash()) << "step " << k;
  }
  EXPECT_GT(most, 4U);
}

// Steps of scenes that no method answers: no exception, no number that is none, and a reason.
void expect_reasons(const char* name, Simulation simulation, int steps = 20) {
  for (int k = 0; k < steps; ++k) {
    ASSERT_NO_THROW(simulation.step()) << name << ", step " << k;
    const StepReport& report = simulation.report();
    ASSERT_TRUE(simulation.state().q.allFinite() && simulation.state().v.allFinite()) << name << ", step " << k;
    ASSERT_TRUE(is_solved(report.status) || !report.detail.empty()) << name << ", step " << k;
    for (const ContactRecord& contact : simulation.contacts())
      ASSERT_TRUE(contact.impulse.allFinite() && contact.velocity.allFinite()) << name << ", step " << k;
  }
}

TEST_P(EveryModel, NoSceneEndsInAnException) {
  const auto with = [&](SimulationOptions options) { return GetParam().with(std::move(options)); };
  {  // a hinge locked where its limit does not allow it, pushed by a motor that is stronger than numbers
    ModelDescription d = make_hinged(1.0, 0.3, 0.1);
    d.joints[0].limited = true;
    d.joints[0].lower = 0.1;
    d.joints[0].upper = 0.1;
    d.joints[0].friction_loss = 1e12;
    Equality lock;
    lock.type = EqualityType::kJoint;
    lock.a = 0;
    lock.b = -1;
    lock.polynomial[0] = 1.0;
    d.equalities = {lock, lock};
    expect_reasons("rows that contradict one another", make_simulation(d, with({.step = 1e-3})));
    d.joints[0].friction_loss = 0.0;
    Simulation fast = make_simulation(std::move(d), with({.step = 1e-3}));
    State state = fast.state();
    state.v(0) = -1e8;
    fast.set_state(state);
    expect_reasons("a locked hinge that turns", std::move(fast));
  }
  {  // a box between plates that are too close, in plates that lie in one another, and in a box that lies in it
    ModelDescription d;
    add_floor(d, 0.5);
    add_geom(d, 0, {ShapeType::kBox, Vector3d(0.5, 0.5, 0.05), -1}, 0.5, {.p = Vector3d(0.0, 0.0, 0.2)});
    add_geom(d, 0, {ShapeType::kBox, Vector3d(0.5, 0.05, 0.5), -1}, 0.5, {.p = Vector3d(0.0, 0.1, 0.2)});
    for (int k = 0; k < 2; ++k) add_box(d, Vector3d::Constant(0.1), 1.0, 0.5, {.p = Vector3d(0.0, 0.0, 0.1)});
    set_viscous(d);
    expect_reasons("fixed bodies that overlap", make_simulation(std::move(d), with({.step = 1e-3})));
  }
  for (const double ratio : {1e12, 1e16}) {
    ModelDescription d;
    add_floor(d, 0.5);
    add_box(d, Vector3d::Constant(0.1), 1.0, 0.5, {.p = Vector3d(0.0, 0.0, 0.1)});
    add_box(d, Vector3d::Constant(0.1), ratio, 0.5, {.p = Vector3d(0.01, 0.0, 0.3)});
    add_box(d, Vector3d::Constant(0.1), 1.0, 0.5, {.p = Vector3d(0.0, 0.02, 0.5)});
    set_viscous(d);
    Simulation simulation = make_simulation(std::move(d), with({.step = 1e-3}));
    State state = simulation.state();
    state.v(0) = 1.0;
    state.v(8) = -1.0;
    simulation.set_state(state);
    expect_reasons("masses far apart", std::move(simulation));
  }
  {  // the contact lies in line with the hinge: rows of zeros
    ModelDescription d = make_hinged(1.0, 0.0, 0.1);
    add_floor(d, 0.5);
    add_geom(d, 1, {ShapeType::kSphere, Vector3d(0.1, 0.0, 0.0), -1}, 0.5);
    d.geoms[0].pose.p.z() = -0.1 + 1e-6;
    d.geoms[0].friction(0) = 0.0;
    d.geoms[1].friction(0) = 0.0;
    expect_reasons("rows of zeros", make_simulation(std::move(d), with({.step = 1e-3})));
  }
  {  // a ball of 1e-10 kg that meets a wall at 1e12 m/s, and friction of 1e30
    ModelDescription d;
    add_floor(d, 1e30);
    add_sphere(d, 0.1, 1e-10, 1e30, Vector3d(0.0, 0.0, 0.1));
    for (Geom& geom : d.geoms) geom.surface.mu_v = 1e20;
    Simulation simulation = make_simulation(std::move(d), with({.step = 1e-3}));
    State state = simulation.state();
    state.v(0) = 1e12;
    state.v(2) = -1e12;
    simulation.set_state(state);
    expect_reasons("numbers at the end of what doubles hold", std::move(simulation));
  }
}

// Whatever solver suits a model, the steps are solved by it alone.
TEST_P(EveryModel, EverySolverThatSuitsTakesTheStep) {
  ModelDescription d;
  add_floor(d, 0.1, kSlope);
  add_stack(d, 1, 0.1, kSlope, 0.0, 0.0);
  add_sphere(d, 0.1, 1.0, 0.1, Vector3d(0.0, 1.0, 0.15));
  set_viscous(d);
  const ContactProblem problem = sphere_on_plane();
  int suitable = 0;
  for (const Capability& solver : capabilities()) {
    const std::string name(solver.name);
    if (!check_solver(problem, GetParam().model, name)) continue;
    ++suitable;
    Expected<Simulation> made =
        Simulation::make(Model::make(d).value(), GetParam().with({.solver = name, .step = 1e-3}));
    ASSERT_TRUE(made) << name;
    for (int k = 0; k < 20; ++k) {
      ASSERT_NO_THROW(made->step()) << name;
      EXPECT_TRUE(is_solved(made->report().status) || !made->report().detail.empty()) << name << ", step " << k;
    }
  }
  EXPECT_GE(suitable, 2);
}

}  // namespace
}  // namespace tribo::testing
