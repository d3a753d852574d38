// One constraint row over the trees, gathered dof by dof or body by body; it touches at most two trees (checked by Model::make).
#pragma once

#include "tribo/core/assert.hpp"
#include "tribo/linalg/block_rows.hpp"
#include "tribo/multibody/jacobian.hpp"

#include <algorithm>
#include <vector>

namespace tribo {

class RowWriter {
 public:
  // `memory` is kept by the caller, so that it is allocated once.
  RowWriter(const Model& model, std::vector<double>& memory) : model_(model), memory_(memory) {
    largest_ = 0;
    for (Index t = 0; t < model.trees().blocks(); ++t) largest_ = std::max(largest_, model.trees().size(t));
    memory_.resize(static_cast<std::size_t>(2 * largest_));
  }
  void clear() {
    tree_[0] = tree_[1] = -1;
    std::fill(memory_.begin(), memory_.end(), 0.0);
  }
  void add(Index dof, double value) {
    const Index tree = model_.tree(model_.dof_body(dof));
    slot(tree)[dof - model_.trees().start(tree)] += value;
  }
  void add(const Data& data, Index body, const Vector3d& point, const Vector3d& dir, const Vector3d& turn,
           double sign) {
    const Index tree = model_.tree(body);
    if (tree >= 0) add_row(model_, data, body, point, dir, turn, sign, slot(tree));
  }
  void write(BlockRows& rows) const { rows.add_row(segment(0), segment(1)); }

 private:
  double* slot(Index tree) {
    int k = tree_[0] == tree || tree_[0] < 0 ? 0 : 1;
    TRIBO_REQUIRE(tree_[k] < 0 || tree_[k] == tree, "a row touches more than two trees");
    tree_[k] = tree;
    return memory_.data() + k * largest_;
  }
  BlockRows::Segment segment(int k) const {
    if (tree_[k] < 0) return {};
    return {tree_[k], {memory_.data() + k * largest_, static_cast<std::size_t>(model_.trees().size(tree_[k]))}};
  }

  const Model& model_;
  std::vector<double>& memory_;
  Index largest_ = 0;
  Index tree_[2] = {-1, -1};
};

}  // namespace tribo
