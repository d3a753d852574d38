#include "certify/compliant_program.hpp"

#include <algorithm>
#include <cmath>

#include "certify/compliant_program_multipliers.hpp"
#include "certify/compliant_program_terms.hpp"
#include "certify/compliant_terms.hpp"
#include "certify/measure.hpp"

namespace tribo {

namespace {

constexpr long double kRoundingShare = 1e-6L;  // of the terms of β in the scale of stationarity

double to_double(long double value) { return static_cast<double>(value); }

void check_program_momentum(const CompliantTerms& terms, Certificate& certificate) {
  const CompliantProblem& problem = *terms.problem;
  const CompliantSolution& solution = *terms.solution;
  const BlockLayout& layout = problem.mass.layout();
  MomentumSums total;
  total.reset(problem.dof());
  VectorXd scale = VectorXd::Zero(layout.blocks());
  // Adds one term and its size, |y|_{M⁻¹} body by body.
  const auto include = [&](const MomentumSums& sums) {
    VectorXd y = sums.value();
    terms.factor.whiten_force(y);
    for (Index b = 0; b < layout.blocks(); ++b) {
      scale(b) = std::max(scale(b), y.segment(layout.start(b), layout.size(b)).norm());
    }
  };
  const auto add = [&](const auto& write) {
    MomentumSums term;
    term.reset(problem.dof());
    write(term);
    include(term);
    write(total);
  };
  add([&](MomentumSums& sums) { add_mass_product(sums, problem.mass, 1.0, solution.v1); });
  add([&](MomentumSums& sums) { add_mass_product(sums, problem.mass, -1.0, problem.v); });
  add([&](MomentumSums& sums) { add_scaled_vector(sums, -problem.h, problem.f); });
  add([&](MomentumSums& sums) { add_rows_transposed(sums, problem.bilateral.G, -problem.h, solution.lambda_b); });
  add([&](MomentumSums& sums) { add_rows_transposed(sums, problem.unilateral.G, -problem.h, solution.lambda_u); });
  add([&](MomentumSums& sums) { add_rows_transposed(sums, problem.normal.G, -problem.h, solution.lambda_n); });
  add([&](MomentumSums& sums) { add_rows_transposed(sums, problem.r.G, -problem.h, solution.lambda_r); });
  add([&](MomentumSums& sums) { add_rows_transposed(sums, problem.s.G, -problem.h, solution.lambda_s); });
  VectorXd defect = total.value();
  terms.factor.whiten_force(defect);
  Worst worst;
  for (Index b = 0; b < layout.blocks(); ++b) {
    worst.consider(defect.segment(layout.start(b), layout.size(b)).norm(), scale(b));
  }
  certificate.add(worst.residual("momentum", "√J"));
}

void check_program_bilateral(const CompliantTerms& terms, const VectorXd& fed, Certificate& certificate) {
  const CompliantRows& rows = terms.problem->bilateral;
  if (rows.rows() == 0) return;
  Worst worst;
  for (Index i = 0; i < rows.rows(); ++i) {
    const CompliantRowState row = calc_row_state(terms, rows, i, terms.solution->lambda_b(i), 1.0, true, fed(i));
    if (row.acts) worst.consider(row.e, row.scale);
  }
  certificate.add(worst.residual("bilateral", "m/s"));
}

// (1)–(2) at the answer, and the multipliers of (3).
class ProgramChecks {
 public:
  ProgramChecks(const ProgramTerms& terms, const VectorXd& multipliers)
      : terms_(terms), multipliers_(multipliers), places_(classify_units(terms)) {
    const Index n = terms.size();
    largest_ = n > 0 ? terms.x.cwiseAbs().maxCoeff() : 0;
    value_.resize(n);
    size_.resize(n);
    for (Index i = 0; i < n; ++i) {  // β or s, with the sum of its terms
      const long double D = terms.D[static_cast<std::size_t>(i)];
      value_(i) = terms.x(i) + D * terms.c(i);
      size_(i) = std::abs(terms.x(i)) + std::abs(D * terms.c(i));
      for (Index j = 0; j < n; ++j) {
        const long double term = D * terms.W(i, j) * terms.x(j);
        value_(i) += term;
        size_(i) += std::abs(term);
      }
    }
    calc_gradient();
  }

  void add_to(Certificate& certificate) {
    Worst rows, cones, complementarity, idle, stationarity, sign;
    for (std::size_t u = 0; u < terms_.units.size(); ++u) {
      const ProgramUnit& unit = terms_.units[u];
      const double slack = to_double(value_(unit.first)), scale = to_double(size_(unit.first));
      const double load = multiplier(u) * to_double(terms_.coefficient(unit.first, unit.first));
      const double load_ratio = ratio(std::max(load, 0.0), to_double(gradient_size_(unit.first)));
      rows.consider(std::min(slack, 0.0), scale);
      complementarity.consider(std::min(ratio(std::max(slack, 0.0), scale), load_ratio), 1.0);
      cones.consider(to_double(std::max(outside_cone(unit, terms_.x), 0.0L)), to_double(largest_));
    }
    idle.consider(terms_.idle, std::max(to_double(largest_), terms_.idle));
    check_optimality(stationarity, sign);
    certificate.add(rows.residual("rows", "N"));
    certificate.add(cones.residual("cones", "N"));
    certificate.add(complementarity.residual("complementarity", "1"));
    certificate.add(stationarity.residual("stationarity", "N"));
    certificate.add(sign.residual("multipliers", "N"));
    certificate.add(idle.residual("idle rows", "N"));
  }

 private:
  double multiplier(std::size_t u) const { return multipliers_(terms_.units[u].multiplier); }

  void calc_gradient() {  // of f, with the sizes of its terms and of those of the rows
    const Index n = terms_.size();
    gradient_ = terms_.weight.cwiseProduct(terms_.x);
    gradient_size_ = gradient_.cwiseAbs();
    const auto add = [&](Index i, long double factor, long double sign) {
      for (Index j = 0; j < n; ++j) {
        const long double term = terms_.coefficient(i, j) * factor;
        gradient_(j) += sign * term;
        gradient_size_(j) += std::abs(term);
      }
    };
    for (Index i = 0; i < n; ++i) {
      if (terms_.is_tangent(i)) add(i, value_(i), 1);
    }
    for (std::size_t u = 0; u < terms_.units.size(); ++u) {
      if (multiplier(u) != 0.0) add(terms_.pushing(u), multiplier(u), 0);
    }
  }

  // (4): d and the multipliers, then the signs of these and the dual cones of unloaded units.
  void check_optimality(Worst& stationarity, Worst& sign) const {
    ProgramMultipliers found(terms_, places_, gradient_, given_multipliers());
    if (!found.ok) {
      stationarity.consider(kInfinity, 1.0);
      return;
    }
    long double weighted = 0, stiff = 0;
    for (Index j = 0; j < terms_.size(); ++j) {
      weighted += terms_.weight(j) * terms_.x(j) * terms_.x(j);
      if (terms_.is_tangent(j)) stiff += size_(j) * size_(j);
    }
    stationarity.consider(to_double(found.distance),
                          to_double(std::sqrt(weighted) + kRoundingShare * std::sqrt(stiff)));
    for (std::size_t u = 0; u < terms_.units.size(); ++u) {
      const ProgramUnit& unit = terms_.units[u];
      const double scale = to_double(gradient_size_.segment(unit.first, unit.size).maxCoeff());
      const long double load = found.row(static_cast<Index>(u)) * terms_.coefficient(unit.first, unit.first);
      sign.consider(to_double(std::min(load, 0.0L)), scale);
      sign.consider(to_double(std::min(found.eta(static_cast<Index>(u)), 0.0L)), scale);
      if (places_[u] == ProgramPlace::kZero) sign.consider(to_double(outside_dual(unit, found.remainder)), scale);
    }
  }

  LongVector given_multipliers() const {
    LongVector given(static_cast<Index>(terms_.units.size()));
    for (std::size_t u = 0; u < terms_.units.size(); ++u) given(static_cast<Index>(u)) = multiplier(u);
    return given;
  }

  const ProgramTerms& terms_;
  const VectorXd& multipliers_;
  std::vector<ProgramPlace> places_;
  long double largest_ = 0;
  LongVector value_, size_, gradient_, gradient_size_;
};

}  // namespace

Certificate certify_program(const CompliantProblem& problem, const Compliant& model,
                            const CompliantSolution& solution) {
  const bool weighted = model.friction == FrictionLaw::kWeighted && problem.contacts() > 0;
  if (!weighted && problem.contacts() > 0 && problem.r.rows() > 0 && problem.mu.maxCoeff() > 0.0)
    return refused("model");
  if (solution.row_multipliers.size() != problem.unilateral.rows() + problem.contacts())
    return refused("row multipliers");
  if (!all_finite(solution.row_multipliers)) return refused("finite");
  CompliantTerms terms;
  if (!calc_terms(problem, solution, terms)) return refused("mass matrix");
  const VectorXd fed = calc_fed_forward(terms);
  ProgramTerms program;
  const double zeta = weighted ? problem.normal_weight() : 1.0;
  if (!calc_program_terms(problem, zeta, solution, fed, program)) return refused("bilateral rows");
  Certificate certificate;
  check_program_momentum(terms, certificate);
  check_program_bilateral(terms, fed, certificate);
  ProgramChecks(program, solution.row_multipliers).add_to(certificate);
  return certificate;
}

}  // namespace tribo
