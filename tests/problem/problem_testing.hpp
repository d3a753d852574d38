// Shared by the tests of problems: numbers that are none, and problems spoiled one way at a time.
#pragma once

#include "tribo/problem/contact_builder.hpp"

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tribo::testing {

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr Index kWorld = ContactBuilder::kWorld;

// One way to spoil a valid problem, and what the error must then say.
template <typename Problem>
struct Spoiled {
  std::function<void(Problem&)> spoil;
  std::string where;
  std::string what;  // a part of it
};

template <typename Problem>
void expect_refused(const Problem& good, const std::vector<Spoiled<Problem>>& cases) {
  const Checked valid = validate(good);
  ASSERT_TRUE(valid.has_value()) << valid.error().text();
  for (const auto& item : cases) {
    Problem bad = good;
    item.spoil(bad);
    const Checked result = validate(bad);
    ASSERT_FALSE(result.has_value()) << item.where << ": " << item.what;
    EXPECT_EQ(result.error().where, item.where) << result.error().text();
    EXPECT_NE(result.error().what.find(item.what), std::string::npos) << result.error().text();
    EXPECT_FALSE(result.error().remedy.empty()) << result.error().text();
  }
}

}  // namespace tribo::testing
