#include "sarrus/linear/state_space_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "sarrus/core/json.hpp"

namespace sarrus {
namespace {

template <class T>
void put(std::string& to, T value) {
  static_assert(std::endian::native == std::endian::little);
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  to.append(bytes, sizeof value);
}

// ── MAT, level 5 ────────────────────────────────────────────────────────────────────────────────

enum MatType : std::uint32_t {
  int8 = 1,
  uint8 = 2,
  int32 = 5,
  uint32 = 6,
  float64 = 9,
  matrix = 14,
  utf16 = 17
};
enum MatClass : std::uint32_t { cells = 1, text = 4, doubles = 6 };

/// Type, length, data, filled to a multiple of eight bytes.
void element(std::string& to, std::uint32_t type, const std::string& data) {
  put<std::uint32_t>(to, type), put<std::uint32_t>(to, static_cast<std::uint32_t>(data.size()));
  to += data;
  to.append((8 - data.size() % 8) % 8, '\0');
}

std::string array_head(std::uint32_t kind, int rows, int cols, const std::string& name) {
  std::string out, flags, size;
  put<std::uint32_t>(flags, kind), put<std::uint32_t>(flags, 0);
  put<std::int32_t>(size, rows), put<std::int32_t>(size, cols);
  element(out, uint32, flags), element(out, int32, size), element(out, int8, name);
  return out;
}

void mat_matrix(std::string& to, const std::string& name, const Matrix& A) {
  std::string body = array_head(doubles, A.rows, A.cols, name), data;
  for (const double x : A.values) put(data, x);
  element(body, float64, data);
  element(to, matrix, body);
}

void mat_names(std::string& to, const std::string& name, const std::vector<std::string>& names) {
  std::string body = array_head(cells, static_cast<int>(names.size()), names.empty() ? 0 : 1, name);
  for (const std::string& word : names) {
    std::string cell = array_head(text, 1, static_cast<int>(word.size()), ""), letters;
    for (const char c : word) put<std::uint16_t>(letters, static_cast<unsigned char>(c));
    element(cell, utf16, letters);
    element(body, matrix, cell);
  }
  element(to, matrix, body);
}

// ── NPZ ─────────────────────────────────────────────────────────────────────────────────────────

std::uint32_t crc32(const std::string& bytes) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> t{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t c = i;
      for (int k = 0; k < 8; ++k) c = c & 1 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
      t[i] = c;
    }
    return t;
  }();
  std::uint32_t c = 0xFFFFFFFFu;
  for (const char b : bytes) c = table[(c ^ static_cast<unsigned char>(b)) & 0xFF] ^ (c >> 8);
  return ~c;
}

std::string npy(const std::string& type, bool by_columns, const std::string& shape,
                const std::string& data) {
  std::string head = fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}), }}", type,
                                 by_columns ? "True" : "False", shape);
  head.append(63 - (10 + head.size()) % 64, ' ');
  head += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  put<std::uint16_t>(out, static_cast<std::uint16_t>(head.size()));
  return out + head + data;
}

std::string npy(const Matrix& A) {
  std::string data;
  for (const double x : A.values) put(data, x);
  return npy("<f8", true, fmt::format("{}, {}", A.rows, A.cols), data);
}

std::string npy(const std::vector<std::string>& names) {
  size_t longest = 1;
  for (const std::string& n : names) longest = std::max(longest, n.size());
  std::string data;
  for (const std::string& n : names)
    for (size_t i = 0; i < longest; ++i)
      put<std::uint32_t>(data, i < n.size() ? static_cast<unsigned char>(n[i]) : 0);
  return npy(fmt::format("<U{}", longest), false, fmt::format("{},", names.size()), data);
}

/// Files one after the other, then the directory; nothing is compressed.
class Zip {
 public:
  void add(const std::string& name, const std::string& bytes) {
    const std::uint32_t crc = crc32(bytes), size = static_cast<std::uint32_t>(bytes.size()),
                        at = static_cast<std::uint32_t>(out_.size());
    put<std::uint32_t>(out_, 0x04034b50), common(out_, crc, size, name);
    put<std::uint16_t>(out_, 0);
    out_ += name + bytes;
    put<std::uint32_t>(directory_, 0x02014b50), put<std::uint16_t>(directory_, 20),
        common(directory_, crc, size, name);
    for (int i = 0; i < 4; ++i) put<std::uint16_t>(directory_, 0);
    put<std::uint32_t>(directory_, 0), put<std::uint32_t>(directory_, at);
    directory_ += name;
    ++files_;
  }
  std::string finish() {
    const auto at = static_cast<std::uint32_t>(out_.size()),
               size = static_cast<std::uint32_t>(directory_.size());
    out_ += directory_;
    put<std::uint32_t>(out_, 0x06054b50), put<std::uint32_t>(out_, 0);
    put<std::uint16_t>(out_, files_), put<std::uint16_t>(out_, files_);
    put<std::uint32_t>(out_, size), put<std::uint32_t>(out_, at), put<std::uint16_t>(out_, 0);
    return std::move(out_);
  }

 private:
  static void common(std::string& to, std::uint32_t crc, std::uint32_t size,
                     const std::string& name) {
    put<std::uint16_t>(to, 20), put<std::uint16_t>(to, 0),
        put<std::uint16_t>(to, 0);                            // version, flags, stored
    put<std::uint16_t>(to, 0), put<std::uint16_t>(to, 0x21);  // the first of January 1980
    put(to, crc), put(to, size), put(to, size),
        put<std::uint16_t>(to, static_cast<std::uint16_t>(name.size()));
  }
  std::string out_, directory_;
  std::uint16_t files_ = 0;
};

Json json(const Matrix& A) {
  Json rows = Json::array();
  for (int i = 0; i < A.rows; ++i) {
    Json row = Json::array();
    for (int j = 0; j < A.cols; ++j) row.push_back(A(i, j));
    rows.push_back(row);
  }
  return rows;
}

}  // namespace

std::string to_mat(const StateSpace& s) {
  std::string out = "MATLAB 5.0 MAT-file, linear model of Sarrus";
  out.resize(124, ' ');
  put<std::uint16_t>(out, 0x0100);
  out += "IM";
  mat_matrix(out, "A", s.A), mat_matrix(out, "B", s.B), mat_matrix(out, "C", s.C),
      mat_matrix(out, "D", s.D);
  mat_names(out, "states", s.states), mat_names(out, "inputs", s.inputs),
      mat_names(out, "outputs", s.outputs);
  return out;
}

std::string to_npz(const StateSpace& s) {
  Zip zip;
  zip.add("A.npy", npy(s.A)), zip.add("B.npy", npy(s.B)), zip.add("C.npy", npy(s.C)),
      zip.add("D.npy", npy(s.D));
  zip.add("states.npy", npy(s.states)), zip.add("inputs.npy", npy(s.inputs)),
      zip.add("outputs.npy", npy(s.outputs));
  return zip.finish();
}

std::string to_json(const StateSpace& s) {
  Json object = {{"states", s.states}, {"inputs", s.inputs}, {"outputs", s.outputs},
                 {"A", json(s.A)},     {"B", json(s.B)},     {"C", json(s.C)},
                 {"D", json(s.D)}};
  return object.dump(1) + "\n";
}

}  // namespace sarrus
