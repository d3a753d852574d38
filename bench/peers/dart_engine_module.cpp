// DART as a module of its own (peer_engines.hpp): plain numbers in and out, so that no Eigen object crosses its border.
#include "peer_scene.hpp"
#include <dart/collision/dart/DARTCollisionDetector.hpp>
#include <dart/config.hpp>
#include <dart/constraint/BoxedLcpConstraintSolver.hpp>
#include <dart/constraint/ContactConstraint.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

namespace {

using dart::dynamics::BodyNode;
using dart::dynamics::CollisionAspect;
using dart::dynamics::DynamicsAspect;
using dart::dynamics::Skeleton;
using tribo::PeerBody;
using tribo::PeerMotion;
using tribo::PeerPose;
using tribo::PeerScene;
using tribo::PeerShape;
using tribo::PeerShapeType;
using tribo::PeerVector;

Eigen::Vector3d to_dart(const PeerVector& x) { return {x[0], x[1], x[2]}; }
PeerVector from_dart(const Eigen::Vector3d& x) { return {x[0], x[1], x[2]}; }
Eigen::Isometry3d to_dart(const PeerPose& pose) {
  Eigen::Isometry3d result = Eigen::Isometry3d::Identity();
  result.linear() = Eigen::Quaterniond(pose.q[0], pose.q[1], pose.q[2], pose.q[3]).toRotationMatrix();
  result.translation() = to_dart(pose.p);
  return result;
}

class DartEngine final : public tribo::PeerEngine {
 public:
  explicit DartEngine(const PeerScene& scene) : scene_(scene), world_(dart::simulation::World::create()) {
    dart::constraint::ContactConstraint::setErrorReductionParameter(0.2);
    world_->setTimeStep(scene.step);
    world_->setGravity(to_dart(scene.gravity));
    world_->getConstraintSolver()->setCollisionDetector(dart::collision::DARTCollisionDetector::create());
    world_->getConstraintSolver()->getCollisionOption().maxNumContacts = 100000;
    const auto ground = Skeleton::create("ground");
    BodyNode* fixed = ground->createJointAndBodyNodePair<dart::dynamics::WeldJoint>().second;
    for (const PeerShape& shape : scene.fixed) add(fixed, shape);
    world_->addSkeleton(ground);
    for (const PeerBody& body : scene.bodies) add(body);
  }

  void step() override {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      if (scene_.bodies[i].force != 0.0) bodies_[i]->getSkeleton()->setForce(0, scene_.bodies[i].force);
    }
    world_->step();
  }
  void read(std::vector<PeerMotion>& bodies) const override {
    bodies.resize(bodies_.size());
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const Eigen::Isometry3d& pose = bodies_[i]->getWorldTransform();
      const Eigen::Quaterniond q(pose.linear());
      bodies[i] = {{from_dart(pose.translation()), {q.w(), q.x(), q.y(), q.z()}},
                   from_dart(bodies_[i]->getLinearVelocity()),
                   from_dart(bodies_[i]->getAngularVelocity())};
    }
  }
  long contacts() const override { return static_cast<long>(world_->getLastCollisionResult().getNumContacts()); }

 private:
  // Its own collision detector knows no planes.
  static constexpr double kFloor = 10.0;  // m, half of its sides

  void add(BodyNode* body, const PeerShape& shape) {
    dart::dynamics::ShapePtr made;
    Eigen::Isometry3d pose = to_dart(shape.pose);
    if (shape.type == PeerShapeType::kSphere) {
      made = std::make_shared<dart::dynamics::SphereShape>(shape.size[0]);
    } else if (shape.type == PeerShapeType::kBox) {
      made = std::make_shared<dart::dynamics::BoxShape>(2.0 * to_dart(shape.size));
    } else {
      made = std::make_shared<dart::dynamics::BoxShape>(Eigen::Vector3d::Constant(2.0 * kFloor));
      pose.translate(Eigen::Vector3d(0.0, 0.0, -kFloor));
    }
    auto* node = body->createShapeNodeWith<CollisionAspect, DynamicsAspect>(made);
    node->setRelativeTransform(pose);
    node->getDynamicsAspect()->setFrictionCoeff(scene_.friction);
    node->getDynamicsAspect()->setRestitutionCoeff(0.0);
  }
  void add(const PeerBody& plain) {
    const auto skeleton = Skeleton::create(plain.name);
    BodyNode* body = nullptr;
    if (plain.slides) {
      dart::dynamics::PrismaticJoint::Properties properties;
      properties.mT_ParentBodyToJoint = to_dart(plain.pose);
      properties.mAxis = to_dart(plain.pose).linear().transpose() * to_dart(plain.axis);
      body = skeleton->createJointAndBodyNodePair<dart::dynamics::PrismaticJoint>(nullptr, properties).second;
    } else {
      const auto pair = skeleton->createJointAndBodyNodePair<dart::dynamics::FreeJoint>();
      pair.first->setPositions(dart::dynamics::FreeJoint::convertToPositions(to_dart(plain.pose)));
      body = pair.second;
    }
    const Eigen::Matrix3d inertia = to_dart(plain.inertia).asDiagonal();
    body->setInertia(dart::dynamics::Inertia(plain.mass, Eigen::Vector3d::Zero(), inertia));
    for (const PeerShape& shape : plain.shapes) add(body, shape);
    world_->addSkeleton(skeleton);
    bodies_.push_back(body);
  }

  const PeerScene& scene_;
  dart::simulation::WorldPtr world_;
  std::vector<BodyNode*> bodies_;
};

}  // namespace

extern "C" __attribute__((visibility("default"))) const char* tribo_dart_version() { return DART_VERSION; }

// The caller owns the engine; the scene must outlive it.
extern "C" __attribute__((visibility("default"))) tribo::PeerEngine* tribo_dart_make(const PeerScene* scene) {
  return new DartEngine(*scene);
}
