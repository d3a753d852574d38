#include "tribo/sim/simulation.hpp"

#include "tribo/contact/solve.hpp"
#include "tribo/core/assert.hpp"
#include "tribo/multibody/dynamics.hpp"

#include <cmath>

#include "sim/implementation.hpp"
#include "sim/shapes.hpp"

namespace tribo {

namespace {

constexpr double kMostMargin = 1e3;  // m, as far as a shape may reach in a step

}  // namespace

Simulation::Simulation(std::unique_ptr<Implementation> implementation) : implementation_(std::move(implementation)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

Expected<Simulation> Simulation::make(Model model, SimulationOptions options) {
  const double step = options.step > 0.0 ? options.step : model.description().timestep;
  if (!(options.step >= 0.0) || !std::isfinite(options.step) || !(step > 0.0))
    return fail("the step is not positive (" + std::to_string(options.step) + " s)", "step", "give a step > 0");
  if (options.margin && !(*options.margin >= 0.0 && *options.margin <= kMostMargin))
    return fail("margin must be between 0 and " + std::to_string(kMostMargin) + " m, got " +
                    std::to_string(*options.margin) + " m",
                "margin", "give metres, or leave it out: it then follows from the sizes of the geoms");
  if (!(options.allowed_overlap >= 0.0) || !(options.loop_tolerance > 0.0))
    return fail("allowed overlap or loop tolerance is negative", "options", "give lengths >= 0, in metres");
  if (options.most_contacts < 1) return fail("no contact is allowed", "most_contacts", "give a number >= 1");
  if (!(options.restitution >= 0.0 && options.restitution <= 1.0))
    return fail("restitution is not between 0 and 1", "options", "give a number between 0 and 1");
  if (options.threads < 1)
    return fail("threads must be at least 1, got " + std::to_string(options.threads), "threads", "give a number >= 1");
  if (!(options.tolerance > 0.0 && options.tolerance < 1.0))
    return fail("the tolerance is not between 0 and 1", "tolerance", "give a number like 1e-8");
  if (!(options.touching >= 0.0) || !(options.bounce_speed >= 0.0))
    return fail("touching or bounce speed is negative", "options", "give finite numbers >= 0");
  if (!(options.push_out_speed > 0.0))
    return fail("push_out_speed must be positive, got " + std::to_string(options.push_out_speed) + " m/s",
                "push_out_speed", "give a speed > 0 in m/s");
  if (options.compliant && !std::holds_alternative<CoulombCone>(options.model))
    return fail("compliant contacts obey the true cone alone", "model", "leave the model at cone");
  Expected<CollisionModel> collision = make_collision_model(model, options.exact_meshes);
  if (!collision) return Unexpected<Error>{collision.error()};
  Expected<ContactStiffness> springs = ContactStiffness::make(model, *collision, options.material);
  if (!springs) return Unexpected<Error>{springs.error()};
  auto all = std::make_unique<Implementation>(std::move(model), std::move(options), std::move(*collision),
                                              std::move(*springs));
  if (Checked suits = all->check_solver(); !suits) return Unexpected<Error>{suits.error()};
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
  implementation_->step();
  return implementation_->report;
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
const State& Simulation::state() const { return implementation_->state; }
VectorXd& Simulation::control() { return implementation_->control; }
VectorXd& Simulation::applied() { return implementation_->applied; }
const StepReport& Simulation::report() const { return implementation_->report; }
const std::vector<ContactRecord>& Simulation::contacts() const { return implementation_->rows.contacts; }
const std::vector<JointRowRecord>& Simulation::joint_rows() const { return implementation_->rows.joint_rows; }
const ContactProblem& Simulation::problem() const { return implementation_->rows.problem; }
const ContactSolution& Simulation::solution() const { return implementation_->answer.solution; }
const Data& Simulation::data() const { return implementation_->data; }

void Simulation::set_state(const State& state) {
  State checked = state;
  if (const Checked valid = validate(model(), checked); !valid) throw ContractError(valid.error().text());
  implementation_->state = std::move(checked);
  implementation_->memory.clear();
  implementation_->rows.joint_rows.clear();
  implementation_->rows.contacts.clear();
  implementation_->overlap_watch.forget();
  const std::int64_t step = implementation_->report.step;
  implementation_->report = StepReport{};
  implementation_->report.step = step;
  implementation_->report.time = implementation_->time;
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
