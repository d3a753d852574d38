#include "tribo/core/assert.hpp"
#include "tribo/problem/contact_builder.hpp"
#include "tribo/problem/generate.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "problem/generate_detail.hpp"
#include <Eigen/Geometry>

namespace tribo {

namespace {

using namespace generate_detail;

constexpr double kGravity = 9.81;   // m/s²
constexpr double kViscosity = 0.1;  // N·s/m

Vector3d block_edges() { return {0.2, 0.2, 0.1}; }  // m

// `load` is the normal impulse that the contact would carry at rest: the box bound is mu times it.
Contact surface(double mu, double load) {
  Contact contact;
  contact.mu = mu;
  contact.mu_v = kViscosity;
  contact.friction_bound = mu * load;
  return contact;
}

VectorXd random_wrench(double force, double torque, Random& random) {
  VectorXd wrench(6);
  for (Index k = 0; k < 3; ++k) wrench(k) = force * bell(random);
  for (Index k = 3; k < 6; ++k) wrench(k) = torque * bell(random);
  return wrench;
}

struct Rectangle {
  double x_low, x_high, y_low, y_high;
};

// n points: corners, then middles of the edges, then random points inside.
std::vector<Vector3d> face_points(const Rectangle& face, double z, Index n, Random& random) {
  const double x_mid = 0.5 * (face.x_low + face.x_high), y_mid = 0.5 * (face.y_low + face.y_high);
  std::vector<Vector3d> points{{face.x_low, face.y_low, z},   {face.x_high, face.y_low, z},
                               {face.x_high, face.y_high, z}, {face.x_low, face.y_high, z},
                               {x_mid, face.y_low, z},        {face.x_high, y_mid, z},
                               {x_mid, face.y_high, z},       {face.x_low, y_mid, z}};
  while (static_cast<Index>(points.size()) < n) {
    const double x = random.uniform(face.x_low, face.x_high);
    points.emplace_back(x, random.uniform(face.y_low, face.y_high), z);
  }
  points.resize(static_cast<std::size_t>(n));
  return points;
}

}  // namespace

ContactProblem peg_in_hole(Index n, Random& random, const PegSettings& settings) {
  TRIBO_REQUIRE(n >= 0, "the number of contacts cannot be negative");
  ContactBuilder builder;
  builder.set_name("peg in hole");
  builder.set_step(settings.h);
  const double weight = settings.mass * kGravity;
  const Index peg = builder.add_body(settings.mass, cylinder_inertia(settings.mass, settings.radius, settings.depth),
                                     Vector3d::Zero());
  const Index lower = n / 2;
  for (Index i = 0; i < n; ++i) {
    const bool low = i < lower;
    const Index on_ring = low ? lower : n - lower;
    const double angle =
        2.0 * std::numbers::pi * static_cast<double>(low ? i : i - lower) / static_cast<double>(on_ring);
    const Vector3d outward(std::cos(angle), std::sin(angle), 0.0);
    const Vector3d point =
        settings.radius * outward + Vector3d(0.0, 0.0, low ? -0.5 * settings.depth : 0.5 * settings.depth);
    const double mu = random.uniform(settings.mu_low, settings.mu_high);
    builder.add_contact(peg, ContactBuilder::kWorld, point, -outward,
                        surface(mu, weight * settings.h / static_cast<double>(n)));
  }
  builder.set_force(peg, random_wrench(weight, weight * settings.radius, random));
  return builder.build();
}

ContactProblem box_stack(Index blocks, Index contacts_per_interface, Random& random) {
  TRIBO_REQUIRE(blocks >= 1 && contacts_per_interface >= 0, "a stack has at least one block");
  ContactBuilder builder;
  const Vector3d edges = block_edges();
  builder.set_name("box stack");
  const double mass = 1.0, h = 0.01;
  builder.set_step(h);
  double x_below = 0.0, y_below = 0.0;
  for (Index i = 0; i < blocks; ++i) {
    const double x = i == 0 ? 0.0 : random.uniform(-0.03, 0.03);
    const double y = i == 0 ? 0.0 : random.uniform(-0.03, 0.03);
    const double z = edges.z() * static_cast<double>(i);
    const Index block = builder.add_body(mass, box_inertia(mass, edges), {x, y, z + 0.5 * edges.z()});
    // The face that both blocks share; the ground is as large as the lowest block needs.
    const Rectangle face{std::max(x, x_below) - 0.5 * edges.x(), std::min(x, x_below) + 0.5 * edges.x(),
                         std::max(y, y_below) - 0.5 * edges.y(), std::min(y, y_below) + 0.5 * edges.y()};
    const double load = mass * kGravity * h * static_cast<double>(blocks - i);
    for (const Vector3d& point : face_points(face, z, contacts_per_interface, random)) {
      builder.add_contact(block, i == 0 ? ContactBuilder::kWorld : block - 1, point, Vector3d::UnitZ(),
                          surface(random.uniform(0.2, 0.3), load / static_cast<double>(contacts_per_interface)));
    }
    x_below = x;
    y_below = y;
  }
  builder.add_gravity({0.0, 0.0, -kGravity});
  builder.add_force(blocks - 1, random_wrench(0.2 * kGravity, 0.02 * kGravity, random));
  return builder.build();
}

ContactProblem block_on_face(Index n, double incline, Random& random) {
  TRIBO_REQUIRE(n >= 0, "the number of contacts cannot be negative");
  ContactBuilder builder;
  const Vector3d edges = block_edges();
  builder.set_name("block on a face");
  const double mass = 1.0, h = 0.01;
  builder.set_step(h);
  const Index block = builder.add_body(mass, box_inertia(mass, edges), {0.0, 0.0, 0.5 * edges.z()});
  const Rectangle face{-0.5 * edges.x(), 0.5 * edges.x(), -0.5 * edges.y(), 0.5 * edges.y()};
  for (const Vector3d& point : face_points(face, 0.0, n, random)) {
    builder.add_contact(block, ContactBuilder::kWorld, point, Vector3d::UnitZ(),
                        surface(0.3, mass * kGravity * h / static_cast<double>(n)));
  }
  builder.add_gravity({kGravity * std::sin(incline), 0.0, -kGravity * std::cos(incline)});
  VectorXd velocity = uniform_vector(6, -0.5, 0.5, random);
  velocity(2) = random.uniform(-0.5, 0.0);  // towards the face
  builder.set_velocity(block, velocity);
  return builder.build();
}

ContactProblem jam(bool overlap, double angle) {
  ContactBuilder builder;
  builder.set_name(overlap ? "jam, overlapping" : "jam");
  const double mass = 1.0, radius = 0.1, h = 0.01;
  builder.set_step(h);
  const Index sphere = builder.add_body(mass, sphere_inertia(mass, radius), Vector3d::Zero());
  for (const Vector3d& normal : {Vector3d(1.0, 0.0, 0.0), Vector3d(-std::cos(angle), 0.0, std::sin(angle))}) {
    Contact contact = surface(0.5, mass * kGravity * h);
    contact.gap = overlap ? -0.1 * h : 0.0;
    const Index i = builder.add_contact(sphere, ContactBuilder::kWorld, -radius * normal, normal, contact);
    builder.set_normal_offset(i, overlap ? -0.1 : 0.0);
  }
  builder.add_gravity({0.0, 0.0, -kGravity});
  return builder.build();
}

ContactProblem grasp_row(Index boxes, Index contacts_per_face, double mu) {
  TRIBO_REQUIRE(boxes >= 1 && contacts_per_face >= 1, "a grasp has at least one box and one contact per face");
  ContactBuilder builder;
  builder.set_name("grasp of a row");
  const double edge = 0.1, mass = 1.0, h = 0.01, push = 200.0;
  builder.set_step(h);
  const Matrix3d inertia = box_inertia(mass, Vector3d::Constant(edge));
  const Vector3d weight(0.0, 0.0, -mass * kGravity);
  const Vector3d zero = Vector3d::Zero();
  const Index left = builder.add_body(mass, inertia, {-edge, 0.0, 0.0});
  const Index right = builder.add_body(mass, inertia, {edge * static_cast<double>(boxes), 0.0, 0.0});
  VectorXd force(6);
  force << push, 0.0, 0.0, zero;
  builder.set_force(left, force);
  builder.set_force(right, -force);
  builder.add_prismatic(left, ContactBuilder::kWorld, {-edge, 0.0, 0.0}, Vector3d::UnitX());
  builder.add_prismatic(right, ContactBuilder::kWorld, {edge * static_cast<double>(boxes), 0.0, 0.0},
                        Vector3d::UnitX());

  // A regular grid over the face, row after row: 2 × 2 gives the corners, 12 the paper's 4 × 3.
  Index columns = 1;
  while (columns * columns < contacts_per_face) ++columns;
  const Index rows = (contacts_per_face + columns - 1) / columns;
  const auto place = [edge](Index k, Index count) {
    return count == 1 ? 0.0 : edge * (static_cast<double>(k) / static_cast<double>(count - 1) - 0.5);
  };
  Index before = left;
  for (Index i = 0; i <= boxes; ++i) {
    Index next = right;
    if (i < boxes) {
      next = builder.add_body(mass, inertia, {edge * static_cast<double>(i), 0.0, 0.0});
      force << weight, zero;
      builder.set_force(next, force);
    }
    for (Index k = 0; k < contacts_per_face; ++k) {
      const Vector3d point(edge * (static_cast<double>(i) - 0.5), place(k % columns, columns),
                           place(k / columns, rows));
      builder.add_contact(next, before, point, Vector3d::UnitX(),
                          surface(mu, push * h / static_cast<double>(contacts_per_face)));
    }
    before = next;
  }
  return builder.build();
}

ContactProblem sphere_on_plane(const SphereSettings& settings) {
  ContactBuilder builder;
  builder.set_name("sphere on a plane");
  builder.set_step(settings.h);
  const Index sphere =
      builder.add_body(settings.mass, sphere_inertia(settings.mass, settings.radius), {0.0, 0.0, settings.radius});
  Contact contact = surface(settings.mu, settings.mass * kGravity * settings.h);
  contact.restitution = settings.restitution;
  builder.add_contact(sphere, ContactBuilder::kWorld, Vector3d::Zero(), Vector3d::UnitZ(), contact);
  builder.add_gravity({0.0, 0.0, -kGravity});
  VectorXd velocity(6);
  velocity << settings.velocity, settings.spin;
  builder.set_velocity(sphere, velocity);
  ContactProblem problem = builder.build();
  problem.b_N = calc_normal_offset(problem, {});
  return problem;
}

ContactProblem painleve_rod(double mu, double theta) {
  ContactBuilder builder;
  builder.set_name("Painlevé rod");
  const double mass = 1.0, length = 1.0, h = 0.01;
  builder.set_step(h);
  const double inertia = mass * length * length / 12.0;
  const Vector3d centre(0.5 * length * std::cos(theta), 0.0, 0.5 * length * std::sin(theta));
  // A thin rod has no inertia about its axis; it never turns about it here, so the same value keeps the block
  // definite.
  const Index rod = builder.add_body(mass, inertia * Matrix3d::Identity(), centre);
  builder.add_contact(rod, ContactBuilder::kWorld, Vector3d::Zero(), Vector3d::UnitZ(),
                      surface(mu, mass * kGravity * h));
  builder.add_gravity({0.0, 0.0, -kGravity});
  VectorXd velocity = VectorXd::Zero(6);
  velocity(0) = -1.0;
  builder.set_velocity(rod, velocity);
  return builder.build();
}

}  // namespace tribo
