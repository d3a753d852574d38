#include "tribo/certify/certify.hpp"
#include "tribo/certify/infeasibility.hpp"
#include "tribo/io/problem_file.hpp"

#include "certify/contact_terms.hpp"
#include "support/paths.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

ContactFile read_reference(const std::string& path) {
  const Expected<ProblemFile> file = read_problem(path);
  EXPECT_TRUE(file.has_value()) << path << (file ? "" : file.error().text());
  return std::get<ContactFile>(file.value().problem);
}

// Answers that were verified elsewhere, by other code, must be recognised as answers.
TEST(CertifyReference, AcceptsEveryVerifiedAnswer) {
  int solved = 0;
  for (const std::string& path : testing::reference_files()) {
    const ContactFile file = read_reference(path);
    ASSERT_TRUE(file.expected.has_value()) << path;
    if (file.expected->status != "solved") continue;
    ++solved;
    const Certificate certificate = certify(file.problem, file.model, file.expected->solution);
    EXPECT_LT(certificate.worst, 1e-10) << path;
    for (const Residual& residual : certificate.residuals) {
      EXPECT_LT(residual.relative, 1e-10) << path << ": " << residual.name;
    }
  }
  EXPECT_EQ(solved, 39);
}

// Each velocity entry of the same answers moved by a millionth of the speed scale: the momentum defect is M e_k δ, of
// norm √M_kk δ, or more where an implicit viscous force follows the velocity.
TEST(CertifyReference, RefusesEveryAnswerMoved) {
  for (const std::string& path : testing::reference_files()) {
    const ContactFile file = read_reference(path);
    if (file.expected->status != "solved") continue;
    std::optional<ContactTerms> terms = calc_terms(file.problem);
    ASSERT_TRUE(terms.has_value()) << path;
    terms->include(file.expected->solution.v_next);
    for (Index k = 0; k < file.problem.dof(); ++k) {
      ContactSolution moved = file.expected->solution;
      moved.v_next(k) += 1e-6 * terms->speed / terms->mass_norm(VectorXd::Unit(file.problem.dof(), k));
      EXPECT_GT(certify(file.problem, file.model, moved).worst, 0.999e-6) << path << " entry " << k;
    }
  }
}

// The two negative files: a proof is accepted, and the problem with its offsets relaxed has none.
TEST(CertifyReference, AcceptsTheProofsOfInfeasibility) {
  int proofs = 0;
  for (const std::string& path : testing::reference_files()) {
    ContactFile file = read_reference(path);
    if (file.expected->status == "solved") continue;
    ++proofs;
    ContactSolution proof;
    if (file.expected->status == "infeasible") {
      proof.y_n = file.expected->farkas_y;
    } else {  // two identical rows with different right-hand sides
      ASSERT_EQ(file.problem.J.rows(), 2) << path;
      proof.y_e = file.problem.b_J(0) < file.problem.b_J(1) ? Eigen::Vector2d(1, -1) : Eigen::Vector2d(-1, 1);
    }
    EXPECT_EQ(certify_infeasible(file.problem, file.model, proof).verdict, Verdict::kInfeasible) << path;
    file.problem.b_N.setZero();
    file.problem.b_J.setZero();
    EXPECT_EQ(certify_infeasible(file.problem, file.model, proof).verdict, Verdict::kRejected) << path;
  }
  EXPECT_EQ(proofs, 2);
}

}  // namespace
}  // namespace tribo
