#include "tribo/core/assert.hpp"

namespace tribo {

void throw_contract_error(const char* condition, const char* file, int line, const char* message) {
  std::string path(file);
  const auto slash = path.find_last_of('/');
  if (slash != std::string::npos) path = path.substr(slash + 1);
  throw ContractError(std::string(message) + " (required: " + condition + ", " + path + ":" + std::to_string(line) +
                      ")");
}

}  // namespace tribo
