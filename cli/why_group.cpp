#include "why_group.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "why_contact.hpp"
#include <Eigen/QR>

namespace tribo {
namespace {

constexpr double kParallel = 0.9999;    // cosine between normals that count as equal
constexpr double kTwistWorthy = 0.005;  // of what is allowed; less is rounding

// Normal forces act through force and moment; as many can be told apart as their six-vectors are independent.
Index count_needed(const RecordedFrame& frame, const BodyPair& pair) {
  std::vector<const RecordedContact*> pressed;
  Vector3d centre = Vector3d::Zero();
  for (const std::size_t i : pair.contacts) {
    if (frame.contacts[i].state == ContactState::kOpen) continue;
    pressed.push_back(&frame.contacts[i]);
    centre += frame.contacts[i].point;
  }
  if (pressed.empty()) return 0;
  centre /= static_cast<double>(pressed.size());
  double reach = 0.0;
  for (const RecordedContact* contact : pressed) reach = std::max(reach, (contact->point - centre).norm());
  constexpr double kFine = 1e-3;  // points are rounded by half a micrometre
  if (!(reach > 0.0) || !std::isfinite(reach)) reach = 1.0;
  Eigen::Matrix<double, 6, Eigen::Dynamic> rows(6, static_cast<Index>(pressed.size()));
  for (std::size_t i = 0; i < pressed.size(); ++i) {
    rows.col(static_cast<Index>(i)) << pressed[i]->normal,
        (pressed[i]->point - centre).cross(pressed[i]->normal) / reach;
  }
  if (!rows.allFinite()) return static_cast<Index>(pressed.size());
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factors(rows);
  factors.setThreshold(kFine);
  return factors.rank();
}

// +1 where the contact's a is the pair's a, −1 where it is the other.
double side_of(const RecordingHeader& header, const RecordedContact& contact, Index a) {
  return moving_body(header, contact.geom_a) == a ? 1.0 : -1.0;
}

void add_up(const RecordingHeader& header, const RecordedFrame& frame, ContactGroup& group) {
  const RecordedContact& first = frame.contacts[group.contacts.front()];
  const Vector3d n = side_of(header, first, group.a) * first.normal;
  Vector3d friction = Vector3d::Zero(), centre = Vector3d::Zero();
  for (const std::size_t i : group.contacts) {
    const RecordedContact& contact = frame.contacts[i];
    const ContactNumbers x = calc_contact_numbers(header, contact);
    const double normal = std::max(x.normal, 0.0);
    group.normal += normal;
    group.allowed += x.allowed;
    group.slip = std::max(group.slip, x.slip);
    group.partial = group.partial || x.turning;
    if (contact.state == ContactState::kSlide) ++group.sliding;
    const Vector3d force = side_of(header, contact, group.a) * contact.impulse / header.step;
    friction += force - force.dot(n) * n;
    centre += normal * contact.point;
  }
  if (group.normal > 0.0) centre /= group.normal;
  Vector3d moment = Vector3d::Zero();
  for (const std::size_t i : group.contacts) {
    const RecordedContact& contact = frame.contacts[i];
    const Vector3d force = side_of(header, contact, group.a) * contact.impulse / header.step;
    const Vector3d arm = contact.point - centre;
    moment += arm.cross(force);
    group.twist_allowed += calc_contact_numbers(header, contact).allowed * (arm - arm.dot(n) * n).norm();
  }
  group.friction = friction.norm();
  group.twist = std::abs(moment.dot(n));
  const double twisting = group.twist_allowed > 0.0 ? group.twist / group.twist_allowed : 0.0;
  group.twisted = !group.partial && twisting > kTwistWorthy;
  group.margin = group.allowed > 0.0 ? 1.0 - group.friction / group.allowed - (group.twisted ? twisting : 0.0)
                                     : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

std::vector<BodyPair> find_body_pairs(const RecordingHeader& header, const RecordedFrame& frame) {
  std::vector<BodyPair> pairs;
  std::map<std::pair<Index, Index>, std::size_t> known;
  for (std::size_t i = 0; i < frame.contacts.size(); ++i) {
    const RecordedContact& contact = frame.contacts[i];
    const Index a = moving_body(header, contact.geom_a), b = moving_body(header, contact.geom_b);
    const auto [place, added] = known.try_emplace({std::min(a, b), std::max(a, b)}, pairs.size());
    if (added) pairs.push_back({.a = std::max(a, b), .b = std::min(a, b), .contacts = {}});
    BodyPair& pair = pairs[place->second];
    pair.contacts.push_back(i);
    if (contact.state != ContactState::kOpen) ++pair.pressed;
    pair.normal += std::max(calc_contact_numbers(header, contact).normal, 0.0);
  }
  for (BodyPair& pair : pairs) pair.needed = count_needed(frame, pair);
  return pairs;
}

std::vector<ContactGroup> find_groups(const RecordingHeader& header, const RecordedFrame& frame) {
  std::vector<ContactGroup> groups;
  std::map<std::pair<Index, Index>, std::vector<std::size_t>> of_pair;
  for (std::size_t i = 0; i < frame.contacts.size(); ++i) {
    const RecordedContact& contact = frame.contacts[i];
    if (contact.state == ContactState::kOpen) continue;
    const auto [b, a] = std::minmax({moving_body(header, contact.geom_a), moving_body(header, contact.geom_b)});
    const Vector3d n = side_of(header, contact, a) * contact.normal;
    std::vector<std::size_t>& mine = of_pair[{a, b}];
    const auto found = std::find_if(mine.begin(), mine.end(), [&, pair_a = a](std::size_t g) {
      const RecordedContact& first = frame.contacts[groups[g].contacts.front()];
      return n.dot(side_of(header, first, pair_a) * first.normal) > kParallel;
    });
    if (found != mine.end()) {
      groups[*found].contacts.push_back(i);
    } else {
      mine.push_back(groups.size());
      groups.push_back({.a = a, .b = b, .contacts = {i}});
    }
  }
  for (ContactGroup& group : groups) add_up(header, frame, group);
  return groups;
}

}  // namespace tribo
