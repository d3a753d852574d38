#include "robots/robots.hpp"

#include <cmath>
#include <limits>

#include "support/paths.hpp"
#include <gtest/gtest.h>

namespace tribo::testing {

const std::vector<std::string>& own_robots() {
  static const std::vector<std::string> names = {"quadruped", "hand3", "hand5", "gripper", "arm6"};
  return names;
}

std::string own_robot(const std::string& file) { return source_dir() + "/data/robots/" + file; }

State make_random_state(const Model& model, Random& random) {
  State state = make_state(model);
  for (Index j = 0; j < static_cast<Index>(model.joints().size()); ++j) {
    const Joint& joint = model.joints()[j];
    double* q = state.q.data() + model.q_start(j);
    for (int k = 0; k < calc_nq(joint.type); ++k) {
      const bool bounded = joint.limited && calc_nq(joint.type) == 1;
      q[k] = bounded ? random.uniform(joint.lower, joint.upper) : random.uniform(-1.0, 1.0);
    }
  }
  for (Index i = 0; i < model.nv(); ++i) state.v(i) = 2.0 * random.normal();
  EXPECT_TRUE(validate(model, state));  // makes the quaternions unit
  return state;
}

double relative_error(const Eigen::Ref<const MatrixXd>& got, const Eigen::Ref<const MatrixXd>& want) {
  if (got.rows() != want.rows() || got.cols() != want.cols()) return std::numeric_limits<double>::infinity();
  if (want.size() == 0) return 0.0;
  const double scale = want.cwiseAbs().maxCoeff();
  const double difference = (got - want).cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
  return difference / (scale > 0.0 ? scale : 1.0);
}

double angle_between(const Quaterniond& a, const Quaterniond& b) {
  const Quaterniond turn = a.conjugate() * b;
  return 2.0 * std::atan2(turn.vec().norm(), std::abs(turn.w()));
}

}  // namespace tribo::testing
