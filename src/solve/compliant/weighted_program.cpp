#include "solve/compliant/weighted_program.hpp"

#include <algorithm>
#include <cmath>

#include "solve/compliant/row_factor.hpp"
#include "solve/compliant/weighted_mass.hpp"

namespace tribo::compliant {

namespace {

void write_column(const BlockRows& G, Index i, ExtendedMatrix& columns, Index j) {
  for (int k = 0; k < 2; ++k) {
    const Index block = G.block(i, k);
    if (block < 0) continue;
    for (Index a = 0; a < G.layout().size(block); ++a) columns(G.layout().start(block) + a, j) = G.values(i, k)[a];
  }
}

Extended dot_columns(const ExtendedMatrix& A, Index i, const ExtendedMatrix& B, Index j) {
  Extended sum = 0;
  for (Index k = 0; k < A.rows(); ++k) sum += A(k, i) * B(k, j);
  return sum;
}

double rate_scale_of(const CompliantProblem& problem, Index contact) {
  return problem.rate_scale.size() > 0 ? problem.rate_scale(contact) : 1.0;
}

const CompliantRows& program_rows_of(const CompliantProblem& problem, WeightedForce::Kind kind) {
  switch (kind) {
    case WeightedForce::Kind::kUnilateral:
      return problem.unilateral;
    case WeightedForce::Kind::kNormal:
      return problem.normal;
    case WeightedForce::Kind::kR:
      return problem.r;
    case WeightedForce::Kind::kS:
      break;
  }
  return problem.s;
}

VectorXd& program_forces_of(CompliantSolution& solution, WeightedForce::Kind kind) {
  switch (kind) {
    case WeightedForce::Kind::kUnilateral:
      return solution.lambda_u;
    case WeightedForce::Kind::kNormal:
      return solution.lambda_n;
    case WeightedForce::Kind::kR:
      return solution.lambda_r;
    case WeightedForce::Kind::kS:
      break;
  }
  return solution.lambda_s;
}

// Lays out units, rows and residuals; c holds the offsets β until the velocities are there.
class ProgramLayout {
 public:
  using Kind = WeightedForce::Kind;

  ProgramLayout(const CompliantProblem& problem, double zeta, WeightedProgram& program)
      : problem_(problem), program_(program) {
    for (Index i = 0; i < problem.unilateral.rows(); ++i) add_unit({Kind::kUnilateral, i}, 1.0, zeta);
    for (Index i = 0; i < problem.contacts(); ++i) {
      if (!add_unit({Kind::kNormal, i}, rate_scale_of(problem, i), zeta)) continue;
      program.units.back().contact = i;
      program.units.back().row += problem.unilateral.rows();
      program.units.back().mu = problem.mu(i);
      if (!(problem.mu(i) > 0.0)) continue;
      if (problem.r.rows() > 0) add_tangent({Kind::kR, i});
      if (problem.s.rows() > 0) add_tangent({Kind::kS, i});
    }
    const Index n = static_cast<Index>(weights_.size());
    program.weight.resize(n);
    program.c.resize(n);
    program.whitened.setZero(problem.dof(), n);
    for (Index j = 0; j < n; ++j) {
      const WeightedForce force = program.forces[static_cast<std::size_t>(j)];
      program.weight(j) = weights_[static_cast<std::size_t>(j)];
      program.c(j) = offsets_[static_cast<std::size_t>(j)];
      write_column(program_rows_of(problem, force.kind).G, force.index, program.whitened, j);
    }
  }

 private:
  Index add_force(WeightedForce force, double weight, double offset) {
    program_.forces.push_back(force);
    weights_.push_back(weight);
    offsets_.push_back(offset);
    return static_cast<Index>(weights_.size()) - 1;
  }
  bool add_unit(WeightedForce force, double rate_scale, double zeta) {
    const CompliantRow row =
        calc_row(program_rows_of(problem_, force.kind), force.index, problem_.h, problem_.product, rate_scale);
    if (!row.acts) return false;
    WeightedUnit unit;
    unit.first = add_force(force, zeta, row.offset);
    unit.row = force.index;
    program_.units.push_back(unit);
    program_.rows.push_back({unit.first, row.D});
    return true;
  }
  void add_tangent(WeightedForce force) {
    const CompliantRow row = calc_row(program_rows_of(problem_, force.kind), force.index, problem_.h, problem_.product);
    if (!row.acts) return;
    program_.residuals.push_back({add_force(force, 1.0, row.offset), row.D});
    ++program_.units.back().size;
  }

  const CompliantProblem& problem_;
  WeightedProgram& program_;
  std::vector<double> weights_, offsets_;
};

// VelocityProduct::kPaper: λ = law − p, W_b p = Ġ v0, which is the law with the offset β + p/D.
bool feed_program_forward(const CompliantProblem& problem, const std::vector<CompliantRow>& rows,
                          WeightedProgram& program) {
  const Index m = static_cast<Index>(rows.size()), n = problem.dof();
  if (problem.product != VelocityProduct::kPaper || problem.bilateral.drift.size() == 0 || m == 0) return true;
  RowFactor factor;
  factor.resize(m, n, false);
  for (Index k = 0; k < m; ++k) {
    for (Index j = 0; j < n; ++j) factor.column(j)[k] = static_cast<double>(program.whitened_bilateral(j, k));
    factor.rate()[k] = problem.bilateral.drift(program.acting_bilateral[static_cast<std::size_t>(k)]);
  }
  VectorXd p(m), left(m);
  if (!factor.solve_least_norm(p.data(), left.data())) return false;
  for (Index k = 0; k < m; ++k) {
    program.rate_bilateral(k) +=
        static_cast<Extended>(p(k)) / static_cast<Extended>(rows[static_cast<std::size_t>(k)].D);
  }
  return true;
}

// Bilateral rows (A3): T = I + S W_b S, factored.
bool factor_bilateral(const CompliantProblem& problem, const ExtendedMass& mass, const ExtendedVector& free_velocity,
                      WeightedProgram& program) {
  std::vector<CompliantRow> rows;
  for (Index i = 0; i < problem.bilateral.rows(); ++i) {
    const CompliantRow row = calc_row(problem.bilateral, i, problem.h, problem.product);
    if (!row.acts) continue;
    rows.push_back(row);
    program.acting_bilateral.push_back(i);
  }
  const Index m = static_cast<Index>(rows.size());
  program.whitened_bilateral.setZero(problem.dof(), m);
  program.root_bilateral.resize(m);
  program.rate_bilateral.resize(m);
  for (Index k = 0; k < m; ++k) {
    const CompliantRow& row = rows[static_cast<std::size_t>(k)];
    write_column(problem.bilateral.G, program.acting_bilateral[static_cast<std::size_t>(k)], program.whitened_bilateral,
                 k);
    mass.whiten(program.whitened_bilateral.col(k));
    program.root_bilateral(k) = std::sqrt(static_cast<Extended>(problem.h) * row.D);
    program.rate_bilateral(k) = row.offset;
    for (Index a = 0; a < problem.dof(); ++a) {
      program.rate_bilateral(k) += program.whitened_bilateral(a, k) * free_velocity(a);
    }
  }
  if (!feed_program_forward(problem, rows, program)) return false;
  program.factor_bilateral.setZero(m, m);
  for (Index j = 0; j < m; ++j) {
    for (Index i = j; i < m; ++i) {
      const Extended W = dot_columns(program.whitened_bilateral, i, program.whitened_bilateral, j);
      program.factor_bilateral(i, j) = program.root_bilateral(i) * W * program.root_bilateral(j) + (i == j ? 1 : 0);
    }
  }
  return factor_extended(program.factor_bilateral);
}

// W and c of (1). With Y = C⁻¹ S Ĝ_b, C Cᵀ = T:  Ĝ A Ĝᵀ = Ĝ Ĝᵀ − (Y Ĝᵀ)ᵀ (Y Ĝᵀ).
void calc_couplings(Extended h, const ExtendedVector& free_velocity, WeightedProgram& program) {
  const Index n = program.size(), m = program.root_bilateral.size();
  ExtendedMatrix Z(m, n);
  for (Index j = 0; j < n; ++j) {
    for (Index k = 0; k < m; ++k) {
      Z(k, j) = program.root_bilateral(k) * dot_columns(program.whitened_bilateral, k, program.whitened, j);
    }
    solve_extended_lower(program.factor_bilateral, 0, Z.col(j));
  }
  program.mobile = program.whitened;  // less Yᵀ (Y Ĝᵀ)
  for (Index a = 0; a < program.whitened.rows() && m > 0; ++a) {
    ExtendedVector Y = program.root_bilateral.cwiseProduct(program.whitened_bilateral.row(a).transpose());
    solve_extended_lower(program.factor_bilateral, 0, Y);
    for (Index j = 0; j < n; ++j) {
      for (Index k = 0; k < m; ++k) program.mobile(a, j) -= Y(k) * Z(k, j);
    }
  }
  ExtendedVector rate = program.root_bilateral.cwiseProduct(program.rate_bilateral);
  solve_extended_lower(program.factor_bilateral, 0, rate);
  program.W.resize(n, n);
  for (Index j = 0; j < n; ++j) {
    for (Index i = j; i < n; ++i) {
      program.W(i, j) = h * (dot_columns(program.whitened, i, program.whitened, j) - dot_columns(Z, i, Z, j));
      program.W(j, i) = program.W(i, j);
    }
    for (Index a = 0; a < free_velocity.size(); ++a) program.c(j) += program.whitened(a, j) * free_velocity(a);
    for (Index k = 0; k < m; ++k) program.c(j) -= Z(k, j) * rate(k);
  }
}

ExtendedVector whitened_free_velocity(const CompliantProblem& problem, const ExtendedMass& mass) {
  // Lᵀ v* = L⁻¹ (M v0 + h f)
  ExtendedVector momentum = static_cast<Extended>(problem.h) * problem.f.cast<Extended>();
  for (Index b = 0; b < problem.mass.blocks(); ++b) {
    const MatrixXd& block = problem.mass.block(b);
    const Index start = problem.mass.layout().start(b);
    for (Index j = 0; j < block.cols(); ++j) {
      for (Index i = 0; i < block.rows(); ++i) {
        momentum(start + i) += static_cast<Extended>(block(i, j)) * static_cast<Extended>(problem.v(start + j));
      }
    }
  }
  mass.whiten(momentum);
  return momentum;
}

}  // namespace

Extended WeightedProgram::value(const WeightedRow& row, const ExtendedVector& x) const {
  Extended sum = x(row.x) / row.D + c(row.x);
  for (Index j = 0; j < x.size(); ++j) sum += W(j, row.x) * x(j);
  return sum;
}

bool make_program(const CompliantProblem& problem, double zeta, WeightedProgram& program) {
  program = WeightedProgram();
  ExtendedMass mass;
  if (!mass.assign(problem.mass)) return false;
  const ProgramLayout layout(problem, zeta, program);
  for (Index j = 0; j < program.size(); ++j) mass.whiten(program.whitened.col(j));
  const ExtendedVector free_velocity = whitened_free_velocity(problem, mass);
  if (!factor_bilateral(problem, mass, free_velocity, program)) return false;
  program.h = problem.h;
  calc_couplings(problem.h, free_velocity, program);
  const auto consider = [&](const WeightedRow& row) {
    program.force = std::max(program.force, std::abs(program.c(row.x)) / (program.W(row.x, row.x) + 1 / row.D));
  };
  for (const WeightedRow& row : program.rows) consider(row);
  for (const WeightedRow& row : program.residuals) consider(row);
  return std::isfinite(program.force) && program.c.allFinite() && program.W.allFinite();
}

void lift(const CompliantProblem& problem, const WeightedProgram& program, const ExtendedVector& x,
          CompliantSolution& solution) {
  solution.lambda_u.setZero(problem.unilateral.rows());
  solution.lambda_n.setZero(problem.contacts());
  solution.lambda_r.setZero(problem.r.rows());
  solution.lambda_s.setZero(problem.s.rows());
  solution.lambda_b.setZero(problem.bilateral.rows());
  for (Index j = 0; j < program.size(); ++j) {
    const WeightedForce force = program.forces[static_cast<std::size_t>(j)];
    program_forces_of(solution, force.kind)(force.index) = static_cast<double>(x(j));
  }

  ExtendedMass mass;
  if (!mass.assign(problem.mass)) return;  // make_program has seen it
  const Extended h = problem.h;
  ExtendedVector impulse = ExtendedVector::Zero(problem.dof());  // whitened, of the units
  for (Index j = 0; j < program.size(); ++j) impulse += h * x(j) * program.whitened.col(j);
  // T y = −S (β + G_b (v* + M⁻¹ Gᵀ h x)),  h λ_b = S y
  const Index m = program.root_bilateral.size();
  ExtendedVector y(m);
  for (Index k = 0; k < m; ++k) {
    Extended rate = program.rate_bilateral(k);
    for (Index a = 0; a < impulse.size(); ++a) rate += program.whitened_bilateral(a, k) * impulse(a);
    y(k) = -program.root_bilateral(k) * rate;
  }
  solve_extended_lower(program.factor_bilateral, 0, y);
  solve_extended_upper(program.factor_bilateral, 0, y);
  for (Index k = 0; k < m; ++k) {
    const Extended pi = program.root_bilateral(k) * y(k);
    solution.lambda_b(program.acting_bilateral[static_cast<std::size_t>(k)]) = static_cast<double>(pi / h);
    impulse += pi * program.whitened_bilateral.col(k);
  }
  impulse += whitened_free_velocity(problem, mass);
  mass.unwhiten(impulse);
  solution.v1 = impulse.cast<double>();
}

}  // namespace tribo::compliant
