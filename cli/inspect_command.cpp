#include "inspect_command.hpp"

#include "tribo/io/model_file.hpp"

#include <optional>

#include "exit_code.hpp"
#include "inspect_output.hpp"
#include "inspect_state.hpp"
#include "terminal.hpp"

namespace tribo {
namespace {

constexpr Index kMaxDenseRows = 4000;  // of M in JSON: 16 million numbers

struct Inspection {
  World world;
  std::optional<StateNumbers> numbers;
};

Expected<World> load_world(const std::string& file) {
  Expected<World> world = load(file);
  if (world || world.error().where.starts_with(file)) return world;
  return Unexpected<Error>{world.error().within(file)};
}

Expected<Inspection> inspect(const InspectArguments& arguments) {
  if (arguments.state && arguments.key)
    return fail("two states are given", "--state, --key", "give a file or the name of a keyframe, not both");
  Expected<World> world = load_world(arguments.model);
  if (!world) return Unexpected<Error>{world.error()};
  if (!arguments.state && !arguments.key) return Inspection{std::move(*world), std::nullopt};
  const Model& model = world->model;
  if (arguments.json && model.nv() > kMaxDenseRows)
    return fail("the mass matrix has " + std::to_string(model.nv()) + " rows, too many to print", arguments.model,
                "leave out --json to see its diagonal");
  Expected<ReadState> read =
      arguments.key ? find_key_state(model, arguments.model, *arguments.key) : read_state_file(model, *arguments.state);
  if (!read) return Unexpected<Error>{read.error()};
  for (const std::string& warning : read->warnings) write_error(warning);
  StateNumbers numbers = calc_numbers(model, std::move(read->state), std::move(read->label));
  return Inspection{std::move(*world), std::move(numbers)};
}

}  // namespace

int run_inspect(const InspectArguments& arguments) {
  const Expected<Inspection> inspection = inspect(arguments);
  if (!inspection) {
    const std::string text = inspection.error().text();
    write_error(text);
    if (arguments.json) write_output(inspect_error_json(arguments.model, text));
    return kBadInput;
  }
  const StateNumbers* numbers = inspection->numbers ? &*inspection->numbers : nullptr;
  const World& world = inspection->world;
  return write_output(arguments.json ? inspect_json(arguments.model, world, numbers)
                                     : inspect_text(arguments.model, world, numbers))
             ? kCertified
             : kBadInput;
}

}  // namespace tribo
