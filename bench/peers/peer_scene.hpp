// A scene as plain numbers, and an engine that runs it: what `bench peers` hands to other engines. No Eigen, so that it can
// cross the border of a module that is built for other vector instructions.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace tribo {

using PeerVector = std::array<double, 3>;

struct PeerPose {
  PeerVector p{};                                  // m
  std::array<double, 4> q = {1.0, 0.0, 0.0, 0.0};  // w x y z
};

enum class PeerShapeType { kPlane, kBox, kSphere };

struct PeerShape {
  PeerShapeType type = PeerShapeType::kBox;
  PeerVector size{};  // box: half lengths; sphere: radius; plane: the half space z <= 0
  PeerPose pose;      // on a body: in its frame; fixed: in the world
};

struct PeerBody {
  std::string name;
  double mass = 0.0;     // kg, centred at the origin of the body's frame
  PeerVector inertia{};  // kg m², along the axes of the body's frame
  PeerPose pose;         // at the start, at rest
  bool slides = false;   // along `axis` (world) only, pushed by `force`; else it is free
  PeerVector axis{};
  double force = 0.0;  // N
  std::vector<PeerShape> shapes;
};

struct PeerScene {
  double step = 0.0;  // s
  PeerVector gravity{};
  double friction = 0.0;         // of every pair
  std::vector<PeerShape> fixed;  // of the world
  std::vector<PeerBody> bodies;
};

// World axes, at the centre of mass.
struct PeerMotion {
  PeerPose pose;
  PeerVector velocity{}, angular_velocity{};
};

class PeerEngine {
 public:
  virtual ~PeerEngine() = default;
  virtual void step() = 0;
  virtual void read(std::vector<PeerMotion>& bodies) const = 0;  // in the order of PeerScene::bodies
  virtual long contacts() const = 0;                             // of the last step, points
  // How often it spoke of trouble so far, and its first words about it.
  virtual long complaints() const { return 0; }
  virtual std::string complaint() const { return ""; }
  // Around some steps, not timed: for an engine whose complaints have to be caught on their way to the terminal.
  virtual void enter() {}
  virtual void leave() {}
};

}  // namespace tribo
