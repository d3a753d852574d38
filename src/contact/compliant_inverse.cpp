#include "tribo/contact/compliant_inverse.hpp"

#include "tribo/problem/compliant_name.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace tribo {
namespace {

// One row at v1.
struct InverseRow {
  double z = 0.0, R = 1.0;
  VectorXd* force = nullptr;
};

class InverseStep {
 public:
  InverseStep(const CompliantProblem& problem, bool convex, CompliantSolution& solution)
      : problem_(problem), convex_(convex), solution_(solution) {}

  void solve() {
    for (const auto& [rows, force] : std::array{
             std::pair{&problem_.bilateral, &solution_.lambda_b}, std::pair{&problem_.unilateral, &solution_.lambda_u},
             std::pair{&problem_.normal, &solution_.lambda_n}, std::pair{&problem_.r, &solution_.lambda_r},
             std::pair{&problem_.s, &solution_.lambda_s}}) {
      force->setZero(rows->rows());
      if (rows != &problem_.bilateral && rows != &problem_.unilateral) continue;
      for (Index i = 0; i < rows->rows(); ++i) {
        const CompliantRow row = calc_row(*rows, i, problem_.h, problem_.product);
        if (!row.acts) continue;
        const double law = -row.D * (rows->G.dot(i, solution_.v1) + row.offset);
        (*force)(i) = rows == &problem_.bilateral ? law : std::max(law, 0.0);
      }
    }
    solution_.states.assign(static_cast<std::size_t>(problem_.contacts()), ContactState::kOpen);
    for (Index i = 0; i < problem_.contacts(); ++i) contact(i);
  }

 private:
  // z and R of the tangents that act, and where their forces go.
  struct Tangents {
    InverseRow row[2];
    int count = 0;
    double slip = 0.0;  // |z_t|
  };

  Tangents find_tangents(Index i) const {
    Tangents tangents;
    if (!(problem_.mu(i) > 0.0)) return tangents;
    for (const auto& [rows, force] :
         {std::pair{&problem_.r, &solution_.lambda_r}, std::pair{&problem_.s, &solution_.lambda_s}}) {
      if (rows->rows() == 0) continue;
      const CompliantRow row = calc_row(*rows, i, problem_.h, problem_.product);
      if (!row.acts) continue;
      InverseRow& at = tangents.row[tangents.count++];
      at = {rows->G.dot(i, solution_.v1) + row.offset, row.compliance, force};
      tangents.slip = std::hypot(tangents.slip, at.z);
    }
    return tangents;
  }

  // |π_t| of (R + θ) π_t = −z_t.
  static double friction(const Tangents& at, double theta) {
    double length = 0.0;
    for (int k = 0; k < at.count; ++k) length = std::hypot(length, at.row[k].z / (at.row[k].R + theta));
    return length;
  }

  // θ ≥ 0 with |π_t| = radius, 0 inside the disc. |π_t| falls with θ.
  static double find_theta(const Tangents& at, double radius) {
    if (friction(at, 0.0) <= radius) return 0.0;
    double low = 0.0, high = at.slip / radius;
    if (at.count == 1 || at.row[0].R == at.row[1].R) return high - at.row[0].R;
    while (true) {
      const double middle = 0.5 * (low + high);
      if (!(middle > low && middle < high)) return middle;
      (friction(at, middle) > radius ? low : high) = middle;
    }
  }

  void contact(Index i) {
    const double S = problem_.rate_scale.size() > 0 ? problem_.rate_scale(i) : 1.0, mu = problem_.mu(i);
    const CompliantRow row = calc_row(problem_.normal, i, problem_.h, problem_.product, S);
    if (!row.acts) return;
    const double z = problem_.normal.G.dot(i, solution_.v1) + row.offset;
    const Tangents at = find_tangents(i);
    const double pi = convex_ && at.count > 0 ? cone_load(at, z, row.compliance, mu) : -z / row.compliance;
    if (!(pi > 0.0)) return;
    solution_.lambda_n(i) = pi / problem_.h;
    const double theta = at.count > 0 ? find_theta(at, mu * pi) : 0.0;
    for (int k = 0; k < at.count; ++k) {
      (*at.row[k].force)(i) = -at.row[k].z / (at.row[k].R + theta) / problem_.h;
    }
    const bool sticks = at.count > 0 && theta == 0.0;
    solution_.states[static_cast<std::size_t>(i)] = sticks ? ContactState::kStick : ContactState::kSlide;
  }

  // π_n of the cone: z + R π_n = mu |e_t|, |e_t| = θ mu π_n; the left side grows with π_n and the right side falls.
  static double cone_load(const Tangents& at, double z, double R, double mu) {
    const double plain = -z / R;
    if (plain > 0.0 && friction(at, 0.0) <= mu * plain) return plain;
    if (!(mu * at.slip - z > 0.0)) return 0.0;
    const auto equal = [&](double R_t) { return (mu * at.slip - z) / (R + mu * mu * R_t); };
    const double first = equal(at.row[0].R);
    if (at.count == 1 || at.row[0].R == at.row[1].R) return first;
    double low = std::min(first, equal(at.row[1].R)), high = std::max(first, equal(at.row[1].R));
    while (true) {
      const double middle = 0.5 * (low + high);
      if (!(middle > low && middle < high)) return middle;
      const double missing = z + R * middle - mu * find_theta(at, mu * middle) * mu * middle;
      (missing > 0.0 ? high : low) = middle;
    }
  }

  const CompliantProblem& problem_;
  bool convex_;
  CompliantSolution& solution_;
};

}  // namespace

Expected<CompliantInverse> solve_inverse(const CompliantProblem& problem, const Compliant& model, const VectorIn& v1) {
  if (Checked valid = validate(problem); !valid) return Unexpected<Error>{valid.error()};
  if (v1.size() != problem.dof() || !v1.allFinite()) {
    return fail("has another size than the velocity, or is not finite", "v1", "give one number per degree of freedom");
  }
  const bool program = (model.unilateral == UnilateralLaw::kLeastNorm && problem.unilateral.rows() > 0) ||
                       (model.friction == FrictionLaw::kWeighted && problem.contacts() > 0);
  if (program || problem.product == VelocityProduct::kPaper) {
    return fail("has no inverse in closed form", "model " + compliant_name(problem, model),
                "use compliant/lcp, compliant/coulomb or compliant/convex-cone, with none or spring");
  }
  CompliantInverse inverse;
  CompliantSolution& solution = inverse.solution;
  solution.v1 = v1;
  InverseStep(problem, model.friction == FrictionLaw::kConvexCone, solution).solve();
  inverse.f = problem.mass.multiply((v1 - problem.v) / problem.h);
  const auto subtract = [&](const CompliantRows& rows, const VectorXd& force) {
    for (Index i = 0; i < rows.rows(); ++i) rows.G.add_scaled(i, -force(i), inverse.f);
  };
  subtract(problem.bilateral, solution.lambda_b);
  subtract(problem.unilateral, solution.lambda_u);
  subtract(problem.normal, solution.lambda_n);
  subtract(problem.r, solution.lambda_r);
  subtract(problem.s, solution.lambda_s);
  return inverse;
}

}  // namespace tribo
