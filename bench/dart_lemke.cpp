#include <filesystem>
#include <system_error>

#include "other_lemke.hpp"
#include <dlfcn.h>

namespace tribo {
namespace {

using DartLemke = int (*)(const double* M, const double* q, long n, double* z);

// The module lies beside the program. Null: it was not built, or DART is no longer installed.
DartLemke load() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return nullptr;
  void* module = dlopen((program.parent_path() / "tribo_dart_lemke.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  return module == nullptr ? nullptr : reinterpret_cast<DartLemke>(dlsym(module, "tribo_dart_lemke"));
}

DartLemke dart_lemke() {
  static const DartLemke loaded = load();
  return loaded;
}

}  // namespace

bool has_dart() { return dart_lemke() != nullptr; }

OtherAnswer solve_with_dart(const Lcp& lcp) {
  OtherAnswer answer{false, VectorXd::Zero(lcp.size())};
  if (has_dart()) answer.claimed = dart_lemke()(lcp.M.data(), lcp.q.data(), lcp.size(), answer.z.data()) == 0;
  return answer;
}

}  // namespace tribo
