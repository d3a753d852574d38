// Every LCP and MLCP of the corpus through the default choice of solver.
#include "tribo/contact/solve.hpp"
#include "tribo/io/problem_file.hpp"

#include <iostream>

#include "support/paths.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

bool left_out(const std::vector<std::string>& files, const char* what) {
  if (files.empty()) std::cout << "left out: " << what << " of the corpus (no data under $TRIBO_DATA)\n";
  return files.empty();
}

// Solved to 1e-10 where there is an answer; a proof, and never "solved", where there is none.
TEST(Corpus, EveryLcpIsSolvedOrRefuted) {
  const auto files = testing::corpus_files("lcp");
  if (left_out(files, "the LCPs")) return;
  for (const std::string& path : files) {
    const auto file = read_problem(path);
    ASSERT_TRUE(file.has_value()) << path;
    const LcpAnswer answer = solve(std::get<Lcp>(file->problem));
    if (path.find("lcp_lit_pang") != std::string::npos) {
      EXPECT_EQ(answer.status, Status::kInfeasible) << path;
      EXPECT_EQ(answer.infeasibility.verdict, Verdict::kInfeasible) << path;
      EXPECT_TRUE(answer.solution.z.allFinite()) << path;
    } else {
      EXPECT_EQ(answer.status, Status::kSolved) << path;
      EXPECT_LE(answer.certificate.worst, 1e-10) << path;
    }
  }
}

TEST(Corpus, EveryMixedLcpIsSolved) {
  for (const char* folder : {"mlcp", "gmp"}) {
    const auto files = testing::corpus_files(folder);
    if (left_out(files, "the mixed LCPs")) return;
    for (const std::string& path : files) {
      const auto file = read_problem(path);
      ASSERT_TRUE(file.has_value()) << path;
      const auto* mixed = std::get_if<MixedLcpFile>(&file->problem);
      if (mixed == nullptr) continue;  // GMP4 is a friction problem
      const MixedLcpAnswer answer = solve(mixed->lcp);
      EXPECT_EQ(answer.status, Status::kSolved) << path;
      EXPECT_LE(answer.certificate.worst, 1e-10) << path;
    }
  }
}

}  // namespace
}  // namespace tribo
