#include "sim/detect.hpp"

#include <algorithm>

namespace tribo {

namespace {

constexpr double kMostReach = 1e3;   // m per step: a limit of the search, far beyond any motion that a step resolves
constexpr double kMostRadius = 1e3;  // m: of shapes that turn; planes have none

}  // namespace

Detector::Detector(const StepSetup& setup)
    : setup_(setup),
      collider_(setup.collision),
      poses_(static_cast<std::size_t>(setup.model.nb())),
      arms_(setup.model.description().geoms.size(), Vector3d::Zero()),
      reach_(arms_.size(), 0.0),
      motions_(arms_.size()),
      gain_(arms_.size(), 0.0),
      next_V_(poses_.size(), SpatialVector::Zero()) {
  const std::optional<double>& given = setup.options.margin;
  if (given) shared_margin_ = 0.5 * *given;
  if (!setup.margins.empty()) least_margin_ = *std::min_element(setup.margins.begin(), setup.margins.end());
}

// An upper bound of the speed that the forces of the step add around a point of the body; gravity aside, which all bodies have.
double Detector::calc_gain(const DetectInput& input, Index body, const Vector3d& point, double radius) const {
  const Model& model = setup_.model;
  const Data& data = input.data;
  double sum = 0.0;
  for (Index dof = input.speed_gain.size() > 0 ? model.last_dof(body) : -1; dof >= 0; dof = model.parent_dof(dof)) {
    const Vector3d turn = data.S[dof].head<3>(), way = data.S[dof].tail<3>() + turn.cross(point - data.origin[body]);
    sum += (way.norm() + turn.norm() * radius) * std::abs(input.speed_gain(dof));
  }
  return sum;
}

// How fast the two surfaces of a contact come nearer under the motions `V` of all bodies.
double Detector::calc_approach(const Data& data, const FoundContact& contact,
                               const std::vector<SpatialVector>& V) const {
  const auto velocity_of = [&](Index body) -> Vector3d {
    const SpatialVector& motion = V[body];
    return motion.tail<3>() + motion.head<3>().cross(contact.point - data.origin[body]);
  };
  return contact.normal.dot(velocity_of(setup_.geom(contact.shape_b).body) -
                            velocity_of(setup_.geom(contact.shape_a).body));
}

bool Detector::is_idle(const Data& data, const FoundContact& contact) const {
  const double margin = setup_.calc_margin(contact.shape_a, contact.shape_b);
  if (contact.gap <= margin) return false;
  const double approach = calc_approach(data, contact, data.V);
  return contact.gap - time_ * (approach + gain_[contact.shape_a] + gain_[contact.shape_b]) > margin;
}

// Of a shape's centre, under the motion `V` of its body.
Vector3d Detector::calc_linear(Index shape, const SpatialVector& V) const {
  return V.tail<3>() + Vector3d(V.head<3>()).cross(arms_[shape]);
}

// Of any of its points about the centre, at most.
double Detector::calc_turning(Index shape, const SpatialVector& V) const {
  return V.head<3>().norm() * std::min(setup_.collision.radius(shape), kMostRadius);
}

// May the motions `V` of all bodies bring the shapes past one another?
bool Detector::is_passed(const PassingPair& pair, const std::vector<SpatialVector>& V) const {
  const auto motion_of = [&](Index shape) -> const SpatialVector& { return V[setup_.geom(shape).body]; };
  const Index a = pair.shape_a, b = pair.shape_b;
  const SpatialVector &V_a = motion_of(a), &V_b = motion_of(b);
  const double approach =
      pair.normal.dot(calc_linear(b, V_b) - calc_linear(a, V_a)) + calc_turning(a, V_a) + calc_turning(b, V_b);
  return pair.gap - time_ * approach < -setup_.options.allowed_overlap;
}

// The way of a shape in the step beyond shared_margin_, none of whose points is faster.
double Detector::calc_reach(double speed) const { return std::clamp(time_ * speed - shared_margin_, 0.0, kMostReach); }

void Detector::find_closing(const Data& data, const Detection& found, std::vector<Closing>& out) const {
  out.clear();
  for (const FoundContact& contact : found.contacts) {
    Closing& closing = out.emplace_back();
    closing.a = setup_.block_of(setup_.geom(contact.shape_a).body);
    closing.b = setup_.block_of(setup_.geom(contact.shape_b).body);
    const double gap = contact.gap - setup_.rest_distance(contact.shape_a, contact.shape_b);
    const double approach = time_ * calc_approach(data, contact, data.V);
    if (approach > 0.0 && gap > setup_.options.touching) closing.when = gap / approach;
  }
}

void Detector::place(const Data& data) {
  for (std::size_t b = 0; b < poses_.size(); ++b) poses_[b] = {data.p[b], data.quat[b]};
}

void Detector::find_near(const Data& data, std::vector<FoundContact>& out) {
  place(data);
  collider_.find(poses_, setup_.most_margin, out, {}, setup_.margins);
}

// Extends the collision margin by the distance a shape can travel in one step, which prevents tunnelling.
void Detector::run(const DetectInput& input, Detection& out) {
  const Data& data = input.data;
  time_ = input.time;
  place(data);
  const double fall = time_ * setup_.model.description().gravity.norm();
  for (std::size_t s = 0; s < reach_.size(); ++s) {
    const auto shape = static_cast<Index>(s);
    const Geom& geom = setup_.geom(shape);
    const SpatialVector& V = data.V[geom.body];
    const Vector3d centre = poses_[geom.body].p + poses_[geom.body].q * geom.pose.p;
    arms_[s] = centre - data.origin[geom.body];
    const Vector3d linear = calc_linear(shape, V);
    const double turning = calc_turning(shape, V), speed = linear.norm() + turning;
    gain_[s] = 0.0;
    if (!setup_.is_fixed(shape)) {
      const double radius = std::min(setup_.collision.radius(shape), kMostRadius);
      const double most = std::max(speed, setup_.margins[s] / time_);
      gain_[s] = std::max(fall, std::min(most, calc_gain(input, geom.body, centre, radius)));
    }
    reach_[s] = calc_reach(speed + gain_[s]);
    motions_[s] = {time_ * linear, time_ * (turning + gain_[s])};
  }
  collider_.find(poses_, setup_.most_margin, out.contacts, reach_, setup_.margins, motions_);
  out.counts = collider_.counts();
  out.passing = collider_.passing();
  out.idle.clear();
  std::erase_if(out.contacts, [&](const FoundContact& contact) {
    if (!is_idle(data, contact)) return false;
    out.idle.push_back(contact);
    return true;
  });
}

}  // namespace tribo
