#include "tribo/multibody/dynamics.hpp"

#include <algorithm>

#include "multibody/spatial.hpp"
#include "multibody/tree_factor.hpp"

namespace tribo {

namespace {

bool has_tendon_armature(const Model& model) {
  const auto& tendons = model.description().tendons;
  return std::any_of(tendons.begin(), tendons.end(), [](const Tendon& tendon) { return tendon.armature != 0.0; });
}

// A tendon's armature is a mass on its length: a aᵀ of its coefficients.
void add_tendon_armature(const Model& model, Data& data) {
  for (const Tendon& tendon : model.description().tendons) {
    if (tendon.armature == 0.0) continue;
    for (const Tendon::Term& a : tendon.terms) {
      for (const Tendon::Term& b : tendon.terms) {
        const Index i = model.v_start(a.joint), j = model.v_start(b.joint);
        const Index tree = model.tree(model.dof_body(i));
        const Index start = model.trees().start(tree);
        data.M[tree](i - start, j - start) += tendon.armature * a.coefficient * b.coefficient;
      }
    }
  }
}

}  // namespace

void calc_mass_matrix(const Model& model, Data& data) {
  const Index nb = model.nb(), nv = model.nv();
  const bool coupled = has_tendon_armature(model);
  if (coupled) {  // otherwise entries between branches stay zero
    for (MatrixXd& M : data.M) M.setZero();
  }
  for (Index b = 1; b < nb; ++b) {
    if (model.tree(b) >= 0) data.composite[b] = data.inertia[b];
  }
  for (Index b = nb - 1; b > 0; --b) {
    const Index parent = model.bodies()[b].parent;
    if (model.tree(parent) >= 0) add(data.composite[parent], data.composite[b]);
  }
  for (Index tree = 0, dof = 0; dof < nv; ++tree) {
    const Index start = model.trees().start(tree), end = start + model.trees().size(tree);
    MatrixXd& M = data.M[tree];
    const Index stride = M.rows();
    for (; dof < end; ++dof) {
      const SpatialVector F = multiply(data.composite[model.dof_body(dof)], data.S[dof]);
      double* column = M.data() + (dof - start) * stride;
      double* row = M.data() + (dof - start);
      column[dof - start] = data.S[dof].dot(F) + model.armature()(dof);
      for (Index i = model.parent_dof(dof); i >= 0; i = model.parent_dof(i)) {
        const double m = data.S[i].dot(F);
        column[i - start] = m;
        row[(i - start) * stride] = m;
      }
    }
  }
  if (coupled) add_tendon_armature(model, data);
}

MatrixXd make_dense_mass(const Model& model, const Data& data) {
  MatrixXd M = MatrixXd::Zero(model.nv(), model.nv());
  for (Index t = 0; t < model.trees().blocks(); ++t) {
    const Index start = model.trees().start(t), size = model.trees().size(t);
    M.block(start, start, size, size) = data.M[t];
  }
  return M;
}

Expected<VectorXd> solve_mass(const Model& model, const Data& data, const VectorIn& b) {
  VectorXd x = b;
  for (Index t = 0; t < model.trees().blocks(); ++t) {
    const Index start = model.trees().start(t), size = model.trees().size(t);
    MatrixXd factor = data.M[t];
    if (const Index bad = factor_from_tips(model, t, factor); bad >= 0) {
      const Index body = model.dof_body(start + bad);
      return fail("the mass matrix is not positive definite", "body '" + model.bodies()[body].name + "'",
                  "give mass and inertia to what its joint moves");
    }
    solve_from_tips(model, t, factor, x.segment(start, size));
  }
  return x;
}

}  // namespace tribo
