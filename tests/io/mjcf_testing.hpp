// Shared by the tests of MJCF: models written in the test.
#pragma once

#include "tribo/io/model_file.hpp"

#include <string>

#include "io/mjcf/mjcf.hpp"
#include "io/model_testing.hpp"
#include <gtest/gtest.h>

namespace tribo::testing {

inline Expected<ModelFile> parse_mjcf(const std::string& inside) {
  const Expected<XmlFile> file = parse_xml("<mujoco>" + inside + "</mujoco>", "m.xml");
  if (!file) return Unexpected<Error>{file.error()};
  return read_mjcf(*file);
}

// The model of a text that must be right.
inline ModelDescription model_of(const std::string& inside) {
  Expected<ModelFile> file = parse_mjcf(inside);
  EXPECT_TRUE(file.has_value()) << file.error().text();
  return file ? file->description : ModelDescription{};
}

inline std::string world(const std::string& inside) { return "<worldbody>" + inside + "</worldbody>"; }

// The message of a text that must be refused.
inline std::string refusal(const std::string& inside) {
  const Expected<ModelFile> file = parse_mjcf(inside);
  EXPECT_FALSE(file.has_value()) << inside;
  if (file) return "";
  EXPECT_FALSE(file.error().remedy.empty()) << file.error().text();
  EXPECT_NE(file.error().where.find("m.xml:1"), std::string::npos) << file.error().text();
  return file.error().text();
}

}  // namespace tribo::testing
