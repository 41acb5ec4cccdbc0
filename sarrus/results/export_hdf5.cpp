#include "sarrus/results/export_hdf5.hpp"

#include "sarrus/core/diagnostic.hpp"
#include "sarrus/core/memory.hpp"
#include "sarrus/results/run_folder.hpp"

#ifdef SARRUS_HAVE_HDF5

#include <fmt/format.h>
#include <hdf5.h>

#include <utility>

namespace sarrus {
namespace {

/// The library keeps quiet while one of these lives: what fails is said by an Error.
class Quiet {
 public:
  Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

/// An identifier of the library with the function that closes it.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }
  hid_t release() { return std::exchange(id_, -1); }

 private:
  hid_t id_;
  Close close_;
};

std::string dataset_name(const std::string& column) {
  std::string name;
  for (const char c : column)
    name += c == '/' ? std::string("%2F") : c == '%' ? std::string("%25") : std::string(1, c);
  return name;
}

/// One export: the file under its temporary name, a dataset per column, and the block being filled.
class Hdf5File {
 public:
  Hdf5File(std::string shown, const std::string& partial)
      : shown_(std::move(shown)),
        file_(checked(H5Fcreate(partial.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)),
              H5Fclose) {}

  void add_text(hid_t object, const char* name, const std::string& text) {
    const Handle type(checked(H5Tcopy(H5T_C_S1)), H5Tclose);
    checked(H5Tset_size(type, H5T_VARIABLE));
    checked(H5Tset_cset(type, H5T_CSET_UTF8));
    const Handle space(checked(H5Screate(H5S_SCALAR)), H5Sclose);
    const Handle attribute(checked(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT)),
                           H5Aclose);
    const char* bytes = text.c_str();
    checked(H5Awrite(attribute, type, &bytes));
  }

  void add_header(const ResultReader& reader) {
    const ResultHeader& header = reader.header();
    add_text(file_, "header", header_json(header));
    add_text(file_, "model", header.model_name);
    add_text(file_, "model_hash", header.model_hash);
    add_text(file_, "sarrus", header.sarrus_version);
    add_text(file_, "settings", header.settings_json);
    add_text(file_, "status", to_text(reader.status()));
    add_text(file_, "summary", reader.summary_json());
  }

  void add_columns(const std::vector<Column>& columns, std::int64_t rows, bool table) {
    rows_ = static_cast<hsize_t>(rows);
    width_ = columns.size();
    for (size_t i = 0; i < columns.size(); ++i) {
      columns_.push_back(make_dataset(dataset_name(columns[i].name), {rows_}));
      add_text(columns_.back(), "name", columns[i].name);
      add_text(columns_.back(), "unit", columns[i].unit);
      const Handle space(checked(H5Screate(H5S_SCALAR)), H5Sclose);
      const Handle index(checked(H5Acreate2(columns_.back(), "index", H5T_STD_I64LE, space,
                                            H5P_DEFAULT, H5P_DEFAULT)),
                         H5Aclose);
      const auto place = static_cast<long long>(i);
      checked(H5Awrite(index, H5T_NATIVE_LLONG, &place));
    }
    if (table) table_.push_back(make_dataset("table", {rows_, width_}));
  }

  void add_row(std::span<const double> values) {
    block_.insert(block_.end(), values.begin(), values.end());
    if (block_.size() >= block_values) flush_block();
  }

  /// Rows that wait go to their datasets; the columns are strided in memory, not copied.
  void flush_block() {
    const hsize_t count = block_.size() / width_;
    if (count == 0) return;
    for (size_t c = 0; c < width_; ++c) write_part(columns_[c], {count}, c);
    if (!table_.empty()) write_part(table_.front(), {count, width_}, 0);
    written_ += count;
    block_.clear();
  }

  void close() {
    columns_.clear();
    table_.clear();
    checked(H5Fflush(file_, H5F_SCOPE_GLOBAL));
    checked(H5Fclose(file_.release()));
  }

 private:
  static constexpr size_t block_values = 1 << 19;  // 4 MiB

  template <typename Result>
  Result checked(Result result) const {
    if (result < 0)
      throw io_error(shown_, "write-failed",
                     fmt::format("HDF5 could not write ({} bytes free)", free_bytes(shown_)),
                     "free some space or choose another place");
    return result;
  }

  Handle make_dataset(const std::string& name, const std::vector<hsize_t>& sizes) {
    const Handle space(
        checked(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr)), H5Sclose);
    const Handle links(checked(H5Pcreate(H5P_LINK_CREATE)), H5Pclose);
    checked(H5Pset_char_encoding(links, H5T_CSET_UTF8));
    return {checked(H5Dcreate2(file_, name.c_str(), H5T_IEEE_F64LE, space, links, H5P_DEFAULT,
                               H5P_DEFAULT)),
            H5Dclose};
  }

  void write_part(hid_t dataset, const std::vector<hsize_t>& count, size_t first_column) {
    const Handle target(checked(H5Dget_space(dataset)), H5Sclose);
    const std::vector<hsize_t> start =
        count.size() == 1 ? std::vector<hsize_t>{written_} : std::vector<hsize_t>{written_, 0};
    checked(
        H5Sselect_hyperslab(target, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr));

    const hsize_t values = block_.size(), from = first_column,
                  stride = count.size() == 1 ? width_ : 1;
    const hsize_t taken = count.size() == 1 ? count[0] : values;
    const Handle source(checked(H5Screate_simple(1, &values, nullptr)), H5Sclose);
    checked(H5Sselect_hyperslab(source, H5S_SELECT_SET, &from, &stride, &taken, nullptr));
    checked(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, source, target, H5P_DEFAULT, block_.data()));
  }

  std::string shown_;
  Handle file_;
  std::vector<Handle> columns_, table_;
  std::vector<double> block_;
  hsize_t rows_ = 0, written_ = 0;
  size_t width_ = 0;
};

/// No less than the file will have. Room is made sure of beforehand, because the library does not
/// survive a disk that fills up: it keeps a file that it could not close and crashes over it at
/// exit.
std::uint64_t size_bound(const ResultReader& reader, size_t columns, std::int64_t rows,
                         const Hdf5Options& options) {
  const std::uint64_t values = static_cast<std::uint64_t>(rows) * columns;
  const std::uint64_t texts =
      2 * header_json(reader.header()).size() + reader.summary_json().size();
  return 8 * values * (options.table ? 2 : 1) + 4096 * columns + 2 * texts + (64 << 10);
}

constexpr size_t for_a_file = 16u << 20, for_a_column = 16u << 10;  // bytes, ample

}  // namespace

bool has_hdf5() { return true; }

ExportReport export_hdf5(const std::string& result, const std::string& path,
                         const ExportSelection& selection, const Hdf5Options& options) {
  if (is_stream_target(path, options.replace, files_of_run(result)))
    throw io_error(path, "cannot-open", "an HDF5 file cannot be written to a device or pipe");

  // a first look counts the rows: datasets of known size need no chunks
  ResultReader counted(result);
  RowPicker counter(counted.header().columns, selection);
  const ExportReport expected = visit_rows(counted, counter, [](std::span<const double>) {});

  const std::string target = final_path(path);
  PendingFile pending(target, partial_path(target));  // says why, where HDF5 only fails
  const std::uint64_t size = size_bound(counted, counter.columns().size(), expected.rows, options);
  pending.file().reserve(size);
  ask_for_memory(for_a_file + for_a_column * counter.columns().size());
  const Quiet quiet;
  Hdf5File file(path, pending.file().path());
  pending.file().reserve(size);  // creating it has given the room back
  file.add_header(counted);
  file.add_columns(counter.columns(), expected.rows, options.table);

  ResultReader reader(result);
  RowPicker picker(reader.header().columns, selection);
  std::int64_t taken = 0;  // a run at work may have added rows since
  visit_rows(reader, picker, [&](std::span<const double> values) {
    if (taken++ < expected.rows) file.add_row(values);
  });
  file.flush_block();
  file.close();

  pending.put_in_place();
  return expected;
}

}  // namespace sarrus

#else

namespace sarrus {

bool has_hdf5() { return false; }

ExportReport export_hdf5(const std::string&, const std::string& path, const ExportSelection&,
                         const Hdf5Options&) {
  throw Error(
      Fault::usage,
      Diagnostic{.code = "no-hdf5",
                 .where = {printable(path)},
                 .message = "this Sarrus was built without HDF5",
                 .hint = "build with -DSARRUS_HDF5=ON and the HDF5 C library, or export CSV"});
}

}  // namespace sarrus

#endif
