#include "tribo/sim/simulation.hpp"

#include "tribo/contact/solve.hpp"
#include "tribo/core/assert.hpp"
#include "tribo/multibody/dynamics.hpp"

#include "sim/check_options.hpp"
#include "sim/implementation.hpp"
#include "sim/shapes.hpp"

namespace tribo {

Simulation::Simulation(std::unique_ptr<Implementation> implementation) : implementation_(std::move(implementation)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

Expected<Simulation> Simulation::make(Model model, SimulationOptions options) {
  if (const Checked sound = check_options(options, model); !sound) return Unexpected<Error>{sound.error()};
  Expected<CollisionModel> collision = make_collision_model(model, options.exact_meshes);
  if (!collision) return Unexpected<Error>{collision.error()};
  Expected<ContactStiffness> springs = ContactStiffness::make(model, *collision, options.material);
  if (!springs) return Unexpected<Error>{springs.error()};
  auto all = std::make_unique<Implementation>(std::move(model), std::move(options), std::move(*collision),
                                              std::move(*springs));
  if (Checked suits = all->check_solver(); !suits) return Unexpected<Error>{suits.error()};
  all->sensors.measure(all->state, all->control, all->time);
  return Simulation(std::move(all));
}

Checked Simulation::Implementation::check_solver() const {
  // The rows of joints alone tell what kind of problem the steps will be.
  Data first(setup.model);
  ContactProblem problem;
  calc_dynamics(setup.model, state, first);
  Assembler(setup.model).begin(state, first, control, applied, setup.assembly, problem);
  return tribo::check_solver(problem, setup.options.model, setup.options.solver);
}

std::string name_model(const SimulationOptions& options) {
  return options.compliant ? "compliant" : to_string(options.model);
}

const StepReport& Simulation::step() {
  Implementation& all = *implementation_;
  all.sensors.begin(all.state);
  all.step();
  all.sensors.end(all.state, all.control, all.time, all.rows, all.answer.solution);
  return all.report;
}

bool Simulation::run(double seconds) {
  const auto steps = static_cast<std::int64_t>(std::llround(seconds / h()));
  for (std::int64_t i = 0; i < steps; ++i) {
    if (!is_solved(step().status)) return false;
  }
  return true;
}

const Model& Simulation::model() const { return implementation_->setup.model; }
const SimulationOptions& Simulation::options() const { return implementation_->setup.options; }
double Simulation::time() const { return implementation_->time; }
double Simulation::h() const { return implementation_->setup.h; }
Integrator Simulation::integrator() const { return implementation_->setup.integrator; }
const State& Simulation::state() const { return implementation_->state; }
VectorXd& Simulation::control() { return implementation_->control; }
VectorXd& Simulation::applied() { return implementation_->applied; }
const StepReport& Simulation::report() const { return implementation_->report; }
const std::vector<ContactRecord>& Simulation::contacts() const { return implementation_->rows.contacts; }
const std::vector<JointRowRecord>& Simulation::joint_rows() const { return implementation_->rows.joint_rows; }
const VectorXd& Simulation::sensors() const { return implementation_->sensors.values(); }
const ContactProblem& Simulation::problem() const { return implementation_->rows.problem; }
const ContactSolution& Simulation::solution() const { return implementation_->answer.solution; }
const Data& Simulation::data() const { return implementation_->data; }

void Simulation::set_state(const State& state) {
  State checked = state;
  if (const Checked valid = validate(model(), checked); !valid) throw ContractError(valid.error().text());
  implementation_->state = std::move(checked);
  implementation_->memory.clear();
  implementation_->motion = {};
  implementation_->correct.set_stuck({});
  implementation_->rows.joint_rows.clear();
  implementation_->rows.contacts.clear();
  implementation_->overlap_watch.forget();
  const std::int64_t step = implementation_->report.step;
  implementation_->report = StepReport{};
  implementation_->report.step = step;
  implementation_->report.time = implementation_->time;
  implementation_->sensors.measure(implementation_->state, implementation_->control, implementation_->time);
}

double Simulation::calc_energy() {
  Implementation& all = *implementation_;
  calc_positions(all.setup.model, all.state, all.data);
  calc_velocities(all.setup.model, all.state, all.data);
  calc_mass_matrix(all.setup.model, all.data);
  const Energy energy = tribo::calc_energy(all.setup.model, all.state, all.data);
  return energy.kinetic + energy.potential;
}

}  // namespace tribo
