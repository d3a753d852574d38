// random_bodies. Every body, rigid or tree, has a map from its velocities to the twist (velocity, spin) of a
// frame at its centre; a row for direction d at arm r is that map transposed times [d; r × d]. For a rigid
// body the map is the identity.
#include "tribo/core/assert.hpp"
#include "tribo/problem/contact_builder.hpp"
#include "tribo/problem/generate.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "problem/generate_detail.hpp"
#include <Eigen/Geometry>

namespace tribo {

namespace {

using namespace generate_detail;
using Part = ContactBuilder::Part;

struct Frame {
  Vector3d centre;
  MatrixXd twist;  // 6 × degrees of freedom
};

// Where a contact is: what a redundant one repeats.
struct Place {
  Index a = 0, b = 0;
  Vector3d point, normal, tangent;
};

// The inertia of a few equal masses at random places: symmetric, and one that a real body can have.
Matrix3d random_inertia(double mass, Random& random) {
  Matrix3d inertia = Matrix3d::Identity() * (0.001 * mass);
  for (int k = 0; k < 4; ++k) {
    const Vector3d r = 0.1 * direction(random);
    const double square = r.x() * r.x() + r.y() * r.y() + r.z() * r.z();
    inertia += 0.25 * mass * (square * Matrix3d::Identity() - r * r.transpose());
  }
  return inertia;
}

Frame add_random_body(ContactBuilder& builder, bool tree, Random& random) {
  const Vector3d centre = uniform_point(0.5, random);
  Index body = 0;
  Frame frame{centre, MatrixXd::Identity(6, 6)};
  if (tree) {
    const Index size = random.integer(3, 9);
    body = builder.add_tree(random_matrix(MatrixClass::kSpd, size, random));
    frame.twist = uniform_matrix(6, size, random);
    builder.set_force(body, uniform_vector(size, -5.0, 5.0, random));
  } else {
    const double mass = random.uniform(0.2, 5.0);
    body = builder.add_body(mass, random_inertia(mass, random), centre);
    VectorXd force = uniform_vector(6, -mass, mass, random);
    force(2) -= 9.81 * mass;
    builder.set_force(body, force);
  }
  builder.set_velocity(body, uniform_vector(frame.twist.cols(), -1.0, 1.0, random));
  return frame;
}

std::vector<Part> make_row(const std::vector<Frame>& frames, const Place& place, const Vector3d& d) {
  std::vector<Part> row;
  for (const Index body : {place.a, place.b}) {
    if (body == ContactBuilder::kWorld) continue;
    const Frame& frame = frames[static_cast<std::size_t>(body)];
    const Vector3d moment = (place.point - frame.centre).cross(d);
    VectorXd wrench(6);
    wrench << d, moment;
    VectorXd values = multiply(frame.twist.transpose(), wrench);
    if (body == place.b) values = -values;
    row.push_back({body, std::move(values)});
  }
  return row;
}

Place random_place(const std::vector<Frame>& frames, Random& random) {
  const auto bodies = static_cast<Index>(frames.size());
  Place place;
  place.a = random.integer(0, bodies - 1);
  place.b = random.integer(-1, bodies - 2);  // any other body, or the world
  if (place.b >= place.a) ++place.b;
  place.point = frames[static_cast<std::size_t>(place.a)].centre + 0.1 * direction(random);
  place.normal = direction(random);
  place.tangent = calc_tangent(place.normal);
  return place;
}

}  // namespace

ContactProblem random_bodies(const RandomBodies& settings, Random& random) {
  TRIBO_REQUIRE(settings.bodies >= 1 && settings.contacts >= 0 && settings.bilateral >= 0,
                "at least one body, and no negative counts");
  ContactBuilder builder;
  builder.set_name("random bodies");
  builder.set_step(0.01);
  std::vector<Frame> frames;
  for (Index i = 0; i < settings.bodies; ++i) {
    frames.push_back(add_random_body(builder, settings.trees && i % 2 == 0, random));
  }

  std::vector<Place> places;
  for (Index i = 0; i < settings.contacts; ++i) {
    Place place = random_place(frames, random);
    if (i > 0 && random.chance(settings.redundant)) {
      place = places[static_cast<std::size_t>(random.integer(0, i - 1))];
      if (random.chance(0.5)) {  // not the same contact, but another one in its plane
        const Vector3d across = place.normal.cross(place.tangent);
        place.point += random.uniform(-0.1, 0.1) * place.tangent;
        place.point += random.uniform(-0.1, 0.1) * across;
      }
    }
    const Vector3d across = place.normal.cross(place.tangent);
    Contact contact;
    contact.mu = random.uniform(0.0, 1.0);
    contact.mu_v = random.uniform(0.0, 0.5);
    contact.friction_bound = contact.mu * random.uniform(0.0, 0.1);
    contact.has_frame = true;
    contact.point = place.point;
    contact.frame << place.tangent, across, place.normal;
    builder.add_contact_rows({make_row(frames, place, place.normal), make_row(frames, place, place.tangent),
                              make_row(frames, place, across)},
                             contact);
    places.push_back(place);
  }
  for (Index i = 0; i < settings.bilateral; ++i) {
    const Place place = random_place(frames, random);
    builder.add_bilateral(make_row(frames, place, place.normal));
  }
  return builder.build();
}

ContactProblem random_bodies(Random& random) {
  RandomBodies settings;
  settings.bodies = random.integer(1, 8);
  settings.contacts = random.integer(1, 80);
  settings.bilateral = random.integer(0, 3);
  settings.trees = random.chance(0.5);
  return random_bodies(settings, random);
}

}  // namespace tribo
