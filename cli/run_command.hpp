// tribo run SCENE: a scene in time, every step certified.
#pragma once

#include <optional>
#include <string>

namespace tribo {

// Options as they were typed.
struct RunArguments {
  std::string scene;
  std::optional<std::string> model, material, key, state, record, states, sensors, out;
  std::string solver = "auto";
  std::optional<std::string> step, margin, integrator;
  std::string duration = "1", threads = "1", every = "1", restitution = "0";
  bool exact_meshes = false, force = false, json = false;
};

int run_run(const RunArguments& arguments);

}  // namespace tribo
