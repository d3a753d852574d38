// A scene in time, as `tribo run row_grasp --duration 0.2` does it: from the keyframe "start", with its controls.
#include <tribo/io/model_file.hpp>
#include <tribo/sim/simulation.hpp>

#include <iostream>

int main(int count, char** words) {
  auto world = tribo::load(count > 1 ? words[1] : "scenes/row_grasp.xml").value();
  auto sim = tribo::Simulation::make(std::move(world.model)).value();  // step and all else as the file proposes
  for (const tribo::Keyframe& key : sim.model().description().keyframes) {
    if (key.name != "start") continue;
    sim.set_state(make_state(sim.model(), key).value());
    if (key.control.size() == sim.control().size()) sim.control() = key.control;
  }
  const bool certified = sim.run(0.2);  // seconds; false: a step was not certified
  std::cout << "worst residual of the last step " << sim.report().worst << ", first contact carries "
            << sim.contacts().at(0).impulse(2) / sim.h() << " N along its normal, state " << std::hex << sim.calc_hash()
            << "\n";
  return certified ? 0 : 1;
}
