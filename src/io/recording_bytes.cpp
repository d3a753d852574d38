#include "io/recording_bytes.hpp"

#include <array>

namespace tribo {
namespace {

// Row k: the CRC of a byte followed by k zero bytes, so that eight bytes are taken at once.
constexpr std::array<std::array<std::uint32_t, 256>, 8> make_tables() {
  std::array<std::array<std::uint32_t, 256>, 8> tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1u) != 0 ? 0xEDB88320u : 0u);
    tables[0][byte] = crc;
  }
  for (std::size_t row = 1; row < 8; ++row) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t last = tables[row - 1][byte];
      tables[row][byte] = (last >> 8) ^ tables[0][last & 0xFFu];
    }
  }
  return tables;
}
constexpr auto kTables = make_tables();

}  // namespace

std::uint32_t calc_crc32(std::string_view bytes, std::uint32_t before) {
  std::uint32_t crc = ~before;
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(bytes[i]); };
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    const auto first = [&](std::size_t k) { return byte(i + k) ^ ((crc >> (8 * k)) & 0xFFu); };
    crc = kTables[7][first(0)] ^ kTables[6][first(1)] ^ kTables[5][first(2)] ^ kTables[4][first(3)] ^
          kTables[3][byte(i + 4)] ^ kTables[2][byte(i + 5)] ^ kTables[1][byte(i + 6)] ^ kTables[0][byte(i + 7)];
  }
  for (; i < bytes.size(); ++i) crc = (crc >> 8) ^ kTables[0][(crc ^ byte(i)) & 0xFFu];
  return ~crc;
}

void ByteWriter::fixed(std::uint64_t value, int count) {
  for (int k = 0; k < count; ++k) u8(static_cast<std::uint8_t>(value >> (8 * k)));
}

void ByteWriter::varint(std::uint64_t value) {
  for (; value >= 0x80u; value >>= 7) u8(static_cast<std::uint8_t>(value | 0x80u));
  u8(static_cast<std::uint8_t>(value));
}

void ByteWriter::zigzag(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  varint((bits << 1) ^ (value < 0 ? ~std::uint64_t{0} : 0));
}

std::uint64_t ByteReader::fixed(std::size_t count) {
  if (left() < count) ok_ = false;
  if (!ok_) return 0;
  std::uint64_t value = 0;
  for (std::size_t k = 0; k < count; ++k) value |= std::uint64_t{static_cast<std::uint8_t>(bytes_[at_ + k])} << (8 * k);
  at_ += count;
  return value;
}

std::uint64_t ByteReader::varint() {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const std::uint8_t byte = u8();
    value |= std::uint64_t{byte & 0x7Fu} << shift;
    if ((byte & 0x80u) == 0) return ok_ ? value : 0;
  }
  ok_ = false;  // longer than any number
  return 0;
}

std::int64_t ByteReader::zigzag() {
  const std::uint64_t bits = varint();
  return static_cast<std::int64_t>((bits >> 1) ^ ((bits & 1u) != 0 ? ~std::uint64_t{0} : 0));
}

}  // namespace tribo
