#include "sarrus/core/checksum.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace sarrus;

namespace {

/// The definition, bit by bit: divide by the polynomial, lowest bit first.
std::uint64_t crc64_by_division(const std::string& bytes) {
  std::uint64_t r = ~std::uint64_t{0};
  for (const char c : bytes)
    for (int bit = 0; bit < 8; ++bit) {
      const bool odd = ((r ^ (static_cast<unsigned char>(c) >> bit)) & 1) != 0;
      r = (r >> 1) ^ (odd ? 0xc96c5795d7870f42 : 0);
    }
  return ~r;
}

std::string bytes_of_length(int n) {
  std::string text;
  std::uint32_t state = 12345;
  for (int i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    text += static_cast<char>(state >> 24);
  }
  return text;
}

}  // namespace

TEST_CASE("checksum: the digits 1 to 9 give the published check value of CRC-64/XZ") {
  CHECK(crc64("123456789") == 0x995dc9bbdf1939fa);
  CHECK(crc64("") == 0);
  CHECK(checksum_text(crc64("123456789")) == "995dc9bbdf1939fa");
  CHECK(checksum_text(10) == "000000000000000a");
}

TEST_CASE("checksum: eight bytes at a time is the same division as bit by bit") {
  for (int n = 0; n < 70; ++n) {
    CAPTURE(n);
    CHECK(crc64(bytes_of_length(n)) == crc64_by_division(bytes_of_length(n)));
  }
}

TEST_CASE("checksum: taken in two parts it is that of the whole") {
  const std::string whole = bytes_of_length(100);
  for (size_t cut = 0; cut <= whole.size(); ++cut)
    CHECK(crc64(whole.substr(cut), crc64(whole.substr(0, cut))) == crc64(whole));
}

TEST_CASE("checksum: every single flipped bit changes it") {
  const std::string good = bytes_of_length(200);
  int unnoticed = 0;
  for (size_t bit = 0; bit < good.size() * 8; ++bit) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
    unnoticed += crc64(bad) == crc64(good);
  }
  CHECK(unnoticed == 0);
}
