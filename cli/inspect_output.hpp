// A model, and its numbers at a state, as people and programs read them.
#pragma once

#include "tribo/io/model_file.hpp"

#include <string>

#include "inspect_state.hpp"

namespace tribo {

// `numbers` may be null: the model alone.
std::string inspect_text(const std::string& file, const World& world, const StateNumbers* numbers);
// One object in one line. Doubles come back bit for bit; what is not finite is a string, what is without limit null.
std::string inspect_json(const std::string& file, const World& world, const StateNumbers* numbers);
std::string inspect_error_json(const std::string& file, const std::string& error);

// Parts of the text.
std::string inspect_tree(const Model& model);
std::string inspect_couplings(const Model& model);
std::string inspect_numbers(const Model& model, const StateNumbers& numbers);

}  // namespace tribo
