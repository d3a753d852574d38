// `bench corpus`: LCPs and mixed LCPs dumped from other people's simulators, through tribo::solve as a user calls it.
// The promise: an answer with a certificate of at most 1e-10 where one exists, a verified proof where the catalogue of the
// corpus says that none does.
#include "tribo/contact/solve.hpp"
#include "tribo/io/problem_file.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <vector>

#include "bench.hpp"
#include "output.hpp"
#include "timing.hpp"

namespace tribo {
namespace {

namespace fs = std::filesystem;

struct CsvTable {
  std::vector<std::map<std::string, std::string>> rows;
};

// Plain comma-separated values; the files have no quotes.
CsvTable read_csv(const fs::path& path) {
  CsvTable table;
  std::ifstream file(path);
  std::string line;
  std::vector<std::string> names;
  while (std::getline(file, line)) {
    std::vector<std::string> cells;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
    if (names.empty()) {
      names = cells;
      continue;
    }
    auto& row = table.rows.emplace_back();
    for (std::size_t i = 0; i < std::min(names.size(), cells.size()); ++i) row[names[i]] = cells[i];
  }
  return table;
}

// What is known of a file from elsewhere.
struct Known {
  bool unsolvable = false;
  std::string solver;     // Siconos' fastest at 1e-8
  double seconds = -1.0;  // its time, on the machine of whoever measured it; negative: none reached 1e-8
};

std::map<std::string, Known> read_known(const fs::path& folder) {
  std::map<std::string, Known> known;
  for (auto& row : read_csv(folder / "catalogue.csv").rows) known[row["file"]].unsolvable = row["solvable"] == "no";
  for (auto& row : read_csv(folder / "siconos-baseline.csv").rows) {
    if (row["target"] != "1e-08" || row["cpu_ms"].empty()) continue;
    known[row["file"]].solver = row["solver"];
    known[row["file"]].seconds = 1e-3 * std::stod(row["cpu_ms"]);
  }
  return known;
}

std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::is_directory(folder)) return files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".dat") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

template <typename Problem>
bool measure_file(Output& output, const std::string& file, const Problem& problem, const Known& known, double budget) {
  auto answer = solve(problem);
  const double seconds = least_seconds([&] { answer = solve(problem); }, budget);
  const bool held = known.unsolvable ? answer.infeasibility.verdict == Verdict::kInfeasible
                                     : is_solved(answer.status) && answer.certificate.passes(1e-10);
  const std::string status(to_string(answer.status));
  output.line(format("%-34s %4ld  %-16s %-15s %6d  %8.1e  %10.4g  %10s  %s%s", file.c_str(),
                     static_cast<long>(problem.size()), status.c_str(), answer.solver.c_str(), answer.report.pivots,
                     answer.certificate.worst, 1e6 * seconds,
                     known.seconds >= 0.0 ? format("%.4g", 1e6 * known.seconds).c_str() : "-", known.solver.c_str(),
                     held ? "" : "  FAIL"));
  Json fields = {{"kind", "file"},
                 {"file", file},
                 {"n", problem.size()},
                 {"status", status},
                 {"solver", answer.solver},
                 {"pivots", answer.report.pivots},
                 {"worst", answer.certificate.worst},
                 {"seconds", seconds},
                 {"siconos_solver", known.solver},
                 {"siconos_seconds", nullptr},
                 {"unsolvable", known.unsolvable},
                 {"held", held}};
  if (known.seconds >= 0.0) fields["siconos_seconds"] = known.seconds;
  output.object(std::move(fields));
  return held;
}

}  // namespace

int run_corpus_bench(const BenchOptions& options) {
  Output output(options, "corpus");
  const fs::path folder = fs::path(options.data_dir) / "contact-problems";
  if (options.data_dir.empty() || !fs::is_directory(folder)) {
    output.line("left out: the LCPs and mixed LCPs of others; no folder contact-problems in the data directory");
    output.object({{"kind", "left-out"}, {"what", "contact-problems/lcp, contact-problems/mlcp"}});
    return output.exit_code();
  }
  const std::map<std::string, Known> known = read_known(folder);
  const double budget = options.quick ? 0.005 : 0.1;
  output.line(
      "file                                  n  status           solver          pivots     worst          us"
      "  siconos us  (their fastest at 1e-8, measured elsewhere)");
  int held = 0, count = 0;
  std::string broken;
  for (const char* kind : {"lcp", "mlcp"}) {
    for (const fs::path& path : files_of(folder / kind)) {
      const std::string file = std::string(kind) + "/" + path.filename().string();
      output.progress("corpus: " + file);
      const auto read = read_problem(path.string(), kind);
      const auto found = known.find(file);
      const Known about = found != known.end() ? found->second : Known{};
      output.progress("");
      bool fine = false;
      if (!read) {
        output.line(file + ": " + read.error().text());
      } else if (const auto* lcp = std::get_if<Lcp>(&read->problem)) {
        fine = measure_file(output, file, *lcp, about, budget);
      } else if (const auto* mixed = std::get_if<MixedLcpFile>(&read->problem)) {
        fine = measure_file(output, file, mixed->lcp, about, budget);
      }
      ++count;
      held += fine ? 1 : 0;
      if (!fine) broken += " " + file;
    }
  }
  output.promise("every file is answered or refuted, with a certificate", held == count,
                 format("%d of %d", held, count) + (broken.empty() ? "" : "; not:" + broken));
  return output.exit_code();
}

}  // namespace tribo
