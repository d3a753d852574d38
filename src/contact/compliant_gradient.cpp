#include "tribo/contact/compliant_gradient.hpp"

#include "tribo/certify/compliant.hpp"
#include "tribo/core/assert.hpp"
#include "tribo/problem/compliant_name.hpp"

#include <array>
#include <optional>
#include <utility>

#include "contact/compliant_gradient_rows.hpp"

namespace tribo {
namespace {

constexpr double kCertified = 1e-6;

double product(const VectorXd& a, const VectorXd& b) { return a.size() > 0 && b.size() > 0 ? a.dot(b) : 0.0; }

double product(const CompliantRowsChange& a, const CompliantRowsChange& b) {
  return product(a.offset, b.offset) + product(a.phi, b.phi) + product(a.K, b.K) + product(a.B, b.B);
}

}  // namespace

double dot(const CompliantChange& gradient, const CompliantChange& change) {
  return product(gradient.v, change.v) + product(gradient.f, change.f) + product(gradient.mu, change.mu) +
         product(gradient.bilateral, change.bilateral) + product(gradient.unilateral, change.unilateral) +
         product(gradient.normal, change.normal) + product(gradient.r, change.r) + product(gradient.s, change.s);
}

struct CompliantGradient::Data {
  Data(const CompliantProblem& from, const CompliantSolution& solution) : problem(from), rows(problem, solution) {}

  CompliantProblem problem;
  GradientRows rows;
  GradientStates states;
  std::optional<LinearResponse> response;
};

CompliantGradient::CompliantGradient(std::unique_ptr<Data> data) : data_(std::move(data)) {}
CompliantGradient::~CompliantGradient() = default;
CompliantGradient::CompliantGradient(CompliantGradient&&) noexcept = default;
CompliantGradient& CompliantGradient::operator=(CompliantGradient&&) noexcept = default;

Expected<CompliantGradient> CompliantGradient::make(const CompliantProblem& problem, const Compliant& model,
                                                    const CompliantSolution& solution,
                                                    const CompliantGradientSettings& settings) {
  if (Checked valid = validate(problem); !valid) return Unexpected<Error>{valid.error()};
  if (Checked fits = check_model(problem, model); !fits) return Unexpected<Error>{fits.error()};
  if (problem.product == VelocityProduct::kPaper) {
    return fail("has no derivatives here", "VelocityProduct::kPaper", "use kSpring, which has the same stiff limit");
  }
  const Certificate certificate = certify(problem, model, solution);
  if (!certificate.passes(kCertified)) {
    return fail("the certificate does not pass (worst residual " + std::to_string(certificate.worst) + ")", "solution",
                "solve the problem with this model to 1e-6 or better first");
  }
  auto data = std::make_unique<Data>(problem, solution);
  const bool weighted = model.friction == FrictionLaw::kWeighted && problem.contacts() > 0;
  const bool least_norm = model.unilateral == UnilateralLaw::kLeastNorm && problem.unilateral.rows() > 0;
  if (weighted || least_norm) {
    const double zeta = weighted ? problem.normal_weight() : 1.0;
    data->response = linearise_program(data->problem, solution, zeta, settings.boundary, data->rows, data->states);
  } else {
    const bool convex = model.friction == FrictionLaw::kConvexCone;
    data->response = linearise_laws(data->problem, convex, settings.boundary, data->rows, data->states);
  }
  if (!data->response) {
    return fail("the equations of a small change are singular", "solution",
                "there is no derivative here; with kCoulomb the contacts are at the edge of jamming");
  }
  return CompliantGradient(std::move(data));
}

VectorXd CompliantGradient::forward(const CompliantChange& change) const {
  return data_->response->forward(data_->rows.flatten(change)).head(data_->problem.dof());
}

CompliantChange CompliantGradient::adjoint(const VectorIn& g) const {
  const Index n = data_->problem.dof();
  TRIBO_REQUIRE(g.size() == n, "the gradient over v1 has one entry per degree of freedom");
  VectorXd whole = VectorXd::Zero(data_->response->unknowns());
  whole.head(n) = g;
  return data_->rows.unflatten(data_->response->adjoint(whole));
}

namespace {

MatrixXd columns_of(const CompliantGradient& gradient, VectorXd CompliantChange::*entries, Index dof) {
  MatrixXd result(dof, dof);
  CompliantChange change;
  for (Index j = 0; j < dof; ++j) {
    change.*entries = VectorXd::Unit(dof, j);
    result.col(j) = gradient.forward(change);
  }
  return result;
}

}  // namespace

MatrixXd CompliantGradient::over_v() const { return columns_of(*this, &CompliantChange::v, data_->problem.dof()); }
MatrixXd CompliantGradient::over_f() const { return columns_of(*this, &CompliantChange::f, data_->problem.dof()); }

const std::vector<ContactState>& CompliantGradient::states() const { return data_->states.contacts; }
const IndexList& CompliantGradient::undecided_contacts() const { return data_->states.undecided_contacts; }
const IndexList& CompliantGradient::undecided_unilateral() const { return data_->states.undecided_unilateral; }

}  // namespace tribo
