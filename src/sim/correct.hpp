// Stage 11, correct: the least move dq of positions alone that removes overlaps, closes loops and takes limits back,
//     minimize ½ dqᵀ M dq   such that   N dq ≥ −(gap + target),   J dq = −g.
// Velocities are not changed, so the correction cannot speed bodies up as stabilization by velocities does.
//     in   the rows of the step and their impulses (control and applied forces play no part)
//     out  State: positions;  Correction: what was moved, what is left;  Data: scratch, of positions before, tried or
//          after
// Trigger    An island is corrected when one of its contacts overlaps by more than allowed_overlap, a limit was passed
//            by more than that before the step, or a loop is open by more than loop_tolerance. Overlaps are looked for
//            at trees that overlapped before the step or slid fast about a loaded contact: elsewhere the step itself
//            keeps contacts closed. Compliant contacts overlap by their nature and are never corrected.
// Target     Half of the allowed overlap: with the allowed one itself, rounding leaves contacts above it, and scenes at
//            rest are corrected in every step. A limit takes half of what it was passed by back per step.
// In vain    Where rows contradict each other and no violated row would be reduced, nothing moves. The attempt is not
//            repeated while positions, velocities and contacts are bitwise unchanged. Pairs of shapes that overlap
//            there are stuck: they ask for nothing until their bodies have moved against each other by as much as a
//            correction may move them, or other pairs of shapes are near their trees (what blocked them may be gone).
//            Hulls of neighbouring links often overlap by centimetres in every pose. Failure shows in
//            StepReport::corrected and detail: the status is that of the velocities.
// Loops      whose rows contradict one another close as far as they close (loop_move.hpp). What stays open by more than
//            allowed_overlap counts as not corrected.
// Blind      A move that closes loops alone may be larger than the allowed overlap: then contacts are looked for, and
//            it keeps them.
// Linear     Contact points and normals are frozen at the beginning of the move: a correction must be small against the
//            shapes, or it opens contacts that are listed and closes others. A contact asks for 1 % of its smaller
//            shape at most. Islands in which a body turns far (jammed between contacts that lie close together) go a
//            part t of the way: to first order no overlap is then deeper than before the move, or it is within
//            `target`. What such a move leads to is measured, and taken back where it is no better; a move that closes
//            loops is taken back where it opened them.
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
};

struct Correction {
  bool corrected = true;    // false: positions should have been corrected and were not, or not all; `why` says why
  bool fallback = false;    // no certified answer was found, for one island: then none moves
  double moved = 0.0;       // m, rad: the largest move of a coordinate; 0: none
  double energy = 0.0;      // J, by which the move raised the potential energy
  double loop_error = 0.0;  // m or rad, after the step
  CollisionCounts counts;
  std::string why;
};

class CorrectStage {
 public:
  explicit CorrectStage(const StepSetup& setup);
  void run(const CorrectInput& input, State& state, Data& data, Correction& out);

  // Two shapes that overlapped without a way out, and where body b was, seen from body a.
  struct StuckPair {
    Index shape_a = -1, shape_b = -1;
    Pose pose = {};
    std::uint64_t neighbours = 0;  // of the pairs of shapes that were near their trees
  };
  // Part of what the next step depends on.
  const std::vector<StuckPair>& stuck() const { return stuck_; }
  void set_stuck(std::vector<StuckPair> stuck) { stuck_ = std::move(stuck); }

 private:
  // The last correction that moved nothing, with all that it depends on.
  struct FailedCorrection {
    bool holds = false, fallback = false;
    std::string why;
    VectorXd q, v;
    std::vector<KinematicState> kinematic;
    std::vector<FoundContact> found;
    std::vector<std::uint8_t> suspects;
  };
  bool find_suspects(const StepRows& rows, bool& needed, bool& in_vain);
  void assemble(const CorrectInput& input, const State& state, Data& data, bool with_contacts);
  bool asks(const FoundContact& contact) const;
  void measure_loops(const State& state, Data& data, Correction& out);
  bool has_open_loop() const;
  bool solve(const CorrectInput& input, State& state, Data& data, bool look);
  void ask_for_what_closes();
  void find_near(const State& state, Data& data, Correction& out);
  std::uint64_t calc_neighbours(const StuckPair& pair, const StepRows& rows) const;
  Pose calc_relative_pose(const StuckPair& pair, const Data& data) const;
  void release_stuck(const StepRows& rows, const Data& data);
  bool is_stuck(Index shape_a, Index shape_b) const;
  void hold_stuck(const IslandMap& islands, const StepRows& rows, const Data& data);
  bool drop_useless_moves(const IslandMap& islands);
  bool move_where_useful(const IslandMap& islands, bool look, State& state, Data& data, Correction& out);
  void find_contacts(const Data& data, std::vector<FoundContact>& found, Correction& out);
  void stop_islands(const IslandMap& islands, const std::vector<std::uint8_t>& goes_on);
  void measure_left(const IslandMap& islands, const std::vector<FoundContact>& found, bool moved,
                    std::vector<double>& left) const;
  void limit_turns(const IslandMap& islands);
  bool failed_before(const State& state) const;
  void remember_failure(const State& state, const std::string& why, bool fallback);

  const StepSetup& setup_;
  Assembler assembler_;
  Detector detector_;
  PositionSolver solver_;
  ContactProblem moves_;
  EqualityRows loops_;
  std::vector<FoundContact> found_, found_after_;  // before and after the move
  std::vector<KinematicState> carried_;  // the motions of kinematic bodies, which stand still during a correction
  std::vector<std::uint8_t> suspects_;   // per tree: it may overlap now
  std::vector<std::uint8_t> asking_;     // per row of N, then of J: violated by more than is allowed
  std::vector<std::uint8_t> gains_;      // per island: a row that asks gains something
  std::vector<std::uint8_t> doubtful_;   // per island: not all that was asked for is gained
  std::vector<std::uint8_t> closes_;     // per island: a loop asks
  std::vector<std::uint8_t> blocked_;    // per island: a pair that asks gains nothing
  std::vector<double> shares_;           // per row that asks: what it gains of what it asks for
  std::vector<double> left_before_, left_after_;  // m² and rad², per island: what is left to correct
  std::vector<double> turned_;                    // rad, per island
  VectorXd dq_, last_q_;
  double stays_open_ = 0.0;  // m or rad: the most that a loop cannot be closed by
  FailedCorrection failed_;
  std::vector<StuckPair> stuck_;
};

}  // namespace tribo
