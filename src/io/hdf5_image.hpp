// HDF5 files as bytes in memory: whole arrays by path, nothing more. HDF5's header stays out of this one.
#pragma once

#include "tribo/core/expected.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tribo {

class Hdf5Reader {
 public:
  static Expected<Hdf5Reader> open(const std::string& bytes);
  Hdf5Reader(Hdf5Reader&&) noexcept;
  ~Hdf5Reader();

  // Is there an object at this path? Only links within the file count; "a/b/c" without leading slash.
  bool has(const std::string& path) const;

  // One-dimensional arrays (a scalar is an array of length 1). Type class, rank, extent and storage are
  // checked before memory is reserved: an array may not claim more than the file can hold.
  Expected<std::vector<std::int64_t>> integers(const std::string& path) const;
  Expected<std::vector<double>> numbers(const std::string& path) const;

  // A string, fixed or variable; "" when there is none.
  std::string text(const std::string& path) const;

 private:
  struct Impl;
  explicit Hdf5Reader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Writes the same bytes for the same calls: no time stamps. A failure sticks and comes back from finish().
class Hdf5Writer {
 public:
  Hdf5Writer();
  ~Hdf5Writer();

  void group(const std::string& path);
  void integers(const std::string& path, const std::vector<std::int32_t>& values);
  void numbers(const std::string& path, const double* values, std::size_t count);
  void text(const std::string& path, const std::string& value);
  Expected<std::string> finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tribo
