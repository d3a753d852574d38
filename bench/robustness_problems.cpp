#include "robustness_problems.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/formulation/normal.hpp"

#include <array>
#include <utility>

#include "timing.hpp"

namespace tribo {
namespace {

enum Stream : std::uint64_t { kLcpStream = 101, kBoxStream, kMixedStream, kFactoredStream };

constexpr std::array<std::pair<MatrixClass, const char*>, 5> kClasses = {{
    {MatrixClass::kSpd, "spd"},
    {MatrixClass::kPsd, "psd"},
    {MatrixClass::kRankDeficient, "rank-deficient"},
    {MatrixClass::kP, "p"},
    {MatrixClass::kCopositive, "copositive"},
}};

// 1 … largest; half of them below largest/8.
Index choose_size(Index largest, Random& random) {
  const double u = random.uniform();
  return 1 + static_cast<Index>(u * u * u * static_cast<double>(largest));
}

FactoredLcp row_trial(bool solvable, bool repeated, Random& random) {
  const Index n = choose_size(40, random);
  const Index m = choose_size(12, random);
  MatrixXd G(n, m);
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < m; ++k) G(i, k) = random.uniform(-1.0, 1.0);
    if (i > 0 && repeated && random.chance(0.5)) G.row(i) = G.row(random.integer(0, i - 1));
  }
  VectorXd q(n), z(n);
  for (Index i = 0; i < n; ++i) {
    const bool force = random.chance(0.4);
    const double value = random.chance(0.2) ? 0.0 : random.uniform(0.1, 2.0);
    z(i) = force ? value : 0.0;
    q(i) = solvable ? (force ? 0.0 : value) : random.uniform(-1.0, 1.0);
  }
  if (solvable) q -= G * (G.transpose() * z);
  return make_factored(std::move(G), std::move(q));
}

// With b_N = 0 and b_J = 0 standing still is feasible, so an answer exists.
FactoredLcp contact_trial(const ContactModel& model, Random& random) {
  const RandomBodies settings{.bodies = random.integer(1, 4),
                              .contacts = choose_size(40, random),
                              .redundant = random.uniform(),
                              .bilateral = random.integer(0, 3),
                              .trees = random.chance(0.5)};
  ContactProblem problem = random_bodies(settings, random);
  problem.b_N.setZero();
  problem.b_J.setZero();
  NormalFormulation formulation;
  TRIBO_REQUIRE(formulation.update(problem, model).has_value() && formulation.consistent(),
                "homogeneous rows are consistent");
  return as_factored(formulation.problem());
}

}  // namespace

Trial<Lcp> make_lcp_trial(std::uint64_t seed, std::uint64_t index) {
  Random random(derive_seed(seed, kLcpStream, index));
  const auto& [matrix_class, name] = kClasses[index % kClasses.size()];
  const auto kind = (index / kClasses.size()) % 4;
  const bool built_backwards = kind % 2 == 1;
  const Index n = choose_size(39, random);
  Trial<Lcp> trial;
  trial.problem = built_backwards ? solvable_lcp(matrix_class, n, random) : random_lcp(matrix_class, n, random);
  if (kind >= 2) trial.problem = badly_scaled(trial.problem, matrix_class, random);
  trial.group = name;
  trial.kind = std::string(built_backwards ? "solvable" : "random") + (kind >= 2 ? ", badly scaled" : "");
  trial.symmetric = matrix_class != MatrixClass::kP && matrix_class != MatrixClass::kCopositive;
  trial.solvable = built_backwards || matrix_class == MatrixClass::kSpd || matrix_class == MatrixClass::kP;
  trial.copositive = matrix_class == MatrixClass::kCopositive;
  return trial;
}

Trial<BoxLcp> make_box_trial(std::uint64_t seed, std::uint64_t index) {
  Random random(derive_seed(seed, kBoxStream, index));
  Trial<BoxLcp> trial;
  trial.solvable = index % 2 == 1;
  const Index n = choose_size(39, random);
  trial.problem = trial.solvable ? solvable_box_lcp(n, random) : random_box_lcp(n, random);
  trial.group = "box";
  trial.kind = trial.solvable ? "solvable" : "random";
  return trial;
}

Trial<MixedLcp> make_mixed_trial(std::uint64_t seed, std::uint64_t index) {
  Random random(derive_seed(seed, kMixedStream, index));
  Trial<MixedLcp> trial;
  trial.solvable = index % 2 == 1;
  const Index free = choose_size(12, random) - 1;
  const Index complementary = choose_size(24, random);
  trial.problem =
      trial.solvable ? solvable_mixed_lcp(free, complementary, random) : random_mixed_lcp(free, complementary, random);
  trial.group = "mixed";
  trial.kind = trial.solvable ? "solvable" : "random";
  trial.symmetric = false;
  return trial;
}

Trial<FactoredLcp> make_factored_trial(std::uint64_t seed, std::uint64_t index) {
  Random random(derive_seed(seed, kFactoredStream, index));
  Trial<FactoredLcp> trial;
  const auto source = index % 4;
  trial.solvable = source >= 2 || (index / 4) % 2 == 1;
  trial.kind = trial.solvable ? "solvable" : "random";
  trial.group = std::array{"rows", "repeated rows", "frictionless", "no-slip"}[source];
  trial.problem = source < 2    ? row_trial(trial.solvable, source == 1, random)
                  : source == 2 ? contact_trial(Frictionless{}, random)
                                : contact_trial(NoSlip{}, random);
  return trial;
}

}  // namespace tribo
