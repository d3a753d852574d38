#include "tribo/problem/foundation.hpp"

#include "tribo/core/assert.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "problem/checks.hpp"

namespace tribo {
namespace {

// s_iᵀ T as segments of a row; the rows of T together may have two blocks.
class CombinedRow {
 public:
  explicit CombinedRow(const BlockRows& T) : T_(T) {
    for (Index i = 0; i < T.rows(); ++i) {
      for (int k = 0; k < 2; ++k) note(T.block(i, k));
    }
    for (std::size_t k = 0; k < 2; ++k) {
      if (blocks_[k] >= 0) values_[k].resize(static_cast<std::size_t>(T.layout().size(blocks_[k])));
    }
  }

  Index blocks() const { return count_; }

  void add_to(BlockRows& G, double x, double y) {
    const std::array<double, 3> s = {1.0, x, y};
    for (auto& part : values_) std::fill(part.begin(), part.end(), 0.0);
    for (Index i = 0; i < T_.rows(); ++i) {
      for (int k = 0; k < 2; ++k) {
        if (T_.block(i, k) < 0) continue;
        auto& part = values_[T_.block(i, k) == blocks_[0] ? 0 : 1];
        for (std::size_t j = 0; j < part.size(); ++j) part[j] += s[static_cast<std::size_t>(i)] * T_.values(i, k)[j];
      }
    }
    G.add_row({blocks_[0], values_[0]}, {blocks_[1], values_[1]});
  }

 private:
  void note(Index block) {
    if (block < 0 || block == blocks_[0] || block == blocks_[1]) return;
    if (count_ < 2) blocks_[static_cast<std::size_t>(count_)] = block;
    ++count_;
  }

  const BlockRows& T_;
  std::array<Index, 2> blocks_ = {-1, -1};
  Index count_ = 0;
  std::array<std::vector<double>, 2> values_;
};

}  // namespace

Checked validate(const ElasticLayer& layer) {
  TRIBO_CHECK(check_finite(layer.x, "layer.x"));
  TRIBO_CHECK(check_size(layer.y, "layer.y", layer.elements(), "one entry per element"));
  TRIBO_CHECK(check_finite(layer.y, "layer.y"));
  TRIBO_CHECK(check_size(layer.area, "layer.area", layer.elements(), "one entry per element"));
  for (Index i = 0; i < layer.elements(); ++i) {
    if (std::isfinite(layer.area(i)) && layer.area(i) > 0.0) continue;
    return fail("is not a positive number (" + number_text(layer.area(i)) + ")", entry_text("layer.area", i),
                "give an area > 0 in m²");
  }
  TRIBO_CHECK(check_non_negative(layer.stiffness, "the stiffness", "layer.stiffness",
                                 "give Young's modulus over the thickness, >= 0 in N/m³"));
  TRIBO_CHECK(
      check_non_negative(layer.damping, "the damping", "layer.damping", "give a damping per area, >= 0 in N·s/m³"));
  return ok();
}

ElasticLayer make_rectangular_layer(double length_x, double length_y, Index columns, Index rows, double stiffness,
                                    double damping) {
  TRIBO_REQUIRE(columns >= 0 && rows >= 0, "a layer cannot have fewer than no columns or rows");
  ElasticLayer layer;
  const Index count = columns * rows;
  const auto middle = [](Index i, Index cells, double length) {
    return length * ((static_cast<double>(i) + 0.5) / static_cast<double>(cells) - 0.5);
  };
  layer.x.resize(count);
  layer.y.resize(count);
  for (Index i = 0; i < count; ++i) {
    layer.x(i) = middle(i % columns, columns, length_x);
    layer.y(i) = middle(i / columns, rows, length_y);
  }
  layer.area.setConstant(count, length_x * length_y / static_cast<double>(count));
  layer.stiffness = stiffness;
  layer.damping = damping;
  return layer;
}

Checked validate(const FoundationProblem& problem) {
  if (!problem.layer) return fail("is missing", "layer", "give the elements the face stands on");
  TRIBO_CHECK(validate(*problem.layer));
  if (!problem.gap.allFinite()) return fail("is not finite", "gap", "give three finite numbers");
  if (problem.T.rows() != 3) {
    return fail("has " + std::to_string(problem.T.rows()) + " rows", "T",
                "give three: the rate of the gap at the origin of the face, and of its slopes along x and y");
  }
  if (!(problem.T.layout() == problem.mass.layout())) {
    return fail("its blocks differ from those of the mass matrix", "T", "construct the rows with mass.layout()");
  }
  for (Index i = 0; i < 3; ++i) {
    for (const auto& part : problem.T.row(i)) {
      for (std::size_t k = 0; k < part.values.size(); ++k) {
        const Index column = problem.mass.layout().start(part.block) + static_cast<Index>(k);
        TRIBO_CHECK(check_finite(part.values[k], "the entry", entry_text("T", i, column)));
      }
    }
  }
  if (CombinedRow(problem.T).blocks() > 2) {
    return fail("touches more than two blocks of the mass matrix", "T", "give rows of one body, or of two");
  }
  return validate(to_rows(problem));
}

void to_rows(const FoundationProblem& problem, CompliantProblem& rows) {
  TRIBO_REQUIRE(problem.layer != nullptr && problem.T.rows() == 3, "the problem has no layer, or T not three rows");
  const ElasticLayer& layer = *problem.layer;
  rows.name = problem.name;
  rows.h = problem.h;
  rows.mass = problem.mass;
  rows.v = problem.v;
  rows.f = problem.f;
  rows.product = VelocityProduct::kNone;
  rows.zeta.reset();
  rows.mu.resize(0);
  rows.rate_scale.resize(0);
  for (CompliantRows* family : {&rows.bilateral, &rows.unilateral, &rows.normal, &rows.r, &rows.s}) {
    if (family->G.layout() == problem.mass.layout()) {
      family->G.clear();
    } else {
      family->G = BlockRows(problem.mass.layout());
    }
    for (VectorXd* entries : {&family->K, &family->B, &family->phi, &family->drift}) entries->resize(0);
  }
  CompliantRows& unilateral = rows.unilateral;
  const auto gap = problem.gap(0) + problem.gap(1) * layer.x.array() + problem.gap(2) * layer.y.array();
  unilateral.phi = gap;
  unilateral.K = layer.stiffness * layer.area;
  unilateral.B = (unilateral.phi.array() <= 0.0).select(layer.damping * layer.area.array(), 0.0);
  CombinedRow row(problem.T);
  for (Index i = 0; i < layer.elements(); ++i) row.add_to(unilateral.G, layer.x(i), layer.y(i));
}

CompliantProblem to_rows(const FoundationProblem& problem) {
  CompliantProblem rows;
  to_rows(problem, rows);
  return rows;
}

}  // namespace tribo
