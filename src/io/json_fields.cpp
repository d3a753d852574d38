#include "io/json_fields.hpp"

#include <cmath>
#include <limits>

namespace tribo {

using nlohmann::json;

void JsonFields::refuse(const std::string& key, const std::string& what, const std::string& remedy) {
  if (!failed()) error_ = Error{what, key, remedy};
}

const json* JsonFields::find(const std::string& key) {
  mark(key);
  if (failed()) return nullptr;
  const auto found = object_.find(key);
  if (found != object_.end()) return &*found;
  refuse(key, "the key is missing", "add it; docs/file-formats.md lists all keys");
  return nullptr;
}

const json* JsonFields::find_array(const std::string& key, std::optional<NamedSize> size) {
  const json* value = find(key);
  if (value == nullptr) return nullptr;
  if (!value->is_array()) {
    refuse(key, std::string("is a ") + value->type_name() + ", not a list", "write [ ... ]");
    return nullptr;
  }
  if (size && static_cast<Index>(value->size()) != size->value) {
    refuse(key, "has " + std::to_string(value->size()) + " entries, expected " + size->text(),
           "the sizes in the file must agree");
    return nullptr;
  }
  return value;
}

double JsonFields::entry(const json& value, const std::string& key, const std::string& place) {
  if (value.is_number()) return value.get<double>();
  refuse(key, place + " is a " + value.type_name() + ", not a number", "write a finite number there");
  return 0.0;
}

std::string JsonFields::text(const std::string& key) {
  const json* value = find(key);
  if (value == nullptr) return {};
  if (value->is_string()) return value->get<std::string>();
  refuse(key, std::string("is a ") + value->type_name() + ", not a string", "write a string there");
  return {};
}

std::string JsonFields::optional_text(const std::string& key) {
  mark(key);
  return has(key) ? text(key) : std::string();
}

bool JsonFields::optional_flag(const std::string& key, bool otherwise) {
  mark(key);
  const json* value = has(key) ? find(key) : nullptr;
  if (value == nullptr) return otherwise;
  if (!value->is_boolean()) refuse(key, "is not true or false", "write true or false");
  return failed() ? otherwise : value->get<bool>();
}

double JsonFields::number(const std::string& key) {
  const json* value = find(key);
  return value == nullptr ? 0.0 : entry(*value, key, "the value");
}

Index JsonFields::size(const std::string& key) {
  const json* value = find(key);
  if (value == nullptr) return 0;
  if (value->is_number_integer()) {
    const auto number = value->get<std::int64_t>();
    if (number >= 0 && number <= std::numeric_limits<std::int32_t>::max()) return number;
  }
  refuse(key, "is " + value->dump().substr(0, 40) + ", not a size", "write an integer >= 0");
  return 0;
}

Index JsonFields::length(const std::string& key) {
  const json* value = find_array(key, std::nullopt);
  return value == nullptr ? 0 : static_cast<Index>(value->size());
}

std::vector<Index> JsonFields::optional_indices(const std::string& key) {
  mark(key);
  std::vector<Index> indices;
  const json* value = has(key) ? find_array(key, std::nullopt) : nullptr;
  if (value == nullptr) return indices;
  for (const json& item : *value) {
    const bool good = item.is_number_integer() && item.get<std::int64_t>() >= 0 &&
                      item.get<std::int64_t>() <= std::numeric_limits<std::int32_t>::max();
    if (!good) {
      refuse(key, "entry " + std::to_string(indices.size()) + " is not an integer >= 0", "write integers >= 0");
      return {};
    }
    indices.push_back(item.get<std::int64_t>());
  }
  return indices;
}

VectorXd JsonFields::vector(const std::string& key, const NamedSize& size) {
  const json* value = find_array(key, size);
  if (value == nullptr) return VectorXd();
  VectorXd result(size.value);
  for (Index i = 0; i < size.value; ++i) {
    result(i) = entry((*value)[static_cast<std::size_t>(i)], key, "entry " + std::to_string(i));
  }
  return result;
}

VectorXd JsonFields::optional_vector(const std::string& key, const NamedSize& size) {
  mark(key);
  if (has(key)) return vector(key, size);
  return failed() ? VectorXd() : VectorXd(VectorXd::Zero(size.value));
}

VectorXd JsonFields::vector_or_empty(const std::string& key, const NamedSize& size) {
  mark(key);
  return has(key) && length(key) > 0 ? vector(key, size) : VectorXd();
}

VectorXd JsonFields::bounds(const std::string& key, const NamedSize& size) {
  const json* value = find_array(key, size);
  if (value == nullptr) return VectorXd();
  VectorXd result(size.value);
  for (Index i = 0; i < size.value; ++i) {
    const json& item = (*value)[static_cast<std::size_t>(i)];
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (item == "inf" || item == "-inf") {
      result(i) = item == "inf" ? kInfinity : -kInfinity;
    } else {
      result(i) = entry(item, key, "entry " + std::to_string(i));
    }
  }
  return result;
}

MatrixXd JsonFields::matrix(const std::string& key, const NamedSize& rows, const NamedSize& cols) {
  const json* value = find_array(key, std::nullopt);
  if (value == nullptr) return MatrixXd();
  if (static_cast<Index>(value->size()) != rows.value) {
    refuse(key, "has " + std::to_string(value->size()) + " rows, expected " + rows.text(),
           "the sizes in the file must agree");
    return MatrixXd();
  }
  for (std::size_t i = 0; i < value->size(); ++i) {  // all rows before any memory is taken
    const json& row = (*value)[i];
    if (!row.is_array()) {
      refuse(key, "row " + std::to_string(i) + " is a " + row.type_name() + ", not a list", "write one list per row");
    } else if (static_cast<Index>(row.size()) != cols.value) {
      refuse(key,
             "row " + std::to_string(i) + " has " + std::to_string(row.size()) + " numbers, expected " + cols.text(),
             "the sizes in the file must agree");
    }
    if (failed()) return MatrixXd();
  }
  MatrixXd result(rows.value, cols.value);
  for (Index i = 0; i < rows.value; ++i) {
    const json& row = (*value)[static_cast<std::size_t>(i)];
    for (Index j = 0; j < cols.value; ++j) {
      const json& item = row[static_cast<std::size_t>(j)];
      if (!item.is_number()) {
        entry(item, key, "entry (" + std::to_string(i) + ", " + std::to_string(j) + ")");
        return MatrixXd();
      }
      result(i, j) = item.get<double>();
    }
  }
  return result;
}

MatrixXd JsonFields::matrix_or_empty(const std::string& key, const NamedSize& rows, const NamedSize& cols) {
  mark(key);
  if (has(key) && length(key) > 0) return matrix(key, rows, cols);
  return failed() ? MatrixXd() : MatrixXd(0, cols.value);
}

std::vector<std::string> JsonFields::unknown_keys() const {
  std::vector<std::string> keys;
  for (const auto& item : object_.items()) {
    if (!asked_.contains(item.key())) keys.push_back(item.key());
  }
  return keys;
}

}  // namespace tribo
