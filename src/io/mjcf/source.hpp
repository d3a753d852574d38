// One MJCF model as one tree: includes put in place, models attached, replicas written out. What is left are the elements of
// one flat model; each knows the scope (file and <compiler>) it came with.
#pragma once

#include <string>
#include <vector>

#include "io/mjcf/compiler.hpp"
#include "io/xml_file.hpp"

namespace tribo {

struct MjcfScope {
  MjcfCompiler compiler;
  std::string folder;               // of its main file; assets are looked for from here
  std::string main_class = "main";  // the default class of elements that name none
};

struct MjcfSource {
  XmlElement root;
  std::vector<MjcfScope> scopes;
  Index left_out_keyframes = 0;    // of attached models
  std::vector<std::string> files;  // all XML that was read
};
Expected<MjcfSource> read_mjcf_source(const XmlFile& file);

// The same for the parts; used by read_mjcf_source.
Checked expand_includes(XmlElement& root, const std::string& path, std::vector<std::string>& files);
Checked expand_replicas(XmlElement& root, const std::vector<MjcfScope>& scopes);

// Elements of a tree; a model may have two million.
Index count_elements(const XmlElement& element);
inline constexpr Index kMaxElements = 2'000'000;

}  // namespace tribo
