#include "suggest.hpp"

#include <gtest/gtest.h>

namespace tribo {
namespace {

// The usual slips of the finger cost one each.
TEST(Suggest, DistanceCountsSlips) {
  EXPECT_EQ(edit_distance("solve", "solve"), 0u);
  EXPECT_EQ(edit_distance("slove", "solve"), 1u);
  EXPECT_EQ(edit_distance("solv", "solve"), 1u);
  EXPECT_EQ(edit_distance("solvee", "solve"), 1u);
  EXPECT_EQ(edit_distance("sokve", "solve"), 1u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

// A name that is nowhere near is not answered with a guess; the beginning of one is.
TEST(Suggest, GuessesOnlyWhatIsNear) {
  const std::vector<std::string> known = {"solve", "list", "bench", "lemke/standard"};
  EXPECT_EQ(nearest_name("slove", known), "solve");
  EXPECT_EQ(nearest_name("lemke", known), "lemke/standard");
  EXPECT_EQ(nearest_name("zzzzzz", known), "");
  EXPECT_EQ(nearest_name("", known), "");
}

}  // namespace
}  // namespace tribo
