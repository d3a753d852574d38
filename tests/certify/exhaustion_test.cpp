#include "certify/exhaustion.hpp"

#include "tribo/certify/infeasibility.hpp"
#include "tribo/core/random.hpp"

#include "certify/certify_testing.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::vec;

// w0 = z1 − 1, w1 = 1: feasible, but z1 > 0 contradicts w1 = 1, and no answer exists. No Farkas vector can
// say so.
Lcp pathless() { return {(MatrixXd(2, 2) << 0, 1, 0, 0).finished(), vec({-1, 1})}; }
Evidence exhaustion() {
  Evidence evidence;
  evidence.kind = Evidence::Kind::kExhaustion;
  evidence.pattern = {"*w", "*z"};
  evidence.separators = (MatrixXd(2, 2) << -1, 0, 0, 1).finished();
  return evidence;
}

// z1 = 0 leaves w0 = −1 < 0; w1 = 0 contradicts w1 = 1.
TEST(CertifyExhaustion, AcceptsTheProof) {
  EXPECT_EQ(certify_infeasible(pathless(), exhaustion()).verdict, Verdict::kInfeasible);
}

// A cone left out, a separator that does not separate, letters that mean nothing.
TEST(CertifyExhaustion, RejectsGapsAndFalseSeparators) {
  const auto verdict = [](const Evidence& evidence) { return certify_infeasible(pathless(), evidence).verdict; };
  Evidence gap = exhaustion();
  gap.pattern = {"zw", "*z"};
  EXPECT_EQ(verdict(gap), Verdict::kRejected);
  Evidence exchanged = exhaustion();
  exchanged.pattern = {"*z", "*w"};
  EXPECT_EQ(verdict(exchanged), Verdict::kRejected);
  Evidence reversed = exhaustion();
  reversed.separators *= -1.0;
  EXPECT_EQ(verdict(reversed), Verdict::kRejected);
  Evidence lumped = exhaustion();
  lumped.pattern = {"**"};
  lumped.separators = (MatrixXd(2, 1) << -1, 0).finished();
  EXPECT_EQ(verdict(lumped), Verdict::kRejected);
  Evidence letters = exhaustion();
  letters.pattern = {"*w", "xz"};
  EXPECT_EQ(verdict(letters), Verdict::kRejected);
  Evidence missing = exhaustion();
  missing.separators.conservativeResize(2, 1);
  EXPECT_EQ(verdict(missing), Verdict::kRejected);
  Lcp solvable = pathless();
  solvable.q(1) = 0.0;  // now z1 = 1, w1 = 0 is an answer
  EXPECT_EQ(certify_infeasible(solvable, exhaustion()).verdict, Verdict::kRejected);
}

// Free unknowns add both signs of their column: the separator must be orthogonal to it.
TEST(CertifyExhaustion, KeepsFreeColumnsOrthogonal) {
  MixedLcp mixed{MatrixXd::Zero(3, 3), vec({0, -1, 1}), 1};
  mixed.M << 1, 0, 0, 0, 0, 1, 0, 0, 0;
  Evidence evidence = exhaustion();
  evidence.separators = (MatrixXd(3, 2) << 0, 0, -1, 0, 0, 1).finished();
  EXPECT_EQ(certify_infeasible(mixed, evidence).verdict, Verdict::kInfeasible);
  mixed.M(1, 0) = 1.0;  // u now pushes row 1, and its own row alone no longer forbids it
  mixed.M(0, 0) = 0.0;
  EXPECT_EQ(certify_infeasible(mixed, evidence).verdict, Verdict::kRejected);
}

// Against counting all words.
TEST(CoversAll, AgreesWithCounting) {
  EXPECT_TRUE(covers_all({""}, 0));
  EXPECT_FALSE(covers_all({}, 0));
  EXPECT_FALSE(covers_all({"zw*", "*zw", "w*z"}, 3));
  EXPECT_TRUE(covers_all({"zw*", "*zw", "w*z", "zzz", "www"}, 3));
  Random random(9);
  int covered_count = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const std::size_t n = static_cast<std::size_t>(random.integer(1, 5));
    std::vector<std::string> patterns(static_cast<std::size_t>(random.integer(1, 12)), std::string(n, '*'));
    for (std::string& pattern : patterns) {
      for (char& letter : pattern) letter = "zw**"[random.integer(0, 3)];
    }
    bool all = true;
    for (std::size_t word = 0; word < (std::size_t{1} << n); ++word) {
      bool any = false;
      for (const std::string& pattern : patterns) {
        bool matches = true;
        for (std::size_t k = 0; k < n; ++k) {
          matches = matches && (pattern[k] == '*' || pattern[k] == ((word >> k & 1) != 0 ? 'z' : 'w'));
        }
        any = any || matches;
      }
      all = all && any;
    }
    EXPECT_EQ(covers_all(patterns, n), all);
    covered_count += all ? 1 : 0;
  }
  EXPECT_GT(covered_count, 100);
  EXPECT_LT(covered_count, 2900);
}

// A search tree of 60 levels has 61 leaves, not 2⁶⁰ words; running out of budget is a refusal.
TEST(CoversAll, FollowsALongTree) {
  const std::size_t n = 60;
  std::vector<std::string> patterns;
  for (std::size_t k = 0; k < n; ++k) {
    patterns.push_back(std::string(n - k - 1, '*') + "z" + std::string(k, 'w'));
  }
  EXPECT_FALSE(covers_all(patterns, n));
  patterns.push_back(std::string(n, 'w'));
  EXPECT_TRUE(covers_all(patterns, n));
  EXPECT_FALSE(covers_all(patterns, n, 10));
}

}  // namespace
}  // namespace tribo
