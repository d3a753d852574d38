#include "tribo/core/nearest.hpp"

#include <gtest/gtest.h>

namespace tribo {
namespace {

// Nearest first, ties as given, no more than asked for.
TEST(Nearest, NamesByDistance) {
  const std::vector<std::string> known = {"hip", "knee", "knee_left", "ankle"};
  EXPECT_EQ(find_nearest("nkee", known, 2), (std::vector<std::string>{"knee", "ankle"}));
  EXPECT_EQ(find_nearest("knee", known, 1), (std::vector<std::string>{"knee"}));
  EXPECT_EQ(find_nearest("", known, 9).size(), 4u);
  EXPECT_TRUE(find_nearest("x", {}, 3).empty());
}

// Words of any length are answered at once.
TEST(Nearest, LongWordsAreCut) {
  EXPECT_EQ(find_nearest(std::string(1'000'000, 'a'), {std::string(1'000'000, 'a'), "b"}, 1).size(), 1u);
}

}  // namespace
}  // namespace tribo
