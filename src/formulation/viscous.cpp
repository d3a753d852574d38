#include "formulation/viscous.hpp"

#include "tribo/linalg/padded.hpp"

#include <algorithm>

#include <Eigen/Eigenvalues>

namespace tribo {

using padded::Lanes;
using padded::lanes;

namespace {

// Σ c ρᵀρ, lower triangle.
void add_gram(const PairRows::Slice& slice, const double* weight, double* gram) {
  for (Index j = 0; j < slice.width; ++j) {
    for (Index k = 0; k <= j; ++k) {
      Lanes sum = {};
      for (Index at = 0; at < slice.padded; at += 8) {
        const double* rho = slice.eight(at);
        sum += lanes(weight + at).v * lanes(rho + 8 * j).v * lanes(rho + 8 * k).v;
      }
      gram[j * slice.width + k] = padded::sum_of(sum);
    }
  }
}

// The same in one pass.
void add_gram_of_six(const PairRows::Slice& slice, const double* weight, double* gram) {
  Lanes sum[6][6] = {};
  for (Index at = 0; at < slice.padded; at += 8) {
    const double* rho = slice.eight(at);
    for (int j = 0; j < 6; ++j) {
      const Lanes weighted = lanes(weight + at).v * lanes(rho + 8 * j).v;
      for (int k = 0; k <= j; ++k) sum[j][k] += weighted * lanes(rho + 8 * k).v;
    }
  }
  for (int j = 0; j < 6; ++j) {
    for (int k = 0; k <= j; ++k) gram[j * 6 + k] = padded::sum_of(sum[j][k]);
  }
}

}  // namespace

void Damping::calc(const PairRows& tangents, Index per_contact, const std::vector<double>& c, Index m) {
  const PairMaps& maps = tangents.maps();
  B_.setZero(m, m);
  for (Index p = 0; p < tangents.slices(); ++p) {
    const PairRows::Slice slice = tangents.slice(p);
    const PairMaps::Pair& pair = maps[p];
    const Index width = pair.width, support = pair.support;
    weights_.assign(static_cast<std::size_t>(slice.padded), 0.0);
    for (Index r = slice.first_run; r >= 0; r = tangents.runs()[r].next) {
      const PairRows::Run& run = tangents.runs()[r];
      for (Index i = 0; i < run.count; ++i) {
        weights_[run.position - slice.begin + i] = c[(run.row + i * run.step) / per_contact];
      }
    }
    gram_.resize(static_cast<std::size_t>(width * width));
    if (width == 6) {
      add_gram_of_six(slice, weights_.data(), gram_.data());
    } else {
      add_gram(slice, weights_.data(), gram_.data());
    }
    for (Index j = 0; j < width; ++j) {
      for (Index k = 0; k < j; ++k) gram_[k * width + j] = gram_[j * width + k];
    }
    // Vᵀ gram V over the pair's columns; V = I where rows are whole.
    const auto column = [&pair](Index j) {
      return j < pair.size_a ? pair.start_a + j : pair.start_b + j - pair.size_a;
    };
    if (pair.identity) {
      for (Index j = 0; j < support; ++j) {
        for (Index k = 0; k < support; ++k) B_(column(j), column(k)) += gram_[j * width + k];
      }
      continue;
    }
    const double* V = maps.numbers(pair.basis);
    product_.assign(static_cast<std::size_t>(width * support), 0.0);
    for (Index j = 0; j < width; ++j) {
      for (Index k = 0; k < width; ++k) {
        for (Index i = 0; i < support; ++i) product_[j * support + i] += gram_[j * width + k] * V[k * support + i];
      }
    }
    for (Index j = 0; j < support; ++j) {
      for (Index k = 0; k < support; ++k) {
        double sum = 0.0;
        for (Index l = 0; l < width; ++l) sum += V[l * support + j] * product_[l * support + k];
        B_(column(j), column(k)) += sum;
      }
    }
  }
}

bool Damping::is_stable() {
  if (B_.trace() < 2.0) return true;
  B_ = -B_;
  B_.diagonal().array() += 2.0;
  const bool stable = factor_cholesky(B_, factor_);
  B_.diagonal().array() -= 2.0;
  B_ = -B_;
  return stable;
}

double Damping::largest_rate() const {
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(B_, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff();
}

}  // namespace tribo
