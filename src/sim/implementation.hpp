#pragma once

#include "tribo/sim/simulation.hpp"

#include "sim/memory.hpp"
#include "sim/step_solver.hpp"

namespace tribo {

struct Simulation::Implementation {
  Implementation(Model the_model, SimulationOptions the_options, CollisionModel shapes);

  void step();
  // One after the other.
  void collide();
  void assemble();
  void start_from_memory();
  void finish(const ContactSolution& solution);
  void correct_positions();  // src/sim/correct_positions.cpp

  Model model;
  SimulationOptions options;
  double h;
  CollisionModel collision;
  Collider collider;
  State state;
  VectorXd control, applied;
  double time = 0.0;
  Data data;
  Assembler assembler;
  AssemblyOptions assembly;
  ContactProblem problem;
  StepSolver solver;
  ContactSolution known;  // impulses to start from, in the order of the problem
  Memory memory;
  std::vector<Pose> poses;
  std::vector<FoundContact> found;
  std::vector<ContactRecord> records;
  StepReport report;
};

}  // namespace tribo
