// A robot's joints, motors and sensors by name: a quadruped stands, bends its knees, and feels its weight.
#include <tribo/io/model_file.hpp>
#include <tribo/multibody/names.hpp>
#include <tribo/sim/simulation.hpp>

#include <cmath>
#include <iostream>

int main(int count, char** words) {
  auto world = tribo::load(count > 1 ? words[1] : "scenes/quadruped_stand.xml").value();
  auto sim = tribo::Simulation::make(std::move(world.model)).value();
  const auto& keyframes = sim.model().description().keyframes;
  const auto& home =
      keyframes[static_cast<std::size_t>(find_part(sim.model(), tribo::Part::kKeyframe, "home").value())];
  sim.set_state(make_state(sim.model(), home).value());
  sim.control() = home.control;

  for (const char* leg : {"fl", "fr", "rl", "rr"}) sim.actuator(std::string(leg) + "_knee").control() = -1.6;
  const bool certified = sim.run(2.0);  // seconds

  double carried = 0.0;
  for (const char* leg : {"fl", "fr", "rl", "rr"}) carried += sim.sensor(std::string(leg) + "_touch").value();
  const double weight = sim.model().total_mass() * -sim.model().description().gravity.z();
  std::cout << "knee " << sim.joint("fl_knee").position() << " rad, trunk at " << sim.body("trunk").position().z()
            << " m; the feet carry " << carried << " of " << weight << " N\n";
  // A name that is not there: the error has those that are nearest.
  std::cout << find_part(sim.model(), tribo::Part::kJoint, "fl_kne").error().text() << "\n";
  return certified && std::abs(carried / weight - 1.0) < 1e-3 ? 0 : 1;
}
