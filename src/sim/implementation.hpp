#pragma once

#include "tribo/certify/contact_certifier.hpp"
#include "tribo/core/clock.hpp"
#include "tribo/sim/simulation.hpp"

#include "sim/bounce.hpp"
#include "sim/contact_stiffness.hpp"
#include "sim/memory.hpp"
#include "sim/overlap_watch.hpp"
#include "sim/position_solver.hpp"
#include "sim/step_solver.hpp"

namespace tribo {

struct Simulation::Implementation {
  Implementation(Model the_model, SimulationOptions the_options, CollisionModel shapes, ContactStiffness springs);

  void step();
  // One after the other.
  void assemble();
  void start_from_memory();
  const ContactSolution* solve_listed(const Stopwatch& watch);
  bool is_usable(const ContactSolution& solution) const;
  void finish(const ContactSolution& solution);
  void refuse(const std::string& why);
  // src/sim/listing.cpp
  void push();
  void collide();
  bool look_again(const VectorXd& v_next);
  double calc_gain(Index body, const Vector3d& point, double radius) const;
  double calc_reach(Index shape, const SpatialVector& V, double more) const;
  double calc_approach(const FoundContact& contact, const std::vector<SpatialVector>& V) const;
  bool is_idle(const FoundContact& contact) const;
  // src/sim/correct_positions.cpp
  void correct_positions();
  bool measure_loops();
  bool drop_useless_moves(const IslandMap& islands);
  bool take_back_circles(const IslandMap& islands);
  void stop_islands(const IslandMap& islands, const std::vector<std::uint8_t>& goes_on);
  void measure_left(const IslandMap& islands, bool moved, std::vector<double>& left) const;
  void limit_turns(const IslandMap& islands);
  // The last correction that moved nothing, with all that it depends on.
  struct VainAttempt {
    bool is_of(const Implementation& all) const;  // it would be made again
    void remember(const Implementation& all, std::string cause, bool failed);
    bool holds = false, fallback = false;
    std::string why;
    VectorXd q, v;
    std::vector<KinematicState> kinematic;
    std::vector<FoundContact> found;
    std::vector<std::uint8_t> looks;
  };

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
  BounceSolver bounce_solver;
  ContactCertifier classifier;
  std::vector<ContactState> states;  // per row of the problem
  OverlapWatch overlap_watch;
  StartValues known;                  // where to start, in the order of the problem
  std::vector<std::uint8_t> of_rest;  // per row: the known impulse was found at rest
  Memory memory;
  std::vector<Pose> poses;
  std::vector<FoundContact> found, found_again, idle;  // idle: near enough, but not closing with v
  std::vector<JointRowRecord> joint_records;           // the first rows of the problem
  std::vector<ContactRecord> records;                  // the rows after them
  std::vector<BounceRow> bounce_rows;
  std::vector<double> spring_shares;  // per row: of a tangential impulse, the spring's part; the damper has the rest
  bool driven = false;                // by more than weight
  BlockCholesky mass_factor;
  VectorXd pushed;                    // m/s, rad/s: what the forces of the step do to v, where it is driven
  std::vector<Vector3d> arms;         // m, per shape: its frame from the point of its body's spatial vectors
  std::vector<double> reach;          // m, per shape: how far it may go in a step, beyond half the margin
  std::vector<double> gain;           // m/s, per shape: what the forces of the step may add to its speed
  std::vector<std::uint8_t> fixed;    // per body: nothing that a contact does moves it
  std::vector<SpatialVector> next_V;  // per body: its motion with v⁺
  // While positions are corrected.
  PositionSolver position_solver;
  ContactProblem moves;
  EqualityRows loops;
  std::vector<KinematicState> carried;          // the motions that do not count
  std::vector<std::uint8_t> looks;              // per tree: it may overlap now
  std::vector<std::uint8_t> asking;             // per row of `moves`
  std::vector<std::uint8_t> gains;              // per island: a row that asks gains something
  std::vector<std::uint8_t> doubtful;           // per island: not all that was asked for is gained
  std::vector<double> left_before, left_after;  // m² and rad², per island: what is left to correct
  std::vector<double> turned;                   // rad, per island
  VectorXd dq, last_q;
  VainAttempt vain_attempt;
  StepReport report;
};

}  // namespace tribo
