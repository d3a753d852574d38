#include "tribo/multibody/dynamics.hpp"

#include "multibody/quaternion.hpp"
#include "multibody/spatial.hpp"
#include "multibody/springs.hpp"

namespace tribo {

namespace {

// Squared distance of a joint from where its spring rests.
double calc_spring_distance(const Model& model, const State& state, std::size_t j) {
  const Joint& joint = model.joints()[j];
  const double* q = state.q.data() + model.q_start(static_cast<Index>(j));
  const double* reference = model.q0().data() + model.q_start(static_cast<Index>(j));
  switch (joint.type) {
    case JointType::kFree:
    case JointType::kBall: {
      const int shift = joint.type == JointType::kFree ? 3 : 0;
      double sum = rotation_between(reference + shift, q + shift).squaredNorm();
      for (int k = 0; k < shift; ++k) sum += (q[k] - reference[k]) * (q[k] - reference[k]);
      return sum;
    }
    case JointType::kPlanar:
      return q[0] * q[0] + q[1] * q[1] + q[2] * q[2];
    default:
      return (q[0] - joint.spring_reference) * (q[0] - joint.spring_reference);
  }
}

}  // namespace

double calc_potential(const Model& model, const State& state, const Data& data) {
  double potential = 0.0;
  for (Index b = 1; b < model.nb(); ++b) {
    potential -= model.bodies()[b].inertia.mass * model.description().gravity.dot(data.com[b]);
  }
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const double stiffness = model.joints()[j].stiffness;
    if (stiffness != 0.0) potential += 0.5 * stiffness * calc_spring_distance(model, state, j);
  }
  for (std::size_t t = 0; t < data.tendons.size(); ++t) {
    const Tendon& tendon = model.description().tendons[t];
    const double slack = calc_slack(tendon, data.tendons[t].length);
    potential += 0.5 * tendon.stiffness * slack * slack;
  }
  return potential;
}

Energy calc_energy(const Model& model, const State& state, const Data& data) {
  Energy energy;
  for (Index t = 0; t < model.trees().blocks(); ++t) {
    const auto v = state.v.segment(model.trees().start(t), model.trees().size(t));
    energy.kinetic += 0.5 * v.dot(data.M[t] * v);
  }
  energy.potential = calc_potential(model, state, data);
  return energy;
}

Energy calc_energy_of(const Model& model, Index tree, const VectorXd& v, const Data& data) {
  Energy energy;
  for (Index b = model.first_body(tree); b < model.end_body(tree); ++b) {
    energy.kinetic += 0.5 * data.V[b].dot(multiply(data.inertia[b], data.V[b]));
    energy.potential -= model.bodies()[b].inertia.mass * model.description().gravity.dot(data.com[b]);
  }
  const Index start = model.trees().start(tree);
  for (Index dof = start; dof < start + model.trees().size(tree); ++dof)
    energy.kinetic += 0.5 * model.armature()(dof) * v(dof) * v(dof);
  return energy;
}

Momentum calc_momentum(const Model& model, const Data& data, Index root) {
  Momentum sum;
  Vector3d moment = Vector3d::Zero(), about_world = Vector3d::Zero();
  for (Index b = root; b < model.nb(); ++b) {
    if (b > root && model.bodies()[b].parent < root) break;  // depth first: descendants follow one another
    const double mass = model.bodies()[b].inertia.mass;
    sum.mass += mass;
    moment += mass * data.com[b];
    const SpatialVector momentum = multiply(data.inertia[b], data.V[b]);  // about data.origin
    sum.linear += momentum.tail<3>();
    about_world += momentum.head<3>() + data.origin[b].cross(momentum.tail<3>());
  }
  sum.com = sum.mass > 0.0 ? Vector3d(moment / sum.mass) : data.p[root];
  sum.angular = about_world - sum.com.cross(sum.linear);
  return sum;
}

}  // namespace tribo
