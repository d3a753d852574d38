#include "why_sentence.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "why_contact.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tribo {
namespace {

constexpr double kStill = 1e-6;     // m/s, rad/s; slower motion is not worth a word
constexpr double kOnTheRim = 1e-5;  // a smaller margin is none

std::string newton(double value) { return quantity_text(value, "N"); }
std::string couple(double value) { return quantity_text(value, "N·m"); }

// What a pyramid allows in every direction, as a share of what it allows along its edges; a cone: 1.
double pyramid_share(const std::string& model) {
  constexpr std::string_view kName = "coulomb-pyramid:";
  if (!model.starts_with(kName)) return 1.0;
  int sides = 4;
  std::from_chars(model.data() + kName.size(), model.data() + model.size(), sides);
  return std::cos(std::numbers::pi / std::max(sides, 4));
}

std::string times_text(double mu, double normal) { return fmt::format("mu {:.3g} × {}", mu, newton(normal)); }

std::string open_sentence(const RecordedContact& contact, const ContactNumbers& x) {
  std::string text = contact.gap > 0.0 ? "Is open by " + quantity_text(contact.gap, "m")
                     : contact.gap < 0.0
                         ? "Carries nothing, though the shapes overlap by " + quantity_text(-contact.gap, "m")
                         : "Carries nothing: the shapes touch, and nothing presses";
  if (std::abs(x.apart) > kStill)
    text += fmt::format(", {} at {}", x.apart > 0.0 ? "parting" : "closing", quantity_text(std::abs(x.apart), "m/s"));
  if (x.friction > 0.0) text += "; the model holds it sideways with " + newton(x.friction);
  return text + ".";
}

// Friction, and couples against turning where there are some.
std::string needs_text(const RecordedContact& contact, const ContactNumbers& x) {
  std::string text = newton(x.friction) + " of friction";
  if (x.partial) return text;
  if (contact.mu_spin > 0.0) text += ", " + couple(x.spin_couple) + " against spinning";
  if (contact.mu_roll > 0.0) text += ", " + couple(x.roll_couple) + " against rolling";
  return text;
}

std::string turning_limits_text(const RecordedContact& contact, const ContactNumbers& x) {
  std::string text = fmt::format("{} ({})", newton(x.allowed), times_text(contact.mu, x.normal));
  if (contact.mu_spin > 0.0) text += ", " + couple(x.spin_allowed) + " against spinning";
  if (contact.mu_roll > 0.0) text += ", " + couple(x.roll_allowed) + " against rolling";
  return text + ", less where they come together";
}

std::string turning_sentence(const RecordedContact& contact, const ContactNumbers& x) {
  const std::string needs = needs_text(contact, x), limits = turning_limits_text(contact, x);
  const std::string missing = x.partial ? "; couples against turning were not recorded" : "";
  if (contact.state == ContactState::kStick) {
    const std::string rest = fmt::format("it needs {}, and the cone allows {}{}.", needs, limits, missing);
    if (!(x.margin > kOnTheRim)) return "Sticks, but only just: " + rest;
    return fmt::format("Sticks with {}{} margin: {}", x.partial ? "at most " : "", percent_text(x.margin), rest);
  }
  std::vector<std::string> motions;
  if (x.slip > kStill) motions.push_back("slides at " + quantity_text(x.slip, "m/s"));
  if (contact.mu_spin > 0.0 && x.spin > kStill) motions.push_back("spins at " + quantity_text(x.spin, "rad/s"));
  if (contact.mu_roll > 0.0 && x.roll > kStill) motions.push_back("rolls at " + quantity_text(x.roll, "rad/s"));
  if (motions.empty()) motions.push_back("slides at " + quantity_text(x.slip, "m/s"));
  std::string text = fmt::format("{}", fmt::join(motions, " and "));
  text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return fmt::format("{}: to hold it would take more than the cone allows, {}; it brakes with {}{}.", text, limits,
                     needs, missing);
}

std::string pyramid_sentence(const RecordedContact& contact, const ContactNumbers& x, double share) {
  const double least = share * x.allowed;
  const std::string range = fmt::format("{} to {} by direction ({} along its edges)", newton(least), newton(x.allowed),
                                        times_text(contact.mu, x.normal));
  if (contact.state == ContactState::kSlide)
    return fmt::format(
        "Slides at {}: to hold it would take more friction than the pyramid allows, {}; it brakes with {}.",
        quantity_text(x.slip, "m/s"), range, newton(x.friction));
  const double margin = 1.0 - x.friction / least;
  const std::string rest =
      fmt::format("it needs {} of friction, and the pyramid allows {}.", newton(x.friction), range);
  if (!(margin > kOnTheRim)) return "Sticks: " + rest;
  return fmt::format("Sticks with at least {} margin: {}", percent_text(margin), rest);
}

std::string lower_first(std::string text) {
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

// Sentences of models that have no cone; empty: it has one.
std::string group_without_cone(const RecordingHeader& header, const ContactGroup& g, const std::string& who) {
  const std::string pressed = "they are pressed with " + newton(g.normal);
  const std::string takes = pressed + " and take " + newton(g.friction) + " of friction";
  const std::string slide = "slide at up to " + quantity_text(g.slip, "m/s");
  const bool some = g.sliding > 0 && g.sliding < g.contacts.size();
  if (header.model.starts_with("frictionless"))
    return fmt::format("{} slide freely at up to {}: {}, and this model has no friction.", who,
                       quantity_text(g.slip, "m/s"), pressed);
  if (header.model.starts_with("no-slip"))
    return g.sliding == 0
               ? fmt::format("{} stick, as the no-slip model asks of every contact: {}, whatever mu is.", who, takes)
               : fmt::format("As a whole, {} of {} contacts {}: {}; the no-slip model did not hold them.", g.sliding,
                             g.contacts.size(), slide, takes);
  if (header.model.starts_with("viscous"))
    return fmt::format("{} {} against {} of viscous friction: {}.", who, slide, newton(g.friction), pressed);
  if (header.model.starts_with("friction-box"))
    return fmt::format("{} {}: {}, within bounds that were known before the step.",
                       some ? fmt::format("As a whole, {} of {} contacts", g.sliding, g.contacts.size()) : who,
                       some            ? slide + " and the others hold"
                       : g.sliding > 0 ? slide
                                       : std::string("stick"),
                       takes);
  if (!(g.allowed > 0.0))
    return fmt::format("{} slide freely at up to {}: {}, and mu is 0.", who, quantity_text(g.slip, "m/s"), pressed);
  return "";
}

}  // namespace

std::string contact_sentence(const RecordingHeader& header, const RecordedContact& contact) {
  const ContactNumbers x = calc_contact_numbers(header, contact);
  if (contact.state == ContactState::kOpen) return open_sentence(contact, x);
  const std::string presses = "is pressed with " + newton(x.normal);
  const std::string at = " at " + quantity_text(x.slip, "m/s");
  if (header.model.starts_with("frictionless"))
    return fmt::format("Slides freely{}: {}, and this model has no friction.", at, presses);
  if (header.model.starts_with("no-slip") && contact.state == ContactState::kSlide)
    return fmt::format("Slides{}: {} and takes {} of friction; the no-slip model did not hold it.", at, presses,
                       newton(x.friction));
  if (header.model.starts_with("no-slip"))
    return fmt::format(
        "Sticks, as the no-slip model asks of every contact: {} and takes {} of friction, whatever mu is.", presses,
        newton(x.friction));
  if (header.model.starts_with("viscous"))
    return fmt::format("Slides{} against {} of viscous friction: {}.", at, newton(x.friction), presses);
  if (header.model.starts_with("friction-box"))
    return fmt::format("{}: {} and takes {} of friction, within bounds that were known before the step.",
                       contact.state == ContactState::kSlide ? "Slides" + at : "Sticks", presses, newton(x.friction));
  if (x.turning) return turning_sentence(contact, x);
  if (!(contact.mu > 0.0)) return fmt::format("Slides freely{}: {}, and mu is 0.", at, presses);
  const double share = pyramid_share(header.model);
  if (share < 1.0) return pyramid_sentence(contact, x, share);
  const std::string allows = fmt::format("{} ({})", newton(x.allowed), times_text(contact.mu, x.normal));
  if (contact.state == ContactState::kSlide)
    return fmt::format("Slides{}: to hold it would take more friction than the cone allows, {}; it brakes with {}.", at,
                       allows, newton(x.friction));
  const std::string rest = fmt::format("it needs {} of friction, and the cone allows {}.", newton(x.friction), allows);
  if (!(x.margin > kOnTheRim)) return "Sticks, but only just: " + rest;
  return fmt::format("Sticks with {} margin: {}", percent_text(x.margin), rest);
}

std::string group_sentence(const RecordingHeader& header, const ContactGroup& g) {
  const std::string who = fmt::format("As a whole, {} contacts", g.contacts.size());
  if (std::string text = group_without_cone(header, g, who); !text.empty()) return text;
  const double share = pyramid_share(header.model);
  const bool pyramid = share < 1.0;
  const std::string allows =
      pyramid ? fmt::format("the pyramid allows {} to {} by direction ({} along its edges)", newton(share * g.allowed),
                            newton(g.allowed), times_text(g.allowed / g.normal, g.normal))
              : fmt::format("the cone allows {} ({})", newton(g.allowed), times_text(g.allowed / g.normal, g.normal));
  std::string takes = newton(g.friction) + " of friction";
  if (g.twisted)
    takes += fmt::format(" and {} about the normal (of at most {})", couple(g.twist), couple(g.twist_allowed));
  const std::string slip = quantity_text(g.slip, "m/s");
  if (g.sliding == g.contacts.size())
    return fmt::format("{} slide at up to {}: they take {}, and {}.", who, slip, takes, allows);
  if (g.sliding > 0)
    return fmt::format("As a whole, {} of {} contacts slide at up to {} and the others hold: they take {}, and {}.",
                       g.sliding, g.contacts.size(), slip, takes, allows);
  const double margin = pyramid ? 1.0 - (1.0 - g.margin) / share : g.margin;
  const std::string rest = fmt::format("they need {}, and {}.", takes, allows);
  if (margin > kOnTheRim) {
    const char* bound = g.partial ? "at most " : g.twisted || pyramid ? "at least " : "";
    return fmt::format("{} stick with {}{} margin: {}", who, bound, percent_text(margin), rest);
  }
  return fmt::format("{} stick{}: {}", who, g.twisted || pyramid ? "" : ", but only just", rest);
}

std::vector<std::string> explain_contact(const RecordingHeader& header, const RecordedFrame& frame,
                                         const std::vector<ContactGroup>& groups, std::size_t contact) {
  std::string own = contact_sentence(header, frame.contacts[contact]);
  for (const ContactGroup& group : groups) {
    const auto& all = group.contacts;
    if (all.size() < 2 || std::find(all.begin(), all.end(), contact) == all.end()) continue;
    // Three points of one plane that all slide share load and friction in one way only.
    const bool choice = all.size() > 3 || group.sliding < all.size();
    return {group_sentence(header, group),
            (choice ? "Its own share, one choice of many: " : "Its own share: ") + lower_first(std::move(own))};
  }
  return {std::move(own)};
}

}  // namespace tribo
