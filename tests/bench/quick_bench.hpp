// One quick run of a benchmark, read as a program reads it.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "bench.hpp"
#include "output.hpp"
#include <gtest/gtest.h>

namespace tribo {

struct QuickBench {
  int code = -1;
  std::vector<Json> lines;
  int promises = 0, times = 0;  // times: promises about time

  explicit QuickBench(int (*run)(const BenchOptions&)) {
    std::ostringstream out;
    code = run({.json = true, .quick = true, .out = &out});
    std::istringstream in(out.str());
    for (std::string line; std::getline(in, line);) lines.push_back(Json::parse(line));
    for (const Json& line : lines) {
      if (line.at("kind") != "promise") continue;
      ++promises;
      times += is_about_time(line) ? 1 : 0;
    }
  }

  static bool is_about_time(const Json& line) { return line.at("name").get<std::string>().starts_with("time"); }
  // Answers are right on every machine; only promises about time may fail on a slow or busy one.
  void expect_promises(const std::string& bench) const {
    bool all_held = true;
    for (const Json& line : lines) {
      EXPECT_EQ(line.at("bench"), bench);
      if (line.at("kind") != "promise") continue;
      const bool held = line.at("held");
      all_held = all_held && held;
      if (is_about_time(line)) continue;
      EXPECT_TRUE(held) << line.at("name") << ": " << line.at("detail");
    }
    EXPECT_EQ(code, all_held ? 0 : 1);
  }
};

}  // namespace tribo
