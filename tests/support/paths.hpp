// Where tests find data: the project's own reference problems, and the corpora of others where they exist.
#pragma once

#include <string>
#include <vector>

namespace tribo::testing {

std::string source_dir();                    // the checkout
std::vector<std::string> reference_files();  // data/reference/*.json, sorted
std::string corpus_dir();                    // $TRIBO_DATA, default ../shared/data; "" when absent
std::vector<std::string> corpus_files(
    const std::string& folder);  // sorted files of contact-problems/<folder>; empty when absent

}  // namespace tribo::testing
