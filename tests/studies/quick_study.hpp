// One quick run of a study, read as a program reads it.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "studies/study.hpp"
#include <nlohmann/json.hpp>

namespace tribo {

struct QuickStudy {
  bool held = false;
  std::vector<nlohmann::json> lines;

  explicit QuickStudy(Expected<bool> (*run)(const StudyOptions&)) {
    std::ostringstream out;
    StudyOptions options;
    options.json = true;
    options.quick = true;
    options.out = &out;
    held = run(options).value();
    std::istringstream in(out.str());
    for (std::string line; std::getline(in, line);) lines.push_back(nlohmann::json::parse(line));
  }
  std::vector<nlohmann::json> of_kind(const std::string& kind) const {
    std::vector<nlohmann::json> chosen;
    for (const nlohmann::json& line : lines) {
      if (line.at("kind") == kind) chosen.push_back(line);
    }
    return chosen;
  }
};

}  // namespace tribo
