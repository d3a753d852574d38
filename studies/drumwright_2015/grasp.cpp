#include "grasp.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/problem/contact_builder.hpp"

#include <algorithm>
#include <cmath>

namespace tribo {
namespace {

constexpr double kBoxEdge = 0.1;        // m
constexpr double kGripperMass = 1.0;    // kg
constexpr double kGraspGravity = 9.81;  // m/s²

// The place of point k in a grid over the face, in its plane; 12 points are 4 × 3.
Eigen::Vector2d grid_point(Index k, Index points) {
  Index columns = 1;
  while (columns * columns < points) ++columns;
  const Index rows = (points + columns - 1) / columns;
  const auto place = [](Index i, Index count) {
    return count == 1 ? 0.0 : kBoxEdge * (static_cast<double>(i) / static_cast<double>(count - 1) - 0.5);
  };
  return {place(k % columns, columns), place(k / columns, rows)};
}

// exp of the rotation vector as a quaternion; exact to rounding for small ones, and the identity for zero.
Eigen::Quaterniond rotation(const Vector3d& vector) {
  const double angle = vector.norm();
  const double half = 0.5 * angle;
  const double scale = angle > 1e-8 ? std::sin(half) / angle : 0.5;
  return {std::cos(half), scale * vector.x(), scale * vector.y(), scale * vector.z()};
}

}  // namespace

GraspSettings perturbed_grasp(Random& random) {
  GraspSettings settings;
  for (double& mass : settings.box_masses) mass *= random.uniform(0.9, 1.1);
  settings.push_left *= random.uniform(0.95, 1.05);
  settings.push_right *= random.uniform(0.95, 1.05);
  settings.pull.resize((settings.box_masses.size() + 1) * static_cast<std::size_t>(settings.points));
  for (double& pull : settings.pull) pull = random.uniform(0.0, 0.1);
  return settings;
}

Grasp::Grasp(const GraspSettings& settings) : settings_(settings) {
  const auto boxes = static_cast<Index>(settings.box_masses.size());
  TRIBO_REQUIRE(boxes >= 1 && settings.points >= 1, "a grasp has at least one box and one contact per face");
  TRIBO_REQUIRE(settings.pull.empty() || static_cast<Index>(settings.pull.size()) == (boxes + 1) * settings.points,
                "one pull per contact");
  const auto add = [this](double mass, double x, const Vector3d& force) {
    Body body;
    body.mass = mass;
    body.position = Vector3d(x, 0.0, 0.0);
    body.force = force;
    bodies_.push_back(body);
  };
  add(kGripperMass, -kBoxEdge, {settings.push_left, 0.0, 0.0});
  add(kGripperMass, kBoxEdge * static_cast<double>(boxes), {-settings.push_right, 0.0, 0.0});
  for (Index i = 0; i < boxes; ++i) {
    const double mass = settings.box_masses[static_cast<std::size_t>(i)];
    add(mass, kBoxEdge * static_cast<double>(i), {0.0, 0.0, -mass * kGraspGravity});
  }
  for (Index face = 0; face <= boxes; ++face) {
    const Index before = face == 0 ? 0 : face + 1;
    const Index next = face == boxes ? 1 : face + 2;
    for (Index k = 0; k < settings.points; ++k) {
      const double pull = settings.pull.empty() ? 0.0 : settings.pull[pairs_.size()];
      const Eigen::Vector2d place = (1.0 - pull) * grid_point(k, settings.points);
      pairs_.push_back({next, before, {-0.5 * kBoxEdge, place.x(), place.y()}, {0.5 * kBoxEdge, place.x(), place.y()}});
    }
  }
}

ContactProblem Grasp::problem() const {
  ContactBuilder builder;
  builder.set_name("grasp of a row");
  builder.set_step(settings_.h);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Body& body = bodies_[i];
    // A cube: its inertia is the same in all axes, turned or not.
    builder.add_body(body.mass, box_inertia(body.mass, Vector3d::Constant(kBoxEdge)), body.position);
    VectorXd six(6);
    six << body.velocity, body.spin;
    builder.set_velocity(static_cast<Index>(i), six);
    six << body.force, Vector3d::Zero();
    builder.set_force(static_cast<Index>(i), six);
  }
  for (const Index gripper : {0, 1}) {
    builder.add_prismatic(gripper, ContactBuilder::kWorld, bodies_[static_cast<std::size_t>(gripper)].position,
                          Vector3d::UnitX());
  }
  for (const Pair& pair : pairs_) {
    const Body& a = bodies_[static_cast<std::size_t>(pair.a)];
    const Body& b = bodies_[static_cast<std::size_t>(pair.b)];
    const Vector3d p_a = a.position + a.turn * pair.r_a;
    const Vector3d p_b = b.position + b.turn * pair.r_b;
    const Vector3d normal = b.turn * Vector3d::UnitX();
    Contact contact;
    contact.mu = settings_.mu;
    contact.gap = offset(pair).x();
    builder.add_contact(pair.a, pair.b, 0.5 * (p_a + p_b), normal, b.turn * Vector3d::UnitY(), contact);
  }
  ContactProblem problem = builder.build();
  problem.b_N = calc_normal_offset(problem, {});
  return problem;
}

void Grasp::advance(const VectorXd& v_next) {
  TRIBO_REQUIRE(v_next.size() == 6 * static_cast<Index>(bodies_.size()), "six velocities per body");
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    Body& body = bodies_[i];
    body.velocity = v_next.segment<3>(6 * static_cast<Index>(i));
    body.spin = v_next.segment<3>(6 * static_cast<Index>(i) + 3);
    body.position += settings_.h * body.velocity;
    body.turn = (rotation(settings_.h * body.spin) * body.turn).normalized();
  }
}

Vector3d Grasp::offset(const Pair& pair) const {
  const Body& a = bodies_[static_cast<std::size_t>(pair.a)];
  const Body& b = bodies_[static_cast<std::size_t>(pair.b)];
  return b.turn.conjugate() * (a.position - b.position + a.turn * pair.r_a) - pair.r_b;
}

double Grasp::max_slip() const {
  double most = 0.0;
  for (const Pair& pair : pairs_) most = std::max(most, offset(pair).tail<2>().norm());
  return most;
}

double Grasp::max_gap() const {
  double most = 0.0;
  for (const Pair& pair : pairs_) most = std::max(most, std::abs(offset(pair).x()));
  return most;
}

double Grasp::max_speed() const {
  double most = 0.0;
  for (const Body& body : bodies_) {
    most = std::max({most, body.velocity.lpNorm<Eigen::Infinity>(), body.spin.lpNorm<Eigen::Infinity>()});
  }
  return most;
}

}  // namespace tribo
