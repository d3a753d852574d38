// What MJCF knows: every element with its attributes and children, as MuJoCo 3 documents them, and some names of older
// versions. A word that is not here is an error, not something to skip: it may be a misspelt mass.
#pragma once

#include "io/xml_file.hpp"

namespace tribo {

// Checks a whole <mujoco> tree, includes already put in place.
Checked check_mjcf_words(const XmlElement& root);

}  // namespace tribo
