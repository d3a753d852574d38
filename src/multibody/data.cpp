#include "tribo/multibody/data.hpp"

#include "multibody/placement.hpp"
#include "multibody/spatial.hpp"

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
  A = force = V;
  composite.resize(nb);
  for (Index t = 0; t < model.trees().blocks(); ++t) {
    M.push_back(MatrixXd::Zero(model.trees().size(t), model.trees().size(t)));
  }
  bias = passive = VectorXd::Zero(model.nv());
  // What never moves is placed once.
  for (Index b = 0; b < model.nb(); ++b) {
    if (model.tree(b) < 0) place_fixed(model, b, model.bodies()[b].pose, *this);
  }
}

}  // namespace tribo
