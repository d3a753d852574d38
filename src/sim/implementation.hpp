// What a Simulation keeps: the setup, the state, what the stages of the last step left, and the stages themselves.
#pragma once

#include "tribo/core/clock.hpp"
#include "tribo/sim/simulation.hpp"

#include "sim/assemble.hpp"
#include "sim/correct.hpp"
#include "sim/detect.hpp"
#include "sim/drift.hpp"
#include "sim/dynamics.hpp"
#include "sim/impacts.hpp"
#include "sim/overlap_watch.hpp"
#include "sim/recall.hpp"
#include "sim/rows.hpp"
#include "sim/sensors.hpp"
#include "sim/setup.hpp"
#include "sim/solve_islands.hpp"

namespace tribo {

struct Simulation::Implementation {
  Implementation(Model model, SimulationOptions options, CollisionModel shapes, ContactStiffness springs);

  void step();                   // src/sim/step.cpp
  Checked check_solver() const;  // the named solver takes the model of this scene

  const StepSetup setup;
  // What evolves in time.
  State state;
  double time = 0.0;
  VectorXd control, applied;
  ContactStart memory;  // of the last step, for the next one
  MotionMemory motion;
  // Outputs of the stages of the last step, in their order.
  Data data;
  FreeMotion free_motion;
  Detection detection;
  StepRows rows;
  StartValues start;
  StepAnswer answer;
  Correction correction;
  StepReport report;

 private:
  void begin();
  void end();
  void solve_with_all_contacts();
  void add_to_report(StepAnswer& part);  // takes its islands
  void refuse(const std::string& why);
  // Adds the time since the last call to an entry of the report.
  void charge(double StepReport::*entry);

  VectorXd no_gain_;
  std::vector<Closing> closing_;
  Stopwatch watch_;
  double charged_ = 0.0;  // s of watch_
  Assembler assembler_;
  DynamicsStage dynamics_;
  Detector detector_;
  AssembleStage assemble_;
  RecallStage recall_;
  StepSolver solver_;
  ImpactStage impacts_;
  DriftStage drift_;

 public:
  CorrectStage correct;
  OverlapWatch overlap_watch;
  SensorStage sensors;  // after the step, in Simulation::step
};

}  // namespace tribo
