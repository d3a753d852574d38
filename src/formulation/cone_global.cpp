#include "formulation/cone_global.hpp"

#include "tribo/linalg/accurate.hpp"

#include <algorithm>
#include <string>

namespace tribo {

Index GlobalCone::column_of(Index k, int c) const {
  const Index n = problem_->contacts();
  if (k < n) return k * d_ + c;
  const Index column = groups_[k - n] + c;
  return column < groups_[k - n + 1] ? column : -1;
}

// Columns of G that follow one another and touch the same bodies share a block.
void GlobalCone::group_bilateral() {
  const SparseMatrix& G = problem_->G;
  groups_.assign(1, 0);
  std::vector<std::int32_t> before, bodies;
  for (Index j = 0; j < G.cols(); ++j) {
    bodies.clear();
    for (SparseMatrix::InnerIterator entry(G, j); entry; ++entry) {
      if (entry.value() != 0.0) bodies.push_back(mass_.component_of(entry.row()));
    }
    std::sort(bodies.begin(), bodies.end());
    bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
    if (j > 0 && (bodies != before || j - groups_.back() == d_)) groups_.push_back(j);
    std::swap(before, bodies);
  }
  if (G.cols() > 0) groups_.push_back(G.cols());
}

void GlobalCone::list_contacts() {
  const auto components = static_cast<std::size_t>(mass_.components());
  std::vector<std::int32_t> last(components, -1), next;
  const auto for_each_touch = [&](const auto& visit) {
    std::fill(last.begin(), last.end(), -1);
    for (Index k = 0; k < blocks(); ++k) {
      for (int c = 0; c < d_; ++c) {
        const Index column = column_of(k, c);
        if (column < 0) break;
        for (SparseMatrix::InnerIterator entry(matrix_of(k), column); entry; ++entry) {
          const std::int32_t component = mass_.component_of(entry.row());
          if (entry.value() == 0.0 || last[component] == k) continue;
          last[component] = static_cast<std::int32_t>(k);
          visit(component, static_cast<std::int32_t>(k));
        }
      }
    }
  };
  begin_.assign(components + 1, 0);
  for_each_touch([&](std::int32_t component, std::int32_t) { ++begin_[component + 1]; });
  for (std::size_t c = 0; c < components; ++c) begin_[c + 1] += begin_[c];
  next.assign(begin_.begin(), begin_.end() - 1);
  contacts_.resize(static_cast<std::size_t>(begin_.back()));
  for_each_touch([&](std::int32_t component, std::int32_t k) { contacts_[next[component]++] = k; });
}

// A diagonal M has one unknown per component. Those with the same contacts are one body as far as contacts can tell, and
// share the numbers of a column.
bool GlobalCone::plan_columns() {
  const Index components = mass_.components();
  column_.assign(static_cast<std::size_t>(components), -1);
  offset_.assign(static_cast<std::size_t>(components), 0);
  columns_ = 0;
  whitened_ = true;
  Index filled = b_;           // of the last column
  std::int32_t previous = -1;  // the component that began it
  const auto list = [&](Index c) { return std::span(contacts_.data() + begin_[c], contacts_.data() + begin_[c + 1]); };
  for (Index c = 0; c < components; ++c) {
    const auto contacts = list(c);
    if (contacts.empty() || mass_.kind(c) == ConeMass::Kind::kLarge) continue;
    whitened_ = whitened_ && mass_.kind(c) == ConeMass::Kind::kCholesky;
    const auto size = static_cast<Index>(mass_.unknowns(c).size());
    const bool shares = previous >= 0 && filled + size <= b_ && std::ranges::equal(contacts, list(previous));
    if (shares) {
      column_[c] = columns_ - 1;
      offset_[c] = static_cast<std::int32_t>(filled);
      filled += size;
      continue;
    }
    const Index taken = (size + b_ - 1) / b_;
    column_[c] = columns_;
    columns_ += static_cast<std::int32_t>(taken);
    filled = size - (taken - 1) * b_;
    previous = static_cast<std::int32_t>(c);
  }
  return contacts_pay(blocks() * d_, columns_ * b_, blocks());
}

// Rows of Hᵀ (and Gᵀ), whitened: A = C. Or, with C: A = Hᵀ M⁻¹ and C = Hᵀ for components that cannot be whitened.
void GlobalCone::fill_rows(BlockSparse& A, BlockSparse* C) const {
  A.clear(d_, b_, columns_);
  if (C != nullptr) C->clear(d_, b_, columns_);
  std::vector<std::int32_t> components, columns, last(static_cast<std::size_t>(mass_.components()), -1);
  std::vector<double> row, part;  // a column of H over the components of the block, one after another
  for (Index k = 0; k < blocks(); ++k) {
    const SparseMatrix& H = matrix_of(k);
    components.clear();
    columns.clear();
    for (int c = 0; c < d_ && column_of(k, c) >= 0; ++c) {
      for (SparseMatrix::InnerIterator entry(H, column_of(k, c)); entry; ++entry) {
        const std::int32_t component = mass_.component_of(entry.row());
        if (entry.value() == 0.0 || column_[component] < 0 || last[component] == k) continue;
        last[component] = static_cast<std::int32_t>(k);
        components.push_back(component);
      }
    }
    for (const std::int32_t component : components) {
      const auto size = static_cast<Index>(mass_.unknowns(component).size());
      for (Index at = 0; at < size; at += b_)
        columns.push_back(column_[component] + static_cast<std::int32_t>(at / b_));
    }
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    const Index first = A.blocks();
    A.add_row(columns);
    if (C != nullptr) C->add_row(columns);
    const auto place_of = [&](std::int32_t component) {
      const auto at = std::lower_bound(columns.begin(), columns.end(), column_[component]) - columns.begin();
      return (first + at) * d_ * b_ + offset_[component] * d_;
    };
    for (int c = 0; c < d_ && column_of(k, c) >= 0; ++c) {
      // Scatter the column over the places of its components, as it is; then whiten every component in turn.
      for (SparseMatrix::InnerIterator entry(H, column_of(k, c)); entry; ++entry) {
        const std::int32_t component = mass_.component_of(entry.row());
        if (entry.value() == 0.0 || column_[component] < 0) continue;
        A.values[place_of(component) + mass_.place_of(entry.row()) * d_ + c] += entry.value();
      }
      for (const std::int32_t component : components) {
        const auto size = static_cast<Index>(mass_.unknowns(component).size());
        const Index at = place_of(component) + c;
        part.resize(static_cast<std::size_t>(size));
        for (Index i = 0; i < size; ++i) part[i] = A.values[at + i * d_];
        const bool inverse = mass_.kind(component) == ConeMass::Kind::kInverse;
        if (C != nullptr && inverse) {
          for (Index i = 0; i < size; ++i) C->values[at + i * d_] = part[i];
        }
        mass_.whiten(component, part.data());
        for (Index i = 0; i < size; ++i) A.values[at + i * d_] = part[i];
        if (C != nullptr && !inverse) {
          for (Index i = 0; i < size; ++i) C->values[at + i * d_] = part[i];
        }
      }
    }
  }
}

// Hᵀ M_c⁻¹ H of the large components.
void GlobalCone::make_dense_parts() {
  dense_.clear();
  for (Index c = 0; c < mass_.components(); ++c) {
    if (mass_.kind(c) != ConeMass::Kind::kLarge || begin_[c + 1] == begin_[c]) continue;
    DensePart part;
    part.contacts.assign(contacts_.begin() + begin_[c], contacts_.begin() + begin_[c + 1]);
    const auto count = static_cast<Index>(part.contacts.size());
    MatrixXd rows = MatrixXd::Zero(static_cast<Index>(mass_.unknowns(c).size()), count * d_);
    for (Index p = 0; p < count; ++p) {
      const Index k = part.contacts[p];
      for (int r = 0; r < d_ && column_of(k, r) >= 0; ++r) {
        for (SparseMatrix::InnerIterator entry(matrix_of(k), column_of(k, r)); entry; ++entry) {
          if (mass_.component_of(entry.row()) == c) rows(mass_.place_of(entry.row()), p * d_ + r) += entry.value();
        }
      }
    }
    part.W.noalias() = rows.transpose() * mass_.solve_large(c, rows);
    dense_.push_back(std::move(part));
  }
}

// What fills up a bilateral block, and a column of zeros in one, has the mean diagonal of the rest.
void GlobalCone::fill_up(ConeProblem& cone, bool by_contacts) {
  for (Index k = problem_->contacts(); k < blocks(); ++k) {
    std::vector<double> diagonal(static_cast<std::size_t>(d_), 0.0);
    double* block = nullptr;
    if (by_contacts) {
      const auto columns = cone.W.columns(k);
      const auto at = std::lower_bound(columns.begin(), columns.end(), k) - columns.begin();
      block = cone.W.block(cone.W.start[k] + at);
      for (int c = 0; c < d_; ++c) diagonal[c] = block[c * d_ + c];
    } else {
      for (Index e = cone.H.start[k]; e < cone.H.start[k + 1]; ++e) {
        for (int i = 0; i < b_; ++i) {
          for (int c = 0; c < d_; ++c) diagonal[c] += cone.H.block(e)[i * d_ + c] * cone.H.block(e)[i * d_ + c];
        }
      }
    }
    double sum = 0.0;
    int present = 0;
    for (const double x : diagonal) {
      sum += x;
      present += x != 0.0 ? 1 : 0;
    }
    const double mean = sum > 0.0 ? sum / present : 1.0;
    for (int c = 0; c < d_; ++c) {
      if (diagonal[c] != 0.0) continue;
      (by_contacts ? block[c * d_ + c] : cone.R(k * d_ + c)) = mean;
    }
  }
}

Checked GlobalCone::update(const GlobalFriction& problem, ConeForm form, ConeProblem& cone) {
  problem_ = &problem;
  d_ = problem.dimension;
  b_ = d_ == 2 ? 3 : 6;
  if (Checked done = mass_.assign(problem.M); !done) return done;
  v_free_ = mass_.solve(problem.f);
  group_bilateral();
  list_contacts();
  const bool small = plan_columns();
  make_dense_parts();
  const bool by_bodies_fits = whitened_ && dense_.empty();
  if (form == ConeForm::kBodies && !by_bodies_fits) {
    return fail("the form by bodies needs a symmetric positive definite M with components of at most " +
                    std::to_string(ConeMass::kMostUnknowns) + " unknowns",
                "M", "use the form by contacts");
  }
  const bool by_contacts = form == ConeForm::kContacts || (form == ConeForm::kAuto && (small || !by_bodies_fits));

  const Index n = blocks(), contacts = problem.contacts();
  cone.dimension = d_;
  cone.mu.setZero(n);
  cone.mu.head(contacts) = problem.mu;
  cone.q.setZero(n * d_);
  cone.q.head(contacts * d_) = accurate_affine_transposed(problem.H, v_free_, problem.w);
  cone.bilateral.clear();
  if (n > contacts) {
    cone.bilateral.resize(static_cast<std::size_t>(n), 1);
    std::fill_n(cone.bilateral.begin(), contacts, std::uint8_t{0});
    const VectorXd gap = accurate_affine_transposed(problem.G, v_free_, problem.b);
    for (Index k = contacts; k < n; ++k) {
      for (int c = 0; c < d_ && column_of(k, c) >= 0; ++c) cone.q(k * d_ + c) = gap(column_of(k, c));
    }
  }
  if (by_contacts) {
    fill_rows(left_, whitened_ ? nullptr : &right_);
    product_.index(left_);
    product_.form(left_, whitened_ ? left_ : right_, dense_, cone.W);
    cone.H.clear(0, 0, 0);
    cone.R.resize(0);
  } else {
    fill_rows(cone.H, nullptr);
    cone.W.clear(0, 0, 0);
    cone.R.setZero(n * d_);
  }
  fill_up(cone, by_contacts);
  return ok();
}

void GlobalCone::lift(const VectorXd& r, FrictionSolution& out) const {
  const Index rows = problem_->contacts() * d_;
  out.r = r.head(rows);
  VectorXd push = accurate_affine(problem_->H, out.r, problem_->f);
  if (problem_->G.cols() > 0) {
    VectorXd lambda(problem_->G.cols());
    for (Index k = problem_->contacts(); k < blocks(); ++k) {
      for (int c = 0; c < d_ && column_of(k, c) >= 0; ++c) lambda(column_of(k, c)) = r(k * d_ + c);
    }
    push = accurate_affine(problem_->G, lambda, push);
  }
  out.v = mass_.solve(push);
  out.u = accurate_affine_transposed(problem_->H, out.v, problem_->w);
}

}  // namespace tribo
