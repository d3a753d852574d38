// JSON text with one matrix row per line and numbers that read back bit for bit.
#pragma once

#include "tribo/linalg/types.hpp"

#include <string>

#include <Eigen/SparseCore>

namespace tribo {

class JsonObjectWriter {
 public:
  explicit JsonObjectWriter(int indent = 1) : pad_(static_cast<std::size_t>(indent), ' ') {}

  void text(const std::string& key, const std::string& value);
  void flag(const std::string& key, bool value);
  void integer(const std::string& key, Index value);
  void number(const std::string& key, double value);
  void vector(const std::string& key, const VectorXd& values);
  void matrix(const std::string& key, const MatrixXd& values);
  void sparse(const std::string& key, const Eigen::SparseMatrix<double>& values);
  void raw(const std::string& key, const std::string& written);  // already JSON

  std::string finish() const;  // "{ ... }"

 private:
  std::string pad_;
  std::string body_;
};

// The shortest text that reads back as the same double; "inf" and "-inf" in quotes; null for NaN.
std::string json_number(double value);
std::string json_string(const std::string& value);
std::string json_list(const VectorXd& values);

}  // namespace tribo
