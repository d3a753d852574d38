#include "tribo/core/expected.hpp"

#include <memory>

#include <gtest/gtest.h>

namespace tribo {
namespace {

Expected<int> half(int x) {
  if (x % 2 != 0) return fail("odd", "x", "give an even number");
  return x / 2;
}

// The value comes back as it was put in.
TEST(Expected, HoldsAValue) {
  const Expected<int> result = half(8);
  ASSERT_TRUE(result.has_value());
  EXPECT_TRUE(static_cast<bool>(result));
  EXPECT_EQ(result.value(), 4);
  EXPECT_EQ(*result, 4);
}

// The reason comes back field by field.
TEST(Expected, HoldsAnError) {
  const Expected<int> result = half(7);
  ASSERT_FALSE(result.has_value());
  EXPECT_FALSE(static_cast<bool>(result));
  EXPECT_EQ(result.error().what, "odd");
  EXPECT_EQ(result.error().where, "x");
  EXPECT_EQ(result.error().remedy, "give an even number");
}

// Callers who ask for a value that is not there must learn why there is none.
TEST(Expected, ValueOfAnErrorThrowsItsText) {
  const Expected<int> result = half(7);
  try {
    static_cast<void>(result.value());
    FAIL() << "value() of an error must throw";
  } catch (const BadExpectedAccess& exception) {
    EXPECT_STREQ(exception.what(), "x: odd; give an even number");
  }
}

// An error asked of a success is a mistake, not an empty error.
TEST(Expected, ErrorOfAValueThrows) {
  const Expected<int> result = half(8);
  EXPECT_THROW(static_cast<void>(result.error()), BadExpectedAccess);
}

// The value can be moved out: problems are large, and some values cannot be copied.
TEST(Expected, ValueCanBeMovedOut) {
  Expected<std::unique_ptr<int>> result(std::make_unique<int>(3));
  const std::unique_ptr<int> moved = std::move(result).value();
  EXPECT_EQ(*moved, 3);
}

// Value and error may have the same type without being confused.
TEST(Expected, KeepsValueAndErrorOfOneTypeApart) {
  const Expected<int, int> value(1);
  const Expected<int, int> error(Unexpected<int>{1});
  EXPECT_TRUE(value.has_value());
  EXPECT_FALSE(error.has_value());
  EXPECT_THROW(static_cast<void>(error.value()), BadExpectedAccess);
}

// A check that passes carries nothing but that.
TEST(Expected, CheckedIsTrueWhenOk) {
  EXPECT_TRUE(ok().has_value());
  EXPECT_FALSE(Checked(fail("a", "b", "c")).has_value());
}

}  // namespace
}  // namespace tribo
