#include "sarrus/results/export_csv.hpp"

#include <charconv>
#include <cmath>
#include <ostream>

#include "sarrus/results/run_folder.hpp"

namespace sarrus {
namespace {

constexpr size_t chunk_bytes = 64 << 10;

void append_quoted(std::string& text, const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) {
    text += field;
    return;
  }
  text += '"';
  for (const char c : field) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  text += '"';
}

void append_number(std::string& text, double value) {
  if (std::isnan(value)) {
    text += "nan";  // to_chars would show its sign, which means nothing
    return;
  }
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  text.append(digits, end);
}

TextSink sink_to(std::ostream& out) {
  return [&out](std::string_view text) {
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    if (!out)
      throw io_error("output", "write-failed",
                     "cannot continue writing: the output was closed, or its disk is full");
  };
}

ExportReport write_rows(const std::string& result, const TextSink& sink,
                        const ExportSelection& selection) {
  ResultReader reader(result);
  RowPicker picker(reader.header().columns, selection);
  CsvWriter csv(sink);
  csv.begin(picker.columns());
  ExportReport report =
      visit_rows(reader, picker, [&](std::span<const double> values) { csv.row(values); });
  csv.finish();
  return report;
}

}  // namespace

void CsvWriter::begin(const std::vector<Column>& columns) {
  for (size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) text_ += ',';
    append_quoted(text_, columns[i].header());
  }
  text_ += '\n';
}

void CsvWriter::row(std::span<const double> values) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text_ += ',';
    append_number(text_, values[i]);
  }
  text_ += '\n';
  if (text_.size() >= chunk_bytes) finish();
}

void CsvWriter::finish() {
  sink_(text_);
  text_.clear();
}

ExportReport export_csv(const std::string& result, const std::string& path,
                        const ExportSelection& selection, bool replace) {
  const auto sink_into = [](File& file) {
    return [&file](std::string_view text) { file.write(text); };
  };
  if (is_stream_target(path, replace, files_of_run(result))) {
    File file(path, File::Mode::append);
    ExportReport report = write_rows(result, sink_into(file), selection);
    file.close();
    return report;
  }
  const std::string target = final_path(path);
  PendingFile pending(target, partial_path(target));
  ExportReport report = write_rows(result, sink_into(pending.file()), selection);
  pending.put_in_place();
  pending.file().close();
  return report;
}

ExportReport export_csv(const std::string& result, std::ostream& out,
                        const ExportSelection& selection) {
  ExportReport report = write_rows(result, sink_to(out), selection);
  out.flush();
  sink_to(out)("");
  return report;
}

void export_csv(const Trajectory& rows, std::ostream& out) {
  CsvWriter csv(sink_to(out));
  csv.begin(rows.columns);
  for (int i = 0; i < rows.rows(); ++i) csv.row(rows.row(i));
  csv.finish();
  out.flush();
  sink_to(out)("");
}

}  // namespace sarrus
