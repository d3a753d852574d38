// Words that are near to a misspelt one.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tribo {

// Edits from one word to the other: letters put in, taken out, changed, or swapped with their neighbour.
std::size_t edit_distance(const std::string& a, const std::string& b);

// The nearest of the known words, nearest first, ties in the order given; at most so many.
std::vector<std::string> find_nearest(const std::string& word, const std::vector<std::string>& known, std::size_t most);

}  // namespace tribo
