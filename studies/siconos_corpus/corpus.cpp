#include "corpus.hpp"

#include "tribo/io/problem_file.hpp"

#include <algorithm>
#include <filesystem>
#include <tuple>
#include <utility>

namespace tribo {

int FrictionFile::dimension() const {
  return std::visit([](const auto& one) { return one.dimension; }, problem);
}

Index FrictionFile::contacts() const {
  return std::visit([](const auto& one) { return one.contacts(); }, problem);
}

FrictionCorpus read_friction_corpus(const std::string& data_dir) {
  namespace fs = std::filesystem;
  FrictionCorpus corpus;
  const fs::path folder = fs::path(data_dir) / "contact-problems";
  if (data_dir.empty() || !fs::is_directory(folder)) return corpus;
  for (const char* kind : {"fc3d", "fc2d", "gfc3d", "gfc2d"}) {
    if (!fs::is_directory(folder / kind)) continue;
    corpus.found = true;
    std::vector<FrictionFile> files;
    for (const auto& entry : fs::directory_iterator(folder / kind)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".dat" && extension != ".hdf5") continue;
      FrictionFile file{std::string(kind) + "/" + entry.path().filename().string(), kind, {}};
      const auto read = read_problem(entry.path().string(), extension == ".dat" ? kind : "");
      if (!read) {
        corpus.unread.push_back(file.name + ": " + read.error().text());
        continue;
      }
      if (const auto* local = std::get_if<LocalFriction>(&read->problem)) {
        file.problem = *local;
      } else if (const auto* global = std::get_if<GlobalFriction>(&read->problem)) {
        file.problem = *global;
      } else {
        corpus.unread.push_back(file.name + ": holds a problem of another kind");
        continue;
      }
      files.push_back(std::move(file));
    }
    std::sort(files.begin(), files.end(), [](const FrictionFile& a, const FrictionFile& b) {
      return std::make_tuple(a.contacts(), a.name) < std::make_tuple(b.contacts(), b.name);
    });
    std::move(files.begin(), files.end(), std::back_inserter(corpus.files));
  }
  return corpus;
}

}  // namespace tribo
