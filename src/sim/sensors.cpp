#include "sim/sensors.hpp"

#include "tribo/multibody/dynamics.hpp"
#include "tribo/multibody/jacobian.hpp"

#include <algorithm>

#include "sim/zone.hpp"

namespace tribo {

namespace {

// m: a zone that ends where its body does holds the body's corners, whatever rounding says. Run.WritesSensors fails without it.
constexpr double kZoneSlack = 1e-9;

bool needs_start(SensorType type) {
  return type == SensorType::kTouch || type == SensorType::kAccelerometer || type == SensorType::kForce ||
         type == SensorType::kTorque || type == SensorType::kActuatorForce;
}

void put(const Vector3d& x, double* out) { std::copy_n(x.data(), 3, out); }
void put(const Quaterniond& q, double* out) {
  const double wxyz[4] = {q.w(), q.x(), q.y(), q.z()};
  std::copy_n(wxyz, 4, out);
}

// Angular momentum about a point in place of the centre of mass.
Vector3d about(const Momentum& momentum, const Vector3d& point) {
  return momentum.angular + (momentum.com - point).cross(momentum.linear);
}

}  // namespace

SensorStage::SensorStage(const StepSetup& setup) : setup_(setup) {
  const std::vector<Sensor>& sensors = setup.model.description().sensors;
  before_.resize(sensors.size());
  values_.setZero(setup.model.sensor_size());
  for (std::size_t s = 0; s < sensors.size(); ++s) {
    if (sensors[s].type == SensorType::kActuatorForce) before_[s].arms.setZero(setup.model.nv());
    needs_start_ = needs_start_ || needs_start(sensors[s].type);
  }
  if (!sensors.empty()) {
    make(now_);
    arms_.setZero(setup.model.nv());
  }
  if (needs_start_) make(start_);
}

void SensorStage::make(std::optional<Data>& data) const { data.emplace(setup_.model).keeps_trees = true; }

const Data& SensorStage::at(const State& state) {
  if (!now_) make(now_);
  calc_positions(setup_.model, state, *now_);
  calc_velocities(setup_.model, state, *now_);
  return *now_;
}

SensorStage::Frame SensorStage::place(const Data& data, SensorFrame kind, Index index) const {
  const ModelDescription& d = setup_.model.description();
  Index body = index;
  Pose local;
  switch (kind) {
    case SensorFrame::kWorld:
      return {};
    case SensorFrame::kBody:
      break;
    case SensorFrame::kInertial:
      local = calc_principal(d.bodies[index].inertia).frame;
      break;
    case SensorFrame::kGeom:
      body = d.geoms[index].body;
      local = d.geoms[index].pose;
      break;
    case SensorFrame::kSite:
      body = d.sites[index].body;
      local = d.sites[index].pose;
      break;
  }
  return {body, Pose{data.p[body], data.quat[body]} * local};
}

void SensorStage::begin(const State& state) {
  if (!needs_start_) return;
  const Model& model = setup_.model;
  calc_positions(model, state, *start_);
  calc_velocities(model, state, *start_);
  const std::vector<Sensor>& sensors = model.description().sensors;
  for (std::size_t s = 0; s < sensors.size(); ++s) {
    Before& before = before_[s];
    const Index index = sensors[s].index;
    if (needs_start(sensors[s].type) && sensors[s].type != SensorType::kActuatorForce) {
      const Frame site = place(*start_, SensorFrame::kSite, index);
      before.point = site.pose.p;
      before.velocity = calc_velocity(*start_, site.body, site.pose.p).linear;
      const Momentum momentum = calc_momentum(model, *start_, site.body);
      before.linear = momentum.linear;
      before.angular = about(momentum, before.point);
      before.com = momentum.com;
      before.mass = momentum.mass;
    }
  }
}

void SensorStage::drive(const State& state, const VectorXd& control, const Data& data, const StepTimes& times) {
  const Model& model = setup_.model;
  const std::vector<Sensor>& sensors = model.description().sensors;
  for (std::size_t s = 0; s < sensors.size(); ++s) {
    if (sensors[s].type != SensorType::kActuatorForce) continue;
    Before& before = before_[s];
    calc_arms(model, state, data, sensors[s].index, before.arms);
    before.drive = calc_drive(model, state, data, sensors[s].index, control(sensors[s].index), before.arms);
    double sum = 0.0;
    Index block = -1;
    for (Index dof = 0; dof < model.nv(); ++dof) {
      const double arm = before.arms(dof);
      if (arm == 0.0) continue;
      const Index tree = model.tree(model.dof_body(dof)), at = dof - model.trees().start(tree);
      sum += arm * arm / data.M[tree](at, at);
      if (block < 0) block = tree;
    }
    before.slope = before.offset = 0.0;
    if (block < 0) continue;
    const double K = std::max(0.0, before.drive.stiffness), D = std::max(0.0, before.drive.damping);
    const ImplicitShares shares = calc_implicit_shares(times.of(block), 1.0 / sum, K, D);
    before.slope = times.h * shares.a * K + shares.w * D;
    before.offset = times.h * (shares.a - shares.b) * K * before.drive.speed;
  }
}

void SensorStage::end(const State& state, const VectorXd& control, double time, const StepRows& rows,
                      const ContactSolution& solution) {
  const std::vector<Sensor>& sensors = setup_.model.description().sensors;
  if (sensors.empty()) return;
  at(state);
  for (std::size_t s = 0; s < sensors.size(); ++s) {
    const Sensor& sensor = sensors[s];
    const Before& before = before_[s];
    double* out = values_.data() + setup_.model.sensor_start(static_cast<Index>(s));
    switch (sensor.type) {
      case SensorType::kTouch:
        out[0] = sum_touch(sensor, rows);
        break;
      case SensorType::kAccelerometer: {
        const Frame site = place(*now_, SensorFrame::kSite, sensor.index);
        const Vector3d change = calc_velocity(*now_, site.body, site.pose.p).linear - before.velocity;
        put(site.pose.q.conjugate() * Vector3d(change / setup_.h - setup_.model.description().gravity), out);
        break;
      }
      case SensorType::kForce:
      case SensorType::kTorque:
        put(calc_force(sensor, before, rows, solution), out);
        break;
      case SensorType::kActuatorForce: {
        // What the implicit step applied (multibody/integrator.hpp), with the slopes where its forces act.
        const Drive& drive = before.drive;
        out[0] = drive.force - before.offset - before.slope * (before.arms.dot(state.v) - drive.speed);
        break;
      }
      default:
        read_state(sensor, state, control, time, out);
    }
    clamp(sensor, out);
  }
}

void SensorStage::measure(const State& state, const VectorXd& control, double time) {
  const std::vector<Sensor>& sensors = setup_.model.description().sensors;
  if (sensors.empty()) return;
  at(state);
  values_.setZero();
  for (std::size_t s = 0; s < sensors.size(); ++s) {
    double* out = values_.data() + setup_.model.sensor_start(static_cast<Index>(s));
    if (!needs_start(sensors[s].type)) read_state(sensors[s], state, control, time, out);
    clamp(sensors[s], out);
  }
}

void SensorStage::read_state(const Sensor& sensor, const State& state, const VectorXd& control, double time,
                             double* out) {
  const Model& model = setup_.model;
  const Index index = sensor.index;
  switch (sensor.type) {
    case SensorType::kClock:
      out[0] = time;
      return;
    case SensorType::kJointPosition:
      out[0] = state.q(model.q_start(index));
      return;
    case SensorType::kJointVelocity:
      out[0] = state.v(model.v_start(index));
      return;
    case SensorType::kBallQuaternion:
      std::copy_n(state.q.data() + model.q_start(index), 4, out);
      return;
    case SensorType::kBallVelocity:
      std::copy_n(state.v.data() + model.v_start(index), 3, out);
      return;
    case SensorType::kTendonPosition:
      out[0] = now_->tendons[index].length;
      return;
    case SensorType::kTendonVelocity:
      out[0] = now_->tendons[index].calc_speed(state.v);
      return;
    case SensorType::kActuatorPosition:
    case SensorType::kActuatorVelocity: {
      calc_arms(model, state, *now_, index, arms_);
      const Drive drive = calc_drive(model, state, *now_, index, control(index), arms_);
      out[0] = sensor.type == SensorType::kActuatorPosition ? drive.length : drive.speed;
      return;
    }
    case SensorType::kSubtreeCom:
      put(calc_momentum(model, *now_, index).com, out);
      return;
    case SensorType::kSubtreeVelocity: {
      const Momentum momentum = calc_momentum(model, *now_, index);
      put(momentum.mass > 0.0 ? Vector3d(momentum.linear / momentum.mass) : Vector3d(Vector3d::Zero()), out);
      return;
    }
    default:
      read_frame(sensor, out);
  }
}

void SensorStage::read_frame(const Sensor& sensor, double* out) const {
  const Frame frame = place(*now_, sensor.frame, sensor.index);
  const Frame reference = place(*now_, sensor.reference, sensor.reference_index);
  const PointMotion motion = calc_velocity(*now_, frame.body, frame.pose.p);
  const PointMotion other = calc_velocity(*now_, reference.body, frame.pose.p);  // of the reference, at the same place
  const Quaterniond back = reference.pose.q.conjugate();
  const Quaterniond own = frame.pose.q.conjugate();
  switch (sensor.type) {
    case SensorType::kGyro:
      return put(own * motion.angular, out);
    case SensorType::kVelocimeter:
      return put(own * motion.linear, out);
    case SensorType::kFramePosition:
      return put(back * Vector3d(frame.pose.p - reference.pose.p), out);
    case SensorType::kFrameQuaternion:
      return put(back * frame.pose.q, out);
    case SensorType::kFrameXAxis:
      return put(back * (frame.pose.q * Vector3d::UnitX()), out);
    case SensorType::kFrameYAxis:
      return put(back * (frame.pose.q * Vector3d::UnitY()), out);
    case SensorType::kFrameZAxis:
      return put(back * (frame.pose.q * Vector3d::UnitZ()), out);
    case SensorType::kFrameLinearVelocity:
      return put(back * Vector3d(motion.linear - other.linear), out);
    default:  // kFrameAngularVelocity
      return put(back * Vector3d(motion.angular - other.angular), out);
  }
}

// Contacts of the site's body whose point is in the zone of the site, or whose normal leads from there into it.
double SensorStage::sum_touch(const Sensor& sensor, const StepRows& rows) const {
  const Site& site = setup_.model.description().sites[sensor.index];
  const Pose zone = place(*start_, SensorFrame::kSite, sensor.index).pose.inverse();
  Shape shape = site.shape;
  shape.size.array() += kZoneSlack;
  double sum = 0.0;
  for (const ContactRecord& contact : rows.contacts) {
    const bool is_a = setup_.geom(contact.shape_a).body == site.body;
    const bool is_b = setup_.geom(contact.shape_b).body == site.body;
    if ((!is_a && !is_b) || !(contact.impulse(2) > 0.0)) continue;
    const Vector3d outward = is_b ? contact.frame.col(2) : Vector3d(-contact.frame.col(2));
    if (meets_zone(shape, zone * contact.point, zone.q * outward)) sum += contact.impulse(2);
  }
  return sum / setup_.h;
}

bool SensorStage::hangs_on(Index body, Index root) const {
  while (body > root) body = setup_.model.bodies()[body].parent;
  return body == root;
}

// (1), in the axes of the site.
Vector3d SensorStage::calc_force(const Sensor& sensor, const Before& before, const StepRows& rows,
                                 const ContactSolution& solution) const {
  const Model& model = setup_.model;
  const Frame site = place(*now_, SensorFrame::kSite, sensor.index);
  const Momentum now = calc_momentum(model, *now_, site.body);
  const Vector3d weight = before.mass * model.description().gravity;
  Vector3d force = (now.linear - before.linear) / setup_.h - weight;
  Vector3d couple = (about(now, before.point) - before.angular) / setup_.h - (before.com - before.point).cross(weight);
  // An impulse at a point, and a couple, on body a, and their opposites on body b.
  const auto take_off = [&](Index a, Index b, const Vector3d& at_a, const Vector3d& at_b, const Vector3d& impulse,
                            const Vector3d& turn) {
    const bool in_a = hangs_on(a, site.body), in_b = hangs_on(b, site.body);
    if (in_a == in_b) return;
    const double share = (in_a ? 1.0 : -1.0) / setup_.h;
    force -= share * impulse;
    couple -= share * (((in_a ? at_a : at_b) - before.point).cross(impulse) + turn);
  };
  for (const ContactRecord& contact : rows.contacts)
    take_off(setup_.geom(contact.shape_a).body, setup_.geom(contact.shape_b).body, contact.point, contact.point,
             contact.frame * contact.impulse, contact.frame * contact.couple);
  Index row = 0;
  for (const Equality& equality : model.description().equalities) {
    if (!equality.active) continue;
    const bool connect = equality.type == EqualityType::kConnect, weld = equality.type == EqualityType::kWeld;
    const Index size = weld ? 6 : connect ? 3 : 1;
    if (row + size > solution.f_j.size()) break;
    if (connect || weld) {
      const Pose a = Pose{start_->p[equality.a], start_->quat[equality.a]} * equality.frame_a;
      const Pose b = Pose{start_->p[equality.b], start_->quat[equality.b]} * equality.frame_b;
      Vector3d turn = Vector3d::Zero();
      if (weld) {  // rows of src/multibody/equality.cpp: axes R (w + e ×), with + on b
        Quaterniond between = a.q.conjugate() * b.q;
        if (between.w() < 0.0) between.coeffs() *= -1.0;
        const Vector3d f = solution.f_j.segment<3>(row + 3), e = between.vec();
        turn = -(a.q * Vector3d(between.w() * f + e.cross(f)));
      }
      take_off(equality.a, equality.b, a.p, b.p, solution.f_j.segment<3>(row), turn);
    }
    row += size;
  }
  return site.pose.q.conjugate() * (sensor.type == SensorType::kForce ? force : couple);
}

void SensorStage::clamp(const Sensor& sensor, double* out) const {
  if (!(sensor.cutoff > 0.0)) return;
  for (int k = 0; k < calc_size(sensor.type); ++k) out[k] = std::clamp(out[k], -sensor.cutoff, sensor.cutoff);
}

}  // namespace tribo
