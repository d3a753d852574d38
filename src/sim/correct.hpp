// Stage 10, correct: positions alone, after the step:  minimize ½ dqᵀ M dq  such that  N dq ≥ −(gap + left)  and
// J dq = −g. Velocities stay what they are, so no kinetic energy comes from it.
//     in   the rows of the step and what they carry, the forces of the step
//     out  State: positions; Correction: what was moved, what is left
// Ends       An island is corrected when one of its contacts overlaps by more than `allowed`, and then to `left` = allowed / 2.
//            With one number for both, rounding left contacts above it, and scenes at rest were corrected in every step.
//            Where rows contradict each other and none that asks gains anything, nothing moves. While positions keep their bits
//            after such an attempt it is not made again.
// Linear     Contacts are where they are at the beginning: a correction must be small against the shapes, or it opens what is
//            listed and closes what is not. A contact asks for a small part of its shapes' size at most, and bodies that still
//            turn far (jammed between contacts that lie close together) go a part of the way: with dq also t dq, 0 < t ≤ 1,
//            makes no contact deeper.
#pragma once

#include "tribo/multibody/assembly.hpp"
#include "tribo/multibody/data.hpp"

#include <string>
#include <vector>

#include "sim/detect.hpp"
#include "sim/position_solver.hpp"
#include "sim/rows.hpp"
#include "sim/setup.hpp"

namespace tribo {

struct CorrectInput {
  const StepRows& rows;
  const VectorXd& control;
  const VectorXd& applied;
  const VectorXd& speed_gain;  // FreeMotion::speed_gain
};

struct Correction {
  bool corrected = true;    // false: positions should have been corrected and were not; `why` says why
  bool fallback = false;    // no certified answer was found
  double moved = 0.0;       // m, rad: the largest move of a coordinate; 0: none
  double loop_error = 0.0;  // m or rad, after the step
  std::string why;
};

class CorrectStage {
 public:
  explicit CorrectStage(const StepSetup& setup);
  // `data`: where positions were corrected, it is that of their beginning afterwards.
  void run(const CorrectInput& input, State& state, Data& data, Correction& out);

 private:
  // The last correction that moved nothing, with all that it depends on.
  struct VainAttempt {
    bool holds = false, fallback = false;
    std::string why;
    VectorXd q, v;
    std::vector<KinematicState> kinematic;
    std::vector<FoundContact> found;
    std::vector<std::uint8_t> looks;
  };
  bool find_suspects(const StepRows& rows, bool& needed);
  void assemble(const CorrectInput& input, const State& state, Data& data, bool with_contacts);
  bool asks(const FoundContact& contact) const;
  void measure_loops(const State& state, Data& data, Correction& out);
  bool has_open_loop() const;
  bool drop_useless_moves(const IslandMap& islands);
  bool take_back_circles(const IslandMap& islands, const DetectInput& detect, State& state, Data& data,
                         Correction& out);
  void stop_islands(const IslandMap& islands, const std::vector<std::uint8_t>& goes_on);
  void measure_left(const IslandMap& islands, const std::vector<FoundContact>& found, bool moved,
                    std::vector<double>& left) const;
  void limit_turns(const IslandMap& islands);
  bool is_vain(const State& state) const;
  void remember_vain(const State& state, const std::string& why, bool fallback);

  const StepSetup& setup_;
  Assembler assembler_;
  Detector detector_;
  PositionSolver solver_;
  ContactProblem moves_;
  EqualityRows loops_;
  Detection detection_, detection_after_;
  std::vector<KinematicState> carried_;           // the motions that do not count
  std::vector<std::uint8_t> looks_;               // per tree: it may overlap now
  std::vector<std::uint8_t> asking_;              // per row of `moves_`, those of J behind
  std::vector<std::uint8_t> gains_;               // per island: a row that asks gains something
  std::vector<std::uint8_t> doubtful_;            // per island: not all that was asked for is gained
  std::vector<double> left_before_, left_after_;  // m² and rad², per island: what is left to correct
  std::vector<double> turned_;                    // rad, per island
  VectorXd dq_, last_q_;
  VainAttempt vain_;
};

}  // namespace tribo
