#include "robots/record.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "support/paths.hpp"
#include <zlib.h>

namespace tribo::testing {

namespace {

nlohmann::json read_json(const std::string& path) {
  gzFile file = gzopen(path.c_str(), "rb");
  std::string text;
  std::array<char, 1 << 16> buffer;
  for (int n = 0; (n = gzread(file, buffer.data(), static_cast<unsigned>(buffer.size()))) > 0;)
    text.append(buffer.data(), n);
  gzclose(file);
  return nlohmann::json::parse(text);
}

std::string truth_dir() { return corpus_dir() + "/robots/truth"; }

std::vector<RecordedRobot> find_robots() {
  std::vector<RecordedRobot> robots;
  std::error_code code;
  constexpr std::string_view kEnding = ".json.gz";
  for (std::filesystem::directory_iterator at(truth_dir(), code), end; !code && at != end; at.increment(code)) {
    const std::string file = at->path().filename().string();
    if (corpus_dir().empty() || !file.ends_with(kEnding)) continue;
    const std::filesystem::path model = read_json(at->path().string()).at("model").get<std::string>();
    robots.push_back(
        {file.substr(0, file.size() - kEnding.size()), (model.parent_path().filename() / model.filename()).string()});
  }
  std::sort(robots.begin(), robots.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  if (robots.empty()) robots.push_back({"none", ""});
  return robots;
}

}  // namespace

const std::vector<RecordedRobot>& recorded_robots() {
  static const std::vector<RecordedRobot> robots = find_robots();
  return robots;
}

std::optional<nlohmann::json> read_record(const RecordedRobot& robot) {
  if (robot.model.empty()) return std::nullopt;
  return read_json(truth_dir() + "/" + robot.name + ".json.gz");
}

std::string model_path(const RecordedRobot& robot) { return corpus_dir() + "/robots/" + robot.model; }

std::string test_name(const RecordedRobot& robot) {
  std::string name = robot.name;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

VectorXd to_vector(const nlohmann::json& numbers) {
  VectorXd vector(static_cast<Index>(numbers.size()));
  for (Index i = 0; i < vector.size(); ++i) vector(i) = numbers[static_cast<std::size_t>(i)].get<double>();
  return vector;
}

MatrixXd to_symmetric(const nlohmann::json& lower, Index n) {
  MatrixXd matrix(n, n);
  std::size_t k = 0;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j <= i; ++j) matrix(i, j) = matrix(j, i) = lower.at(k++).get<double>();
  }
  return matrix;
}

}  // namespace tribo::testing
