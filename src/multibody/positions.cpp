#include "tribo/core/assert.hpp"
#include "tribo/core/same_bits.hpp"
#include "tribo/multibody/dynamics.hpp"

#include <algorithm>
#include <cmath>

#include "multibody/placement.hpp"
#include "multibody/quaternion.hpp"
#include "multibody/tendons.hpp"

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

// The same as for any body: the motions of a free joint are the world's axes and the body's own.
void place_free_body(const Model& model, Index b, const double* q, Data& data) {
  const Index first = model.first_joint(b);
  const Vector3d p(q[0], q[1], q[2]);
  data.p[b] = data.origin[b] = p;
  data.quat[b] = read_quaternion(q + 3).normalized();
  place_body(model, b, data);
  SpatialVector* S = &data.S[model.v_start(first)];
  for (int k = 0; k < 3; ++k) {
    set_sliding(Vector3d::Unit(k), S[k]);
    S[3 + k].head<3>() = data.R[b].col(k);
    S[3 + k].tail<3>().setZero();
  }
}

// Through the joints of a body, from its parent on.
void place_by_joints(const Model& model, Index b, const double* q, Data& data) {
  const Index first = model.first_joint(b), count = model.joint_count(b), parent = model.bodies()[b].parent;
  Frame frame;
  frame.p = data.p[parent] + data.R[parent] * model.bodies()[b].pose.p;
  frame.q = data.quat[parent] * model.bodies()[b].pose.q;
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
        break;  // alone, on a child of the world (checked by Model::make): place_free_body()
    }
  }
  data.p[b] = frame.p;
  data.quat[b] = frame.q;
  place_body(model, b, data);
}

}  // namespace

void place_bodies(const Model& model, const State& state, Data& data) {
  TRIBO_REQUIRE(state.q.size() == model.nq(), "q must have the size of the model");
  TRIBO_REQUIRE(state.kinematic.size() == model.kinematic_bodies().size(),
                "kinematic bodies must be those of the model");
  for (Index b = 1; !state.kinematic.empty() && b < model.nb(); ++b) {
    if (model.tree(b) >= 0) continue;
    const Index k = model.kinematic_index(b);
    place_fixed(model, b, k < 0 ? model.bodies()[b].pose : state.kinematic[k].pose, data);
  }
  const double* q = state.q.data();
  for (Index t = 0; t < model.trees().blocks(); ++t) {
    const Index at = model.first_q(t), size = model.size_q(t);
    const bool kept = data.keeps_trees && data.placed[t] > 0 && data.carried[t] == 0;
    if (kept && same_bits(q + at, data.q.data() + at, size)) continue;
    ++data.placed[t];
    std::copy_n(q + at, size, data.q.data() + at);
    for (Index b = model.first_body(t); b < model.end_body(t); ++b) {
      const Index first = model.first_joint(b);
      if (model.joint_count(b) > 0 && model.joints()[first].type == JointType::kFree)
        place_free_body(model, b, q + model.q_start(first), data);
      else
        place_by_joints(model, b, q, data);
    }
  }
}

void calc_positions(const Model& model, const State& state, Data& data) {
  place_bodies(model, state, data);
  place_tendons(model, state, data);
}

}  // namespace tribo
