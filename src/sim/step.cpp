// One step, as the list of its stages. Each has a file of its name in this folder (6: solve_islands; 10: drift), whose header says
// what goes in and what comes out.
//      1 drift        positions where the forces of the step act, q_m = q ⊕ lead · h v
//      2 dynamics     M, v, f and the rows of joints, at q_m
//      3 detect       what may touch
//      4 assemble     the rows of contacts                                        ┐
//      5 recall       start values of the solve                                   │ repeated with contacts that were missed,
//      6 solve        impulses and v⁺, certified, island by island                │ at most three times
//      7 impacts      impacts that are triggered by other impacts                 │
//      8 look again   does v⁺ pass a contact that was not listed?                 ┘
//      9 record       impulse, velocity and verdict of each row
//     10 advance      q⁺ = q_m ⊕ (1 − lead) h v⁺
//     11 correct      overlaps and open loops: positions alone
//     12 remember     start values and lead of the next step
// A stage writes only the outputs that its header lists.
// Failure   An island without a certificate does not end the step: its best v⁺ is applied, and status, residual and cause stand in the
//           report. Where v⁺ is not finite or too many contacts are found, stages 9 to 12 are left out, and where q⁺ is not finite
//           11 and 12: the report says breakdown, q, v and start values stay as they were; time and step number have advanced.
// After 9   overlap_watch looks at the records and warns of overlaps that no real motion has.
#include "tribo/multibody/dynamics.hpp"

#include <algorithm>

#include "sim/implementation.hpp"
#include "sim/record.hpp"
#include "sim/remember.hpp"

namespace tribo {

namespace {

constexpr int kMostPasses = 4;  // of stages 4 to 8; StepReport::listings counts them from 1

}  // namespace

Simulation::Implementation::Implementation(Model model, SimulationOptions options, CollisionModel shapes,
                                           ContactStiffness springs)
    : setup(std::move(model), std::move(options), std::move(shapes), std::move(springs)),
      state(make_state(setup.model)),
      control(VectorXd::Zero(setup.model.nu())),
      applied(VectorXd::Zero(setup.model.nv())),
      data(setup.model),
      assembler_(setup.model),
      dynamics_(setup, assembler_),
      detector_(setup),
      assemble_(setup, assembler_),
      recall_(setup),
      solver_(setup.options.model, setup.options.solver, setup.options.tolerance, setup.options.threads),
      impacts_(setup),
      drift_(setup),
      correct(setup),
      overlap_watch(setup.collision),
      sensors(setup) {
  data.keeps_trees = true;
}

void Simulation::Implementation::charge(double StepReport::*entry) {
  const double now = watch_.seconds();
  report.*entry += now - charged_;
  charged_ = now;
}

void Simulation::Implementation::refuse(const std::string& why) {
  report.status = Status::kBreakdown;
  if (report.detail.empty()) report.detail = why;
}

// Status, cause, fallback, worst residual and islands are those of the last pass; pivots, sweeps and time are summed over all.
void Simulation::Implementation::add_to_report(StepAnswer& part) {
  report.status = part.status;
  report.detail = part.detail;
  report.fallback = part.fallback;
  report.worst = part.worst;
  std::swap(report.islands, part.islands);
  report.pivots += part.pivots;
  report.sweeps += part.sweeps;
  charge(&StepReport::seconds_solve);
  report.seconds_certify += part.seconds_certify;
  report.seconds_solve -= part.seconds_certify;
}

// Stages 4 to 8.
void Simulation::Implementation::solve_with_all_contacts() {
  for (;; ++report.listings) {
    report.contacts = std::ssize(detection.contacts);
    if (report.contacts > setup.options.most_contacts) {
      rows.joint_rows.clear();
      rows.contacts.clear();
      report.islands.clear();
      answer.solution.v_next.resize(0);
      return refuse(std::to_string(report.contacts) + " contacts are more than SimulationOptions::most_contacts (" +
                    std::to_string(setup.options.most_contacts) + "): coincident bodies all touch each other");
    }
    assemble_.run({data, detection.contacts, free_motion.gain}, rows);
    recall_.run(memory, motion, rows, start);
    charge(&StepReport::seconds_dynamics);
    solver_.run({rows.problem, start}, answer);
    if (!is_solved(answer.status) && recall_.ease(rows)) {
      add_to_report(answer);
      solver_.run({rows.problem, start}, answer);
    }
    impacts_.run({rows, solver_.islands()}, answer);
    add_to_report(answer);
    if (!answer.is_usable(rows.problem.dof())) return refuse("the velocity would not be finite any more");
    const bool missed = detector_.look_again({data, rows.problem.v, answer.solution.v_next}, detection);
    report.collision += detection.counts;
    charge(&StepReport::seconds_collide);
    if (!missed) return;
    if (report.listings == kMostPasses) {
      report.warnings.push_back("bodies that contacts accelerate may have passed through others; take a smaller step");
      return;
    }
  }
}

// Stage 1. A first step looks where its drift leads before it goes there; later ones know from the step before.
void Simulation::Implementation::begin() {
  drift_.set_times(rows.times);
  const bool moves = !state.v.isZero(0.0) || !state.kinematic.empty();
  if (!motion.leads.empty()) {
    rows.times.leads = motion.leads;
  } else if (moves && setup.integrator != Integrator::kEuler) {
    calc_positions(setup.model, state, data);
    calc_velocities(setup.model, state, data);
    detector_.run({data, no_gain_, setup.h}, detection);
    report.collision += detection.counts;
    detector_.find_closing(data, detection, closing_);
    drift_.find_first_leads(closing_, rows.times.leads);
    charge(&StepReport::seconds_collide);
  }
  // The next step may lead further than the usual one, to a bounce.
  if (setup.integrator != Integrator::kEuler) {
    for (const double lead : rows.times.leads)
      rows.times.list = std::max(rows.times.list, (setup.may_bounce ? 2.0 - lead : 1.5 - lead) * setup.h);
  }
  dynamics_.begin(state);
  drift_.begin(rows.times, state);
}

// Stages 9 to 12.
void Simulation::Implementation::end() {
  const bool usable = answer.is_usable(rows.problem.dof());
  motion.last_leads = rows.times.leads;
  motion.leads.clear();
  if (!usable) return drift_.undo(state);
  record(answer, rows);
  for (const ContactRecord& contact : rows.contacts) report.overlap = std::max(report.overlap, -contact.gap);
  overlap_watch.look(rows.contacts, setup.collision, setup.h, report.warnings);
  if (!drift_.end(rows.times, answer.solution.v_next, control, state))
    return refuse("positions would not be finite any more");
  dynamics_.remember(data, rows, answer.solution.v_next, motion);
  charge(&StepReport::seconds_dynamics);
  correct.run({rows, control, applied}, state, data, correction);
  report.collision += correction.counts;
  charge(&StepReport::seconds_correct);
  report.corrected = correction.corrected;
  report.correction = correction.moved;
  report.correction_energy = correction.energy;
  report.loop_error = correction.loop_error;
  report.fallback = report.fallback || correction.fallback;
  if (!correction.corrected)
    report.detail += (report.detail.empty() ? "" : "; ") + ("positions could not be corrected: " + correction.why);
  remember(rows, answer, memory);
  drift_.find_leads(rows, motion.leads);
}

void Simulation::Implementation::step() {
  watch_ = Stopwatch();
  charged_ = 0.0;
  const std::int64_t number = report.step + 1;
  std::vector<IslandReport> islands = std::move(report.islands);  // keeps its memory
  report = StepReport{};
  report.islands = std::move(islands);
  report.step = number;
  time += setup.h;
  report.time = time;

  begin();
  dynamics_.run({state, control, applied, motion}, data, rows, free_motion);
  sensors.drive(state, control, data, rows.times);
  report.joint_rows = std::ssize(rows.joint_rows);
  report.turn = free_motion.turn;
  charge(&StepReport::seconds_dynamics);
  detector_.run({data, free_motion.speed_gain, rows.times.list}, detection);
  report.collision += detection.counts;
  charge(&StepReport::seconds_collide);
  solve_with_all_contacts();
  end();
  charge(&StepReport::seconds_dynamics);
  report.seconds = charged_;
}

}  // namespace tribo
