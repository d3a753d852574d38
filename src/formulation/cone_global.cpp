#include "formulation/cone_global.hpp"

#include "tribo/linalg/accurate.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <Eigen/QR>
#include <Eigen/SparseQR>

namespace tribo {
namespace {

constexpr double kDependent = 1e-10;     // what is left of a column of length one, for one that depends on others
constexpr double kConsistentRow = 1e-8;  // of the terms of a bilateral row

}  // namespace

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

// Gᵀ v = −b has an answer for some v, whatever M is. With the columns of G at length one and G P = Q (R₁ R₂), R₂ those
// that depend on the others: z = R₁⁻ᵀ (−b₁) must give R₂ᵀ z = −b₂.
Checked GlobalCone::check_bilateral() const {
  if (problem_->b.isZero(0.0)) return ok();
  SparseMatrix G = problem_->G;
  VectorXd b = problem_->b, size = G.cwiseAbs().transpose() * v_free_.cwiseAbs();
  for (Index j = 0; j < G.cols(); ++j) {
    const double length = G.col(j).norm();
    if (length == 0.0) continue;
    G.col(j) /= length;
    b(j) /= length;
    size(j) /= length;
  }
  G.prune([](Index, Index, double value) { return value != 0.0; });
  Eigen::SparseQR<SparseMatrix, Eigen::COLAMDOrdering<int>> qr;
  qr.setPivotThreshold(kDependent);
  qr.compute(G);
  const Index rank = qr.rank();
  if (rank == G.cols()) return ok();
  const auto& order = qr.colsPermutation().indices();
  const SparseMatrix R = qr.matrixR();
  VectorXd z(rank);
  for (Index k = 0; k < G.cols(); ++k) {
    double sum = b(order(k)), terms = std::abs(sum) + size(order(k)), pivot = 1.0;
    for (SparseMatrix::InnerIterator entry(R, k); entry; ++entry) {
      if (entry.row() < std::min(k, rank)) {
        sum += entry.value() * z(entry.row());
        terms += std::abs(entry.value() * z(entry.row()));
      } else if (entry.row() == k) {
        pivot = entry.value();
      }
    }
    if (k < rank) {
      z(k) = -sum / pivot;
    } else if (!(std::abs(sum) <= kConsistentRow * terms)) {
      return fail("the bilateral columns contradict one another", "G, column " + std::to_string(order(k)),
                  "leave columns out that others imply, or give them values b that agree with these");
    }
  }
  return ok();
}

// A diagonal M has one unknown per component. Those with the same contacts are one body as far as contacts can tell,
// and share the numbers of a column.
void GlobalCone::plan_columns(bool by_bodies) {
  const Index components = mass_.components();
  column_.assign(static_cast<std::size_t>(components), -1);
  offset_.assign(static_cast<std::size_t>(components), 0);
  width_.assign(static_cast<std::size_t>(components), 0);
  columns_ = 0;
  Index filled = b_;           // of the last column
  std::int32_t previous = -1;  // the component that began it
  for (Index c = 0; c < components; ++c) {
    const auto contacts = contacts_of(c);
    if (contacts.empty() || (!by_bodies && mass_.is_sparse(c))) continue;
    auto size = static_cast<Index>(mass_.unknowns(c).size());
    if (by_bodies && size > ConeMass::kMostUnknowns) size = std::min(size, static_cast<Index>(contacts.size()) * d_);
    width_[c] = static_cast<std::int32_t>(size);
    const bool shares = previous >= 0 && filled + size <= b_ && std::ranges::equal(contacts, contacts_of(previous));
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
}

// Rows of Hᵀ (and Gᵀ), whitened: A = C. Or, with C: A = Hᵀ M⁻¹ and C = Hᵀ for components that cannot be whitened.
void GlobalCone::fill_rows(BlockSparse& A, BlockSparse* C) const {
  A.clear(d_, b_, columns_);
  if (C != nullptr) C->clear(d_, b_, columns_);
  std::vector<std::int32_t> components, columns, last(static_cast<std::size_t>(mass_.components()), -1);
  std::vector<double> part;  // of a column of H
  const auto reduced = [&](std::int32_t component) { return !reduced_.empty() && reduced_[component].size() > 0; };
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
      for (std::int32_t at = 0; at < width_[component]; at += b_) columns.push_back(column_[component] + at / b_);
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
        if (entry.value() == 0.0 || column_[component] < 0 || reduced(component)) continue;
        A.values[place_of(component) + mass_.place_of(entry.row()) * d_ + c] += entry.value();
      }
      for (const std::int32_t component : components) {
        const Index size = width_[component], at = place_of(component) + c;
        if (reduced(component)) {
          const auto contacts = contacts_of(component);
          const auto p = std::lower_bound(contacts.begin(), contacts.end(), k) - contacts.begin();
          for (Index i = 0; i < size; ++i) A.values[at + i * d_] = reduced_[component](i, p * d_ + c);
          continue;
        }
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

// The columns of H and G that touch a component, d_ for every block.
MatrixXd GlobalCone::rows_of(Index c) const {
  const auto contacts = contacts_of(c);
  const auto count = static_cast<Index>(contacts.size());
  MatrixXd rows = MatrixXd::Zero(static_cast<Index>(mass_.unknowns(c).size()), count * d_);
  for (Index p = 0; p < count; ++p) {
    const Index k = contacts[p];
    for (int r = 0; r < d_ && column_of(k, r) >= 0; ++r) {
      for (SparseMatrix::InnerIterator entry(matrix_of(k), column_of(k, r)); entry; ++entry) {
        if (mass_.component_of(entry.row()) == c) rows(mass_.place_of(entry.row()), p * d_ + r) += entry.value();
      }
    }
  }
  return rows;
}

void GlobalCone::reduce_rows() {
  reduced_.resize(static_cast<std::size_t>(mass_.components()));
  for (Index c = 0; c < mass_.components(); ++c) {
    if (width_[c] == 0 || width_[c] == static_cast<Index>(mass_.unknowns(c).size())) continue;
    MatrixXd rows = rows_of(c);
    for (Index j = 0; j < rows.cols(); ++j) mass_.whiten(c, rows.col(j).data());
    const Eigen::HouseholderQR<Eigen::Ref<MatrixXd>> qr(rows);
    reduced_[c] = qr.matrixQR().topRows(width_[c]).triangularView<Eigen::Upper>();
  }
}

// Hᵀ M_c⁻¹ H of the sparse components.
void GlobalCone::make_dense_parts() {
  for (Index c = 0; c < mass_.components(); ++c) {
    if (!mass_.is_sparse(c) || contacts_of(c).empty()) continue;
    DensePart part;
    part.contacts.assign(contacts_of(c).begin(), contacts_of(c).end());
    const MatrixXd rows = rows_of(c);
    part.W.noalias() = rows.transpose() * mass_.solve_sparse(c, rows);
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
  if (problem.G.cols() > 0) {
    if (Checked agrees = check_bilateral(); !agrees) return agrees;
  }
  whitened_ = true;
  for (Index c = 0; c < mass_.components(); ++c) {
    whitened_ = whitened_ && (mass_.whitens(c) || contacts_of(c).empty());
  }
  if (form == ConeForm::kBodies && !whitened_) {
    return fail("the form by bodies needs a symmetric positive definite M", "M", "use the form by contacts");
  }
  // W is formed only after it has been chosen: of many contacts on one body it is large.
  plan_columns(true);
  const bool by_contacts = form == ConeForm::kContacts || !whitened_ ||
                           (form == ConeForm::kAuto && contacts_pay(blocks() * d_, columns_ * b_, blocks()));
  dense_.clear();
  reduced_.clear();
  if (by_contacts) {
    plan_columns(false);
    make_dense_parts();
  } else {
    reduce_rows();
  }

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
