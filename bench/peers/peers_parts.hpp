// The parts of `bench peers`: measure an engine by its motions alone, the same way for all, and judge the runs of a scene.
#pragma once

#include "tribo/collision/collider.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "output.hpp"
#include "peers/peer_engines.hpp"

namespace tribo {

// What becomes of a scene: bodies stay where they start, exactly at rest, or they fall and come to rest somewhere.
enum class PeerScenario { kRest, kPile };

struct PeerMeasures {
  double moved = 0.0;           // m, the farthest that any body ever was from where the file has it
  double drop = 0.0;            // m, the most that a body is lower at the end
  std::optional<double> creep;  // m/s, the most a body moves over the second half of the steps; empty: not reached
  double overlap = 0.0;         // m, the deepest ever, by our collision code on the engine's poses
  double energy_rise = 0.0;     // J, the most over the least before; kinetic, weight, and work of constant forces
  double energy_change = 0.0;   // J, end less start
  double speed = 0.0;           // m/s, the greatest of a centre at the end
  long lost = 0;                // bodies under a plane, or outside of all fixed boxes seen from above
  bool finite = true;
};

// Sees the motions of one run every few steps.
class PeerWatch {
 public:
  static Expected<PeerWatch> make(const PeerStart& start, long steps);
  void look(const std::vector<PeerMotion>& bodies, long step);
  const PeerMeasures& measures() const { return measures_; }

 private:
  PeerWatch(const PeerStart& start, long steps, CollisionModel model);
  double calc_overlap(const std::vector<PeerMotion>& bodies);
  double calc_energy(const std::vector<PeerMotion>& bodies) const;
  long count_lost(const std::vector<PeerMotion>& bodies) const;

  const PeerStart* start_;
  long steps_;
  std::unique_ptr<CollisionModel> model_;
  Collider collider_;
  std::vector<Pose> poses_;
  std::vector<FoundContact> contacts_;
  std::vector<PeerMotion> half_way_;
  double energy_start_ = 0.0, energy_least_ = 0.0;
  PeerMeasures measures_;
};

struct PeerRun {
  std::string engine = "", setting = "";
  long steps = 0, asked = 0;
  double mean = 0.0, median = 0.0, late = 0.0;  // s per step; late: the mean of the last quarter of the steps made
  double contacts_mean = 0.0;
  long contacts_max = 0;
  long complaints = 0;
  std::string complaint = "";
  PeerMeasures measures = {};
  std::string outcome = "";  // in words
  bool succeeds = false;     // all steps, all bodies where they should be
};

struct PeerSceneRuns {
  std::string scene;
  PeerScenario scenario = PeerScenario::kRest;
  PeerRun ours, compliant;
  TriboNews news, compliant_news;
  std::vector<PeerRun> others;
};

inline constexpr double kPeerNear = 5e-3;   // m; nearer to where it should be than this: an engine succeeds
inline constexpr double kPeerQuiet = 1e-2;  // m/s; slower than this at the end: a pile is quiet

// The words for a run, from its measures.
void name_outcome(PeerScenario scenario, PeerRun& run);
// The promises of docs/benchmarks.md for one scene. whole: all steps were made; only then piles are asked to be quiet.
void judge_peers(Output& output, const PeerSceneRuns& runs, bool whole);

}  // namespace tribo
