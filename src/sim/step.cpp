// One step, as the list of its stages. Each has a file of its name in this folder (5: solve_islands), whose header says what goes in
// and what comes out.
//      1 dynamics     M, v, f and the rows of joints
//      2 detect       what may touch
//      3 assemble     the rows of contacts                                        ┐
//      4 recall       start values of the solve                                   │ repeated with contacts that were missed,
//      5 solve        impulses and v⁺, certified, island by island                │ at most three times
//      6 impacts      impacts that are triggered by other impacts                 │
//      7 look again   does v⁺ pass a contact that was not listed?                 ┘
//      8 record       impulse, velocity and verdict of each row
//      9 advance      q⁺ = q ⊕ h v⁺
//     10 correct      overlaps and open loops: positions alone
//     11 remember     start values of the next step
// A stage writes only the outputs that its header lists.
// Failure   An island without a certificate does not end the step: its best v⁺ is applied, and status, residual and cause stand in the
//           report. Where v⁺ is not finite or too many contacts are found, stages 8 to 11 are left out, and where q⁺ is not finite
//           10 and 11: the report says breakdown, q, v and start values stay as they were; time and step number have advanced.
// After 8   overlap_watch looks at the records and warns of overlaps that no real motion has.
#include <algorithm>

#include "sim/implementation.hpp"
#include "sim/record.hpp"
#include "sim/remember.hpp"

namespace tribo {

namespace {

constexpr int kMostPasses = 4;  // of stages 3 to 7; StepReport::listings counts them from 1

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
      advance_(setup),
      correct_(setup),
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
void Simulation::Implementation::add_to_report(const StepAnswer& part) {
  report.status = part.status;
  report.detail = part.detail;
  report.fallback = part.fallback;
  report.worst = part.worst;
  report.islands = part.islands;
  report.pivots += part.pivots;
  report.sweeps += part.sweeps;
  charge(&StepReport::seconds_solve);
  report.seconds_certify += part.seconds_certify;
  report.seconds_solve -= part.seconds_certify;
}

// Stages 3 to 7.
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
    assemble_.run({data, detection.contacts}, rows);
    recall_.run(memory, rows, start);
    charge(&StepReport::seconds_dynamics);
    solver_.run({rows.problem, start}, answer);
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

  dynamics_.run({state, control, applied}, data, rows, free_motion);
  report.joint_rows = std::ssize(rows.joint_rows);
  report.turn = free_motion.turn;
  charge(&StepReport::seconds_dynamics);
  detector_.run({data, free_motion.speed_gain}, detection);
  report.collision += detection.counts;
  charge(&StepReport::seconds_collide);
  solve_with_all_contacts();
  if (answer.is_usable(rows.problem.dof())) {
    record(answer, rows);
    for (const ContactRecord& contact : rows.contacts) report.overlap = std::max(report.overlap, -contact.gap);
    overlap_watch.look(rows.contacts, setup.collision, setup.h, report.warnings);
    if (advance_.run(answer.solution.v_next, control, state)) {
      charge(&StepReport::seconds_dynamics);
      correct_.run({rows, control, applied}, state, data, correction);
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
    } else {
      refuse("positions would not be finite any more");
    }
  }
  charge(&StepReport::seconds_dynamics);
  report.seconds = charged_;
}

}  // namespace tribo
