#include "support/paths.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace tribo::testing {
namespace fs = std::filesystem;

namespace {
std::vector<std::string> sorted_files(const fs::path& folder) {
  std::vector<std::string> files;
  if (!fs::is_directory(folder)) return files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const auto extension = entry.path().extension();
    if (extension == ".json" || extension == ".dat" || extension == ".hdf5") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}
}  // namespace

std::string source_dir() { return TRIBO_SOURCE_DIR; }

std::vector<std::string> reference_files() { return sorted_files(fs::path(source_dir()) / "data/reference"); }

std::string corpus_dir() {
  const char* data = std::getenv("TRIBO_DATA");
  const fs::path folder = data != nullptr ? fs::path(data) : fs::path(source_dir()) / "../shared/data";
  return fs::is_directory(folder) ? fs::weakly_canonical(folder).string() : std::string();
}

std::vector<std::string> corpus_files(const std::string& folder) {
  const std::string data = corpus_dir();
  return data.empty() ? std::vector<std::string>{} : sorted_files(fs::path(data) / "contact-problems" / folder);
}

}  // namespace tribo::testing
