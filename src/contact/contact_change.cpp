#include "contact/contact_change.hpp"

namespace tribo {
namespace {

double dot_rows(const BlockRows& a, const BlockRows& b) {
  if (a.rows() == 0 || b.rows() == 0) return 0.0;
  double sum = 0.0;
  VectorXd row(a.cols());
  for (Index i = 0; i < a.rows(); ++i) {
    row.setZero();
    a.add_scaled(i, 1.0, row);
    sum += b.dot(i, row);
  }
  return sum;
}

}  // namespace

double dot(const ContactChange& gradient, const ContactChange& change) {
  double sum = gradient.h * change.h;
  const auto add = [&](const VectorXd& a, const VectorXd& b) {
    if (a.size() > 0 && b.size() > 0) sum += a.dot(b);
  };
  add(gradient.v, change.v);
  add(gradient.f, change.f);
  add(gradient.b_N, change.b_N);
  add(gradient.b_J, change.b_J);
  add(gradient.bound, change.bound);
  add(gradient.mu, change.mu);
  add(gradient.mu_spin, change.mu_spin);
  add(gradient.mu_roll, change.mu_roll);
  add(gradient.compliance, change.compliance);
  add(gradient.tangential_compliance, change.tangential_compliance);
  if (gradient.mass.size() > 0 && change.mass.size() > 0) {
    for (Index b = 0; b < change.mass.blocks(); ++b) {
      sum += gradient.mass.block(b).cwiseProduct(change.mass.block(b)).sum();
    }
  }
  for (std::size_t k = 0; k < kKinds; ++k) sum += dot_rows(*rows_of(gradient)[k], *rows_of(change)[k]);
  return sum;
}

}  // namespace tribo
