#include "why_text.hpp"

#include <algorithm>
#include <cmath>

#include "why_contact.hpp"
#include "why_group.hpp"
#include "why_joint_row.hpp"
#include "why_sentence.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tribo {
namespace {

std::string why_line(const char* label, const std::string& value) { return fmt::format("{:<12} {}\n", label, value); }

std::string counted(std::uint64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string solver_text(const RecordingHeader& header, const RecordedFrame& frame) {
  std::string text = frame.solver.empty() ? header.solver : frame.solver;
  if (text == "nothing to do") text = "none was needed";
  text += fmt::format(": {} with {} and {}; residual {:.2g}, tolerance {:.2g}", to_string(frame.status),
                      counted(frame.pivots, "pivot"), counted(frame.sweeps, "sweep"), frame.worst, header.tolerance);
  if (frame.fallback) text += "; the first method did not do";
  if (!is_solved(frame.status) && frame.failed_before == 0)
    text += "; NOT certified, the forces are the best there are";
  if (!is_solved(frame.status) && frame.failed_before > 0)
    text += fmt::format(
        "; NOT certified: that was step {}{}, between this frame and the one before; the forces below are those of "
        "step {}",
        frame.failed_before == 255 ? "<= " : "", frame.step - frame.failed_before, frame.step);
  return text;
}

// A contact by its number, or the group that it is part of.
std::string group_line(const WhyQuestion& question, const ContactGroup& group) {
  const RecordingHeader& header = *question.header;
  if (group.contacts.size() == 1) {
    const RecordedContact& contact = question.frame->contacts[group.contacts.front()];
    return fmt::format("contact {}, {}: {}", group.contacts.front(), partners_text(header, contact),
                       contact_sentence(header, contact));
  }
  constexpr std::size_t kMost = 6;
  const std::string numbers = group.contacts.size() > kMost
                                  ? fmt::format("{}, … {}", group.contacts.front(), group.contacts.back())
                                  : fmt::format("{}", fmt::join(group.contacts, ", "));
  return fmt::format("contacts {}, {} against {}: {}", numbers, body_text(header, group.a), body_text(header, group.b),
                     group_sentence(header, group));
}

// The group for which `value` is largest and above `least`.
template <typename Value>
const ContactGroup* find_most(const std::vector<ContactGroup>& groups, double least, const Value& value) {
  const ContactGroup* most = nullptr;
  for (const ContactGroup& group : groups) {
    const double x = value(group);
    if (!(x > least)) continue;
    least = x;
    most = &group;
  }
  return most;
}

// Those that tell most: nearest to slipping, slipping fastest, pressed hardest.
std::string telling_lines(const WhyQuestion& question) {
  const std::vector<ContactGroup> groups = find_groups(*question.header, *question.frame);
  // A single contact may have friction against turning, which its own margin counts.
  const auto margin = [&](const ContactGroup& group) {
    return group.contacts.size() > 1
               ? group.margin
               : calc_contact_numbers(*question.header, question.frame->contacts[group.contacts.front()]).margin;
  };
  const ContactGroup* nearest =
      find_most(groups, -2.0, [&](const ContactGroup& group) { return group.sliding == 0 ? -margin(group) : -3.0; });
  const ContactGroup* fastest =
      find_most(groups, 0.0, [](const ContactGroup& group) { return group.sliding > 0 ? group.slip : 0.0; });
  const ContactGroup* hardest = find_most(groups, 0.0, [](const ContactGroup& group) { return group.normal; });
  std::string text;
  if (nearest != nullptr) text += why_line("least margin", group_line(question, *nearest));
  if (fastest != nullptr) text += why_line("fastest slip", group_line(question, *fastest));
  if (hardest != nullptr) text += why_line("most load", group_line(question, *hardest));
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

// Limits that hold and dry friction that is overcome come first.
std::string joint_row_lines(const WhyQuestion& question) {
  constexpr std::size_t kMost = 12;
  std::vector<RecordedJointRow> rows = question.frame->joint_rows;
  if (rows.empty()) return "";
  std::size_t limits = 0, holding = 0, overcome = 0;
  for (const RecordedJointRow& row : rows) {
    const bool limit = row.kind == JointRowKind::kLimit;
    if (limit) ++limits;
    if (is_telling(row)) ++(limit ? holding : overcome);
  }
  std::string text = why_line("joints", fmt::format("{} within reach, {} hold; dry friction of {}, {} overcome",
                                                    counted(limits, "limit"), holding, rows.size() - limits, overcome));
  std::stable_partition(rows.begin(), rows.end(), is_telling);
  for (std::size_t k = 0; k < std::min(kMost, rows.size()); ++k)
    text += why_line("", joint_row_sentence(*question.header, rows[k]));
  if (rows.size() > kMost) text += why_line("", fmt::format("and {} more, which --json lists", rows.size() - kMost));
  return text;
}

std::string step_text(const WhyQuestion& question) {
  const RecordedFrame& frame = *question.frame;
  std::size_t counts[3] = {0, 0, 0};
  for (const RecordedContact& contact : frame.contacts) ++counts[static_cast<std::size_t>(contact.state)];
  std::string text = why_line("contacts", fmt::format("{} listed: {} stick, {} slide, {} open", frame.contacts.size(),
                                                      counts[2], counts[1], counts[0]));
  text += joint_row_lines(question);
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
  for (const std::string& line : explain_contact(*question.header, *question.frame,
                                                 find_groups(*question.header, *question.frame), *question.contact))
    text += why_line("", line);
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
