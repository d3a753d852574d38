#include <algorithm>
#include <cmath>

#include "peers/peer_engines.hpp"
#include <btBulletDynamicsCommon.h>

namespace tribo {
namespace {

btVector3 to_bullet(const PeerVector& x) { return {x[0], x[1], x[2]}; }
btTransform to_bullet(const PeerPose& pose) {
  return btTransform(btQuaternion(pose.q[1], pose.q[2], pose.q[3], pose.q[0]), to_bullet(pose.p));
}
PeerVector from_bullet(const btVector3& x) { return {x.x(), x.y(), x.z()}; }

class BulletEngine final : public PeerEngine {
 public:
  BulletEngine(const PeerScene& scene, int iterations)
      : scene_(scene), dispatcher_(&configuration_), world_(&dispatcher_, &broad_phase_, &solver_, &configuration_) {
    world_.setGravity(to_bullet(scene.gravity));
    world_.getSolverInfo().m_numIterations = iterations;
    world_.getSolverInfo().m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    for (const PeerShape& shape : scene.fixed) add_fixed(shape);
    for (const PeerBody& body : scene.bodies) add(body);
  }
  ~BulletEngine() override {
    for (const auto& body : all_) world_.removeRigidBody(body.get());
  }
  BulletEngine(const BulletEngine&) = delete;
  BulletEngine& operator=(const BulletEngine&) = delete;

  void step() override {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const PeerBody& body = scene_.bodies[i];
      if (body.force != 0.0) bodies_[i]->applyCentralForce(body.force * to_bullet(body.axis));
    }
    world_.stepSimulation(scene_.step, 0);  // 0: one step of exactly that length
  }
  void read(std::vector<PeerMotion>& bodies) const override {
    bodies.resize(bodies_.size());
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const btTransform& pose = bodies_[i]->getWorldTransform();
      const btQuaternion q = pose.getRotation();
      bodies[i] = {{from_bullet(pose.getOrigin()), {q.w(), q.x(), q.y(), q.z()}},
                   from_bullet(bodies_[i]->getLinearVelocity()),
                   from_bullet(bodies_[i]->getAngularVelocity())};
    }
  }
  long contacts() const override {
    long count = 0;
    for (int i = 0; i < dispatcher_.getNumManifolds(); ++i) {
      count += dispatcher_.getManifoldByIndexInternal(i)->getNumContacts();
    }
    return count;
  }

 private:
  // A plane is exact for spheres, and gives boxes one point per step; a large box gives them all their corners.
  static constexpr double kFloor = 10.0;  // m, half of its sides

  btCollisionShape* make_shape(const PeerShape& shape) {
    if (shape.type == PeerShapeType::kSphere) {
      shapes_.push_back(std::make_unique<btSphereShape>(shape.size[0]));
    } else {
      shapes_.push_back(std::make_unique<btBoxShape>(to_bullet(shape.size)));
    }
    return shapes_.back().get();
  }
  bool has_only_spheres() const {
    return std::all_of(scene_.bodies.begin(), scene_.bodies.end(), [](const PeerBody& body) {
      return std::all_of(body.shapes.begin(), body.shapes.end(),
                         [](const PeerShape& shape) { return shape.type == PeerShapeType::kSphere; });
    });
  }
  btRigidBody* add(double mass, btCollisionShape* shape, const PeerVector& inertia, const btTransform& pose) {
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, to_bullet(inertia));
    info.m_startWorldTransform = pose;
    info.m_friction = std::sqrt(scene_.friction);  // of a pair: the product
    info.m_restitution = 0.0;
    all_.push_back(std::make_unique<btRigidBody>(info));
    all_.back()->setActivationState(DISABLE_DEACTIVATION);
    return all_.back().get();
  }
  void add_fixed(const PeerShape& shape) {
    btTransform pose = to_bullet(shape.pose);
    btCollisionShape* made = nullptr;
    if (shape.type != PeerShapeType::kPlane) {
      made = make_shape(shape);
    } else if (has_only_spheres()) {
      const btVector3 n = pose.getBasis().getColumn(2);
      shapes_.push_back(std::make_unique<btStaticPlaneShape>(n, n.dot(pose.getOrigin())));
      made = shapes_.back().get();
      pose.setIdentity();
    } else {
      PeerShape box;
      box.size = {kFloor, kFloor, kFloor};
      made = make_shape(box);
      pose.setOrigin(pose * btVector3(0.0, 0.0, -kFloor));
    }
    world_.addRigidBody(add(0.0, made, {}, pose));
  }
  void add(const PeerBody& plain) {
    auto whole = std::make_unique<btCompoundShape>();
    btCollisionShape* shape = nullptr;
    if (plain.shapes.size() == 1 && to_bullet(plain.shapes[0].pose) == btTransform::getIdentity()) {
      shape = make_shape(plain.shapes[0]);
    } else {
      for (const PeerShape& part : plain.shapes) whole->addChildShape(to_bullet(part.pose), make_shape(part));
      shape = whole.get();
      shapes_.push_back(std::move(whole));
    }
    btRigidBody* body = add(plain.mass, shape, plain.inertia, to_bullet(plain.pose));
    if (plain.slides) {
      const btVector3 axis = to_bullet(plain.axis);
      body->setLinearFactor({std::abs(axis.x()), std::abs(axis.y()), std::abs(axis.z())});
      body->setAngularFactor(btVector3(0.0, 0.0, 0.0));
    }
    world_.addRigidBody(body);
    bodies_.push_back(body);
  }

  const PeerScene& scene_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> all_;
  std::vector<btRigidBody*> bodies_;
  btDefaultCollisionConfiguration configuration_;
  mutable btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
};

bool along_an_axis(const PeerVector& x) {
  return std::count_if(x.begin(), x.end(), [](double number) { return number != 0.0; }) == 1;
}

}  // namespace

std::string peer_bullet_version() {
  return std::to_string(btGetVersion() / 100) + "." + std::to_string(btGetVersion() % 100);
}

PeerMade make_bullet_engine(const PeerStart& start, int iterations) {
  for (const PeerBody& body : start.scene.bodies) {
    if (body.slides && !along_an_axis(body.axis)) {
      return fail("a slide that is not along an axis of the world", start.path, "Bullet is given such slides only");
    }
  }
  return PeerMade(std::make_unique<BulletEngine>(start.scene, iterations));
}

}  // namespace tribo
