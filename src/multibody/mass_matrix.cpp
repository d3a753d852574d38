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

// A tendon's armature is a mass on its length: a aᵀ of its arms.
void add_tendon_armature(const Model& model, Data& data) {
  for (std::size_t t = 0; t < data.tendons.size(); ++t) {
    const double armature = model.description().tendons[t].armature;
    if (armature == 0.0) continue;
    for (const TendonArm& a : data.tendons[t].arms) {
      for (const TendonArm& b : data.tendons[t].arms) {
        const Index tree = model.tree(model.dof_body(a.dof));
        const Index start = model.trees().start(tree);
        data.M[tree](a.dof - start, b.dof - start) += armature * a.value * b.value;
      }
    }
  }
}

void sum_inertias(const Model& model, Index tree, Data& data) {
  const Index root = model.first_body(tree), end = model.end_body(tree);
  for (Index b = root; b < end; ++b) data.composite[b] = data.inertia[b];
  for (Index b = end - 1; b > root; --b) add(data.composite[model.bodies()[b].parent], data.composite[b]);
}

// By composite rigid bodies. Entries between branches stay zero.
void fill_tree(const Model& model, Index tree, Data& data) {
  const Index start = model.trees().start(tree), end = start + model.trees().size(tree);
  MatrixXd& M = data.M[tree];
  const Index stride = M.rows();
  for (Index dof = start; dof < end; ++dof) {
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

// The same for a tree of one free joint:
//     M = ( m 1          −[c]× R )       m, c, I: mass, moment and inertia about the origin of all bodies
//         ( ([c]× R)ᵀ…   Rᵀ I R  )
void fill_free(const Model& model, Index tree, Data& data) {
  const Index root = model.first_body(tree), start = model.trees().start(tree);
  const SpatialInertia& I = data.composite[root];
  const Matrix3d& R = data.R[root];
  double* M = data.M[tree].data();
  const double* armature = model.armature().data() + start;
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < k; ++i) M[6 * k + i] = M[6 * i + k] = 0.0;
    M[7 * k] = I.mass + armature[k];
  }
  for (int k = 0; k < 3; ++k) {
    const Vector3d w = R.col(k), moment = I.moment.cross(w);
    const double turned[3] = {I.xx * w(0) + I.xy * w(1) + I.xz * w(2), I.xy * w(0) + I.yy * w(1) + I.yz * w(2),
                              I.xz * w(0) + I.yz * w(1) + I.zz * w(2)};
    double* column = M + 6 * (3 + k);
    for (int i = 0; i < 3; ++i) column[i] = M[6 * i + 3 + k] = 0.0 - moment(i);
    for (int j = 0; j < k; ++j) column[3 + j] = M[6 * (3 + j) + 3 + k] = dot_column(R, j, turned);
    column[3 + k] = dot_column(R, k, turned) + armature[3 + k];
  }
}

}  // namespace

void calc_mass_matrix(const Model& model, Data& data) {
  const Index trees = model.trees().blocks();
  // What a tendon adds is added to what the bodies give: then trees are not kept.
  const bool coupled = has_tendon_armature(model);
  for (Index t = 0; t < trees; ++t) {
    if (data.keeps_trees && !coupled && data.mass_of[t] == data.placed[t]) continue;
    data.mass_of[t] = data.placed[t];
    if (coupled) data.M[t].setZero();
    sum_inertias(model, t, data);
    if (model.is_free(t))
      fill_free(model, t, data);
    else
      fill_tree(model, t, data);
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
