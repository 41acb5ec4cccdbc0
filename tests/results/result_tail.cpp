// A result read while it is written.
#include "sarrus/results/result_tail.hpp"

#include "result_helpers.hpp"

using namespace sarrus;
using namespace sarrus::test;

namespace {

/// Takes what is there and checks that it goes on from row `from` without a gap.
std::int64_t take(ResultTail& tail, std::int64_t from) {
  const auto rows = tail.next();
  REQUIRE(rows.size() % 3 == 0);
  for (size_t i = 0; i < rows.size(); i += 3) {
    const std::vector<double> wanted = pattern_row(from++);
    for (size_t c = 0; c < 3; ++c) CHECK(rows[i + c] == wanted[c]);
  }
  return from;
}

}  // namespace

TEST_CASE("tail: rows come once each, when they are committed, and then the end") {
  const TemporaryFolder folder;
  ResultWriter writer(folder / "result.sarrus", pendulum_header());
  writer.begin(three_columns());
  ResultTail tail(folder.path());
  CHECK(tail.header().model_name == "pendulum");
  std::int64_t rows = 0, written = 0;
  for (const int more : {1, 100, 0, 2500}) {
    for (int i = 0; i < more; ++i) writer.row(pattern_row(written++));
    writer.commit();
    rows = take(tail, rows);
    CHECK(rows == written);
    CHECK_FALSE(tail.has_ended());
  }
  writer.finish(ResultStatus::done, R"({"steps":7})");
  CHECK(take(tail, rows) == rows);
  CHECK(tail.has_ended());
  CHECK(tail.status() == ResultStatus::done);
  CHECK(tail.summary_json() == R"({"steps":7})");
  CHECK_FALSE(tail.is_replaced());
  CHECK(tail.position() == std::filesystem::file_size(folder / "result.sarrus"));
}

TEST_CASE("tail: half a frame is waited for, not guessed") {
  const TemporaryFolder folder;
  {
    ResultWriter writer(folder / "whole", pendulum_header());
    writer.begin(three_columns());
    for (int i = 0; i < 50; ++i) writer.row(pattern_row(i));
    writer.finish(ResultStatus::done, "{}");
  }
  const std::string bytes = bytes_of(folder / "whole");
  const size_t head = ResultTail(folder / "whole").position();
  put_bytes(folder / "part", bytes.substr(0, head));
  ResultTail tail(folder / "part");
  std::int64_t rows = 0;
  for (size_t at = head; at < bytes.size(); at += 97) {
    std::ofstream(folder / "part", std::ios::binary | std::ios::app) << bytes.substr(at, 97);
    const std::int64_t before = rows;
    rows = take(tail, rows);
    CHECK((rows == before || rows == 50));  // all of the frame or nothing of it
  }
  CHECK(rows == 50);
  CHECK(tail.has_ended());
}

TEST_CASE("tail: another run in the same place is noticed") {
  const TemporaryFolder folder;
  const auto write = [&](int rows) {
    ResultWriter writer(folder / "result.sarrus", pendulum_header());
    writer.begin(three_columns());
    for (int i = 0; i < rows; ++i) writer.row(pattern_row(i));
    writer.finish(ResultStatus::done, "{}");
  };
  write(10);
  ResultTail tail(folder.path());
  tail.next();
  CHECK_FALSE(tail.is_replaced());
  write(10);
  CHECK(tail.is_replaced());
}
