#include "tribo/multibody/data.hpp"

#include "multibody/placement.hpp"
#include "multibody/spatial.hpp"
#include "multibody/tendons.hpp"

namespace tribo {

Data::Data(const Model& model) {
  const auto nb = static_cast<std::size_t>(model.nb()), nv = static_cast<std::size_t>(model.nv());
  p.assign(nb, Vector3d::Zero());
  quat.assign(nb, Quaterniond::Identity());
  R.assign(nb, Matrix3d::Identity());
  com = origin = p;
  S.assign(nv, SpatialVector::Zero());
  inertia.resize(nb);
  V.assign(nb, SpatialVector::Zero());
  A = force = other_V = other_A = V;
  composite.resize(nb);
  for (Index t = 0; t < model.trees().blocks(); ++t) {
    M.push_back(MatrixXd::Zero(model.trees().size(t), model.trees().size(t)));
  }
  bias = passive = VectorXd::Zero(model.nv());
  q.setZero(model.nq());
  v.setZero(model.nv());
  const Index trees = model.trees().blocks();
  placed.assign(static_cast<std::size_t>(trees), 0);
  moved = moved_at = mass_of = bias_of = passive_of = placed;
  for (Index t = 0; t < trees; ++t)
    carried.push_back(model.carrier(model.bodies()[model.first_body(t)].parent) >= 0 ? 1 : 0);
  // What never moves is placed once.
  for (Index b = 0; b < model.nb(); ++b) {
    if (model.tree(b) < 0) place_fixed(model, b, model.bodies()[b].pose, *this);
  }
  prepare_tendons(model, *this);
}

}  // namespace tribo
