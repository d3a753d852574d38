// The corpora of others: every file is read, has the sizes of its catalogue, and survives JSON and FCLib
// unchanged.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "io/fclib.hpp"
#include "io/io_testing.hpp"
#include "support/paths.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::corpus_dir;
using testing::corpus_files;
using testing::same;

using Row = std::map<std::string, std::string>;

std::vector<std::string> split(std::string line) {
  if (line.ends_with('\r')) line.pop_back();
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  return cells;
}

// Rows of the catalogue by file; empty without the corpus.
std::map<std::string, Row> read_catalogue() {
  std::ifstream in(corpus_dir() + "/contact-problems/catalogue.csv");
  std::string line;
  std::getline(in, line);
  const std::vector<std::string> names = split(line);
  std::map<std::string, Row> rows;
  while (std::getline(in, line)) {
    const std::vector<std::string> cells = split(line);
    for (std::size_t i = 0; i < std::min(cells.size(), names.size()); ++i) rows[cells.front()][names[i]] = cells[i];
  }
  return rows;
}

Index as_index(const std::string& cell) { return cell.empty() ? -1 : std::stol(cell); }

Index count_nonzeros(const MatrixXd& M) { return (M.array() != 0.0).count(); }

void expect_sizes(const AnyProblem& problem, const Row& row, const std::string& path) {
  const Index rows = as_index(row.at("rows"));
  const Index nonzeros = as_index(row.at("nnz"));
  if (const auto* lcp = std::get_if<Lcp>(&problem)) {
    EXPECT_EQ(lcp->size(), rows) << path;
    EXPECT_EQ(count_nonzeros(lcp->M), nonzeros) << path;
  } else if (const auto* mixed = std::get_if<MixedLcpFile>(&problem)) {
    EXPECT_EQ(mixed->lcp.size(), rows) << path;
    EXPECT_EQ(count_nonzeros(mixed->lcp.M), nonzeros) << path;
    EXPECT_EQ(row.at("note").find(std::to_string(mixed->lcp.free) + " equality"), 0u) << path;
  } else if (const auto* local = std::get_if<LocalFriction>(&problem)) {
    EXPECT_EQ(local->q.size(), rows) << path;
    EXPECT_EQ(local->contacts(), as_index(row.at("contacts"))) << path;
    EXPECT_EQ(local->W.nonZeros(), nonzeros) << path;
    EXPECT_NEAR(local->mu.minCoeff(), std::stod(row.at("mu_min")), 1e-12) << path;
  } else if (const auto* global = std::get_if<GlobalFriction>(&problem)) {
    EXPECT_EQ(global->w.size(), rows) << path;
    EXPECT_EQ(global->contacts(), as_index(row.at("contacts"))) << path;
    EXPECT_EQ(global->f.size(), as_index(row.at("dof"))) << path;
  } else {
    ADD_FAILURE() << path << " has kind " << kind_of(problem);
  }
}

void expect_round_trips(const AnyProblem& problem, const std::string& path) {
  const Expected<AnyProblem> json = parse_json_problem(to_json(problem));
  ASSERT_TRUE(json.has_value()) << path << ": " << json.error().text();
  EXPECT_TRUE(same(problem, *json)) << path;
  Expected<std::string> bytes = fail("not a friction problem", "", "");
  if (const auto* local = std::get_if<LocalFriction>(&problem)) bytes = encode_fclib(*local);
  if (const auto* global = std::get_if<GlobalFriction>(&problem)) bytes = encode_fclib(*global);
  if (std::holds_alternative<Lcp>(problem) || std::holds_alternative<MixedLcpFile>(problem)) return;
  ASSERT_TRUE(bytes.has_value()) << path << ": " << bytes.error().text();
  const Expected<AnyProblem> fclib = parse_fclib(*bytes);
  ASSERT_TRUE(fclib.has_value()) << path << ": " << fclib.error().text();
  EXPECT_TRUE(same(problem, *fclib)) << path;
}

class Corpus : public ::testing::TestWithParam<const char*> {};

// Readers are for files that others wrote: the kind is found without help, sizes agree with an independent
// count.
TEST_P(Corpus, EveryFileIsReadAndConverted) {
  const std::vector<std::string> files = corpus_files(GetParam());
  if (files.empty()) {
    std::cout << "no corpus folder contact-problems/" << GetParam() << ": its files were not read\n";
    return;
  }
  const std::map<std::string, Row> catalogue = read_catalogue();
  for (const std::string& path : files) {
    const Expected<ProblemFile> file = read_problem(path);
    ASSERT_TRUE(file.has_value()) << file.error().text();
    EXPECT_EQ(file->format, std::filesystem::path(path).extension() == ".hdf5" ? "fclib" : "siconos") << path;
    if (std::string(GetParam()) != "gmp") {
      const std::string name = std::string(GetParam()) + "/" + std::filesystem::path(path).filename().string();
      ASSERT_TRUE(catalogue.contains(name)) << name;
      EXPECT_EQ(kind_of(file->problem), GetParam()) << path;
      expect_sizes(file->problem, catalogue.at(name), path);
    }
    expect_round_trips(file->problem, path);
  }
}

INSTANTIATE_TEST_SUITE_P(Folders, Corpus, ::testing::Values("lcp", "mlcp", "fc3d", "gfc3d", "fc2d", "gfc2d", "gmp"),
                         [](const auto& folder) { return std::string(folder.param); });

// Joints with LCP rows are mixed LCPs; the one file of contacts alone is a friction problem.
TEST(CorpusGmp, IsReadAsWhatItHolds) {
  for (const std::string& path : corpus_files("gmp")) {
    const AnyProblem problem = read_problem(path).value().problem;
    const bool contact = path.find("GMP4") != std::string::npos;
    EXPECT_EQ(kind_of(problem), contact ? "fc3d" : "mlcp") << path;
    if (!contact) {
      EXPECT_EQ(std::get<MixedLcpFile>(problem).lcp.complementary(), 1) << path;
    }
  }
}

}  // namespace
}  // namespace tribo
