#include "tribo/problem/contact_builder.hpp"

#include "tribo/core/assert.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include <Eigen/Geometry>

namespace tribo {

namespace {

// Unit vector; dividing by the largest entry first keeps very long and very short vectors from over- and
// underflowing.
Vector3d unit(const Vector3d& x, const char* message) {
  const double largest = x.cwiseAbs().maxCoeff();
  TRIBO_REQUIRE(std::isfinite(largest) && largest > 0.0, message);
  const Vector3d scaled = x / largest;
  return scaled / std::sqrt(scaled.dot(scaled));
}

VectorXd to_vector(const std::vector<double>& values) {
  VectorXd x(static_cast<Index>(values.size()));
  for (Index i = 0; i < x.size(); ++i) x(i) = values[static_cast<std::size_t>(i)];
  return x;
}

BlockRows::Segment segment_of(const ContactBuilder::Part& part) {
  if (part.body < 0) return {};
  return {part.body, {part.values.data(), static_cast<std::size_t>(part.values.size())}};
}

void add_row(BlockRows& rows, const std::vector<ContactBuilder::Part>& parts) {
  rows.add_row(parts.empty() ? BlockRows::Segment{} : segment_of(parts[0]),
               parts.size() < 2 ? BlockRows::Segment{} : segment_of(parts[1]));
}

}  // namespace

Vector3d calc_tangent(const Vector3d& normal) {
  const Vector3d n = unit(normal, "a normal must be finite and not zero");
  Index axis = 0;
  for (Index k = 1; k < 3; ++k) {
    if (std::abs(n(k)) < std::abs(n(axis))) axis = k;
  }
  const Vector3d e = Vector3d::Unit(axis);
  return unit(e - n * n(axis), "a normal must be finite and not zero");
}

Matrix3d box_inertia(double mass, const Vector3d& edges) {
  const double x = edges.x() * edges.x(), y = edges.y() * edges.y(), z = edges.z() * edges.z();
  return Vector3d(mass * (y + z) / 12.0, mass * (x + z) / 12.0, mass * (x + y) / 12.0).asDiagonal();
}

Matrix3d sphere_inertia(double mass, double radius) {
  return Vector3d::Constant(0.4 * mass * radius * radius).asDiagonal();
}

Matrix3d cylinder_inertia(double mass, double radius, double height) {
  const double across = mass * (3.0 * radius * radius + height * height) / 12.0;
  return Vector3d(across, across, 0.5 * mass * radius * radius).asDiagonal();
}

Index ContactBuilder::add_body(double mass, const Matrix3d& inertia, const Vector3d& centre) {
  MatrixXd block = MatrixXd::Zero(6, 6);
  block.topLeftCorner<3, 3>().diagonal().setConstant(mass);
  block.bottomRightCorner<3, 3>() = inertia;
  return add_block({Kind::kSpatial, mass, centre, {}, {}}, std::move(block));
}

Index ContactBuilder::add_planar_body(double mass, double inertia, const Vector2d& centre) {
  MatrixXd block = Vector3d(mass, mass, inertia).asDiagonal();
  return add_block({Kind::kPlanar, mass, {centre.x(), centre.y(), 0.0}, {}, {}}, std::move(block));
}

Index ContactBuilder::add_tree(const MatrixXd& mass) { return add_block({}, mass); }

Index ContactBuilder::add_block(Body body, MatrixXd mass) {
  body.velocity = VectorXd::Zero(mass.rows());
  body.force = VectorXd::Zero(mass.rows());
  problem_.mass.append(std::move(mass));
  bodies_.push_back(std::move(body));
  return bodies() - 1;
}

ContactBuilder::Body& ContactBuilder::at(Index body) {
  TRIBO_REQUIRE(body >= 0 && body < bodies(), "there is no body with this number");
  return bodies_[static_cast<std::size_t>(body)];
}

const ContactBuilder::Body& ContactBuilder::at(Index body) const {
  TRIBO_REQUIRE(body >= 0 && body < bodies(), "there is no body with this number");
  return bodies_[static_cast<std::size_t>(body)];
}

void ContactBuilder::set_velocity(Index body, const VectorIn& velocity) {
  TRIBO_REQUIRE(velocity.size() == at(body).velocity.size(), "one velocity per degree of freedom of the body");
  at(body).velocity = velocity;
}

void ContactBuilder::set_force(Index body, const VectorIn& force) {
  TRIBO_REQUIRE(force.size() == at(body).force.size(), "one force per degree of freedom of the body");
  at(body).force = force;
}

void ContactBuilder::add_force(Index body, const VectorIn& force) {
  TRIBO_REQUIRE(force.size() == at(body).force.size(), "one force per degree of freedom of the body");
  at(body).force += force;
}

void ContactBuilder::add_gravity(const Vector3d& gravity) {
  for (Body& body : bodies_) {
    if (body.kind == Kind::kSpatial) body.force.head<3>() += body.mass * gravity;
    if (body.kind == Kind::kPlanar) body.force.head<2>() += body.mass * gravity.head<2>();
  }
}

void ContactBuilder::add_gyroscopic_forces() {
  for (Index i = 0; i < bodies(); ++i) {
    Body& body = at(i);
    if (body.kind != Kind::kSpatial) continue;
    const Matrix3d inertia = problem_.mass.block(i).bottomRightCorner<3, 3>();
    const Vector3d omega = body.velocity.tail<3>();
    body.force.tail<3>() -= omega.cross(inertia * omega);
  }
}

void ContactBuilder::require_pair(Index a, Index b, Kind kind) const {
  TRIBO_REQUIRE(a != b, "a body cannot be joined to itself");
  for (const Index body : {a, b}) {
    if (body == kWorld) continue;
    TRIBO_REQUIRE(at(body).kind == kind,
                  "the body is of another kind: trees need raw rows, planar bodies planar contacts");
  }
}

ContactBuilder::Row ContactBuilder::make_row(Index a, Index b, const Vector3d& point, const Vector3d& direction) const {
  Row row;
  for (const Index body : {a, b}) {
    if (body == kWorld) continue;
    const Vector3d moment = (point - at(body).centre).cross(direction);
    Part part{body, VectorXd(at(body).velocity.size())};
    if (at(body).kind == Kind::kSpatial) {
      part.values << direction, moment;
    } else {
      part.values << direction.x(), direction.y(), moment.z();
    }
    if (body == b) part.values = -part.values;
    row.push_back(std::move(part));
  }
  return row;
}

ContactBuilder::Row ContactBuilder::make_turning_row(Index a, Index b, const Vector3d& direction) const {
  Row row;
  for (const Index body : {a, b}) {
    if (body == kWorld) continue;
    Part part{body, VectorXd::Zero(6)};
    if (body == a) {
      part.values.tail<3>() = direction;
    } else {
      part.values.tail<3>() = -direction;
    }
    row.push_back(std::move(part));
  }
  return row;
}

Index ContactBuilder::add_contact(Index a, Index b, const Vector3d& point, const Vector3d& normal,
                                  const Contact& properties) {
  return add_contact(a, b, point, normal, calc_tangent(normal), properties);
}

Index ContactBuilder::add_contact(Index a, Index b, const Vector3d& point, const Vector3d& normal,
                                  const Vector3d& tangent, const Contact& properties) {
  require_pair(a, b, Kind::kSpatial);
  const Vector3d n = unit(normal, "a normal must be finite and not zero");
  const Vector3d along = unit(tangent, "a tangent must be finite and not zero");
  const Vector3d across = along - n * n.dot(along);
  TRIBO_REQUIRE(across.cwiseAbs().maxCoeff() > 1e-12, "a tangent must not be parallel to its normal");
  const Vector3d s = unit(across, "a tangent must not be parallel to its normal");
  const Vector3d t = n.cross(s);
  Contact contact = properties;
  contact.has_frame = true;
  contact.point = point;
  contact.frame << s, t, n;
  return add_contact_rows({make_row(a, b, point, n), make_row(a, b, point, s), make_row(a, b, point, t)},
                          {make_turning_row(a, b, n), make_turning_row(a, b, s), make_turning_row(a, b, t)}, contact);
}

Index ContactBuilder::add_planar_contact(Index a, Index b, const Vector2d& point, const Vector2d& normal,
                                         const Contact& properties) {
  require_pair(a, b, Kind::kPlanar);
  TRIBO_REQUIRE(!(properties.mu_spin > 0.0 || properties.mu_roll > 0.0),
                "friction against turning (mu_spin, mu_roll) needs bodies in space, not in the plane");
  const Vector3d n = unit({normal.x(), normal.y(), 0.0}, "a normal must be finite and not zero");
  const Vector3d s(n.y(), -n.x(), 0.0);
  const Vector3d p(point.x(), point.y(), 0.0);
  Contact contact = properties;
  contact.has_frame = true;
  contact.point = p;
  contact.frame << s, n.cross(s), n;
  return add_contact_rows({make_row(a, b, p, n), make_row(a, b, p, s)}, {}, contact);
}

void ContactBuilder::require_row(const Row& row) const {
  TRIBO_REQUIRE(row.size() <= 2, "a row touches at most two bodies");
  TRIBO_REQUIRE(row.size() < 2 || row[0].body != row[1].body || row[0].body == kWorld,
                "the two parts of a row must be on different bodies");
  for (const Part& part : row) {
    const Index size = part.body == kWorld ? 0 : at(part.body).velocity.size();
    TRIBO_REQUIRE(part.values.size() == size, "one value per degree of freedom of the body, none for the world");
  }
}

Index ContactBuilder::add_contact_rows(const std::vector<Row>& rows, const Contact& properties) {
  TRIBO_REQUIRE((!rows.empty() && rows.size() <= 4) || rows.size() == 6,
                "a contact has one to three rows (N, S, T), four (and spin) or six (and roll_s, roll_t)");
  const auto tangents_end = rows.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(rows.size(), 3));
  return add_contact_rows({rows.begin(), tangents_end}, {tangents_end, rows.end()}, properties);
}

Index ContactBuilder::add_contact_rows(std::vector<Row> rows, std::vector<Row> turning, const Contact& contact) {
  TRIBO_REQUIRE(contact_rows_.empty() || contact_rows_.front().size() == rows.size(),
                "all contacts of a problem have the same number of rows");
  TRIBO_REQUIRE(!(contact.mu_spin > 0.0) || !turning.empty(), "mu_spin needs a row spin to act along");
  TRIBO_REQUIRE(!(contact.mu_roll > 0.0) || turning.size() == 3, "mu_roll needs rows roll_s and roll_t to act along");
  for (const Row& row : rows) require_row(row);
  for (const Row& row : turning) require_row(row);
  contact_rows_.push_back(std::move(rows));
  turning_rows_.push_back(std::move(turning));
  problem_.contacts.push_back(contact);
  b_N_.push_back(0.0);
  a_N_.push_back(0.0);
  return contacts() - 1;
}

void ContactBuilder::set_normal_offset(Index contact, double b_N, double a_N) {
  TRIBO_REQUIRE(contact >= 0 && contact < contacts(), "there is no contact with this number");
  b_N_[static_cast<std::size_t>(contact)] = b_N;
  a_N_[static_cast<std::size_t>(contact)] = a_N;
}

Index ContactBuilder::add_direction(Index a, Index b, const Vector3d& point, const Vector3d& direction) {
  require_pair(a, b, Kind::kSpatial);
  return add_bilateral(make_row(a, b, point, unit(direction, "a direction must be finite and not zero")));
}

Index ContactBuilder::add_point_joint(Index a, Index b, const Vector3d& point) {
  const Index first = add_direction(a, b, point, Vector3d::UnitX());
  add_direction(a, b, point, Vector3d::UnitY());
  add_direction(a, b, point, Vector3d::UnitZ());
  return first;
}

Index ContactBuilder::add_weld(Index a, Index b, const Vector3d& point) {
  const Index first = add_point_joint(a, b, point);
  for (Index k = 0; k < 3; ++k) add_bilateral(make_turning_row(a, b, Vector3d::Unit(k)));
  return first;
}

Index ContactBuilder::add_prismatic(Index a, Index b, const Vector3d& point, const Vector3d& axis) {
  const Vector3d along = unit(axis, "an axis must be finite and not zero");
  const Vector3d across = calc_tangent(along);
  const Index first = add_direction(a, b, point, across);
  add_direction(a, b, point, along.cross(across));
  for (Index k = 0; k < 3; ++k) add_bilateral(make_turning_row(a, b, Vector3d::Unit(k)));
  return first;
}

Index ContactBuilder::add_revolute(Index a, Index b, const Vector3d& point, const Vector3d& axis) {
  const Vector3d along = unit(axis, "an axis must be finite and not zero");
  const Vector3d across = calc_tangent(along);
  const Index first = add_point_joint(a, b, point);
  add_bilateral(make_turning_row(a, b, across));
  add_bilateral(make_turning_row(a, b, along.cross(across)));
  return first;
}

Index ContactBuilder::add_bilateral(const Row& parts, double b_J, double a_J) {
  require_row(parts);
  bilateral_rows_.push_back(parts);
  b_J_.push_back(b_J);
  a_J_.push_back(a_J);
  return static_cast<Index>(bilateral_rows_.size()) - 1;
}

Index ContactBuilder::add_dry_friction(const Row& parts, double bound) {
  require_row(parts);
  dry_rows_.push_back(parts);
  bound_.push_back(bound);
  return static_cast<Index>(dry_rows_.size()) - 1;
}

void ContactBuilder::set_bilateral_offset(Index row, double b_J, double a_J) {
  TRIBO_REQUIRE(row >= 0 && row < static_cast<Index>(bilateral_rows_.size()),
                "there is no bilateral row with this number");
  b_J_[static_cast<std::size_t>(row)] = b_J;
  a_J_[static_cast<std::size_t>(row)] = a_J;
}

// Rows that nothing asks for are not made: they would cost every solver and mean nothing.
void ContactBuilder::add_turning_rows(ContactProblem& problem) const {
  bool spin = false, roll = false;
  for (const Contact& contact : problem.contacts) {
    spin = spin || contact.mu_spin > 0.0;
    roll = roll || contact.mu_roll > 0.0;
  }
  problem.spin = problem.roll_s = problem.roll_t = BlockRows(problem.mass.layout());
  for (const std::vector<Row>& rows : turning_rows_) {
    const auto row = [&](std::size_t k) { return k < rows.size() ? rows[k] : Row{}; };
    if (spin) add_row(problem.spin, row(0));
    if (roll) add_row(problem.roll_s, row(1));
    if (roll) add_row(problem.roll_t, row(2));
  }
}

ContactProblem ContactBuilder::build() const {
  ContactProblem problem = problem_;
  const BlockLayout& layout = problem.mass.layout();
  problem.v.resize(problem.dof());
  problem.f.resize(problem.dof());
  for (Index i = 0; i < bodies(); ++i) {
    problem.v.segment(layout.start(i), layout.size(i)) = at(i).velocity;
    problem.f.segment(layout.start(i), layout.size(i)) = at(i).force;
  }
  problem.J = BlockRows(layout);
  for (const Row& row : bilateral_rows_) add_row(problem.J, row);
  problem.D = BlockRows(layout);
  for (const Row& row : dry_rows_) add_row(problem.D, row);
  problem.bound = to_vector(bound_);
  problem.N = problem.S = problem.T = BlockRows(layout);
  for (const auto& rows : contact_rows_) {
    add_row(problem.N, rows[0]);
    if (rows.size() > 1) add_row(problem.S, rows[1]);
    if (rows.size() > 2) add_row(problem.T, rows[2]);
  }
  add_turning_rows(problem);
  problem.b_N = to_vector(b_N_);
  problem.a_N = to_vector(a_N_);
  problem.b_J = to_vector(b_J_);
  problem.a_J = to_vector(a_J_);
  return problem;
}

}  // namespace tribo
