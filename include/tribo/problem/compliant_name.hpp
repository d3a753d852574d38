// Names of the compliant models on the command line: "compliant", and "compliant/…" with
//     none, spring, paper                       what becomes of Ġ v0 (VelocityProduct)
//     lcp, qp                                   unilateral rows (UnilateralLaw)
//     coulomb, convex-cone, paper-qcqp          friction (FrictionLaw)
// A name says one of these and leaves the others as they are.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/problem/compliant_problem.hpp"
#include "tribo/problem/model.hpp"

#include <optional>
#include <span>
#include <string>

namespace tribo {

struct CompliantName {
  std::optional<VelocityProduct> product;
  std::optional<UnilateralLaw> unilateral;
  std::optional<FrictionLaw> friction;
  bool operator==(const CompliantName&) const = default;
};

bool is_compliant_name(const std::string& name);  // "compliant" or "compliant/…", whether it exists or not
Expected<CompliantName> parse_compliant_name(const std::string& name);

// Puts the name into effect. The error says why it does not apply: no such rows, or rows that this law has no place for.
Checked apply(const CompliantName& name, CompliantProblem& problem, Compliant& model);
// The same question about a model as it is: kLeastNorm takes no contacts.
Checked check_model(const CompliantProblem& problem, const Compliant& model);

// What decides on these rows: the law of friction where there are contacts, else that of unilateral rows, else the product.
std::string compliant_name(const CompliantProblem& problem, const Compliant& model);

std::string to_string(VelocityProduct product);  // "none", "spring", "paper"
std::string to_string(UnilateralLaw law);        // "lcp", "qp"
std::string to_string(FrictionLaw law);          // "coulomb", "convex-cone", "paper-qcqp"

std::span<const ModelInfo> compliant_models();

}  // namespace tribo
