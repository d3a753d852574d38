// Shared by the tests of meshes and robots: files made on the spot, notices found by name.
#pragma once

#include "tribo/io/model_file.hpp"

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "io/file_bytes.hpp"
#include "io/io_testing.hpp"

namespace tribo::testing {

inline const Notice* find_notice(const ModelFile& file, const std::string& element) {
  for (const Notice& notice : file.notices) {
    if (notice.element == element) return &notice;
  }
  return nullptr;
}

inline void append_unsigned(std::string& bytes, std::uint32_t value) {
  for (int k = 0; k < 4; ++k) bytes.push_back(static_cast<char>((value >> (8 * k)) & 0xffu));
}
inline void append_float(std::string& bytes, float value) {
  append_unsigned(bytes, std::bit_cast<std::uint32_t>(value));
}

// A tetrahedron of volume 1/6 as triangles of corners, outward.
inline const std::vector<std::array<std::array<float, 3>, 3>>& tetrahedron() {
  static const std::vector<std::array<std::array<float, 3>, 3>> faces = {
      {{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}}},
      {{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}},
      {{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}}},
      {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
  };
  return faces;
}

inline std::string binary_stl(std::string header = "binary") {
  header.resize(80, ' ');
  std::string bytes = header;
  append_unsigned(bytes, static_cast<std::uint32_t>(tetrahedron().size()));
  for (const auto& face : tetrahedron()) {
    for (int k = 0; k < 3; ++k) append_float(bytes, 0.0f);
    for (const auto& corner : face) {
      for (const float x : corner) append_float(bytes, x);
    }
    bytes.append(2, '\0');
  }
  return bytes;
}

inline std::string text_stl() {
  std::string text = "solid  part of something\n";
  for (const auto& face : tetrahedron()) {
    text += " facet normal nan 0 0\n  outer loop\n";
    for (const auto& c : face) {
      text += "   vertex " + std::to_string(c[0]) + " " + std::to_string(c[1]) + " " + std::to_string(c[2]) + "\n";
    }
    text += "  endloop\n endfacet\n";
  }
  return text + "endsolid part of something\n";
}

}  // namespace tribo::testing
