// Checksum of bytes: CRC-64/XZ, the one of the .xz file format.
//
//   g(x) = x⁶⁴ + x⁶² + x⁵⁷ + … + 1, 0x42f0e1eba9ea3693 with the leading term left out,
//   bits taken from the lowest up, register started and ended with all ones inverted.
//
// It finds every single flipped bit and every damaged run of up to 64 bits; any other damage passes
// with a chance of 2⁻⁶⁴. It is no protection against forgery.
//
// Polynomial: [ECMA-182, annex B]. Bit order and inversion: [The .xz File Format, 6].
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sarrus {

/// Checksum of the bytes that gave `so_far`, followed by `bytes`: crc64(b, crc64(a)) = crc64(a +
/// b).
std::uint64_t crc64(std::string_view bytes, std::uint64_t so_far = 0);

/// Sixteen hexadecimal digits, as checksums are shown and models identified.
std::string checksum_text(std::uint64_t checksum);

}  // namespace sarrus
