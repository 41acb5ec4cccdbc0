#include "sarrus/results/export_hdf5.hpp"

#include "results/result_helpers.hpp"

using namespace sarrus;
using namespace sarrus::test;

#ifdef SARRUS_HAVE_HDF5

#include <hdf5.h>
#include <signal.h>
#include <sys/resource.h>

#include <nlohmann/json.hpp>

namespace {

std::vector<double> dataset(hid_t file, const char* name, std::vector<hsize_t>* shape = nullptr) {
  const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  REQUIRE(set >= 0);
  const hid_t space = H5Dget_space(set);
  std::vector<hsize_t> sizes(H5Sget_simple_extent_ndims(space));
  H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
  std::vector<double> values(H5Sget_simple_extent_npoints(space));
  CHECK(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
  H5Sclose(space);
  H5Dclose(set);
  if (shape != nullptr) *shape = sizes;
  return values;
}

std::string text_attribute(hid_t file, const char* object, const char* name) {
  const hid_t attribute = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT);
  REQUIRE(attribute >= 0);
  const hid_t type = H5Aget_type(attribute);
  char* text = nullptr;
  CHECK(H5Aread(attribute, type, &text) >= 0);
  const std::string copy = text;
  H5free_memory(text);
  H5Tclose(type);
  H5Aclose(attribute);
  return copy;
}

}  // namespace

TEST_CASE("hdf5: one dataset per column with its unit, read back by the library itself") {
  const TemporaryFolder folder;
  const int rows = 200000;  // more than one block
  write_pattern(folder / "result.sarrus", rows);
  CHECK(export_hdf5(folder.path(), folder / "out.h5", {}, {.table = true}).rows == rows);
  CHECK(folder.entries() == 2);

  const hid_t file = H5Fopen((folder / "out.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  REQUIRE(file >= 0);
  std::vector<hsize_t> shape;
  const std::vector<double> table = dataset(file, "table", &shape);
  CHECK(shape == std::vector<hsize_t>{rows, 3});
  const std::vector<double> time = dataset(file, "time"), q = dataset(file, "slider.q"),
                            count = dataset(file, "count");
  REQUIRE(time.size() == rows);
  int wrong = 0;
  for (size_t i = 0; i < rows; ++i) {
    const std::vector<double> wanted = pattern_row(static_cast<int>(i));
    wrong += time[i] != wanted[0] || q[i] != wanted[1] || count[i] != wanted[2];
    for (size_t c = 0; c < 3; ++c) wrong += table[3 * i + c] != wanted[c];
  }
  CHECK(wrong == 0);

  CHECK(text_attribute(file, "slider.q", "unit") == "m");
  CHECK(text_attribute(file, "time", "unit") == "s");
  CHECK(text_attribute(file, "/", "model") == "pendulum");
  CHECK(text_attribute(file, "/", "status") == "done");
  CHECK(text_attribute(file, "/", "summary") == R"({"steps":12})");
  const auto header = nlohmann::json::parse(text_attribute(file, "/", "header"));
  CHECK(header["columns"][1]["name"] == "slider.q");
  CHECK(header["settings"]["integrator"] == "dop853");
  H5Fclose(file);

  if (::system("command -v h5dump >/dev/null 2>&1") == 0)
    CHECK(::system(("h5dump -H '" + (folder / "out.h5") + "' | grep -q slider.q").c_str()) == 0);
}

TEST_CASE("hdf5: rows and columns can be chosen, names may hold slashes, no rows are no fault") {
  const TemporaryFolder folder;
  {
    ResultWriter writer(folder / "r", pendulum_header());
    writer.begin({{"time", "s"}, {"a/b 100%", "m"}, {"größe", "1"}});
    for (int i = 0; i < 10; ++i) writer.row(pattern_row(i));
  }
  export_hdf5(folder / "r", folder / "some.h5",
              {.columns = {"a/b 100%"}, .from = 0.05, .every = 2});
  export_hdf5(folder / "r", folder / "none.h5", {.from = 99}, {.table = true});

  const hid_t some = H5Fopen((folder / "some.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  CHECK(dataset(some, "time") == std::vector{4.0 / 64, 6.0 / 64, 8.0 / 64});
  CHECK(dataset(some, "a%2Fb 100%25").size() == 3);
  CHECK(text_attribute(some, "a%2Fb 100%25", "name") == "a/b 100%");
  CHECK(text_attribute(some, "/", "status") == "unfinished");
  CHECK(H5Lexists(some, "größe", H5P_DEFAULT) == 0);
  H5Fclose(some);
  const hid_t none = H5Fopen((folder / "none.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  CHECK(dataset(none, "größe").empty());
  CHECK(dataset(none, "table").empty());
  H5Fclose(none);
}

TEST_CASE("hdf5: a header of any length fits") {
  const TemporaryFolder folder;
  std::vector<Column> columns = {{"time", "s"}};
  for (int i = 0; i < 3000; ++i) columns.push_back({"body" + std::to_string(i) + ".x", "m"});
  {
    ResultWriter writer(folder / "r", pendulum_header());
    writer.begin(columns);
    writer.row(std::vector<double>(columns.size(), 0.5));
  }
  export_hdf5(folder / "r", folder / "wide.h5");
  const hid_t file = H5Fopen((folder / "wide.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  CHECK(text_attribute(file, "/", "header").size() > 70000);  // beyond 64 KiB HDF5 is choosy
  CHECK(dataset(file, "body2999.x") == std::vector{0.5});
  H5Fclose(file);
}

TEST_CASE("hdf5: a full disk is said, and the file before stays") {
  const TemporaryFolder folder;
  write_pattern(folder / "r", 20000);
  put_bytes(folder / "old.h5", "old");
  CHECK(code_of([&] { export_hdf5(folder / "r", folder / "old.h5"); }) == "file-exists");
  for (const rlim_t bytes : {100, 5000, 100000, 300000, 480000}) {
    CAPTURE(bytes);
    const pid_t child = start_child([&] {
      ::signal(SIGXFSZ, SIG_IGN);
      const rlimit limit{bytes, bytes};
      ::setrlimit(RLIMIT_FSIZE, &limit);
      const auto call = [&] {
        export_hdf5(folder / "r", folder / "old.h5", {}, {.replace = true});
      };
      std::exit(code_of(call) == "disk-full" ? 6 : 0);  // the library's farewell included
      return 0;
    });
    CHECK(exit_code(child) == 6);
    CHECK(bytes_of(folder / "old.h5") == "old");
    CHECK(folder.entries() == 2);
  }
  CHECK(code_of([&] { export_hdf5(folder / "r", "/dev/full"); }) == "cannot-open");
  CHECK(code_of([&] { export_hdf5(folder / "r", folder / "no/out.h5"); }) == "cannot-open");
}

#else

TEST_CASE("hdf5: a build without it says which option is missing") {
  CHECK(!has_hdf5());
  CHECK(contains(words_of([] { export_hdf5("r", "out.h5"); }), "-DSARRUS_HDF5=ON"));
}

#endif
