// Which attributes of MJCF are names and of what. Models that are attached get a prefix, replicas a suffix, on every name and
// on every reference to one.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "io/xml_file.hpp"

namespace tribo {

using MjcfName = std::pair<std::string, std::string>;  // kind ("joint"), name
using MjcfNames = std::set<MjcfName>;

// An element of <custom> whose name begins with "tribo.": that is a word of ours, not a name, and gets no prefix.
bool is_for_tribo(const XmlElement& element);

// The kind of name that an attribute declares or refers to; "" where it is none. `parent` is the tag around the element.
std::string declared_kind(const XmlElement& element, const std::string& parent);
std::string reference_kind(const XmlElement& element, const std::string& attribute);

// All names declared in the element and below it.
void collect_names(const XmlElement& element, const std::string& parent, MjcfNames& names);
// Whether it or an element below it refers to one of the names.
bool refers_to(const XmlElement& element, const MjcfNames& names);
// Whether bodies, joints, geoms, sites, tendons and contact pairs it refers to are all among the names.
bool refers_only_to(const XmlElement& element, const MjcfNames& names);

// prefix + name + suffix for every name and reference; with `only`, for those alone. The world keeps its name.
void rename(XmlElement& element, const std::string& parent, const std::string& prefix, const std::string& suffix,
            const MjcfNames* only);

}  // namespace tribo
