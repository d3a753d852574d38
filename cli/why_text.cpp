#include "why_text.hpp"

#include <algorithm>
#include <cmath>

#include "why_contact.hpp"
#include <fmt/format.h>

namespace tribo {
namespace {

std::string why_line(const char* label, const std::string& value) { return fmt::format("{:<12} {}\n", label, value); }

std::string counted(std::uint64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string solver_text(const RecordingHeader& header, const RecordedFrame& frame) {
  std::string text = frame.solver.empty() ? header.solver : frame.solver;
  text += fmt::format(": {} with {} and {}; residual {:.2g}, tolerance {:.2g}", to_string(frame.status),
                      counted(frame.pivots, "pivot"), counted(frame.sweeps, "sweep"), frame.worst, header.tolerance);
  if (frame.fallback) text += "; the first method did not do";
  if (!is_solved(frame.status)) text += "; NOT certified, the forces are the best there are";
  return text;
}

std::string numbered_sentence(const WhyQuestion& question, std::size_t i) {
  const RecordedContact& contact = question.frame->contacts[i];
  return fmt::format("contact {}, {}: {}", i, partners_text(*question.header, contact),
                     contact_sentence(*question.header, contact));
}

// The contact for which `value` is largest and above `least`.
template <typename Value>
std::optional<std::size_t> find_most(const RecordedFrame& frame, double least, const Value& value) {
  std::optional<std::size_t> most;
  for (std::size_t i = 0; i < frame.contacts.size(); ++i) {
    const double x = value(frame.contacts[i]);
    if (!(x > least)) continue;
    least = x;
    most = i;
  }
  return most;
}

// Those that tell most: nearest to slipping, slipping fastest, pressed hardest.
std::string telling_lines(const WhyQuestion& question) {
  const double step = question.header->step;
  const auto is_contact = [](const RecordedContact& c) {
    return c.geom_a >= 0 && c.geom_b >= 0 && c.state != ContactState::kOpen;
  };
  const auto nearest = find_most(*question.frame, -2.0, [&](const RecordedContact& c) {
    return is_contact(c) && c.state == ContactState::kStick ? -calc_contact_numbers(c, step).margin : -3.0;
  });
  const auto fastest = find_most(*question.frame, 0.0, [&](const RecordedContact& c) {
    return is_contact(c) && c.state == ContactState::kSlide ? calc_contact_numbers(c, step).slip : 0.0;
  });
  const auto hardest = find_most(*question.frame, 0.0, [&](const RecordedContact& c) {
    return is_contact(c) ? calc_contact_numbers(c, step).normal : 0.0;
  });
  std::string text;
  if (nearest) text += why_line("least margin", numbered_sentence(question, *nearest));
  if (fastest) text += why_line("fastest slip", numbered_sentence(question, *fastest));
  if (hardest) text += why_line("most load", numbered_sentence(question, *hardest));
  return text;
}

// The heaviest pairs of bodies; their resultants say more than single points.
std::string pairs_table(const WhyQuestion& question, std::vector<BodyPair> pairs) {
  constexpr std::size_t kMost = 8;
  std::erase_if(pairs, [](const BodyPair& pair) { return pair.pressed == 0; });
  if (pairs.empty()) return "";
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const BodyPair& a, const BodyPair& b) { return a.normal > b.normal; });
  std::string text = fmt::format("\n{:<24} {:>9} {:>8}   {}\n", "normal forces, sum", "contacts", "pressed", "bodies");
  for (std::size_t k = 0; k < std::min(kMost, pairs.size()); ++k) {
    const BodyPair& pair = pairs[k];
    text += fmt::format("{:<24} {:>9} {:>8}   {} against {} (contacts from {})\n", quantity_text(pair.normal, "N"),
                        pair.contacts.size(), pair.pressed, body_text(*question.header, pair.a),
                        body_text(*question.header, pair.b), pair.contacts.front());
  }
  if (pairs.size() > kMost) text += fmt::format("and {} more\n", counted(pairs.size() - kMost, "pair"));
  return text;
}

std::string step_text(const WhyQuestion& question) {
  const RecordedFrame& frame = *question.frame;
  std::size_t counts[3] = {0, 0, 0};
  for (const RecordedContact& contact : frame.contacts) ++counts[static_cast<std::size_t>(contact.state)];
  std::string text = why_line("contacts", fmt::format("{} listed: {} stick, {} slide, {} carry nothing",
                                                      frame.contacts.size(), counts[2], counts[1], counts[0]));
  if (frame.overlap > 1e-12)
    text += why_line("overlap", quantity_text(frame.overlap, "m") + " at most, before the step");
  text += telling_lines(question);
  std::vector<BodyPair> pairs = find_body_pairs(*question.header, frame);
  const auto redundant = static_cast<std::uint64_t>(
      std::count_if(pairs.begin(), pairs.end(), [](const BodyPair& pair) { return pair.redundant(); }));
  if (redundant > 0) {
    text += why_line("redundant", counted(redundant, "pair") +
                                      " of bodies: more contacts than their forces can be told apart; "
                                      "how those share the load is one choice of many");
  }
  return text + pairs_table(question, std::move(pairs));
}

std::string contact_text(const WhyQuestion& question) {
  const RecordedContact& contact = question.frame->contacts[*question.contact];
  std::string text =
      why_line("contact", fmt::format("{}: {}", *question.contact, partners_text(*question.header, contact)));
  text += why_line("", contact_sentence(*question.header, contact));
  for (const BodyPair& pair : find_body_pairs(*question.header, *question.frame)) {
    const bool here = std::find(pair.contacts.begin(), pair.contacts.end(), *question.contact) != pair.contacts.end();
    if (here && pair.redundant()) text += why_line("", redundancy_sentence(pair));
  }
  return text;
}

}  // namespace

std::string why_text(const WhyQuestion& question) {
  const RecordingHeader& header = *question.header;
  const RecordedFrame& frame = *question.frame;
  std::string text = why_line("recording", fmt::format("{}: {}, model {}", question.file, header.scene, header.model));
  text += why_line("step", fmt::format("{} at {:.9g} s (frame {} of 0 … {})", frame.step, frame.time, question.number,
                                       question.frames - 1));
  if (!question.ending.empty()) text += why_line("incomplete", question.ending);
  if (frame.step == 0) return text + why_line("", "The start: no step has been made yet, and no force is known.");
  text += why_line("solver", solver_text(header, frame));
  return text + (question.contact ? contact_text(question) : step_text(question));
}

}  // namespace tribo
