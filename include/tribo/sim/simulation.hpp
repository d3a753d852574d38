// Simulation: a world in time.
//     q_m = q ⊕ h/2 v ─multibody→ M, bias ─collision→ contacts ─→ ContactProblem ─solve, certify→ v⁺,   q⁺ = q_m ⊕ h/2 v⁺   (1)
// Velocity level, by the midpoint (multibody/integrator.hpp), or by Euler: forces and contacts at q, then q⁺ = q ⊕ h v⁺.
//
// Contacts   gap > touching: N v⁺ + gap/h ≥ 0, they may close but not pass; else N v⁺ ≥ 0. An approach faster than
//            bounce_speed that meets within the step bounces with e² of its energy. What v⁺ would pass without having been
//            listed is listed, and the step is solved again.
// Overlap    is never pushed out by velocities: that would add kinetic energy. Where an overlap exceeds allowed_overlap, or a
//            loop is open by more than loop_tolerance, positions alone are moved, by least kinetic energy, after the step:
//            until half of allowed_overlap is left and the loop is closed.
// Failure    what the chain of docs/solvers.md cannot certify is reported with its cause; the step goes on with the best there is.
#pragma once

#include "tribo/certify/certificate.hpp"
#include "tribo/collision/collider.hpp"
#include "tribo/core/expected.hpp"
#include "tribo/core/status.hpp"
#include "tribo/multibody/assembly.hpp"
#include "tribo/multibody/data.hpp"
#include "tribo/multibody/integrator.hpp"
#include "tribo/multibody/model.hpp"
#include "tribo/problem/cone_problem.hpp"
#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/model.hpp"
#include "tribo/problem/solution.hpp"
#include "tribo/sim/named.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tribo {

struct SimulationOptions {
  ContactModel model = CoulombCone{};
  std::string solver = "auto";
  double step = 0.0;  // s; 0: what the file proposes
  // Nothing: what the file asks for, else midpoint. Compliant contacts: Euler alone.
  std::optional<Integrator> integrator = {};
  double tolerance = 1e-8;  // of every certificate
  int threads = 1;          // islands are solved in parallel, with the same bits for any number
  // m, >= 0; contacts that are farther apart, and cannot close within the step, are not listed. Nothing: for each pair of geoms 2 %
  // of the radius of the smaller one (half the diagonal of its box), 1 cm at most. Margins of geoms make it larger.
  std::optional<double> margin = {};
  Index most_contacts = 250'000;  // a step that finds more is refused: many bodies lie in one place
  double touching = 1e-8;         // m; smaller gaps count as closed, so that rounding of positions moves nothing
  double allowed_overlap = 1e-5;  // m; deeper overlaps are corrected to half of it
  double loop_tolerance = 1e-10;  // m, rad
  double bounce_speed = 1e-2;     // m/s; slower approaches do not bounce, nor what gravity gives in a step
  double restitution = 0.0;       // of all pairs that say nothing themselves; 0 … 1
  // Meshes of bodies that cannot move collide by their triangles, not by their convex hulls; also those whose geoms say so.
  bool exact_meshes = false;
  // Springs and dampers of real materials at the contacts (docs/compliant.md) in place of rigid ones. CoulombCone only; overlap
  // is what carries load then: it is not corrected, and nothing bounces by restitution.
  bool compliant = false;
  std::string material = "steel";  // of geoms whose own has no name in materials()
  // m/s, > 0: no faster than this does a compliant contact push out what overlaps. Overlap that carries load must be able to
  // push out by depth over step, or it sinks on: leave it infinite but for scenes that start with bodies inside one another.
  double push_out_speed = std::numeric_limits<double>::infinity();
  bool warm_start = true;
};

// The model as the command line names it.
std::string name_model(const SimulationOptions& options);

// What is known of a contact after a step.
struct ContactRecord {
  Index shape_a = -1, shape_b = -1;  // geoms of the model
  std::uint64_t feature = 0;
  Vector3d point = Vector3d::Zero();
  Matrix3d frame = Matrix3d::Identity();  // columns s, t, n; n from b to a
  double gap = 0.0;                       // m, before the step; beyond the geoms' rest distance (margin − gap)
  double mu = 0.0, mu_spin = 0.0, mu_roll = 0.0;
  Vector3d impulse = Vector3d::Zero();       // N·s along s, t, n
  Vector3d couple = Vector3d::Zero();        // N·m·s about s, t, n: rolling and spin
  Vector3d velocity = Vector3d::Zero();      // m/s along s, t, n, after the step
  ContactState state = ContactState::kOpen;  // certify/classify.hpp
};

enum class JointRowKind : std::uint8_t { kLimit, kDryFriction };

// What is known of a limit or of the dry friction of a joint or tendon after a step; lengths in m or rad, as it moves.
struct JointRowRecord {
  JointRowKind kind = JointRowKind::kLimit;
  Index joint = -1;      // of the model; tendons come after the joints
  int place = 0;         // limit: -1 lower, +1 upper; dry friction: which degree of freedom of the joint
  double gap = 0.0;      // m or rad, limits: before the step
  double bound = 0.0;    // N·s or N·m·s, dry friction: the largest impulse of the step
  double impulse = 0.0;  // N·s or N·m·s; limits: >= 0, away from the limit; dry friction: along the degree of freedom
  double velocity = 0.0;                     // m/s or rad/s after the step, in the direction of the impulse
  ContactState state = ContactState::kOpen;  // limit: open or stick; dry friction: stick or slide
};

struct IslandReport {
  Index bodies = 0, contacts = 0;  // trees; rows of contacts and of joint limits and dry friction
  Status status = Status::kSolved;
  double worst = 0.0;  // of its certificate
  std::string solver;
  std::string detail;  // of a failure
};

struct StepReport {
  std::int64_t step = 0;
  double time = 0.0;  // s, at the end of the step
  Status status = Status::kSolved;
  Index contacts = 0;    // listed between shapes, open ones included
  Index joint_rows = 0;  // limits within reach and dry friction of joints and tendons
  int pivots = 0, sweeps = 0;
  CollisionCounts collision;  // of all searches for contacts in the step
  int listings = 1;           // more: contacts set bodies going farther than was looked, and the step was solved again
  bool fallback = false;      // the first method did not do
  double worst = 0.0;         // the largest certificate of the islands
  double overlap = 0.0;       // m, the deepest before the step; 0: none
  double loop_error = 0.0;    // m or rad, after the step
  double turn = 0.0;          // rad, the most that a body turns in the step; above 1 no method follows it
  // false: positions should have been corrected and were not, or loops contradict one another; detail says why.
  bool corrected = true;
  double correction = 0.0;         // m, rad: the largest move of a coordinate by the correction of positions; 0: none
  double correction_energy = 0.0;  // J, of gravity and springs: what that move added
  // Wall time of the step and of its parts; the solve without its certificates.
  double seconds_collide = 0.0, seconds_dynamics = 0.0, seconds_solve = 0.0, seconds_certify = 0.0;
  double seconds_correct = 0.0, seconds = 0.0;
  std::vector<IslandReport> islands;
  std::string detail;  // of a failure
  std::vector<std::string>
      warnings;  // of motions that were certified and cannot be right; per pair of geoms the first time
};

class Simulation {
 public:
  // The model is kept. Fails where shapes cannot collide as asked, naming them, and where options make no sense.
  static Expected<Simulation> make(Model model, SimulationOptions options = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  const StepReport& step();
  // Steps until `seconds` have passed; ends early, with false, at a step that was not certified.
  bool run(double seconds);

  const Model& model() const;
  const SimulationOptions& options() const;
  double time() const;
  double h() const;
  Integrator integrator() const;
  const State& state() const;
  // Sizes must fit; forgets impulses, contacts and report of the last step, and what it has warned of.
  void set_state(const State& state);
  VectorXd& control();  // one number per actuator
  VectorXd& applied();  // generalized forces, kept until changed
  const StepReport& report() const;
  const std::vector<ContactRecord>& contacts() const;     // of the last step, between shapes
  const std::vector<JointRowRecord>& joint_rows() const;  // of the last step: limits of joints, then their dry friction
  // The problem and the answer of the last step; rows of N: limits of joint_rows(), then contacts(); rows of D: the rest of
  // joint_rows(). After a step without a usable answer, what is left of it.
  const ContactProblem& problem() const;
  const ContactSolution& solution() const;
  // Values of all sensors, one after the other (Model::sensor_start), after the last step or at the state that was set. Positions and
  // velocities are those of state(), accelerations and forces means over the last step (src/sim/sensors.hpp).
  const VectorXd& sensors() const;
  // By name. Throws ContractError, naming the nearest names, where there is none; find_part (tribo/multibody/names.hpp) asks first.
  JointHandle joint(const std::string& name);
  FrameHandle body(const std::string& name);
  FrameHandle site(const std::string& name);
  FrameHandle geom(const std::string& name);
  ActuatorHandle actuator(const std::string& name);
  SensorHandle sensor(const std::string& name);
  // Of the last step: where its forces acted, or, where positions were corrected, at the last positions that were tried.
  const Data& data() const;
  double calc_energy();  // J, kinetic and potential, now
  // Of q, v, the motions of kinematic bodies, time and the impulses that start the next step.
  std::uint64_t calc_hash() const;

  // All that the next step depends on, bit for bit.
  std::vector<std::uint8_t> save_checkpoint() const;
  Checked load_checkpoint(const std::vector<std::uint8_t>& bytes);

 private:
  struct Implementation;
  explicit Simulation(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tribo
