// Typed fields of one JSON object. The first failure sticks, names its key, and empties whatever is read
// later.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/linalg/types.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace tribo {

// A size with the name it has in the file, for messages: "expected m = 6".
struct NamedSize {
  Index value = 0;
  std::string name;
  std::string text() const { return name.empty() ? std::to_string(value) : name + " = " + std::to_string(value); }
};

class JsonFields {
 public:
  explicit JsonFields(const nlohmann::json& object) : object_(object) {}

  bool failed() const { return error_.has_value(); }
  const Error& error() const { return *error_; }
  void refuse(const std::string& key, const std::string& what, const std::string& remedy);

  bool has(const std::string& key) const { return object_.contains(key); }
  // The value under a required key; nullptr, and failed(), when it is absent.
  const nlohmann::json* find(const std::string& key);

  std::string text(const std::string& key);
  std::string optional_text(const std::string& key);
  bool optional_flag(const std::string& key, bool otherwise);
  double number(const std::string& key);
  Index size(const std::string& key);                           // integer >= 0
  Index length(const std::string& key);                         // entries of an array
  std::vector<Index> optional_indices(const std::string& key);  // integers >= 0
  VectorXd vector(const std::string& key, const NamedSize& size);
  VectorXd optional_vector(const std::string& key, const NamedSize& size);  // absent: zeros
  VectorXd vector_or_empty(const std::string& key, const NamedSize& size);  // absent or []: no entries
  VectorXd bounds(const std::string& key, const NamedSize& size);           // "inf" and "-inf" are numbers here
  MatrixXd matrix(const std::string& key, const NamedSize& rows, const NamedSize& cols);
  MatrixXd matrix_or_empty(const std::string& key, const NamedSize& rows,
                           const NamedSize& cols);  // absent, []: 0 rows

  std::vector<std::string> unknown_keys() const;  // keys that nobody has asked for

  // For keys that are read elsewhere.
  void mark(const std::string& key) { asked_.insert(key); }

 private:
  const nlohmann::json* find_array(const std::string& key, std::optional<NamedSize> size);
  double entry(const nlohmann::json& value, const std::string& key, const std::string& place);

  const nlohmann::json& object_;
  std::set<std::string> asked_;
  std::optional<Error> error_;
};

}  // namespace tribo
