// Bytes as text [RFC 4648, 4], for data inside JSON.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

namespace sarrus {

inline std::string base64(std::string_view bytes) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t at = 0; at < bytes.size(); at += 3) {
    const size_t n = std::min<size_t>(3, bytes.size() - at);
    unsigned triple = 0;
    for (size_t i = 0; i < 3; ++i)
      triple = triple << 8 | (i < n ? static_cast<unsigned char>(bytes[at + i]) : 0u);
    for (size_t i = 0; i < 4; ++i) text += i <= n ? letters[triple >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

/// Numbers as they lie in memory, which is little-endian wherever Sarrus runs.
template <class Number>
std::string base64_numbers(std::span<const Number> numbers) {
  return base64({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
}

}  // namespace sarrus
