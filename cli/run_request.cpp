#include "run_request.hpp"

#include "tribo/contact/solve.hpp"
#include "tribo/problem/contact_law.hpp"

#include <charconv>
#include <cmath>

#include "option_value.hpp"
#include "run_outputs.hpp"
#include "suggest.hpp"
#include <fmt/format.h>

namespace tribo {
namespace {

template <typename T>
Expected<T> parse(const std::string& text, const char* option, T least, T most, const std::string& remedy) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stopped != end || !(value >= least && value <= most))
    return fail("\"" + text + "\" cannot be used", option, remedy);
  return value;
}

}  // namespace

Expected<RunRequest> make_run_request(const RunArguments& arguments) {
  RunRequest request;
  if (arguments.model && *arguments.model == "compliant") {
    request.options.compliant = true;
  } else if (arguments.model) {
    const auto model = parse_model_option(*arguments.model);
    if (!model) return Unexpected<Error>{model.error()};
    request.options.model = *model;
  }
  if (arguments.material) {
    const auto material = find_material(*arguments.material);
    if (!material) return Unexpected<Error>{material.error().within("--material")};
    if (!request.options.compliant)
      return fail("a material matters to compliant contacts alone", "--material", "add --model compliant");
    request.options.material = *arguments.material;
  }
  if (const Checked known = check_solver_option(arguments.solver); !known) return Unexpected<Error>{known.error()};
  if (const Checked fits = check_solver(ContactProblem{}, request.options.model, arguments.solver); !fits)
    return Unexpected<Error>{fits.error().within("--solver " + arguments.solver)};
  request.options.solver = arguments.solver;
  if (arguments.step) {
    const auto step = parse(*arguments.step, "--step", 1e-9, 1e3, "give seconds from 1e-9 to 1000, for example 1e-3");
    if (!step) return Unexpected<Error>{step.error()};
    request.options.step = *step;
  }
  const auto duration = parse(arguments.duration, "--duration", 0.0, 1e9, "give seconds from 0 to 1e9");
  if (!duration) return Unexpected<Error>{duration.error()};
  request.duration = *duration;
  const auto threads = parse(arguments.threads, "--threads", 1, 1024, "give a whole number from 1 to 1024");
  if (!threads) return Unexpected<Error>{threads.error()};
  request.options.threads = *threads;
  const auto every = parse<std::int64_t>(arguments.every, "--every", 1, 1'000'000'000,
                                         "give a whole number of steps from 1 to 1000000000");
  if (!every) return Unexpected<Error>{every.error()};
  request.every = *every;
  const auto restitution = parse(arguments.restitution, "--restitution", 0.0, 1.0, "give a number from 0 to 1");
  if (!restitution) return Unexpected<Error>{restitution.error()};
  request.options.restitution = *restitution;
  if (arguments.integrator) {
    const auto integrator = parse_integrator(*arguments.integrator);
    if (!integrator) return fail(integrator.error().what, "--integrator", integrator.error().remedy);
    request.options.integrator = *integrator;
  }
  if (arguments.margin) {
    const auto margin =
        parse(*arguments.margin, "--margin", 0.0, 1e3,
              "give metres from 0 to 1000, or leave it out: it then follows from the sizes of the geoms");
    if (!margin) return Unexpected<Error>{margin.error()};
    request.options.margin = *margin;
  }
  request.options.exact_meshes = arguments.exact_meshes;
  if (const Checked outputs = check_outputs(arguments); !outputs) return Unexpected<Error>{outputs.error()};
  return request;
}

Expected<std::int64_t> calc_steps(double duration, double h) {
  const double steps =
      std::ceil(duration / h * (1.0 - 1e-12));  // 1 s of 1 ms steps is 1000 of them, whatever 1/0.001 is
  if (steps > 1e12)
    return fail(fmt::format("{} s in steps of {} s are too many", duration, h), "--duration",
                "give a shorter time or longer steps");
  return static_cast<std::int64_t>(steps);
}

Expected<const Keyframe*> choose_start(const Model& model, const std::string& scene,
                                       const std::optional<std::string>& key) {
  const std::vector<Keyframe>& all = model.description().keyframes;
  const auto find = [&](const std::string& name) -> const Keyframe* {
    for (const Keyframe& keyframe : all) {
      if (keyframe.name == name) return &keyframe;
    }
    return nullptr;
  };
  if (!key) return find("start") != nullptr ? find("start") : find("home");
  if (const Keyframe* found = find(*key); found != nullptr && !key->empty()) return found;
  std::vector<std::string> names;
  for (const Keyframe& keyframe : all) {
    if (!keyframe.name.empty()) names.push_back(keyframe.name);
  }
  return fail("there is no keyframe \"" + *key + "\" in " + scene, "--key",
              names.empty() ? "the file names none; leave --key out" : suggest(*key, names));
}

}  // namespace tribo
