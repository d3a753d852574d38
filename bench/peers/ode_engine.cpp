#include <cstdarg>
#include <cstdio>
#include <stdexcept>

#include "peers/peer_engines.hpp"
#include <ode/ode.h>

namespace tribo {
namespace {

// ODE's handlers are global and have no context.
long ode_messages = 0;
std::string ode_first_message;

void count_ode_message(int, const char* text, va_list arguments) {
  char buffer[200];
  std::vsnprintf(buffer, sizeof buffer, text, arguments);
  if (ode_messages++ == 0) ode_first_message = buffer;
}

// Without this it would end the program.
void throw_ode_error(int, const char* text, va_list arguments) {
  char buffer[200];
  std::vsnprintf(buffer, sizeof buffer, text, arguments);
  throw std::runtime_error(buffer);
}

void start_ode() {
  static const bool started = dInitODE2(0) != 0;
  (void)started;
  dSetMessageHandler(count_ode_message);
  dSetErrorHandler(throw_ode_error);
  dSetDebugHandler(throw_ode_error);
}

class OdeEngine final : public PeerEngine {
 public:
  OdeEngine(const PeerScene& scene, int quick_iterations)
      : scene_(scene),
        quick_(quick_iterations > 0),
        world_(dWorldCreate()),
        space_(dHashSpaceCreate(nullptr)),
        group_(dJointGroupCreate(0)) {
    dWorldSetGravity(world_, scene.gravity[0], scene.gravity[1], scene.gravity[2]);
    dWorldSetCFM(world_, 1e-7);
    dWorldSetContactSurfaceLayer(world_, 0.0);
    if (quick_) dWorldSetQuickStepNumIterations(world_, quick_iterations);
    dHashSpaceSetLevels(space_, -4, 2);
    for (const PeerShape& shape : scene.fixed) place(make_geom(shape), shape.pose);
    for (const PeerBody& body : scene.bodies) add(body);
  }
  ~OdeEngine() override {
    dJointGroupDestroy(group_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
  }
  OdeEngine(const OdeEngine&) = delete;
  OdeEngine& operator=(const OdeEngine&) = delete;

  void step() override {
    if (broken_) return;
    const long before = ode_messages;
    try {
      contacts_ = 0;
      dSpaceCollide(space_, this, [](void* self, dGeomID a, dGeomID b) { static_cast<OdeEngine*>(self)->touch(a, b); });
      for (std::size_t i = 0; i < bodies_.size(); ++i) {
        const PeerBody& body = scene_.bodies[i];
        if (body.force == 0.0) continue;
        dBodyAddForce(bodies_[i], body.force * body.axis[0], body.force * body.axis[1], body.force * body.axis[2]);
      }
      if (quick_) {
        dWorldQuickStep(world_, scene_.step);
      } else {
        dWorldStep(world_, scene_.step);
      }
      dJointGroupEmpty(group_);
    } catch (const std::runtime_error& error) {
      broken_ = true;
      ++complaints_;
      complaint_ = error.what();
    }
    if (ode_messages > before && complaints_ == 0) complaint_ = ode_first_message;
    complaints_ += ode_messages - before;
  }

  void read(std::vector<PeerMotion>& bodies) const override {
    bodies.resize(bodies_.size());
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const dReal* p = dBodyGetPosition(bodies_[i]);
      const dReal* q = dBodyGetQuaternion(bodies_[i]);
      const dReal* v = dBodyGetLinearVel(bodies_[i]);
      const dReal* w = dBodyGetAngularVel(bodies_[i]);
      bodies[i] = {{{p[0], p[1], p[2]}, {q[0], q[1], q[2], q[3]}}, {v[0], v[1], v[2]}, {w[0], w[1], w[2]}};
    }
  }
  long contacts() const override { return contacts_; }
  long complaints() const override { return complaints_; }
  std::string complaint() const override { return complaint_; }

 private:
  static constexpr int kMostPoints = 8;  // of a pair

  dGeomID make_geom(const PeerShape& shape) {
    if (shape.type == PeerShapeType::kSphere) return dCreateSphere(space_, shape.size[0]);
    if (shape.type == PeerShapeType::kBox) {
      return dCreateBox(space_, 2.0 * shape.size[0], 2.0 * shape.size[1], 2.0 * shape.size[2]);
    }
    dMatrix3 R;
    dQtoR(shape.pose.q.data(), R);
    const PeerVector n = {R[2], R[6], R[10]};
    const PeerVector& p = shape.pose.p;
    return dCreatePlane(space_, n[0], n[1], n[2], n[0] * p[0] + n[1] * p[1] + n[2] * p[2]);
  }
  static void place(dGeomID geom, const PeerPose& pose) {
    if (dGeomGetClass(geom) == dPlaneClass) return;
    dGeomSetPosition(geom, pose.p[0], pose.p[1], pose.p[2]);
    dGeomSetQuaternion(geom, pose.q.data());
  }
  void add(const PeerBody& plain) {
    dBodyID body = dBodyCreate(world_);
    dMass mass;
    dMassSetParameters(&mass, plain.mass, 0.0, 0.0, 0.0, plain.inertia[0], plain.inertia[1], plain.inertia[2], 0.0, 0.0,
                       0.0);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, plain.pose.p[0], plain.pose.p[1], plain.pose.p[2]);
    dBodySetQuaternion(body, plain.pose.q.data());
    for (const PeerShape& shape : plain.shapes) {
      dGeomID geom = make_geom(shape);
      dGeomSetBody(geom, body);
      dGeomSetOffsetPosition(geom, shape.pose.p[0], shape.pose.p[1], shape.pose.p[2]);
      dGeomSetOffsetQuaternion(geom, shape.pose.q.data());
    }
    if (plain.slides) {
      dJointID joint = dJointCreateSlider(world_, nullptr);
      dJointAttach(joint, body, nullptr);
      dJointSetSliderAxis(joint, plain.axis[0], plain.axis[1], plain.axis[2]);
    }
    bodies_.push_back(body);
  }
  void touch(dGeomID a, dGeomID b) {
    dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    if (body_a == nullptr && body_b == nullptr) return;
    dContact points[kMostPoints];
    const int count = dCollide(a, b, kMostPoints, &points[0].geom, sizeof(dContact));
    for (int i = 0; i < count; ++i) {
      points[i].surface.mode = dContactApprox1;  // friction in proportion to the normal force
      points[i].surface.mu = scene_.friction;
      dJointAttach(dJointCreateContact(world_, group_, &points[i]), body_a, body_b);
    }
    contacts_ += count;
  }

  const PeerScene& scene_;
  bool quick_, broken_ = false;
  dWorldID world_;
  dSpaceID space_;
  dJointGroupID group_;
  std::vector<dBodyID> bodies_;
  long contacts_ = 0, complaints_ = 0;
  std::string complaint_;
};

}  // namespace

std::string peer_ode_version() { return dODE_VERSION; }

PeerMade make_ode_engine(const PeerStart& start, int quick_iterations) {
  start_ode();
  return PeerMade(std::make_unique<OdeEngine>(start.scene, quick_iterations));
}

}  // namespace tribo
