// tribo why says what the replay page says: both read the same cases (viewer/tests/unit/why.test.ts).
#include "why_sentence.hpp"

#include <fstream>
#include <limits>

#include "why_joint_row.hpp"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tribo::testing {
namespace {

using nlohmann::json;

Vector3d three_of(const json& list) {
  return {list.at(0).get<double>(), list.at(1).get<double>(), list.at(2).get<double>()};
}

RecordingHeader make_why_header(const json& shared) {
  RecordingHeader header;
  header.step = shared.at("step");
  for (const json& body : shared.at("bodies")) {
    header.bodies.emplace_back().name = body.at("name");
    header.bodies.back().moves = body.at("moves");
  }
  for (const json& geom : shared.at("geoms")) {
    header.geoms.emplace_back().name = geom.at("name");
    header.geoms.back().body = geom.at("body");
  }
  header.joints = shared.at("joints").get<std::vector<std::string>>();
  header.joint_kinds = shared.at("joint_kinds").get<std::vector<std::string>>();
  return header;
}

ContactState why_state(const json& given) {
  return given.at("state") == "open"    ? ContactState::kOpen
         : given.at("state") == "slide" ? ContactState::kSlide
                                        : ContactState::kStick;
}

RecordedContact make_why_contact(const json& given, double step) {
  RecordedContact contact;
  contact.geom_a = given.at("geoms").at(0);
  contact.geom_b = given.at("geoms").at(1);
  contact.state = why_state(given);
  contact.point = three_of(given.at("point"));
  contact.normal = three_of(given.at("normal"));
  contact.gap = given.at("gap");
  contact.impulse = step * three_of(given.at("force"));
  contact.mu = given.at("mu");
  contact.velocity = three_of(given.at("velocity"));
  contact.mu_spin = given.value("mu_spin", 0.0);
  contact.mu_roll = given.value("mu_roll", 0.0);
  if (given.contains("couple")) {
    contact.couple.setConstant(std::numeric_limits<double>::quiet_NaN());
    if (!given.at("couple").is_null()) contact.couple = step * three_of(given.at("couple"));
  }
  if (given.contains("turning")) contact.turning = three_of(given.at("turning"));
  return contact;
}

// One set of sentences for people, wherever they ask; for every model and every state.
TEST(WhySentence, SaysWhatThePageSays) {
  std::ifstream in(TRIBO_SOURCE "/data/why/sentences.json");
  const json shared = json::parse(in);
  RecordingHeader header = make_why_header(shared.at("header"));
  ASSERT_GT(shared.at("cases").size(), 30u);
  for (const json& one : shared.at("cases")) {
    header.model = one.at("model");
    RecordedFrame frame;
    for (const json& given : one.at("contacts")) frame.contacts.push_back(make_why_contact(given, header.step));
    const std::vector<std::string> says =
        explain_contact(header, frame, find_groups(header, frame), one.at("contact").get<std::size_t>());
    EXPECT_EQ(json(says), one.at("says")) << one.at("name");
  }
}

// The same for limits and dry friction: the joint's name, N or N·m.
TEST(WhySentence, SaysWhatThePageSaysOfJoints) {
  std::ifstream in(TRIBO_SOURCE "/data/why/sentences.json");
  const json shared = json::parse(in);
  const RecordingHeader header = make_why_header(shared.at("header"));
  ASSERT_GE(shared.at("joint_rows").size(), 10u);
  for (const json& one : shared.at("joint_rows")) {
    RecordedJointRow row;
    row.kind = one.at("kind") == "limit" ? JointRowKind::kLimit : JointRowKind::kDryFriction;
    row.joint = one.at("joint");
    row.place = one.at("place");
    row.gap = one.at("gap");
    row.bound = header.step * one.at("bound").get<double>();
    row.impulse = header.step * one.at("force").get<double>();
    row.velocity = one.at("velocity");
    row.state = why_state(one);
    EXPECT_EQ(json(joint_row_sentence(header, row)), one.at("says")) << one.at("name");
  }
}

}  // namespace
}  // namespace tribo::testing
