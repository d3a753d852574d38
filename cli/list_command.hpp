// tribo list models|solvers|scenes|studies|benches: the library's own tables.
#pragma once

#include <string>
#include <vector>

namespace tribo {

struct ListArguments {
  std::string what;
  bool json = false;
  bool markdown = false;
};

std::vector<std::string> list_nouns();
int run_list(const ListArguments& arguments);

}  // namespace tribo
