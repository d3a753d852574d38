#pragma once

#include "tribo/sim/simulation.hpp"

#include "sim/contact_stiffness.hpp"
#include "sim/memory.hpp"
#include "sim/step_solver.hpp"

namespace tribo {

struct Simulation::Implementation {
  Implementation(Model the_model, SimulationOptions the_options, CollisionModel shapes, ContactStiffness springs);

  void step();
  // One after the other.
  void push();
  double calc_gain(Index body, const Vector3d& point, double radius) const;
  void collide();
  void assemble();
  void start_from_memory();
  // src/sim/bounce.cpp
  bool needs_impacts(const ContactSolution& solution) const;
  bool is_driven() const;
  double calc_kinetic(const VectorXd& v) const;
  bool set_bounces(const VectorXd& offsets, double share);
  const ContactSolution& solve_impacts();
  void finish(const ContactSolution& solution);
  void correct_positions();  // src/sim/correct_positions.cpp

  Model model;
  SimulationOptions options;
  double h;
  double bounce_speed;  // m/s, > 0: of the options, and not less than gravity gives in a few steps
  CollisionModel collision;
  Collider collider;
  ContactStiffness stiffness;  // where contacts are compliant
  State state, last_state;     // last: before the step, for one that must be refused
  VectorXd control, applied;
  double time = 0.0;
  Data data;
  Assembler assembler;
  AssemblyOptions assembly;
  ContactProblem problem;
  StepSolver solver;
  ContactSolution known;              // impulses to start from, in the order of the problem
  std::vector<std::uint8_t> of_rest;  // per row: the known impulse was found at rest
  Memory memory;
  std::vector<Pose> poses;
  std::vector<FoundContact> found;
  std::vector<ContactRecord> records;
  std::vector<double> restitution;  // per row; joints: 0
  bool driven = false;              // by more than weight
  BlockCholesky mass_factor;
  VectorXd pushed;                      // m/s, rad/s: what the forces of the step do to v, where it is driven
  std::vector<double> reach;            // m, per shape: how far it may go in a step, beyond half the margin
  std::vector<double> gain;             // m/s, per shape: what the forces of the step may add to its speed
  std::vector<std::uint8_t> fixed;      // per body: nothing that a contact does moves it
  VectorXd pressed;                     // m/s, per row: how much faster the forces of the step alone make it close
  std::vector<KinematicState> carried;  // while positions are corrected: the motions that do not count
  ContactSolution impacts;              // of a step that was taken impact by impact
  StepReport report;
};

}  // namespace tribo
