#include "tribo/core/error.hpp"

#include <gtest/gtest.h>

namespace tribo {
namespace {

// Users read one line: place, trouble, remedy, in that order.
TEST(Error, TextNamesPlaceTroubleAndRemedy) {
  const Error error{"mu is negative (-0.3)", "contact 7", "give a friction coefficient >= 0"};
  EXPECT_EQ(error.text(), "contact 7: mu is negative (-0.3); give a friction coefficient >= 0");
}

// Without a place or a remedy no stray punctuation may remain.
TEST(Error, TextLeavesOutWhatIsMissing) {
  EXPECT_EQ((Error{"no data", "", ""}).text(), "no data");
  EXPECT_EQ((Error{"no data", "f.json", ""}).text(), "f.json: no data");
  EXPECT_EQ((Error{"no data", "", "write some"}).text(), "no data; write some");
}

// A reader of files adds the file's name to an error that knows only the entry.
TEST(Error, WithinPutsTheOuterPlaceInFront) {
  const Error error{"is negative", "contact 7", "fix it"};
  EXPECT_EQ(error.within("scene.json").where, "scene.json: contact 7");
  EXPECT_EQ((Error{"is empty", "", ""}).within("scene.json").where, "scene.json");
  EXPECT_EQ(error.within("scene.json").what, error.what);
  EXPECT_EQ(error.within("scene.json").remedy, error.remedy);
}

}  // namespace
}  // namespace tribo
