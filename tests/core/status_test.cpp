#include "tribo/core/status.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace tribo {
namespace {

constexpr Status kAll[] = {Status::kSolved,    Status::kSolvedReduced, Status::kIterationLimit,
                           Status::kRay,       Status::kInfeasible,    Status::kInconsistentEqualities,
                           Status::kBreakdown, Status::kInterrupted};

// JSON files and tables rely on these names; the last two appear in the reference problems.
TEST(Status, HasTheDocumentedNames) {
  EXPECT_EQ(to_string(Status::kSolved), "solved");
  EXPECT_EQ(to_string(Status::kIterationLimit), "iteration_limit");
  EXPECT_EQ(to_string(Status::kInfeasible), "infeasible");
  EXPECT_EQ(to_string(Status::kInconsistentEqualities), "inconsistent_equalities");
}

// Two statuses with one name could not be told apart by a reader.
TEST(Status, NamesAreDistinctAndKnown) {
  std::set<std::string> names;
  for (const Status status : kAll) names.emplace(to_string(status));
  EXPECT_EQ(names.size(), std::size(kAll));
  EXPECT_EQ(names.count("unknown"), 0u);
}

// Only an answer to the problem, or to its reported relaxation, counts as solved.
TEST(Status, OnlyTheTwoSolvedOnesAreSolved) {
  for (const Status status : kAll) {
    EXPECT_EQ(is_solved(status), status == Status::kSolved || status == Status::kSolvedReduced) << to_string(status);
  }
}

}  // namespace
}  // namespace tribo
