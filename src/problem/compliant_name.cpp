#include "tribo/problem/compliant_name.hpp"

#include <array>

namespace tribo {
namespace {

constexpr std::array kCompliantModels = {
    ModelInfo{"compliant", "springs and dampers integrated implicitly, as the problem or scene says"},
    ModelInfo{"compliant/none", "the same without the velocity-product term: stable at the largest steps"},
    ModelInfo{"compliant/spring", "the same with the velocity-product term in the predicted rates"},
    ModelInfo{"compliant/paper", "bilateral rows with the velocity-product term fed forward, as printed in 2018"},
    ModelInfo{"compliant/lcp", "unilateral rows obey max(0, spring law), all at once"},
    ModelInfo{"compliant/qp", "unilateral rows by the least-norm program of 2018, which loads open springs"},
    ModelInfo{"compliant/coulomb", "contacts obey the normal law and Coulomb's law, both exactly"},
    ModelInfo{"compliant/convex-cone", "the convex relaxation of it: always solvable, sliding contacts glide"},
    ModelInfo{"compliant/paper-qcqp", "the weighted program of 2018, corrected: it inflates normal forces"},
};

constexpr std::array kProducts = {VelocityProduct::kNone, VelocityProduct::kSpring, VelocityProduct::kPaper};
constexpr std::array kUnilateralLaws = {UnilateralLaw::kComplementarity, UnilateralLaw::kLeastNorm};
constexpr std::array kFrictionLaws = {FrictionLaw::kCoulomb, FrictionLaw::kConvexCone, FrictionLaw::kWeighted};

std::string all_compliant_names() {
  std::string names;
  for (const ModelInfo& model : kCompliantModels) names += (names.empty() ? "" : ", ") + std::string(model.name);
  return names;
}

}  // namespace

std::string to_string(VelocityProduct product) {
  return product == VelocityProduct::kNone ? "none" : product == VelocityProduct::kSpring ? "spring" : "paper";
}
std::string to_string(UnilateralLaw law) { return law == UnilateralLaw::kComplementarity ? "lcp" : "qp"; }
std::string to_string(FrictionLaw law) {
  return law == FrictionLaw::kCoulomb ? "coulomb" : law == FrictionLaw::kConvexCone ? "convex-cone" : "paper-qcqp";
}

std::span<const ModelInfo> compliant_models() { return kCompliantModels; }

bool is_compliant_name(const std::string& name) { return name == "compliant" || name.starts_with("compliant/"); }

Expected<CompliantName> parse_compliant_name(const std::string& name) {
  const std::string prefix = "compliant/";
  if (name == "compliant") return CompliantName{};
  const std::string variant = name.starts_with(prefix) ? name.substr(prefix.size()) : "";
  for (const VelocityProduct product : kProducts) {
    if (variant == to_string(product)) return CompliantName{.product = product, .unilateral = {}, .friction = {}};
  }
  for (const UnilateralLaw law : kUnilateralLaws) {
    if (variant == to_string(law)) return CompliantName{.product = {}, .unilateral = law, .friction = {}};
  }
  for (const FrictionLaw law : kFrictionLaws) {
    if (variant == to_string(law)) return CompliantName{.product = {}, .unilateral = {}, .friction = law};
  }
  return fail("there is no compliant model \"" + name + "\"", "", "give one of " + all_compliant_names());
}

Checked check_model(const CompliantProblem& problem, const Compliant& model) {
  if (model.unilateral == UnilateralLaw::kLeastNorm && problem.contacts() > 0) {
    return fail("the least-norm program has no place for contacts", "model compliant/qp",
                "use compliant/coulomb, compliant/convex-cone or compliant/paper-qcqp");
  }
  return ok();
}

Checked apply(const CompliantName& name, CompliantProblem& problem, Compliant& model) {
  const std::string where = "model compliant/";
  if (name.unilateral && problem.unilateral.rows() == 0) {
    return fail("the problem has no unilateral rows", where + to_string(*name.unilateral),
                problem.contacts() > 0 ? "name a law of friction, for example compliant/coulomb"
                                       : "use compliant, compliant/none, compliant/spring or compliant/paper");
  }
  if (name.friction && problem.contacts() == 0) {
    return fail("the problem has no contacts", where + to_string(*name.friction),
                problem.unilateral.rows() > 0 ? "use compliant/lcp or compliant/qp"
                                              : "use compliant, compliant/none, compliant/spring or compliant/paper");
  }
  if (name.product) problem.product = *name.product;
  if (name.unilateral) model.unilateral = *name.unilateral;
  if (name.friction) model.friction = *name.friction;
  return check_model(problem, model);
}

std::string compliant_name(const CompliantProblem& problem, const Compliant& model) {
  const std::string prefix = "compliant/";
  if (problem.contacts() > 0) return prefix + to_string(model.friction);
  if (problem.unilateral.rows() > 0) return prefix + to_string(model.unilateral);
  return prefix + to_string(problem.product);
}

}  // namespace tribo
