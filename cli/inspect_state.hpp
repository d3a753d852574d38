// The state that a model is inspected at, and what is computed there.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/multibody/data.hpp"
#include "tribo/multibody/dynamics.hpp"

#include <string>
#include <vector>

namespace tribo {

struct ReadState {
  State state;
  std::string label;  // "keyframe home", "state.json"
  std::vector<std::string> warnings;
  VectorXd control = {};  // as long as the model asks for, or empty: not given
};

// {"q": […], "v": […], "control": […]}; without v at rest; control only where it is of use. "-" reads standard input.
Expected<ReadState> read_state_file(const Model& model, const std::string& path, bool with_control = false);
Expected<ReadState> find_key_state(const Model& model, const std::string& file, const std::string& key);

struct StateNumbers {
  State state;
  std::string label;
  Data data;
  Energy energy = {};
  Vector3d com = Vector3d::Zero();
  std::vector<std::vector<double>> equality_errors = {};  // per equality: its rows; none where it is not active
  std::vector<double> tendon_lengths = {}, actuator_lengths = {};
};
StateNumbers calc_numbers(const Model& model, State state, std::string label);

}  // namespace tribo
