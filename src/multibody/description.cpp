#include "tribo/multibody/description.hpp"

namespace tribo {

const char* name_of(JointType type) {
  switch (type) {
    case JointType::kFree:
      return "free";
    case JointType::kBall:
      return "ball";
    case JointType::kHinge:
      return "hinge";
    case JointType::kSlide:
      return "slide";
    case JointType::kPlanar:
      return "planar";
  }
  return "unknown";
}

int calc_nq(JointType type) {
  switch (type) {
    case JointType::kFree:
      return 7;
    case JointType::kBall:
      return 4;
    case JointType::kPlanar:
      return 3;
    default:
      return 1;
  }
}

int calc_nv(JointType type) {
  switch (type) {
    case JointType::kFree:
      return 6;
    case JointType::kBall:
    case JointType::kPlanar:
      return 3;
    default:
      return 1;
  }
}

std::array<Vector3d, 2> planar_axes(const Vector3d& axis) {
  const Quaterniond turn = Quaterniond::FromTwoVectors(Vector3d::UnitZ(), axis);
  return {turn * Vector3d::UnitX(), turn * Vector3d::UnitY()};
}

}  // namespace tribo
