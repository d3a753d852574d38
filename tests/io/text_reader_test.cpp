#include "io/text_reader.hpp"

#include <gtest/gtest.h>

namespace tribo {
namespace {

// Dumps come from many programs: every form that strtod takes is a number here too.
TEST(TextReader, TakesEveryFormOfNumber) {
  EXPECT_EQ(parse_number("1.5e-3"), 1.5e-3);
  EXPECT_EQ(parse_number("+2"), 2.0);
  EXPECT_EQ(parse_number("-.5"), -0.5);
  EXPECT_EQ(parse_number("0x1.8p1"), 3.0);
  EXPECT_EQ(parse_number("-0x10"), -16.0);
  EXPECT_EQ(parse_number("4.9406564584124654e-324"), 4.9406564584124654e-324);
}

// A solver must never see an infinite number or half of a token.
TEST(TextReader, RefusesWhatIsNoFiniteNumber) {
  for (const char* token :
       {"", "-", "+", "nan", "-inf", "inf", "1e999", "1,5", "1.5x", "--1", "+-1", "0x", "-0x", "abc"}) {
    EXPECT_FALSE(parse_number(token).has_value()) << token;
  }
}

// Straight-line parsers rely on it: after the first failure nothing changes any more.
TEST(TextReader, KeepsItsFirstFailure) {
  TextReader in("1\nx 3");
  EXPECT_EQ(in.integer("a"), 1);
  EXPECT_EQ(in.integer("b"), 0);
  EXPECT_EQ(in.integer("c"), 0);
  ASSERT_TRUE(in.failed());
  EXPECT_EQ(in.error().where, "line 2");
  EXPECT_EQ(in.error().what, "b is 'x', not an integer");
}

// A size that the rest of the text cannot hold is refused before any memory is reserved for it.
TEST(TextReader, RefusesSizesBeyondTheText) {
  EXPECT_EQ(TextReader("2 1 1").size("n"), 2);
  for (const char* text : {"900000000 1", "-1 1 1", "99999999999999999999 1", "2.0 1 1"}) {
    TextReader in(text);
    EXPECT_EQ(in.size("n"), 0) << text;
    EXPECT_TRUE(in.failed()) << text;
  }
  TextReader in("1 2 3");
  EXPECT_EQ(in.vector("x", 1000000000000).size(), 0);
  EXPECT_TRUE(in.failed());
}

}  // namespace
}  // namespace tribo
