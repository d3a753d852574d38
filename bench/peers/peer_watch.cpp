#include <algorithm>
#include <cmath>

#include "peers/peers_parts.hpp"

namespace tribo {
namespace {

Vector3d vector_of(const PeerVector& x) { return {x[0], x[1], x[2]}; }
Pose pose_of(const PeerPose& pose) {
  return {vector_of(pose.p), Quaterniond(pose.q[0], pose.q[1], pose.q[2], pose.q[3]).normalized()};
}

bool is_finite(const std::vector<PeerMotion>& bodies) {
  return std::all_of(bodies.begin(), bodies.end(), [](const PeerMotion& body) {
    const PeerPose& pose = body.pose;
    double sum = pose.q[0] + pose.q[1] + pose.q[2] + pose.q[3];
    for (std::size_t k = 0; k < 3; ++k) sum += pose.p[k] + body.velocity[k] + body.angular_velocity[k];
    return std::isfinite(sum) && pose.q != std::array<double, 4>{};
  });
}

CollisionInput list_shapes(const Model& model) {
  CollisionInput input;
  for (const Geom& geom : model.description().geoms) {
    input.shapes.push_back({.name = geom.name, .shape = geom.shape, .body = geom.body, .pose = geom.pose});
  }
  for (Index i = 0; i < model.nb(); ++i) {
    input.group.push_back(i);
    input.parent_group.push_back(i == 0 ? -1 : 0);
  }
  return input;
}

}  // namespace

Expected<PeerWatch> PeerWatch::make(const PeerStart& start, long steps) {
  Expected<CollisionModel> model = CollisionModel::make(list_shapes(start.model));
  if (!model) return Unexpected<Error>{model.error()};
  return PeerWatch(start, steps, std::move(*model));
}

PeerWatch::PeerWatch(const PeerStart& start, long steps, CollisionModel model)
    : start_(&start),
      steps_(steps),
      model_(std::make_unique<CollisionModel>(std::move(model))),
      collider_(*model_),
      poses_(static_cast<std::size_t>(start.model.nb())) {
  std::vector<PeerMotion> bodies;
  for (const PeerBody& body : start.scene.bodies) bodies.push_back({body.pose, {}, {}});
  energy_start_ = energy_least_ = calc_energy(bodies);
}

void PeerWatch::look(const std::vector<PeerMotion>& bodies, long step) {
  measures_.finite = measures_.finite && is_finite(bodies);
  if (!measures_.finite) return;
  const Vector3d up = -vector_of(start_->scene.gravity).normalized();
  measures_.drop = measures_.speed = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Vector3d move = vector_of(bodies[i].pose.p) - vector_of(start_->rest[i]);
    measures_.moved = std::max(measures_.moved, move.norm());
    measures_.drop = std::max(measures_.drop, -up.dot(move));
    measures_.speed = std::max(measures_.speed, vector_of(bodies[i].velocity).norm());
  }
  measures_.overlap = std::max(measures_.overlap, calc_overlap(bodies));
  const double energy = calc_energy(bodies);
  measures_.energy_rise = std::max(measures_.energy_rise, energy - energy_least_);
  measures_.energy_change = energy - energy_start_;
  energy_least_ = std::min(energy_least_, energy);
  measures_.lost = count_lost(bodies);

  const long half = steps_ / 2;
  if (step <= half) half_way_ = bodies;
  if (step <= half) return;
  double way = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    way = std::max(way, (vector_of(bodies[i].pose.p) - vector_of(half_way_[i].pose.p)).norm());
  }
  measures_.creep = way / (static_cast<double>(step - half) * start_->scene.step);
}

double PeerWatch::calc_overlap(const std::vector<PeerMotion>& bodies) {
  for (std::size_t i = 0; i < bodies.size(); ++i) poses_[i + 1] = pose_of(bodies[i].pose);
  collider_.find(poses_, 0.0, contacts_);
  double least = 0.0;
  for (const FoundContact& contact : contacts_) least = std::min(least, contact.gap);
  return -least;
}

double PeerWatch::calc_energy(const std::vector<PeerMotion>& bodies) const {
  double energy = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const PeerBody& body = start_->scene.bodies[i];
    const Pose pose = pose_of(bodies[i].pose);
    const Vector3d turn = pose.q.conjugate() * vector_of(bodies[i].angular_velocity);
    energy += 0.5 * body.mass * vector_of(bodies[i].velocity).squaredNorm();
    energy += 0.5 * vector_of(body.inertia).dot(turn.cwiseAbs2());
    energy -= body.mass * vector_of(start_->scene.gravity).dot(pose.p) + body.force * vector_of(body.axis).dot(pose.p);
  }
  return energy;
}

long PeerWatch::count_lost(const std::vector<PeerMotion>& bodies) const {
  Vector3d low = Vector3d::Constant(1e300), high = -low;
  for (const PeerShape& shape : start_->scene.fixed) {
    if (shape.type != PeerShapeType::kBox) continue;
    const Pose pose = pose_of(shape.pose);
    const Vector3d reach = pose.q.toRotationMatrix().cwiseAbs() * vector_of(shape.size);
    low = low.cwiseMin(pose.p - reach);
    high = high.cwiseMax(pose.p + reach);
  }
  return std::count_if(bodies.begin(), bodies.end(), [&](const PeerMotion& body) {
    const Vector3d p = vector_of(body.pose.p);
    const bool outside =
        low.x() < high.x() &&
        (p.head<2>().array() < low.head<2>().array() || p.head<2>().array() > high.head<2>().array()).any();
    return outside || std::any_of(start_->scene.fixed.begin(), start_->scene.fixed.end(), [&](const PeerShape& shape) {
             return shape.type == PeerShapeType::kPlane && (pose_of(shape.pose).inverse() * p).z() < 0.0;
           });
  });
}

}  // namespace tribo
