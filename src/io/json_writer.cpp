#include "io/json_writer.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include <nlohmann/json.hpp>

namespace tribo {

std::string json_number(double value) {
  if (std::isnan(value)) return "null";
  if (std::isinf(value)) return value > 0.0 ? "\"inf\"" : "\"-inf\"";
  if (value == 0.0) return std::signbit(value) ? "-0.0" : "0";  // "-0" would be read as an integer, without its sign
  std::array<char, 32> digits;
  const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  return std::string(digits.data(), result.ptr);
}

std::string json_string(const std::string& value) {
  return nlohmann::json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string json_list(const VectorXd& values) {
  std::string list = "[";
  for (Index i = 0; i < values.size(); ++i) list += (i == 0 ? "" : ", ") + json_number(values(i));
  return list + "]";
}

void JsonObjectWriter::raw(const std::string& key, const std::string& written) {
  body_ += (body_.empty() ? "\n" : ",\n") + pad_ + json_string(key) + ": " + written;
}

void JsonObjectWriter::text(const std::string& key, const std::string& value) { raw(key, json_string(value)); }
void JsonObjectWriter::flag(const std::string& key, bool value) { raw(key, value ? "true" : "false"); }
void JsonObjectWriter::integer(const std::string& key, Index value) { raw(key, std::to_string(value)); }
void JsonObjectWriter::number(const std::string& key, double value) { raw(key, json_number(value)); }
void JsonObjectWriter::vector(const std::string& key, const VectorXd& values) { raw(key, json_list(values)); }

void JsonObjectWriter::matrix(const std::string& key, const MatrixXd& values) {
  std::string rows;
  for (Index i = 0; i < values.rows(); ++i) {
    rows += (i == 0 ? "\n" : ",\n") + pad_ + " " + json_list(values.row(i).transpose());
  }
  raw(key, rows.empty() ? "[]" : "[" + rows + "]");
}

void JsonObjectWriter::sparse(const std::string& key, const Eigen::SparseMatrix<double>& values) {
  std::string entries;
  for (Index j = 0; j < values.outerSize(); ++j) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(values, j); it; ++it) {
      entries += (entries.empty() ? "\n" : ",\n") + pad_ + "  [" + std::to_string(it.row()) + ", " +
                 std::to_string(it.col()) + ", " + json_number(it.value()) + "]";
    }
  }
  raw(key, "{\"size\": [" + std::to_string(values.rows()) + ", " + std::to_string(values.cols()) +
               "], \"triplets\": [" + entries + "]}");
}

std::string JsonObjectWriter::finish() const { return "{" + body_ + "\n" + pad_.substr(1) + "}"; }

}  // namespace tribo
