#include "sarrus/results/export_arrays.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>
#include <set>

#include "sarrus/core/ascii.hpp"
#include "sarrus/results/run_folder.hpp"

namespace sarrus {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they are");

constexpr std::uint64_t most_bytes = std::uint64_t{1}
                                     << 31;  // of sizes with 32 bits, signed or not

struct Columns {
  std::vector<Column> columns;
  std::vector<std::vector<double>> values;  // column by column
  ExportReport report;
};

Columns read_columns(const std::string& result, const std::string& path, const char* format,
                     int copies, const ExportSelection& selection) {
  ResultReader reader(result);
  RowPicker picker(reader.header().columns, selection);
  Columns c;
  c.columns = picker.columns();
  c.values.resize(c.columns.size());
  std::uint64_t bytes = 0;
  c.report = visit_rows(reader, picker, [&](std::span<const double> row) {
    bytes += static_cast<std::uint64_t>(copies) * row.size() * sizeof(double);
    if (bytes >= most_bytes)
      throw io_error(path, "too-large",
                     fmt::format("the rows take more than the {} GiB that a {} file holds",
                                 most_bytes >> 30, format),
                     "choose columns or rows (--columns, --every), or use --hdf5");
    for (size_t i = 0; i < row.size(); ++i) c.values[i].push_back(row[i]);
  });
  return c;
}

template <class T>
void put(std::string& bytes, T number) {
  char raw[sizeof(T)];
  std::memcpy(raw, &number, sizeof(T));
  bytes.append(raw, sizeof(T));
}
void put16(std::string& bytes, std::uint64_t n) { put(bytes, static_cast<std::uint16_t>(n)); }
void put32(std::string& bytes, std::uint64_t n) { put(bytes, static_cast<std::uint32_t>(n)); }
void put_doubles(std::string& bytes, const std::vector<double>& x) {
  bytes.append(reinterpret_cast<const char*>(x.data()), x.size() * sizeof(double));
}

/// UTF-8 as numbers of characters.
std::u32string characters(const std::string& text) {
  std::u32string found;
  for (const char byte : text) {
    const auto b = static_cast<unsigned char>(byte);
    if ((b & 0xC0) == 0x80 && !found.empty())
      found.back() = (found.back() << 6) | (b & 0x3F);
    else
      found.push_back(b < 0x80 ? b : b < 0xE0 ? b & 0x1F : b < 0xF0 ? b & 0x0F : b & 0x07);
  }
  return found;
}

// ── .npz ──

/// CRC-32 of zip archives, by bits of the reversed polynomial x³² + x²⁶ + … + 1.
std::uint32_t crc32(std::string_view bytes) {
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
  for (const char byte : bytes) c = table[(c ^ static_cast<unsigned char>(byte)) & 0xFF] ^ (c >> 8);
  return c ^ 0xFFFFFFFFu;
}

class Zip {
 public:
  void add(const std::string& name, const std::string& content) {
    const auto at = bytes_.size();
    std::string head;         // what the local record and the directory share
    put16(head, 20);          // version 2.0 is needed
    put16(head, 1 << 11);     // names are UTF-8
    put16(head, 0);           // stored
    put32(head, 0x00210000);  // 1 January 1980: one input gives one output
    put32(head, crc32(content));
    put32(head, content.size());
    put32(head, content.size());
    put16(head, name.size());
    put16(head, 0);  // nothing extra
    put32(bytes_, 0x04034b50);
    bytes_ += head + name + content;

    put32(directory_, 0x02014b50);
    put16(directory_, 20);
    directory_ += head;
    put16(directory_, 0), put16(directory_, 0), put16(directory_, 0);
    put32(directory_, 0), put32(directory_, at);
    directory_ += name;
    ++entries_;
  }

  std::string finish() && {
    const auto at = bytes_.size();
    bytes_ += directory_;
    put32(bytes_, 0x06054b50);
    put16(bytes_, 0), put16(bytes_, 0), put16(bytes_, entries_), put16(bytes_, entries_);
    put32(bytes_, directory_.size()), put32(bytes_, at);
    put16(bytes_, 0);
    return std::move(bytes_);
  }

 private:
  std::string bytes_, directory_;
  std::uint64_t entries_ = 0;
};

/// The head of an array with one index, padded so that the numbers begin at a multiple of 64.
std::string npy_head(const std::string& type, size_t count) {
  std::string words =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}", type, count);
  constexpr size_t magic = 10;
  words.append(63 - (magic + words.size()) % 64, ' ');
  words += '\n';
  std::string head = "\x93NUMPY";
  head += '\x01', head += '\x00';
  put16(head, words.size());
  return head + words;
}

std::string npy(const std::vector<double>& values) {
  std::string bytes = npy_head("<f8", values.size());
  put_doubles(bytes, values);
  return bytes;
}

/// Text of equal lengths, four bytes a character.
std::string npy(const std::vector<std::string>& texts) {
  size_t longest = 1;
  for (const std::string& text : texts) longest = std::max(longest, characters(text).size());
  std::string bytes = npy_head(fmt::format("<U{}", longest), texts.size());
  for (const std::string& text : texts) {
    std::u32string all = characters(text);
    all.resize(longest, 0);
    for (const char32_t c : all) put32(bytes, c);
  }
  return bytes;
}

std::vector<std::string> names_of(const Columns& c) {
  std::vector<std::string> names;
  for (const Column& column : c.columns) names.push_back(column.name);
  return names;
}
std::vector<std::string> units_of(const Columns& c) {
  std::vector<std::string> units;
  for (const Column& column : c.columns) units.push_back(column.unit);
  return units;
}

// ── .mat ──

enum : std::uint32_t {
  mi_int8 = 1,
  mi_uint16 = 4,
  mi_int32 = 5,
  mi_uint32 = 6,
  mi_double = 9,
  mi_matrix = 14
};
enum : std::uint32_t { mx_cell = 1, mx_char = 4, mx_double = 6 };

/// A data element: its type, its size, its bytes up to a multiple of 8.
std::string element(std::uint32_t type, const std::string& content) {
  std::string bytes;
  put32(bytes, type), put32(bytes, content.size());
  bytes += content;
  bytes.append((8 - content.size() % 8) % 8, '\0');
  return bytes;
}

std::string matrix(std::uint32_t kind, size_t rows, size_t columns, const std::string& name,
                   const std::string& content) {
  std::string flags, sizes;
  put32(flags, kind), put32(flags, 0);
  put32(sizes, rows), put32(sizes, columns);
  return element(mi_matrix, element(mi_uint32, flags) + element(mi_int32, sizes) +
                                element(mi_int8, name) + content);
}

std::string text_matrix(const std::string& text) {
  std::string units;  // UTF-16
  size_t count = 0;
  for (char32_t c : characters(text)) {
    if (c > 0xFFFF) {
      c -= 0x10000;
      put16(units, 0xD800 + (c >> 10)), ++count;
      c = 0xDC00 + (c & 0x3FF);
    }
    put16(units, c), ++count;
  }
  return matrix(mx_char, count == 0 ? 0 : 1, count, "", element(mi_uint16, units));
}

std::string cells(const std::string& name, const std::vector<std::string>& texts) {
  std::string content;
  for (const std::string& text : texts) content += text_matrix(text);
  return matrix(mx_cell, texts.size(), 1, name, content);
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// A name that MATLAB takes, and that no other column has.
std::string matlab_name(const std::string& column, std::set<std::string>& taken) {
  constexpr size_t longest = 63;
  std::string name;
  for (const char c : column) name += is_letter(c) || is_digit(c) ? c : '_';
  if (name.empty() || !is_letter(name[0])) name = "x" + name;
  name.resize(std::min(name.size(), longest - 5));
  const std::string plain = name;
  for (int i = 2; !taken.insert(name).second; ++i) name = fmt::format("{}_{}", plain, i);
  return name;
}

std::string mat_head() {
  std::string head = "MATLAB 5.0 MAT-file, written by Sarrus";
  head.resize(116, ' ');
  head.append(8, '\0');  // no subsystem data
  put16(head, 0x0100);
  return head + "IM";
}

}  // namespace

ExportReport export_npz(const std::string& result, const std::string& path,
                        const ExportSelection& selection, bool replace) {
  const Columns c = read_columns(result, path, ".npz", 1, selection);
  Zip zip;
  zip.add("columns.npy", npy(names_of(c)));
  zip.add("units.npy", npy(units_of(c)));
  for (size_t i = 0; i < c.columns.size(); ++i)
    zip.add(c.columns[i].name + ".npy", npy(c.values[i]));
  write_export(path, std::move(zip).finish(), replace, files_of_run(result));
  return c.report;
}

ExportReport export_mat(const std::string& result, const std::string& path,
                        const ExportSelection& selection, bool replace) {
  const Columns c = read_columns(result, path, ".mat", 2, selection);
  std::string bytes = mat_head();
  bytes += cells("columns", names_of(c)) + cells("units", units_of(c));
  std::string all;
  for (const std::vector<double>& values : c.values) put_doubles(all, values);
  const auto rows = static_cast<size_t>(c.report.rows);
  bytes += matrix(mx_double, rows, c.columns.size(), "data", element(mi_double, all));
  std::set<std::string> taken = {"columns", "units", "data"};
  for (size_t i = 0; i < c.columns.size(); ++i) {
    std::string values;
    put_doubles(values, c.values[i]);
    bytes += matrix(mx_double, rows, 1, matlab_name(c.columns[i].name, taken),
                    element(mi_double, values));
  }
  write_export(path, bytes, replace, files_of_run(result));
  return c.report;
}

}  // namespace sarrus
