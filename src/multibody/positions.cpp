#include "tribo/core/assert.hpp"
#include "tribo/multibody/dynamics.hpp"

#include <cmath>

#include "multibody/placement.hpp"
#include "multibody/quaternion.hpp"

namespace tribo {

namespace {

// Unit motion that turns about `axis` through `point`.
inline void set_turning(const Vector3d& axis, const Vector3d& point, const Vector3d& origin, SpatialVector& S) {
  S.head<3>() = axis;
  S.tail<3>() = axis.cross(origin - point);
}

inline void set_sliding(const Vector3d& axis, SpatialVector& S) {
  S.head<3>().setZero();
  S.tail<3>() = axis;
}

// Position and attitude of a body while its joints are gone through.
struct Frame {
  Vector3d p;
  Quaterniond q;
  Matrix3d R;  // of q
};

// Turns the frame by `rotation` (body axes) so that the anchor stays where it is.
void turn_about(const Quaterniond& rotation, const Vector3d& anchor, const Vector3d& point, Frame& frame) {
  frame.q = frame.q * rotation;
  frame.R = frame.q.toRotationMatrix();
  frame.p = point - frame.R * anchor;
}

}  // namespace

void calc_positions(const Model& model, const State& state, Data& data) {
  TRIBO_REQUIRE(state.q.size() == model.nq(), "q must have the size of the model");
  TRIBO_REQUIRE(state.kinematic.size() == model.kinematic_bodies().size(),
                "kinematic bodies must be those of the model");
  const double* q = state.q.data();
  const bool moved = !model.kinematic_bodies().empty();
  const Index nb = model.nb();
  for (Index b = 1; b < nb; ++b) {
    const Body& body = model.bodies()[b];
    if (model.tree(b) < 0) {
      if (moved) {
        const Index k = model.kinematic_index(b);
        place_fixed(model, b, k < 0 ? body.pose : state.kinematic[k].pose, data);
      }
      continue;
    }
    const Index first = model.first_joint(b), count = model.joint_count(b);
    Frame frame;
    if (count > 0 && model.joints()[first].type == JointType::kFree) {
      const double* at = q + model.q_start(first);
      frame.p = Vector3d(at[0], at[1], at[2]);
      frame.q = read_quaternion(at + 3).normalized();
      frame.R = frame.q.toRotationMatrix();
      data.origin[b] = frame.p;
      SpatialVector* S = &data.S[model.v_start(first)];
      for (int k = 0; k < 3; ++k) {
        set_sliding(Vector3d::Unit(k), S[k]);
        S[3 + k].head<3>() = frame.R.col(k);
        S[3 + k].tail<3>().setZero();
      }
    } else {
      const Index parent = body.parent;
      frame.p = data.p[parent] + data.R[parent] * body.pose.p;
      frame.q = data.quat[parent] * body.pose.q;
      const bool root = model.tree(parent) < 0;
      data.origin[b] = root ? frame.p : data.origin[parent];
      const Vector3d origin = data.origin[b];
      if (count > 0) frame.R = frame.q.toRotationMatrix();
      for (Index j = first; j < first + count; ++j) {
        const Joint& joint = model.joints()[j];
        const double* at = q + model.q_start(j);
        SpatialVector* S = &data.S[model.v_start(j)];
        switch (joint.type) {
          case JointType::kHinge: {
            const Vector3d point = frame.p + frame.R * joint.anchor;
            set_turning(frame.R * joint.axis, point, origin, S[0]);
            const double half = 0.5 * (at[0] - joint.reference);
            Quaterniond rotation;
            rotation.w() = std::cos(half);
            rotation.vec() = std::sin(half) * joint.axis;
            turn_about(rotation, joint.anchor, point, frame);
            break;
          }
          case JointType::kSlide: {
            const Vector3d axis = frame.R * joint.axis;
            set_sliding(axis, S[0]);
            frame.p += axis * (at[0] - joint.reference);
            break;
          }
          case JointType::kBall: {
            const Vector3d point = frame.p + frame.R * joint.anchor;
            turn_about(read_quaternion(at).normalized(), joint.anchor, point, frame);
            for (int k = 0; k < 3; ++k) set_turning(frame.R.col(k), point, origin, S[k]);
            break;
          }
          case JointType::kPlanar: {
            const std::array<Vector3d, 2> axes = planar_axes(joint.axis);
            for (int k = 0; k < 2; ++k) {
              const Vector3d axis = frame.R * axes[k];
              set_sliding(axis, S[k]);
              frame.p += axis * at[k];
            }
            const Vector3d point = frame.p + frame.R * joint.anchor;
            set_turning(frame.R * joint.axis, point, origin, S[2]);
            turn_about(Quaterniond(Eigen::AngleAxisd(at[2], joint.axis)), joint.anchor, point, frame);
            break;
          }
          case JointType::kFree:
            break;  // checked by Model::make: alone, on a child of the world
        }
      }
    }
    data.p[b] = frame.p;
    data.quat[b] = frame.q;
    place_body(model, b, data);
  }
}

}  // namespace tribo
