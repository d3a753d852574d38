// The methods that the study compares, behind one call: from a ContactProblem to v⁺, workspaces kept between calls.
// What is timed is solve() and nothing else; the certificate is computed apart, on the answer that came back.
#pragma once

#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/model.hpp"
#include "tribo/problem/solution.hpp"
#include "tribo/solve/report.hpp"

#include <memory>
#include <span>
#include <string>

namespace tribo {

class StepMethod {
 public:
  virtual ~StepMethod() = default;
  // The problem must be valid. Equality rows that contradict one another end in kInconsistentEqualities.
  virtual SolveReport solve(const ContactProblem& problem, ContactSolution& solution) = 0;
  // The largest relative residual of what the last solve() returned.
  virtual double certificate(const ContactProblem& problem, const ContactSolution& solution) const = 0;
  // Complementarity rows of the last solve().
  virtual Index rows() const = 0;
};

enum class PivotRule { kPrincipalPivoting, kDualActiveSet };

// Frictionless, NoSlip, Viscous: pivoting on the normals. With `warm` every solve starts from the active set of the
// last one.
std::unique_ptr<StepMethod> make_normal_method(const ContactModel& model, PivotRule rule, bool warm = false);
// The no-slip model as  min ½ vᵀM v − (M v + h f)ᵀv  subject to J v = −b_J, S v = 0, T v = 0, N v ≥ −b_N,  dense.
std::unique_ptr<StepMethod> make_no_slip_qp();
// Coulomb's law on a polygon as one LCP of n (sides + 2) rows, by Lemke's method on the dense matrix. A path that ends
// without an answer is followed by up to eight with other covering vectors (report.fallback); all of them are timed.
// `first` is the covering vector to begin with; 0: ones.
std::unique_ptr<StepMethod> make_stewart_trinkle(int sides, int first = 0);

struct MethodInfo {
  std::string name;     // in JSON
  std::string summary;  // in tables
  std::unique_ptr<StepMethod> (*make)();
};
// Those of Table I, then two more.
std::span<const MethodInfo> methods();

}  // namespace tribo
