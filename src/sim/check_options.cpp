#include "sim/check_options.hpp"

#include <charconv>
#include <limits>
#include <string>

namespace tribo {

namespace {

constexpr double kMostMargin = 1e3;  // m, as far as a shape may reach in a step
constexpr double kEndless = std::numeric_limits<double>::max();

struct Range {
  const char* name;
  double value;
  double least, most;
  bool above_least;  // the least itself is not allowed
  const char* remedy;
};

// The shortest text that reads back as the same number.
std::string number_text(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

}  // namespace

Checked check_options(const SimulationOptions& options, const Model& model) {
  const double step = options.step == 0.0 ? model.description().timestep : options.step;
  const Range ranges[] = {
      {"step", step, 0.0, kEndless, true, "give a step > 0 in s, or 0 for the one that the file proposes"},
      {"margin", options.margin.value_or(0.0), 0.0, kMostMargin, false,
       "give 0 to 1000 m, or leave it out: it then follows from the sizes of the geoms"},
      {"allowed_overlap", options.allowed_overlap, 0.0, kEndless, false, "give a length >= 0 in m"},
      {"loop_tolerance", options.loop_tolerance, 0.0, kEndless, true, "give a length > 0 in m"},
      {"touching", options.touching, 0.0, kEndless, false, "give a length >= 0 in m"},
      {"bounce_speed", options.bounce_speed, 0.0, kEndless, false, "give a speed >= 0 in m/s"},
      {"push_out_speed", options.push_out_speed, 0.0, std::numeric_limits<double>::infinity(), true,
       "give a speed > 0 in m/s"},
      {"restitution", options.restitution, 0.0, 1.0, false, "give a number from 0 to 1"},
      {"tolerance", options.tolerance, 0.0, 1.0, true, "give a number between 0 and 1, like 1e-8"},
      {"threads", static_cast<double>(options.threads), 1.0, kEndless, false, "give a number >= 1"},
      {"most_contacts", static_cast<double>(options.most_contacts), 1.0, kEndless, false, "give a number >= 1"},
  };
  for (const Range& range : ranges) {
    const bool inside =
        range.value <= range.most && (range.above_least ? range.value > range.least : range.value >= range.least);
    if (!inside) return fail("is " + number_text(range.value), range.name, range.remedy);
  }
  if (!(options.tolerance < 1.0)) return fail("is 1", "tolerance", "give a number between 0 and 1, like 1e-8");
  if (const Expected<ContactModel> known = parse_model(to_string(options.model)); !known)
    return Unexpected<Error>{known.error()};
  if (options.compliant && !std::holds_alternative<CoulombCone>(options.model))
    return fail("compliant contacts obey the true cone alone", "model", "leave the model at cone");
  if (options.compliant && options.integrator == Integrator::kMidpoint)
    return fail("compliant contacts have springs at the end of the step, which midpoint has not", "integrator",
                "leave it out, or give euler");
  return ok();
}

}  // namespace tribo
