#include "robots/record.hpp"

#include <array>
#include <filesystem>

#include "support/paths.hpp"
#include <zlib.h>

namespace tribo::testing {

const std::vector<RecordedRobot>& recorded_robots() {
  static const std::vector<RecordedRobot> robots = {{"anybotics_anymal_c", "anybotics_anymal_c/anymal_c.xml"},
                                                    {"shadow_hand", "shadow_hand/right_hand.xml"},
                                                    {"wonik_allegro", "wonik_allegro/right_hand.xml"},
                                                    {"robotiq_2f85", "robotiq_2f85/2f85.xml"}};
  return robots;
}

std::optional<nlohmann::json> read_record(const RecordedRobot& robot) {
  const std::string path = corpus_dir() + "/robots/truth/" + robot.name + ".json.gz";
  if (corpus_dir().empty() || !std::filesystem::exists(path)) return std::nullopt;
  gzFile file = gzopen(path.c_str(), "rb");
  std::string text;
  std::array<char, 1 << 16> buffer;
  for (int n = 0; (n = gzread(file, buffer.data(), static_cast<unsigned>(buffer.size()))) > 0;)
    text.append(buffer.data(), n);
  gzclose(file);
  return nlohmann::json::parse(text);
}

std::string model_path(const RecordedRobot& robot) { return corpus_dir() + "/robots/" + robot.model; }

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
