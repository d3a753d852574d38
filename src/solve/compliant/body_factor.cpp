#include "solve/compliant/body_factor.hpp"

#include <algorithm>
#include <cmath>

namespace tribo::compliant {

void BodyFactor::make_graph(const StepRows& rows) {
  joined_ = rows.unit_nodes();
  joined_start_ = rows.unit_nodes_start();
  const auto nodes = static_cast<std::int64_t>(rows.nodes().size());
  const std::size_t units = joined_start_.size() - 1;
  const auto visit_pairs = [&](const auto& visit) {
    for (std::size_t u = 0; u < units; ++u) {
      for (std::int32_t a = joined_start_[u]; a < joined_start_[u + 1]; ++a) {
        for (std::int32_t b = joined_start_[u]; b < joined_start_[u + 1]; ++b) visit(joined_[a], joined_[b]);
      }
    }
  };
  pairs_.clear();
  visit_pairs([&](std::int64_t a, std::int64_t b) {
    if (a != b) pairs_.push_back(a * nodes + b);
  });
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  start_.assign(static_cast<std::size_t>(nodes) + 1, 0);
  column_.clear();
  for (const std::int64_t pair : pairs_) {
    ++start_[static_cast<std::size_t>(pair / nodes) + 1];
    column_.push_back(static_cast<std::int32_t>(pair % nodes));
  }
  for (std::size_t a = 0; a < static_cast<std::size_t>(nodes); ++a) start_[a + 1] += start_[a];
  place_.clear();
  place_start_.assign(1, 0);
  visit_pairs([&](std::int64_t a, std::int64_t b) {
    const auto at = std::lower_bound(pairs_.begin(), pairs_.end(), a * nodes + b) - pairs_.begin();
    place_.push_back(static_cast<std::int32_t>(a == b ? a : nodes + at));
  });
  for (std::size_t u = 0; u < units; ++u) {
    const std::int32_t count = joined_start_[u + 1] - joined_start_[u];
    place_start_.push_back(place_start_.back() + count * count);
  }
  lu_.set_graph(start_, column_);
  all_.assign(static_cast<std::size_t>(nodes), 1);
  lu_.choose(all_);
  matrix_.resize((static_cast<std::size_t>(nodes) + pairs_.size()) * kSquare);
  right_.resize(static_cast<std::size_t>(nodes) * kWide);
  z_.resize(right_.size());
}

void BodyFactor::begin(const StepRows& rows) {
  rows_ = &rows;
  if (joined_ != rows.unit_nodes() || joined_start_ != rows.unit_nodes_start() || all_.size() != rows.nodes().size()) {
    make_graph(rows);
  }
  std::fill(matrix_.begin(), matrix_.end(), 0.0);
  for (std::size_t node = 0; node < all_.size(); ++node) {
    for (int k = 0; k < kNode; ++k) matrix_[node * kSquare + static_cast<std::size_t>(k * kWide + k)] = 1.0;
  }
  const auto most = static_cast<std::size_t>(rows.rows());
  list_.clear();
  list_.reserve(most);
  B_.clear();
  F_.clear();
  B_.reserve(rows.wide_size());
  F_.reserve(rows.wide_size());
}

void BodyFactor::add_row(const StepRows& rows, Index first, int size, const double* measure, const double* force,
                         double root) {
  const Index unit = rows.unit_of(first);
  const std::int32_t begin = joined_start_[static_cast<std::size_t>(unit)];
  const int count = joined_start_[static_cast<std::size_t>(unit) + 1] - begin;
  const std::size_t at = B_.size(), width = static_cast<std::size_t>(count * kNode);
  list_.push_back({unit, at});
  B_.resize(at + width);
  F_.resize(at + width);
  for (std::size_t c = 0; c < width; ++c) {
    double sum = 0.0, other = 0.0;
    for (int k = 0; k < size; ++k) {
      const double value = rows.wide(first + k)[c];
      sum += measure[k] * value;
      other += force[k] * value;
    }
    B_[at + c] = root * sum;
    F_[at + c] = root * other;
  }
  const std::int32_t* place = place_.data() + place_start_[static_cast<std::size_t>(unit)];
  for (int a = 0; a < count; ++a) {
    for (int b = 0; b < count; ++b) {
      double* block = matrix_.data() + static_cast<std::size_t>(place[a * count + b]) * kSquare;
      const double *f = F_.data() + at + a * kNode, *m = B_.data() + at + b * kNode;
      for (int c = 0; c < kNode; ++c) {
        for (int r = 0; r < kNode; ++r) block[c * kWide + r] += f[r] * m[c];
      }
    }
  }
}

bool BodyFactor::exchange() {
  const auto nodes = static_cast<Index>(all_.size());
  std::vector<Eigen::Triplet<double>> entries;
  const auto add = [&](Index block, Index a, Index b) {
    const double* values = matrix_.data() + block * kSquare;
    for (int c = 0; c < kNode; ++c) {
      for (int r = 0; r < kNode; ++r) {
        if (values[c * kWide + r] != 0.0) entries.emplace_back(a * kNode + r, b * kNode + c, values[c * kWide + r]);
      }
    }
  };
  for (Index a = 0; a < nodes; ++a) {
    add(a, a, a);
    for (std::int32_t e = start_[static_cast<std::size_t>(a)]; e < start_[static_cast<std::size_t>(a) + 1]; ++e) {
      add(nodes + e, a, column_[static_cast<std::size_t>(e)]);
    }
  }
  Eigen::SparseMatrix<double> A(nodes * kNode, nodes * kNode);
  A.setFromTriplets(entries.begin(), entries.end());
  is_exchanged_ = exchanged_.factor(A);
  return is_exchanged_;
}

bool BodyFactor::factor() {
  is_exchanged_ = false;
  const auto nodes = all_.size();
  return lu_.factor_forward([&](std::int32_t rank, double* row, double*) {
    const std::int32_t node = lu_.node(rank);
    const auto copy = [&](std::size_t block, std::int32_t to) {
      std::copy_n(matrix_.data() + block * kSquare, kSquare, row + static_cast<Index>(lu_.rank(to)) * kSquare);
    };
    copy(static_cast<std::size_t>(node), node);
    for (std::int32_t e = start_[static_cast<std::size_t>(node)]; e < start_[static_cast<std::size_t>(node) + 1]; ++e) {
      copy(nodes + static_cast<std::size_t>(e), column_[static_cast<std::size_t>(e)]);
    }
  });
}

bool BodyFactor::solve(const double* b, double* y, double* u) {
  std::fill(right_.begin(), right_.end(), 0.0);
  // visit(numbers of a row, node) for the parts of every row.
  const auto for_parts = [&](const Row& row, const auto& visit) {
    std::size_t at = row.at;
    for (std::int32_t a = joined_start_[static_cast<std::size_t>(row.unit)];
         a < joined_start_[static_cast<std::size_t>(row.unit) + 1]; ++a, at += kNode) {
      visit(at, joined_[static_cast<std::size_t>(a)]);
    }
  };
  for (std::size_t k = 0; k < list_.size(); ++k) {
    for_parts(list_[k], [&](std::size_t at, std::int32_t node) {
      double* out = right_.data() + static_cast<Index>(lu_.rank(node)) * kWide;
      for (int c = 0; c < kNode; ++c) out[c] -= b[k] * F_[at + static_cast<std::size_t>(c)];
    });
  }
  if (is_exchanged_) {
    VectorXd packed(static_cast<Index>(all_.size()) * kNode);
    const auto at = [&](std::size_t node) {
      return static_cast<Index>(lu_.rank(static_cast<std::int32_t>(node))) * kWide;
    };
    for (std::size_t node = 0; node < all_.size(); ++node) {
      std::copy_n(right_.data() + at(node), kNode, packed.data() + node * kNode);
    }
    packed = exchanged_.solve(packed);
    for (std::size_t node = 0; node < all_.size(); ++node) {
      std::copy_n(packed.data() + node * kNode, kNode, z_.data() + at(node));
    }
  } else {
    lu_.solve(right_.data(), z_.data());
  }
  bool finite = true;
  for (std::size_t k = 0; k < list_.size(); ++k) {
    double sum = b[k];
    for_parts(list_[k], [&](std::size_t at, std::int32_t node) {
      const double* z = z_.data() + static_cast<Index>(lu_.rank(node)) * kWide;
      for (int c = 0; c < kNode; ++c) sum += z[c] * B_[at + static_cast<std::size_t>(c)];
    });
    y[k] = -sum;
    finite = finite && std::isfinite(sum);
  }
  for (std::size_t node = 0; node < all_.size(); ++node) {
    const StepRows::Node& part = rows_->nodes()[node];
    const double* z = z_.data() + static_cast<Index>(lu_.rank(static_cast<std::int32_t>(node))) * kWide;
    std::copy_n(z, part.size, u + part.start);
    for (int c = 0; c < part.size; ++c) finite = finite && std::isfinite(z[c]);
  }
  return finite;
}

}  // namespace tribo::compliant
