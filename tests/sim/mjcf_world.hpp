// Worlds written as MJCF in the test.
#pragma once

#include "io/mjcf/mjcf.hpp"
#include "sim/worlds.hpp"

namespace tribo::testing {

inline constexpr double kEarth = 9.81;  // m/s²

inline ModelDescription read_world(const std::string& inside) {
  Expected<XmlFile> xml = parse_xml("<mujoco>" + inside + "</mujoco>", "test.xml");
  if (!xml) throw std::runtime_error(xml.error().text());
  Expected<ModelFile> file = read_mjcf(*xml);
  if (!file) throw std::runtime_error(file.error().text());
  return std::move(file->description);
}

inline Simulation make_world(const std::string& inside, SimulationOptions options = {}) {
  return make_simulation(read_world(inside), std::move(options));
}

}  // namespace tribo::testing
