#include "sarrus/core/checksum.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>

namespace sarrus {
namespace {

constexpr std::uint64_t polynomial = 0xc96c5795d7870f42;  // bits of 0x42f0e1eba9ea3693 reversed

using Tables = std::array<std::array<std::uint64_t, 256>, 8>;

/// tables[0][b]: what the byte b leaves in the register; tables[k][b]: the same, k zero bytes
/// later.
constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint64_t b = 0; b < 256; ++b) {
    std::uint64_t r = b;
    for (int bit = 0; bit < 8; ++bit) r = (r >> 1) ^ ((r & 1) != 0 ? polynomial : 0);
    tables[0][b] = r;
  }
  for (size_t k = 1; k < 8; ++k)
    for (size_t b = 0; b < 256; ++b)
      tables[k][b] = (tables[k - 1][b] >> 8) ^ tables[0][tables[k - 1][b] & 0xff];
  return tables;
}

constexpr Tables tables = make_tables();

static_assert(std::endian::native == std::endian::little, "the first byte is the lowest");

std::uint64_t word_at(const char* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, 8);
  return word;
}

}  // namespace

std::uint64_t crc64(std::string_view bytes, std::uint64_t so_far) {
  std::uint64_t r = ~so_far;

  // eight bytes at once: the lookups do not depend on each other
  while (bytes.size() >= 8) {
    const std::uint64_t w = r ^ word_at(bytes.data());
    r = tables[7][w & 0xff] ^ tables[6][(w >> 8) & 0xff] ^ tables[5][(w >> 16) & 0xff] ^
        tables[4][(w >> 24) & 0xff] ^ tables[3][(w >> 32) & 0xff] ^ tables[2][(w >> 40) & 0xff] ^
        tables[1][(w >> 48) & 0xff] ^ tables[0][w >> 56];
    bytes.remove_prefix(8);
  }

  for (const char c : bytes) r = (r >> 8) ^ tables[0][(r ^ static_cast<unsigned char>(c)) & 0xff];
  return ~r;
}

std::string checksum_text(std::uint64_t checksum) { return fmt::format("{:016x}", checksum); }

}  // namespace sarrus
