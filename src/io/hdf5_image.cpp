#include "io/hdf5_image.hpp"

#include <algorithm>
#include <utility>

#include <hdf5.h>

namespace tribo {
namespace {

// Closes an HDF5 object at the end of its scope. Negative: none.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  bool valid() const { return id_ >= 0; }
  hid_t id() const { return id_; }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

// HDF5 prints its errors unless told not to; the caller's setting comes back afterwards.
class Silence {
 public:
  Silence() {
    // A damaged file can leave the library unable to close itself, which it then reports on stderr at exit.
    static const herr_t no_exit_handler = H5dont_atexit();
    static_cast<void>(no_exit_handler);
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Silence() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

Handle memory_driver() {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  constexpr std::size_t kGrowBy = std::size_t{1} << 16;
  if (access.valid() && H5Pset_fapl_core(access.id(), kGrowBy, 0) < 0) return {};
  return access;
}

constexpr const char* kDamaged = "the file is damaged, or another program wrote it in another layout";

// Bytes that the array may have at most: what is stored, and with compression what could come out of it.
hsize_t calc_byte_limit(hid_t dataset, hid_t properties, hsize_t file_bytes) {
  const hsize_t stored = std::min<hsize_t>(H5Dget_storage_size(dataset), file_bytes);
  constexpr hsize_t kBestDeflateRatio = 1032;
  return H5Pget_nfilters(properties) > 0 ? stored * kBestDeflateRatio : stored;
}

// Opens and checks an array; returns its length.
Expected<std::size_t> open_array(hid_t file, const std::string& path, bool integer, hsize_t file_bytes,
                                 Handle& dataset) {
  dataset = Handle(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) return fail("is not a readable array", path, kDamaged);
  const Handle type(H5Dget_type(dataset.id()), H5Tclose);
  const Handle space(H5Dget_space(dataset.id()), H5Sclose);
  const Handle properties(H5Dget_create_plist(dataset.id()), H5Pclose);
  if (!type.valid() || !space.valid() || !properties.valid()) return fail("cannot be examined", path, kDamaged);
  if (H5Tget_class(type.id()) != (integer ? H5T_INTEGER : H5T_FLOAT)) {
    return fail(integer ? "does not hold integers" : "does not hold floating-point numbers", path,
                integer ? "write 32-bit integers" : "write 64-bit reals");
  }
  if (H5Pget_external_count(properties.id()) != 0 || H5Pget_layout(properties.id()) == H5D_VIRTUAL) {
    return fail("keeps its data in another file", path, "write the data into this file");
  }
  const int rank = H5Sget_simple_extent_ndims(space.id());
  if (H5Sis_simple(space.id()) <= 0 || rank < 0 || rank > 1) {
    return fail("has " + std::to_string(rank) + " dimensions", path, "write a one-dimensional array");
  }
  hsize_t extent = 1;
  if (rank == 1 && H5Sget_simple_extent_dims(space.id(), &extent, nullptr) != 1) {
    return fail("has no extent", path, kDamaged);
  }
  const std::size_t bytes = H5Tget_size(type.id());
  if (bytes == 0 || extent > calc_byte_limit(dataset.id(), properties.id(), file_bytes) / bytes) {
    return fail("claims " + std::to_string(extent) + " entries, more than the file holds", path, kDamaged);
  }
  return static_cast<std::size_t>(extent);
}

template <typename T>
Expected<std::vector<T>> read_array(hid_t file, const std::string& path, hid_t memory_type, bool integer,
                                    hsize_t file_bytes) {
  Handle dataset;
  const Expected<std::size_t> length = open_array(file, path, integer, file_bytes, dataset);
  if (!length) return Unexpected<Error>{length.error()};
  std::vector<T> values(*length);
  if (!values.empty() && H5Dread(dataset.id(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) {
    return fail("cannot be read", path, kDamaged);
  }
  return values;
}

}  // namespace

struct Hdf5Reader::Impl {
  Handle file;
  hsize_t bytes = 0;
};

Hdf5Reader::Hdf5Reader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Hdf5Reader::Hdf5Reader(Hdf5Reader&&) noexcept = default;
Hdf5Reader::~Hdf5Reader() {
  const Silence silence;
  impl_.reset();
}

Expected<Hdf5Reader> Hdf5Reader::open(const std::string& bytes) {
  const Silence silence;
  const Handle access = memory_driver();
  auto impl = std::make_unique<Impl>();
  impl->bytes = bytes.size();
  std::string copy = bytes;  // HDF5 copies the image, but asks for a pointer that it could write through
  if (access.valid() && H5Pset_file_image(access.id(), copy.data(), copy.size()) >= 0) {
    impl->file = Handle(H5Fopen("image", H5F_ACC_RDONLY, access.id()), H5Fclose);
  }
  if (!impl->file.valid()) return fail("cannot be opened as HDF5", "", "the file was cut short or is damaged");
  return Hdf5Reader(std::move(impl));
}

bool Hdf5Reader::has(const std::string& path) const {
  const Silence silence;
  for (std::size_t end = path.find('/');; end = path.find('/', end + 1)) {
    const std::string part = path.substr(0, end);
    if (H5Lexists(impl_->file.id(), part.c_str(), H5P_DEFAULT) <= 0) return false;
    H5L_info_t info;
    if (H5Lget_info(impl_->file.id(), part.c_str(), &info, H5P_DEFAULT) < 0 || info.type != H5L_TYPE_HARD) return false;
    if (end == std::string::npos) return true;
  }
}

Expected<std::vector<std::int64_t>> Hdf5Reader::integers(const std::string& path) const {
  if (!has(path)) return fail("is missing", path, kDamaged);
  const Silence silence;
  return read_array<std::int64_t>(impl_->file.id(), path, H5T_NATIVE_INT64, true, impl_->bytes);
}

Expected<std::vector<double>> Hdf5Reader::numbers(const std::string& path) const {
  if (!has(path)) return fail("is missing", path, kDamaged);
  const Silence silence;
  return read_array<double>(impl_->file.id(), path, H5T_NATIVE_DOUBLE, false, impl_->bytes);
}

std::string Hdf5Reader::text(const std::string& path) const {
  if (!has(path)) return {};
  const Silence silence;
  const Handle dataset(H5Dopen2(impl_->file.id(), path.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) return {};
  const Handle type(H5Dget_type(dataset.id()), H5Tclose);
  const Handle space(H5Dget_space(dataset.id()), H5Sclose);
  if (!type.valid() || !space.valid() || H5Tget_class(type.id()) != H5T_STRING) return {};
  if (H5Sget_simple_extent_npoints(space.id()) != 1) return {};
  if (H5Tis_variable_str(type.id()) > 0) {
    char* value = nullptr;
    if (H5Dread(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &value) < 0 || value == nullptr) return {};
    std::string copy = value;
    H5free_memory(value);
    return copy;
  }
  const std::size_t size = H5Tget_size(type.id());
  if (size == 0 || size > H5Dget_storage_size(dataset.id()) || size > impl_->bytes) return {};
  std::string value(size, '\0');
  if (H5Dread(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, value.data()) < 0) return {};
  return value.substr(0, value.find('\0'));
}

struct Hdf5Writer::Impl {
  Handle file;
  Handle group_properties;
  Handle data_properties;
  bool good = true;

  void write(const std::string& path, hid_t file_type, hid_t memory_type, hid_t space_id, const void* values) {
    const Handle space(space_id, H5Sclose);
    if (!good || !space.valid()) {
      good = false;
      return;
    }
    const Handle dataset(
        H5Dcreate2(file.id(), path.c_str(), file_type, space.id(), H5P_DEFAULT, data_properties.id(), H5P_DEFAULT),
        H5Dclose);
    good = dataset.valid() && (H5Sget_simple_extent_npoints(space.id()) == 0 ||
                               H5Dwrite(dataset.id(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  }
};

Hdf5Writer::Hdf5Writer() : impl_(std::make_unique<Impl>()) {
  const Silence silence;
  const Handle access = memory_driver();
  if (access.valid()) impl_->file = Handle(H5Fcreate("image", H5F_ACC_TRUNC, H5P_DEFAULT, access.id()), H5Fclose);
  impl_->group_properties = Handle(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  impl_->data_properties = Handle(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  impl_->good = impl_->file.valid() && impl_->group_properties.valid() && impl_->data_properties.valid() &&
                H5Pset_obj_track_times(impl_->group_properties.id(), false) >= 0 &&
                H5Pset_obj_track_times(impl_->data_properties.id(), false) >= 0;
}

Hdf5Writer::~Hdf5Writer() {
  const Silence silence;
  impl_.reset();
}

void Hdf5Writer::group(const std::string& path) {
  const Silence silence;
  if (!impl_->good) return;
  const Handle group(H5Gcreate2(impl_->file.id(), path.c_str(), H5P_DEFAULT, impl_->group_properties.id(), H5P_DEFAULT),
                     H5Gclose);
  impl_->good = group.valid();
}

void Hdf5Writer::integers(const std::string& path, const std::vector<std::int32_t>& values) {
  const Silence silence;
  const hsize_t extent = values.size();
  impl_->write(path, H5T_STD_I32LE, H5T_NATIVE_INT32, H5Screate_simple(1, &extent, nullptr), values.data());
}

void Hdf5Writer::numbers(const std::string& path, const double* values, std::size_t count) {
  const Silence silence;
  const hsize_t extent = count;
  impl_->write(path, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, H5Screate_simple(1, &extent, nullptr), values);
}

void Hdf5Writer::text(const std::string& path, const std::string& value) {
  const Silence silence;
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  if (!type.valid() || H5Tset_size(type.id(), value.size() + 1) < 0) {
    impl_->good = false;
    return;
  }
  impl_->write(path, type.id(), type.id(), H5Screate(H5S_SCALAR), value.c_str());
}

Expected<std::string> Hdf5Writer::finish() {
  const Silence silence;
  std::string bytes;
  if (impl_->good && H5Fflush(impl_->file.id(), H5F_SCOPE_GLOBAL) >= 0) {
    const ssize_t size = H5Fget_file_image(impl_->file.id(), nullptr, 0);
    if (size > 0) bytes.resize(static_cast<std::size_t>(size));
    if (size <= 0 || H5Fget_file_image(impl_->file.id(), bytes.data(), bytes.size()) != size) bytes.clear();
  }
  if (bytes.empty()) return fail("HDF5 could not write the problem", "", "is there enough memory?");
  return bytes;
}

}  // namespace tribo
