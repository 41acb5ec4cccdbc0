#include "sarrus/results/export_selection.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "sarrus/core/checksum.hpp"
#include "sarrus/core/near_match.hpp"

namespace sarrus {
namespace {

Error usage_error(const std::string& code, const std::string& message, const std::string& hint) {
  return {Fault::usage, Diagnostic{.code = code, .message = message, .hint = hint}};
}

size_t find_column(const std::vector<Column>& columns, const std::string& word) {
  for (size_t i = 0; i < columns.size(); ++i)
    if (columns[i].name == word || columns[i].header() == word) return i;
  std::vector<std::string> names;
  for (const Column& c : columns) names.push_back(c.name);
  throw usage_error("unknown-column", fmt::format("no column is called '{}'", word),
                    did_you_mean(word, names));
}

}  // namespace

RowPicker::RowPicker(const std::vector<Column>& columns, const ExportSelection& selection)
    : selection_(selection) {
  if (selection.every < 1)
    throw usage_error("bad-selection",
                      fmt::format("every {} rows is not possible", selection.every),
                      "1 takes every row, 10 every tenth");
  if (!(selection.from <= selection.to))
    throw usage_error("bad-selection",
                      fmt::format("no time lies from {} s to {} s", selection.from, selection.to),
                      "");

  if (selection.columns.empty())
    for (size_t i = 0; i < columns.size(); ++i) index_.push_back(i);
  else
    index_.push_back(0);
  for (const std::string& word : selection.columns) {
    const size_t i = find_column(columns, word);
    if (std::find(index_.begin(), index_.end(), i) == index_.end()) index_.push_back(i);
  }
  for (const size_t i : index_) picked_.push_back(columns[i]);
  values_.resize(index_.size());
}

std::span<const double> RowPicker::pick(std::span<const double> row) {
  const double t = row[0];
  if (t < selection_.from || t > selection_.to) return {};
  if (within_++ % selection_.every != 0) return {};
  for (size_t k = 0; k < index_.size(); ++k) values_[k] = row[index_[k]];
  return values_;
}

ExportReport visit_rows(ResultReader& reader, RowPicker& picker,
                        const std::function<void(std::span<const double>)>& take) {
  const size_t width = reader.header().columns.size();
  ExportReport report;
  for (auto block = reader.next_block(); !block.empty(); block = reader.next_block())
    for (size_t at = 0; at < block.size(); at += width)
      if (const auto values = picker.pick(block.subspan(at, width)); !values.empty()) {
        take(values);
        ++report.rows;
      }
  report.notes = reader.notes();
  return report;
}

bool is_stream_target(const std::string& path, bool replace,
                      const std::vector<std::string>& sources) {
  refuse_to_overwrite(path, sources);
  if (is_folder(path)) throw io_error(path, "cannot-open", "is a folder, not a file");
  if (!is_file(path)) return false;
  if (!std::filesystem::is_regular_file(path)) return true;
  if (!replace)
    throw io_error(path, "file-exists", "exists already", "choose another name, or use --replace");
  return false;
}

std::string final_path(const std::string& path) {
  std::error_code none;
  const std::filesystem::path target = std::filesystem::canonical(path, none);
  return none ? path : target.string();
}

std::string partial_path(const std::string& path) {
  return join_path(folder_of(path),
                   fmt::format(".sarrus-{}-{}.partial", ::getpid(), checksum_text(crc64(path))));
}

void write_export(const std::string& path, std::string_view bytes, bool replace,
                  const std::vector<std::string>& sources) {
  if (is_stream_target(path, replace, sources)) {
    File file(path, File::Mode::append);
    file.write(bytes);
    file.close();
    return;
  }
  const std::string target = final_path(path);
  write_file(target, partial_path(target), bytes);
}

}  // namespace sarrus
