#include "tribo/core/assert.hpp"

#include <gtest/gtest.h>

namespace tribo {
namespace {

// A kept promise costs nothing and says nothing.
TEST(Require, PassesWhenTheConditionHolds) { EXPECT_NO_THROW(TRIBO_REQUIRE(1 + 1 == 2, "arithmetic")); }

// The message names the rule, the condition and the file without its folders, so that it is the same
// everywhere.
TEST(Require, ThrowsWithMessageConditionAndFile) {
  try {
    TRIBO_REQUIRE(1 + 1 == 3, "arithmetic");
    FAIL() << "a broken promise must throw";
  } catch (const ContractError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("arithmetic (required: 1 + 1 == 3, assert_test.cpp:"), std::string::npos) << text;
  }
}

// Inner-loop checks exist in debug builds only: release builds must not evaluate them.
TEST(Assert, IsEvaluatedInDebugBuildsOnly) {
  [[maybe_unused]] int evaluated = 0;
  TRIBO_ASSERT(++evaluated > 0);
#ifdef NDEBUG
  EXPECT_EQ(evaluated, 0);
#else
  EXPECT_EQ(evaluated, 1);
  EXPECT_THROW(TRIBO_ASSERT(evaluated == 0), ContractError);
#endif
}

}  // namespace
}  // namespace tribo
