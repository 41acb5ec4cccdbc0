#include "results/result_helpers.hpp"

using namespace sarrus;
using namespace sarrus::test;

namespace {

/// Ten rows, a mark, five more rows and an end: a run that was interrupted after its checkpoint.
ResultMark interrupted_run(const std::string& path) {
  ResultWriterOptions options;
  options.commit_rows = 4;
  ResultWriter writer(path, pendulum_header(), options);
  writer.begin(three_columns());
  for (int i = 0; i < 10; ++i) writer.row(pattern_row(i));
  const ResultMark mark = writer.mark();
  for (int i = 10; i < 15; ++i) writer.row(pattern_row(-i));  // as if computed wrongly
  writer.finish(ResultStatus::interrupted, "{}");
  return mark;
}

}  // namespace

TEST_CASE("resume: the result goes on exactly after the checkpoint") {
  const TemporaryFolder folder;
  const ResultMark mark = interrupted_run(folder / "r");
  CHECK(mark.rows == 10);
  {
    ResultWriter writer(folder / "r", mark);
    writer.begin(three_columns());
    CHECK(writer.rows() == 10);
    for (int i = 10; i < 20; ++i) writer.row(pattern_row(i));
    writer.finish(ResultStatus::done, "{}");
  }
  const ResultFile result = read_result(folder / "r");
  CHECK(result.rows.rows() == 20);
  CHECK(is_pattern(result.rows));
  CHECK(result.status == ResultStatus::done);
  CHECK(result.notes.empty());
}

TEST_CASE("R11: resume: a result shortened to any length before the checkpoint is refused") {
  const TemporaryFolder folder;
  const ResultMark mark = interrupted_run(folder / "r");
  const std::string whole = bytes_of(folder / "r");
  int accepted = 0;
  for (size_t n = 0; n < mark.bytes; ++n) {
    put_bytes(folder / "short", whole.substr(0, n));
    accepted += code_of([&] { ResultWriter(folder / "short", mark); }).empty();
  }
  CHECK(accepted == 0);
  put_bytes(folder / "short", whole.substr(0, mark.bytes - 1));
  CHECK(contains(words_of([&] { ResultWriter(folder / "short", mark); }), "shorter than"));
}

TEST_CASE(
    "R11: resume: a bit changed anywhere before the checkpoint is noticed, nothing is touched") {
  const TemporaryFolder folder;
  const ResultMark mark = interrupted_run(folder / "r");
  const std::string whole = bytes_of(folder / "r");
  int accepted = 0;
  for (size_t byte = 0; byte < mark.bytes; ++byte) {
    std::string bad = whole;
    bad[byte] = static_cast<char>(bad[byte] ^ (1 << (byte % 8)));
    put_bytes(folder / "bad", bad);
    accepted += code_of([&] { ResultWriter(folder / "bad", mark); }).empty();
    accepted += bytes_of(folder / "bad") != bad;
  }
  CHECK(accepted == 0);
}

TEST_CASE("resume: another result of the same length is not taken for this one") {
  const TemporaryFolder folder;
  const ResultMark mark = interrupted_run(folder / "r");
  ResultMark other = mark;
  other.checksum ^= 1;
  CHECK(code_of([&] { ResultWriter(folder / "r", other); }) == "result-changed");
  other = mark;
  other.rows = 9;
  CHECK(code_of([&] { ResultWriter(folder / "r", other); }) == "result-changed");
  other = mark;
  other.bytes -= 4;
  CHECK(code_of([&] { ResultWriter(folder / "r", other); }) == "result-changed");
  ResultWriter writer(folder / "r", mark);
  CHECK(code_of([&] { writer.begin({{"time", "s"}}); }) == "result-changed");
}
