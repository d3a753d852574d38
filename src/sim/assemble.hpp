// Stage 4, assemble: the rows of contacts, added to those of joints.
//     in   contacts as they were detected, positions and velocities
//     out  StepRows: problem with rows N, S, T and those against spinning and rolling, one record and one law per
//          contact
// Contacts   gap > SimulationOptions::touching: N v⁺ + gap/look ≥ 0, they may close before the next step looks
//            again, but not pass; else N v⁺ ≥ 0. What would pass the surface within the rest of the step, and
//            reaches it faster than bounce_speed, bounces with the restitution e of the pair: with the v⁺ that has
//            e² of the energy of the arrival (set_bounces).
// No-slip    contacts of a pair with one normal act in one plane, that of the nearest of them: where a body tips over
//            it, they let it.
// Compliant  N v⁺ + K φ/(h K + B) + f_n/(h (h K + B)) ≥ 0, with springs K and dampers B at the end of the step, φ
//            the gap from which the spring's tangent starts and f_n the normal impulse (docs/compliant.md). They do not
//            bounce, and push out no faster than push_out_speed.
#pragma once

#include "tribo/multibody/assembly.hpp"
#include "tribo/multibody/data.hpp"

#include <cstddef>
#include <vector>

#include "sim/detect.hpp"
#include "sim/rows.hpp"
#include "sim/setup.hpp"

namespace tribo {

struct AssembleInput {
  const Data& data;
  const std::vector<FoundContact>& contacts;
  const VectorXd& gain;  // FreeMotion::gain
};

class AssembleStage {
 public:
  AssembleStage(const StepSetup& setup, Assembler& assembler) : setup_(setup), assembler_(assembler) {}
  // What an earlier run added is taken back first, so that a step can be assembled again with more contacts.
  void run(const AssembleInput& input, StepRows& rows);

 private:
  // What depends on the pair of geoms alone, cached from run to run; pairs that had no contact in the last run are
  // computed.
  struct PairLaw {
    Index a = -1, b = -1;
    Contact law;
    SurfaceLaw surface;
    double tangential_ratio = 1.0;
    double rest_distance = 0.0;  // m
  };
  double calc_most_turn(const Data& data, const ContactPoint& point) const;
  void set_bounces(const VectorXd& gain, StepRows& rows) const;
  const PairLaw& law_of(Index a, Index b);
  void apply_compliance(const FoundContact& contact, double gap, Index points, const PairLaw& pair, Contact& law,
                        RowLaw& row, double& offset) const;

  const StepSetup& setup_;
  Assembler& assembler_;
  std::vector<PairLaw> pairs_, last_pairs_;  // ascending (a, b)
  std::size_t next_ = 0;                     // in last_pairs_
};

}  // namespace tribo
