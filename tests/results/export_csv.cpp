#include "sarrus/results/export_csv.hpp"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <charconv>
#include <clocale>
#include <cstring>
#include <limits>
#include <locale>
#include <random>
#include <sstream>

#include "results/result_helpers.hpp"

using namespace sarrus;
using namespace sarrus::test;

namespace {

std::string csv_of(const std::string& result, const ExportSelection& selection = {}) {
  std::ostringstream out;
  export_csv(result, out, selection);
  return out.str();
}

/// Digits as in most of Europe: a comma before the fraction, points between thousands.
struct CommaDigits : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

/// A stream that takes so many bytes and no more, like a pipe whose reader has gone.
class Closing : public std::streambuf {
 public:
  explicit Closing(int room) : room_(room) {}

 protected:
  int overflow(int c) override { return room_-- > 0 ? c : traits_type::eof(); }

 private:
  int room_;
};

}  // namespace

TEST_CASE("csv: header with units, one line per row") {
  const TemporaryFolder folder;
  write_pattern(folder / "result.sarrus", 3);
  CHECK(csv_of(folder.path()) ==
        "time[s],slider.q[m],count\n"
        "0,0,1\n"
        "0.015625,0.8414709848078965,4\n"   // sin 1
        "0.03125,0.9092974268256817,7\n");  // sin 2
}

TEST_CASE("csv: every double reads back to itself") {
  Trajectory rows;
  rows.columns = {{"time", "s"}};
  std::mt19937_64 random(7);
  while (rows.values.size() < 20000) {
    const std::uint64_t bits = random();
    double value = 0;
    static_assert(sizeof bits == sizeof value);
    std::memcpy(&value, &bits, sizeof value);
    if (std::isfinite(value)) rows.values.push_back(value);
  }
  rows.values.insert(rows.values.end(), {-0.0, 5e-324, std::numeric_limits<double>::max(), 0.1});
  std::stringstream text;
  export_csv(rows, text);
  std::string line;
  std::getline(text, line);
  int wrong = 0;
  for (const double value : rows.values) {
    std::getline(text, line);
    double back = 0;
    const auto end = std::from_chars(line.data(), line.data() + line.size(), back).ptr;
    wrong += end != line.data() + line.size() || std::memcmp(&back, &value, 8) != 0;
  }
  CHECK(wrong == 0);
}

TEST_CASE("csv: what is no number is nan, inf and -inf") {
  const double inf = std::numeric_limits<double>::infinity();
  std::ostringstream out;
  export_csv(Trajectory{{{"a", "1"}, {"b", ""}, {"c", "m"}, {"d", "1"}},
                        {std::nan(""), -std::nan(""), inf, -inf}},
             out);
  CHECK(out.str() == "a,b,c[m],d\nnan,nan,inf,-inf\n");
}

TEST_CASE("csv: names with commas, quotes or line breaks are quoted") {
  std::ostringstream out;
  export_csv(
      Trajectory{{{"a,b", "1"}, {"say \"x\"", "m"}, {"two\nlines", "1"}, {"plain", "1"}}, {}}, out);
  CHECK(out.str() == "\"a,b\",\"say \"\"x\"\"[m]\",\"two\nlines\",plain\n");
}

TEST_CASE("csv: the same bytes under a locale with decimal commas") {
  const TemporaryFolder folder;
  write_pattern(folder / "r", 2000);
  const std::string plain = csv_of(folder / "r");

  const std::locale before = std::locale::global(std::locale(std::locale(), new CommaDigits));
  const std::string stream_locale = csv_of(folder / "r");
  std::locale::global(before);
  CHECK(stream_locale == plain);

  // the C locale, where the machine can make one
  put_bytes(folder / "comma.def",
            "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\ngrouping 3;3\nEND LC_NUMERIC\n");
  const std::string compile = "cd '" + folder.path() +
                              "' && localedef --quiet -c -f ISO-8859-1 -i ./comma.def ./comma "
                              ">/dev/null 2>&1";
  const pid_t child = start_child([&] {
    if (::system(compile.c_str()) < 0) return 77;  // it complains about the other categories
    ::setenv("LOCPATH", folder.path().c_str(), 1);
    if (std::setlocale(LC_NUMERIC, "comma") == nullptr) return 77;
    char digits[16];
    std::snprintf(digits, sizeof digits, "%.1f", 0.5);
    if (std::string(digits) != "0,5") return 77;
    write_pattern(folder / "again", 2000);
    return csv_of(folder / "r") == plain && csv_of(folder / "again") == plain ? 0 : 1;
  });
  const int code = exit_code(child);
  if (code == 77) MESSAGE("no locale with a decimal comma on this machine");
  CHECK((code == 0 || code == 77));
}

TEST_CASE("csv: columns and rows can be chosen, time stays the first") {
  const TemporaryFolder folder;
  write_pattern(folder / "r", 10);
  CHECK(
      csv_of(folder / "r", {.columns = {"count"}, .from = 2.0 / 64, .to = 8.0 / 64, .every = 3}) ==
      "time[s],count\n0.03125,7\n0.078125,16\n0.125,25\n");
  CHECK(csv_of(folder / "r", {.columns = {"count", "slider.q[m]", "time", "count"}, .to = 0}) ==
        "time[s],count,slider.q[m]\n0,1,0\n");
  CHECK(csv_of(folder / "r", {.from = 100}) == "time[s],slider.q[m],count\n");

  const auto refused = [&](const ExportSelection& s) {
    return code_of([&] { csv_of(folder / "r", s); }, Fault::usage);
  };
  CHECK(refused({.columns = {"slider.p"}}) == "unknown-column");
  CHECK(contains(words_of([&] { csv_of(folder / "r", {.columns = {"slider.p"}}); }), "'slider.q'"));
  CHECK(refused({.every = 0}) == "bad-selection");
  CHECK(refused({.from = 2, .to = 1}) == "bad-selection");
  CHECK(refused({.from = std::nan("")}) == "bad-selection");
}

TEST_CASE("csv: a file appears whole, and an existing one only makes way when asked") {
  const TemporaryFolder folder;
  write_pattern(folder / "r", 5000);
  const std::string name(255, 'c');
  CHECK(export_csv(folder / "r", folder / name).rows == 5000);
  CHECK(bytes_of(folder / name) == csv_of(folder / "r"));
  CHECK(code_of([&] { export_csv(folder / "r", folder / name); }) == "file-exists");
  export_csv(folder / "r", folder / name, {.to = 0}, true);
  CHECK(bytes_of(folder / name) == "time[s],slider.q[m],count\n0,0,1\n");
  CHECK(code_of([&] { export_csv(folder / "r", folder.path()); }) == "cannot-open");
  CHECK(code_of([&] { export_csv(folder / "r", folder / "no/such.csv"); }) == "cannot-open");
  CHECK(
      contains(words_of([&] { export_csv(folder / "r", folder / "no/such.csv"); }), "no/such.csv"));

  std::filesystem::create_symlink(name, folder / "link");
  export_csv(folder / "r", folder / "link", {}, true);
  CHECK(std::filesystem::is_symlink(folder / "link"));
  CHECK(bytes_of(folder / name) == csv_of(folder / "r"));
  CHECK(folder.entries() == 3);
}

TEST_CASE("csv: a full disk, a full device and a closed pipe are said") {
  const TemporaryFolder folder;
  write_pattern(folder / "r", 5000);
  CHECK(code_of([&] { export_csv(folder / "r", "/dev/full"); }) == "disk-full");
  for (const int room : {0, 10, 70000}) {
    Closing closing(room);
    std::ostream out(&closing);
    CHECK(code_of([&] { export_csv(folder / "r", out); }) == "write-failed");
  }

  put_bytes(folder / "old.csv", "old");
  const pid_t limited = start_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100000, 100000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    return code_of([&] { export_csv(folder / "r", folder / "old.csv", {}, true); }) == "disk-full";
  });
  CHECK(exit_code(limited) == 1);
  CHECK(bytes_of(folder / "old.csv") == "old");
  CHECK(folder.entries() == 2);

  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  ::close(ends[0]);
  const pid_t piped = start_child([&] {
    ::signal(SIGPIPE, SIG_IGN);
    const std::string pipe = "/proc/self/fd/" + std::to_string(ends[1]);
    try {
      File file(pipe, File::Mode::append);
      file.write("x");
    } catch (const Error& e) {
      return contains(e.what(), "ipe") ? 1 : 2;
    }
    return 0;
  });
  ::close(ends[1]);
  CHECK(exit_code(piped) == 1);
}

TEST_CASE("csv: a result cut short exports what is whole, with a note") {
  const TemporaryFolder folder;
  write_pattern(folder / "r", 2500);
  const std::string whole = bytes_of(folder / "r");
  put_bytes(folder / "r", whole.substr(0, whole.size() / 2));
  std::ostringstream out;
  const ExportReport report = export_csv(folder / "r", out);
  CHECK(report.rows == 1000);
  REQUIRE(report.notes.size() == 1);
  CHECK(report.notes[0].code == "result-cut");
}
