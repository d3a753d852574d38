#include "inspect_state.hpp"

#include "tribo/multibody/actuation.hpp"
#include "tribo/multibody/equality.hpp"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>

#include "suggest.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace tribo {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxBytes = std::size_t{64} << 20;
constexpr const char* kForm = "give {\"q\": [...], \"v\": [...]}";

Expected<std::string> read_stream(std::FILE* stream, const std::string& where) {
  std::string text;
  char buffer[65536];
  for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, stream)) > 0;) {
    text.append(buffer, got);
    if (text.size() > kMaxBytes) return fail("a state of more than 64 MiB is none", where, kForm);
  }
  if (std::ferror(stream) != 0) return fail("cannot be read to its end", where, "check the file");
  return text;
}

Expected<std::string> read_text(const std::string& path) {
  if (path == "-") return read_stream(stdin, "standard input");
  std::error_code code;
  const auto type = std::filesystem::status(path, code).type();
  if (type == std::filesystem::file_type::not_found) return fail("no such file", path, "check the path");
  if (type == std::filesystem::file_type::directory) return fail("is a folder", path, "name a file in it");
  if (type != std::filesystem::file_type::regular)
    return fail("is not a regular file", path, "give --state - to read standard input");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) return fail("cannot be opened", path, "check the permissions");
  return read_stream(file.get(), path);
}

// A key that appears twice would lose one of its values; what is nested deeper than a list of numbers is no state.
Expected<json> parse_state(const std::string& text, const std::string& where) {
  std::set<std::string> keys;
  std::string twice;
  const auto look = [&](int depth, json::parse_event_t event, json& parsed) {
    if (event == json::parse_event_t::key && depth == 1 && !keys.insert(parsed.get<std::string>()).second)
      twice = parsed.get<std::string>();
    return depth < 3 || event == json::parse_event_t::value;  // deeper lists are dropped: never built
  };
  try {
    json tree = json::parse(text, look);
    if (!tree.is_object()) return fail("the state is not a JSON object", where, kForm);
    if (!twice.empty()) return fail("the key \"" + twice + "\" appears twice", where, "keep one of the two");
    return tree;
  } catch (const json::exception& exception) {
    std::string reason = exception.what();
    if (const std::size_t bracket = reason.find("] "); bracket != std::string::npos) reason.erase(0, bracket + 2);
    return fail("not valid JSON: " + reason, where, kForm);
  }
}

Expected<VectorXd> read_numbers(const json& tree, const char* key, Index size, const std::string& where) {
  const std::string place = where + ": " + key;
  const std::string remedy =
      fmt::format("give {} {}", size,
                  std::string_view(key) == "control" ? "numbers, actuator after actuator"
                                                     : "numbers, joint after joint (docs/robots.md)");
  if (!tree.contains(key)) return fail("is missing", place, remedy);
  const json& list = tree[key];
  if (!list.is_array()) return fail("is not a list", place, remedy);
  if (static_cast<Index>(list.size()) != size)
    return fail(fmt::format("has {} numbers, the model {}", list.size(), size), place, remedy);
  VectorXd numbers(size);
  for (Index i = 0; i < size; ++i) {
    const json& entry = list[static_cast<std::size_t>(i)];
    if (!entry.is_number()) return fail(fmt::format("entry {} is not a number", i), place, "give finite numbers");
    numbers(i) = entry.get<double>();
  }
  return numbers;
}

std::vector<std::vector<double>> split_errors(const Model& model, const std::vector<double>& rows) {
  std::vector<std::vector<double>> errors;
  std::size_t at = 0;
  for (const Equality& equality : model.description().equalities) {
    std::size_t count = equality.type == EqualityType::kConnect ? 3 : equality.type == EqualityType::kWeld ? 6 : 1;
    if (!equality.active) count = 0;
    errors.emplace_back(rows.begin() + static_cast<std::ptrdiff_t>(at),
                        rows.begin() + static_cast<std::ptrdiff_t>(at + count));
    at += count;
  }
  return errors;
}

}  // namespace

Expected<ReadState> read_state_file(const Model& model, const std::string& path, bool with_control) {
  const std::string where = path == "-" ? "standard input" : path;
  const Expected<std::string> text = read_text(path);
  if (!text) return Unexpected<Error>{text.error()};
  const Expected<json> tree = parse_state(*text, where);
  if (!tree) return Unexpected<Error>{tree.error()};
  ReadState read{.state = make_state(model), .label = where, .warnings = {}};
  const Expected<VectorXd> q = read_numbers(*tree, "q", model.nq(), where);
  if (!q) return Unexpected<Error>{q.error()};
  read.state.q = *q;
  if (tree->contains("v")) {
    const Expected<VectorXd> v = read_numbers(*tree, "v", model.nv(), where);
    if (!v) return Unexpected<Error>{v.error()};
    read.state.v = *v;
  }
  if (with_control && tree->contains("control")) {
    const Expected<VectorXd> control = read_numbers(*tree, "control", model.nu(), where);
    if (!control) return Unexpected<Error>{control.error()};
    read.control = *control;
  }
  if (tree->contains("activation")) {
    const Expected<VectorXd> activation = read_numbers(*tree, "activation", model.nu(), where);
    if (!activation) return Unexpected<Error>{activation.error()};
    read.state.activation = *activation;
  }
  std::vector<std::string> unused;
  for (const auto& [key, value] : tree->items()) {
    if (key != "q" && key != "v" && key != "activation" && !(with_control && key == "control"))
      unused.push_back("'" + key + "'");
  }
  if (!unused.empty())
    read.warnings.push_back(fmt::format("{}: warning: not used: {}", where, fmt::join(unused, ", ")));
  if (const Checked checked = validate(model, read.state); !checked)
    return Unexpected<Error>{checked.error().within(where)};
  return read;
}

Expected<ReadState> find_key_state(const Model& model, const std::string& file, const std::string& key) {
  std::vector<std::string> names;
  for (const Keyframe& keyframe : model.description().keyframes) {
    if (keyframe.name == key) {
      Expected<State> state = make_state(model, keyframe);
      if (!state) return Unexpected<Error>{state.error().within(file + ": keyframe " + key)};
      return ReadState{.state = std::move(*state), .label = "keyframe " + key, .warnings = {}};
    }
    if (!keyframe.name.empty()) names.push_back(keyframe.name);
  }
  return fail("there is no keyframe \"" + key + "\" in " + file, "--key",
              names.empty() ? "the file names none; use --state" : suggest(key, names));
}

StateNumbers calc_numbers(const Model& model, State state, std::string label) {
  StateNumbers numbers{.state = std::move(state), .label = std::move(label), .data = Data(model)};
  calc_dynamics(model, numbers.state, numbers.data);
  numbers.energy = calc_energy(model, numbers.state, numbers.data);
  numbers.com = calc_momentum(model, numbers.data).com;
  EqualityRows rows;
  calc_equalities(model, numbers.state, numbers.data, rows);
  numbers.equality_errors = split_errors(model, rows.error);
  for (const TendonLength& tendon : numbers.data.tendons) numbers.tendon_lengths.push_back(tendon.length);
  const VectorXd no_arms = VectorXd::Zero(model.nv());  // the speed is not asked for
  for (Index u = 0; u < model.nu(); ++u)
    numbers.actuator_lengths.push_back(calc_drive(model, numbers.state, numbers.data, u, 0.0, no_arms).length);
  return numbers;
}

}  // namespace tribo
