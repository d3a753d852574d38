// Numbers as bytes, least significant first; whole numbers of any size in as few bytes as they need.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tribo {

// CRC-32 of zip and png (polynomial 0xEDB88320, started and ended with all ones); `before`: that of the bytes before.
std::uint32_t calc_crc32(std::string_view bytes, std::uint32_t before = 0);

class ByteWriter {
 public:
  explicit ByteWriter(std::string& bytes) : bytes_(bytes) {}
  void u8(std::uint8_t value) { bytes_.push_back(static_cast<char>(value)); }
  void u32(std::uint32_t value) { fixed(value, 4); }
  void u64(std::uint64_t value) { fixed(value, 8); }
  void f64(double value) { u64(std::bit_cast<std::uint64_t>(value)); }
  void f64(std::span<const double> values) {
    for (const double value : values) f64(value);
  }
  // Seven bits a byte, the lowest first; the top bit says that more follow.
  void varint(std::uint64_t value);
  // 0, −1, 1, −2 … as 0, 1, 2, 3 …
  void zigzag(std::int64_t value);

 private:
  void fixed(std::uint64_t value, int count);
  std::string& bytes_;
};

// Once the bytes are at their end every number is zero and ok() is false.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}
  bool ok() const { return ok_; }
  std::size_t left() const { return bytes_.size() - at_; }
  std::uint8_t u8() { return static_cast<std::uint8_t>(fixed(1)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(fixed(4)); }
  std::uint64_t u64() { return fixed(8); }
  double f64() { return std::bit_cast<double>(u64()); }
  void f64(std::span<double> values) {
    for (double& value : values) value = f64();
  }
  std::uint64_t varint();
  std::int64_t zigzag();

 private:
  std::uint64_t fixed(std::size_t count);
  std::string_view bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

}  // namespace tribo
