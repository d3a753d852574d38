#include <cmath>

#include "json_text.hpp"
#include "record_text.hpp"
#include "why_contact.hpp"
#include "why_group.hpp"
#include "why_joint_row.hpp"
#include "why_sentence.hpp"
#include "why_text.hpp"
#include <nlohmann/json.hpp>

namespace tribo {
namespace {

using nlohmann::ordered_json;

ordered_json three_json(const Vector3d& v) { return {number_json(v.x()), number_json(v.y()), number_json(v.z())}; }

ordered_json contact_json(const WhyQuestion& question, const std::vector<ContactGroup>& groups, std::size_t i,
                          bool redundant) {
  const RecordingHeader& header = *question.header;
  const RecordedContact& contact = question.frame->contacts[i];
  const ContactNumbers x = calc_contact_numbers(header, contact);
  ordered_json object = {{"contact", i}, {"state", state_name(contact.state)}};
  const auto body = [&](Index geom) { return header.geoms[static_cast<std::size_t>(geom)].body; };
  object["bodies"] = {body_text(header, body(contact.geom_a)), body_text(header, body(contact.geom_b))};
  object["shapes"] = {contact.geom_a, contact.geom_b};
  object["point"] = three_json(contact.point);
  object["normal"] = three_json(contact.normal);
  object["gap"] = number_json(contact.gap);
  object["mu"] = number_json(contact.mu);
  object["normal_force"] = number_json(x.normal);
  object["friction_force"] = number_json(x.friction);
  object["allowed"] = std::isnan(x.allowed) ? ordered_json(nullptr) : number_json(x.allowed);
  object["margin"] = std::isnan(x.margin) ? ordered_json(nullptr) : number_json(x.margin);
  if (x.turning) {
    object["mu_spin"] = number_json(contact.mu_spin);
    object["mu_roll"] = number_json(contact.mu_roll);
    object["spin_couple"] = number_json(x.spin_couple);
    object["roll_couple"] = number_json(x.roll_couple);
    object["spin"] = number_json(x.spin);
    object["roll"] = number_json(x.roll);
  }
  object["slip"] = number_json(x.slip);
  object["separation"] = number_json(x.apart);
  object["redundant"] = redundant;
  object["why"] = contact_sentence(header, contact);
  object["says"] = explain_contact(header, *question.frame, groups, i);
  return object;
}

ordered_json joint_row_json(const RecordingHeader& header, const RecordedJointRow& row) {
  const bool dry_friction = row.kind == JointRowKind::kDryFriction;
  const JointRowUnits units = joint_row_units(header, row);
  ordered_json object = {{"kind", dry_friction ? "dry friction" : "limit"},
                         {"joint", joint_text(header, row.joint)},
                         {"state", state_name(row.state)}};
  if (dry_friction) {
    object["dof"] = row.place;
    object["bound"] = number_json(joint_row_force(header, row.bound));
  } else {
    object["side"] = row.place == 0 ? ordered_json(nullptr) : ordered_json(row.place < 0 ? "lower" : "upper");
    object["gap"] = number_json(row.gap);
  }
  object["force"] = number_json(joint_row_force(header, row.impulse));
  object["velocity"] = number_json(row.velocity);
  object["unit"] = units.force;
  object["why"] = joint_row_sentence(header, row);
  return object;
}

}  // namespace

std::string why_json(const WhyQuestion& question) {
  const RecordingHeader& header = *question.header;
  const RecordedFrame& frame = *question.frame;
  std::vector<bool> redundant(frame.contacts.size());
  for (const BodyPair& pair : find_body_pairs(header, frame)) {
    for (const std::size_t i : pair.contacts)
      redundant[i] = pair.redundant() && frame.contacts[i].state != ContactState::kOpen;
  }
  ordered_json object = {{"recording", question.file},
                         {"scene", header.scene},
                         {"model", header.model},
                         {"frame", question.number},
                         {"frames", question.frames},
                         {"step", frame.step},
                         {"time", number_json(frame.time)},
                         {"status", to_string(frame.status)},
                         {"failed_before", frame.failed_before},
                         {"solver", frame.solver.empty() ? header.solver : frame.solver},
                         {"fallback", frame.fallback},
                         {"pivots", frame.pivots},
                         {"sweeps", frame.sweeps},
                         {"certificate", number_json(frame.worst)},
                         {"tolerance", number_json(header.tolerance)},
                         {"overlap", number_json(frame.overlap)}};
  if (!question.ending.empty()) object["incomplete"] = question.ending;
  const std::vector<ContactGroup> all_groups = find_groups(header, frame);
  ordered_json contacts = ordered_json::array();
  for (std::size_t i = 0; i < frame.contacts.size(); ++i) {
    if (!question.contact || *question.contact == i)
      contacts.push_back(contact_json(question, all_groups, i, redundant[i]));
  }
  object["contacts"] = std::move(contacts);
  ordered_json joint_rows = ordered_json::array();
  for (const RecordedJointRow& row : frame.joint_rows) joint_rows.push_back(joint_row_json(header, row));
  object["joint_rows"] = std::move(joint_rows);
  ordered_json groups = ordered_json::array();
  for (const ContactGroup& group : all_groups) {
    if (group.contacts.size() < 2) continue;
    groups.push_back({{"bodies", {body_text(header, group.a), body_text(header, group.b)}},
                      {"contacts", group.contacts},
                      {"sliding", group.sliding},
                      {"normal_force", number_json(group.normal)},
                      {"friction_force", number_json(group.friction)},
                      {"allowed", std::isnan(group.allowed) ? ordered_json(nullptr) : number_json(group.allowed)},
                      {"twist", number_json(group.twist)},
                      {"margin", std::isnan(group.margin) ? ordered_json(nullptr) : number_json(group.margin)},
                      {"slip", number_json(group.slip)},
                      {"why", group_sentence(header, group)}});
  }
  object["groups"] = std::move(groups);
  return json_line(object);
}

std::string why_error_json(const std::string& recording, const std::string& error) {
  return json_line({{"recording", recording}, {"error", error}});
}

}  // namespace tribo
