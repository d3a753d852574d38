// Records of another engine about robots of others: $TRIBO_DATA/robots/truth/<name>.json.gz.
#pragma once

#include "tribo/linalg/types.hpp"

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace tribo::testing {

struct RecordedRobot {
  std::string name;   // of the record
  std::string model;  // below $TRIBO_DATA/robots

  friend void PrintTo(const RecordedRobot& robot, std::ostream* out) { *out << robot.name; }
};
// All that have a record, by name; where the data of others is not here, one named "none" without a record.
const std::vector<RecordedRobot>& recorded_robots();

// Nothing: the robot has no record.
std::optional<nlohmann::json> read_record(const RecordedRobot& robot);
std::string model_path(const RecordedRobot& robot);
// The name without what GoogleTest does not take.
std::string test_name(const RecordedRobot& robot);

VectorXd to_vector(const nlohmann::json& numbers);
MatrixXd to_symmetric(const nlohmann::json& lower, Index n);  // from its lower triangle by rows

}  // namespace tribo::testing
