// Dry friction in kept formulations, solvers and certifier: a step like the one before allocates nothing, in any model.
#include "tribo/certify/contact_certifier.hpp"
#include "tribo/formulation/cone.hpp"
#include "tribo/formulation/friction_box.hpp"
#include "tribo/formulation/pyramid.hpp"
#include "tribo/problem/contact_builder.hpp"
#include "tribo/problem/islands.hpp"
#include "tribo/solve/cone/cone_solver.hpp"
#include "tribo/solve/pivot/dantzig.hpp"
#include "tribo/solve/pivot/structured_lemke.hpp"

#include <vector>

#include "guard.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::count_allocations;

// A tree of six joints with dry friction that drags a box over the ground, and a box of its own island.
ContactProblem dragged_box(double speed) {
  ContactBuilder builder;
  MatrixXd mass = MatrixXd::Constant(6, 6, 0.1);
  mass.diagonal().setConstant(1.0);
  const Index tree = builder.add_tree(mass);
  builder.set_velocity(tree, VectorXd::LinSpaced(6, -speed, speed));
  for (int b = 0; b < 2; ++b) {
    const Index box = builder.add_body(1.0, box_inertia(1.0, {0.2, 0.2, 0.2}), Vector3d(b, 0.0, 0.1));
    builder.set_velocity(box, (VectorXd(6) << speed, 0, 0, 0, 0, 0).finished());
    for (const double x : {-0.1, 0.1}) {
      for (const double y : {-0.1, 0.1}) {
        const Contact law{.mu = 0.3, .mu_v = 0.1, .friction_bound = 0.01, .impact_damping = 0.01};
        builder.add_contact(box, ContactBuilder::kWorld, {b + x, y, 0.0}, Vector3d::UnitZ(), law);
      }
    }
    if (b == 0) builder.add_bilateral({{tree, VectorXd::Unit(6, 0)}, {box, -VectorXd::Unit(6, 0)}});
  }
  builder.add_gravity({0.0, 0.0, -9.81});
  for (Index k = 0; k < 6; ++k) builder.add_dry_friction({{tree, VectorXd::Unit(6, k)}}, 0.01);
  return builder.build();
}

template <typename Step>
void expect_no_allocation(const ContactModel& model, Step step) {
  ContactCertifier certifier;
  IslandSplitter islands;
  const std::vector<ContactProblem> problems = {dragged_box(1.0), dragged_box(0.01), dragged_box(2.0)};
  ContactSolution answer, part;
  for (int round = 0; round < 2; ++round) {
    for (const ContactProblem& problem : problems) {
      const Certificate* certificate = nullptr;
      const int allocated = count_allocations([&] {
        step(problem, answer);
        certificate = &certifier(problem, model, answer);
        islands.split(problem);
        islands.cut(0, problem, answer, part);
      });
      EXPECT_TRUE(certificate->passes(1e-8)) << to_string(model) << " " << certificate->worst;
      if (round == 1) {
        EXPECT_EQ(allocated, 0) << to_string(model);
      }
    }
  }
}

TEST(DryFrictionAllocation, PyramidsKeepTheirPads) {
  PyramidFormulation formulation;
  StructuredLemkeSolver solver;
  PyramidSolution impulses;
  expect_no_allocation(CoulombPyramid{}, [&](const ContactProblem& problem, ContactSolution& answer) {
    static_cast<void>(formulation.update(problem, CoulombPyramid{}));
    static_cast<void>(solver.solve(formulation.problem(), impulses.loaded, impulses));
    formulation.lift(impulses, answer);
  });
}

TEST(DryFrictionAllocation, BoxesKeepTheirRows) {
  for (const ContactModel& model :
       {ContactModel(Frictionless{}), ContactModel(NoSlip{}), ContactModel(Viscous{}), ContactModel(FrictionBox{})}) {
    BoxFormulation formulation;
    DantzigSolver solver;
    BoxLcpSolution found;
    const WarmStart cold;
    expect_no_allocation(model, [&](const ContactProblem& problem, ContactSolution& answer) {
      static_cast<void>(formulation.update(problem, model));
      static_cast<void>(solver.solve(formulation.problem(), cold, found));
      formulation.lift(found.z, answer);
    });
  }
}

}  // namespace
}  // namespace tribo
