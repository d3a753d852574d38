#include "contact/compliant_gradient_rows.hpp"

#include "tribo/certify/compliant.hpp"
#include "tribo/core/assert.hpp"

#include <algorithm>
#include <cmath>

namespace tribo {
namespace {

using Entries = std::array<VectorXd CompliantRowsChange::*, 4>;
constexpr Entries kEntries = {&CompliantRowsChange::offset, &CompliantRowsChange::phi, &CompliantRowsChange::K,
                              &CompliantRowsChange::B};

// Families in the order of the data.
template <typename Families>
auto families_of(Families& from) {
  return std::array{&from.bilateral, &from.unilateral, &from.normal, &from.r, &from.s};
}

}  // namespace

GradientRows::GradientRows(const CompliantProblem& problem, const CompliantSolution& solution)
    : h(problem.h), dof(problem.dof()), contacts_(problem.contacts()) {
  const std::vector<CompliantRowMeasure> measures = measure_rows(problem, solution);
  for (const CompliantRows* rows : families_of(problem))
    TRIBO_REQUIRE(!measures.empty() || rows->rows() == 0, "the mass is positive definite");
  const auto families = families_of(problem);
  const auto lists = families_of(*this);
  const std::array forces = {&solution.lambda_b, &solution.lambda_u, &solution.lambda_n, &solution.lambda_r,
                             &solution.lambda_s};
  Index data = 2 * dof;
  for (std::size_t k = 0; k < families.size(); ++k) {
    const CompliantRows& rows = *families[k];
    for (Index i = 0; i < rows.rows(); ++i, data += 4) {
      GradientRow row;
      row.G = &rows.G;
      row.i = i;
      row.data = data;
      row.S = &rows == &problem.normal && problem.rate_scale.size() > 0 ? problem.rate_scale(i) : 1.0;
      row.K = rows.K(i);
      row.B = rows.B(i);
      row.phi = rows.phi(i);
      const CompliantRow law = calc_row(rows, i, h, problem.product, row.S);
      row.acts = law.acts;
      if (row.acts) {
        row.D = law.D;
        row.R = law.compliance;
        row.pi = h * (*forces[k])(i);
        row.rate = rows.G.dot(i, solution.v1);
        if (problem.product != VelocityProduct::kNone && rows.drift.size() > 0) row.rate += h * rows.drift(i);
        const CompliantRowMeasure& measure = measures[static_cast<std::size_t>((data - 2 * dof) / 4)];
        row.e = measure.e;
        row.weight = measure.weight;
        row.scale = measure.scale;
      }
      lists[k]->push_back(row);
    }
  }
  mu_ = data;
}

VectorXd GradientRows::flatten(const CompliantChange& change) const {
  VectorXd flat = VectorXd::Zero(data_size());
  const auto put = [&](const VectorXd& x, Index start, Index count, Index stride) {
    TRIBO_REQUIRE(x.size() == 0 || x.size() == count, "a change has one entry per degree of freedom, row or contact");
    for (Index i = 0; i < x.size(); ++i) flat(start + i * stride) = x(i);
  };
  put(change.v, 0, dof, 1);
  put(change.f, dof, dof, 1);
  put(change.mu, mu_, contacts_, 1);
  const auto lists = families_of(*this);
  const auto changes = families_of(change);
  Index start = 2 * dof;
  for (std::size_t k = 0; k < lists.size(); ++k) {
    const auto count = static_cast<Index>(lists[k]->size());
    for (std::size_t j = 0; j < kEntries.size(); ++j) {
      put(changes[k]->*kEntries[j], start + static_cast<Index>(j), count, 4);
    }
    start += 4 * count;
  }
  return flat;
}

CompliantChange GradientRows::unflatten(const VectorXd& flat) const {
  CompliantChange change;
  change.v = flat.head(dof);
  change.f = flat.segment(dof, dof);
  change.mu = flat.tail(contacts_);
  const auto lists = families_of(*this);
  const auto changes = families_of(change);
  Index start = 2 * dof;
  for (std::size_t k = 0; k < lists.size(); ++k) {
    const auto count = static_cast<Index>(lists[k]->size());
    for (std::size_t j = 0; j < kEntries.size(); ++j) {
      VectorXd& x = changes[k]->*kEntries[j];
      x.resize(count);
      for (Index i = 0; i < count; ++i) x(i) = flat(start + 4 * i + static_cast<Index>(j));
    }
    start += 4 * count;
  }
  return change;
}

void add_momentum(const CompliantProblem& problem, LinearResponse& response) {
  const BlockLayout& layout = problem.mass.layout();
  const Index n = problem.dof();
  for (Index b = 0; b < layout.blocks(); ++b) {
    const Index start = layout.start(b);
    for (Index i = 0; i < layout.size(b); ++i) {
      for (Index j = 0; j < layout.size(b); ++j) {
        const double entry = problem.mass.block(b)(i, j);
        response.add(start + i, start + j, entry);
        response.drive(start + i, start + j, entry);
      }
    }
  }
  for (Index i = 0; i < n; ++i) response.drive(i, n + i, problem.h);
}

void add_transposed(const GradientRow& row, double factor, Index first_equation, Index unknown,
                    LinearResponse& response) {
  for (const BlockRows::Segment& part : row.G->row(row.i)) {
    if (part.block < 0) continue;
    const Index start = first_equation + row.G->layout().start(part.block);
    for (std::size_t k = 0; k < part.values.size(); ++k) {
      response.add(start + static_cast<Index>(k), unknown, factor * part.values[k]);
    }
  }
}

void add_row(const GradientRow& row, double factor, Index equation, Index first_unknown, LinearResponse& response) {
  for (const BlockRows::Segment& part : row.G->row(row.i)) {
    if (part.block < 0) continue;
    const Index start = first_unknown + row.G->layout().start(part.block);
    for (std::size_t k = 0; k < part.values.size(); ++k) {
      response.add(equation, start + static_cast<Index>(k), factor * part.values[k]);
    }
  }
}

// β = K φ/D + …, R = 1/(h D), D = S D0, D0 = h K + B:
//     over φ: K/D,   over K: (φ B − π)/(D D0),   over B: −(K φ + λ)/(D D0) = (rate − e)/D0, which does not cancel.
void drive_row(const GradientRow& row, double h, double factor, Index equation, LinearResponse& response) {
  const double D0 = h * row.K + row.B;
  response.drive(equation, row.data, -factor);
  response.drive(equation, row.data + 1, -factor * row.K / row.D);
  response.drive(equation, row.data + 2, -factor * (row.phi * row.B - row.pi) / row.D / D0);
  response.drive(equation, row.data + 3, -factor * (row.rate - row.e) / D0);
}

}  // namespace tribo
