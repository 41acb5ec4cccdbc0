#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <new>
#include <random>

#include "near.hpp"
#include "results/result_helpers.hpp"
#include "sarrus/results/checkpoint_file.hpp"

using namespace sarrus;
using namespace sarrus::test;
using sarrus::testing::near;

namespace {

/// Numbers that a child leaves for its parent, even when killed.
struct Shared {
  volatile std::int64_t committed_rows = 0, produced_rows = 0;
  volatile std::uint64_t committed_bytes = 0;
};

class SharedMemory {
 public:
  SharedMemory()
      : at_(::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                   0)) {
    REQUIRE(at_ != MAP_FAILED);
    new (at_) Shared;
  }
  ~SharedMemory() { ::munmap(at_, sizeof(Shared)); }
  Shared* operator->() const { return static_cast<Shared*>(at_); }

 private:
  void* at_;
};

void limit_file_size(rlim_t bytes) {
  ::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{bytes, bytes};
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

/// Rows for ever, a checkpoint after every hundred.
int write_until_killed(const std::string& folder, const SharedMemory& shared) {
  ResultWriterOptions options;
  options.commit_rows = 7;
  ResultWriter writer(folder + "/result.sarrus", pendulum_header(), options);
  writer.begin(three_columns());
  Checkpoint state;
  state.model_hash = "m";
  for (std::int64_t i = 0;; ++i) {
    shared->produced_rows = i + 1;
    writer.row(pattern_row(i));
    shared->committed_rows = writer.committed_rows();
    if (i % 100 != 99) continue;
    const ResultMark mark = writer.mark();
    state.rows = mark.rows;
    write_checkpoint(folder, state, mark);
  }
}

}  // namespace

TEST_CASE(
    "R03: killed at whatever moment, committed rows are there, none is wrong, and the run goes "
    "on") {
  std::mt19937 random(20240501);
  std::uniform_int_distribution<int> delay(0, 12000);  // [µs]
  int with_rows = 0, resumed = 0;
  for (int kill = 0; kill < 30; ++kill) {
    const TemporaryFolder folder;
    const SharedMemory shared;
    const pid_t child = start_child([&] { return write_until_killed(folder.path(), shared); });
    const int soonest = kill % 2 == 0 ? 1 : 101;  // rows; the first checkpoint follows row 100
    while (shared->produced_rows < soonest && ::kill(child, 0) == 0) ::usleep(200);
    ::usleep(static_cast<useconds_t>(delay(random)));
    ::kill(child, SIGKILL);
    CHECK(exit_code(child) == -SIGKILL);

    const ResultFile result = read_result(folder.path());
    CHECK(result.rows.rows() >= shared->committed_rows);
    CHECK(result.rows.rows() <= shared->produced_rows);
    CHECK(is_pattern(result.rows));
    CHECK(result.status == ResultStatus::unfinished);
    with_rows += result.rows.rows() > 0;

    if (!is_file(folder / "checkpoint") && !is_file(folder / "checkpoint.previous")) continue;
    const StoredCheckpoint stored = read_checkpoint(folder.path(), "m");
    CHECK(stored.state.rows == stored.result.rows);
    {
      ResultWriter writer(folder / "result.sarrus", stored.result);
      writer.begin(three_columns());
      for (std::int64_t i = 0; i < 50; ++i) writer.row(pattern_row(stored.result.rows + i));
      writer.finish(ResultStatus::done, "{}");
    }
    const ResultFile whole = read_result(folder.path());
    CHECK(whole.rows.rows() == stored.result.rows + 50);
    CHECK(is_pattern(whole.rows));
    CHECK(whole.notes.empty());
    ++resumed;
  }
  CHECK(with_rows >= 15);
  CHECK(resumed >= 15);
}

TEST_CASE("R05: disk full: at each write in turn it is said, and what was committed is readable") {
  const int rows = 12;
  size_t full = 0;
  {
    const TemporaryFolder folder;
    write_pattern(folder / "r", rows, 3);
    full = bytes_of(folder / "r").size();
  }
  for (size_t limit = 0; limit < full; limit += 13) {
    CAPTURE(limit);
    const TemporaryFolder folder;
    const SharedMemory shared;
    const pid_t child = start_child([&] {
      limit_file_size(limit);
      try {
        ResultWriterOptions options;
        options.commit_rows = 3;
        ResultWriter writer(folder / "r", pendulum_header(), options);
        writer.begin(three_columns());
        shared->committed_bytes = writer.committed_bytes();
        for (int i = 0; i < rows; ++i) {
          writer.row(pattern_row(i));
          shared->committed_rows = writer.committed_rows();
          shared->committed_bytes = writer.committed_bytes();
        }
        writer.finish(ResultStatus::done, R"({"steps":12})");
      } catch (const Error& e) {
        const bool said = contains(e.what(), "/r") && contains(e.what(), "bytes wanted") &&
                          contains(e.what(), "bytes free");
        return said && e.fault() == Fault::io ? e.exit_code() : 98;
      }
      return 0;
    });
    CHECK(exit_code(child) == 6);
    if (shared->committed_bytes == 0) {  // not even the header: nothing is left behind
      CHECK(folder.entries() == 0);
      continue;
    }
    CHECK(bytes_of(folder / "r").size() == shared->committed_bytes);
    const ResultFile result = read_result(folder / "r");
    CHECK(result.rows.rows() == shared->committed_rows);
    CHECK(is_pattern(result.rows));
    CHECK(result.notes.empty());
  }
}

TEST_CASE("R05: disk full: once there is room again, the run goes on from its checkpoint") {
  const TemporaryFolder folder;
  const pid_t child = start_child([&] {
    ResultWriterOptions options;
    options.commit_rows = 5;
    ResultWriter writer(folder / "result.sarrus", pendulum_header(), options);
    writer.begin(three_columns());
    for (int i = 0; i < 10; ++i) writer.row(pattern_row(i));
    Checkpoint state;
    state.model_hash = "m";
    write_checkpoint(folder.path(), state, writer.mark());
    limit_file_size(writer.committed_bytes() + 130);
    try {
      for (int i = 10; i < 1000; ++i) writer.row(pattern_row(i));
    } catch (const Error&) {
      // a second failure must not disturb the first checkpoint
      limit_file_size(20);
      try {
        write_checkpoint(folder.path(), state, {});
      } catch (const Error& e) {
        return e.exit_code();
      }
    }
    return 0;
  });
  CHECK(exit_code(child) == 6);
  CHECK(folder.entries() == 2);
  const StoredCheckpoint stored = read_checkpoint(folder.path(), "m");
  CHECK(stored.notes.empty());
  ResultWriter writer(folder / "result.sarrus", stored.result);
  writer.begin(three_columns());
  for (int i = 10; i < 20; ++i) writer.row(pattern_row(i));
  writer.finish(ResultStatus::done, "{}");
  CHECK(read_result(folder.path()).rows.rows() == 20);
  CHECK(is_pattern(read_result(folder.path()).rows));
}

TEST_CASE("R15: the forecast is the size that the file then has") {
  const TemporaryFolder folder;
  write_pattern(folder / "r", 20000);
  const SpaceForecast forecast = forecast_space(folder / "not/yet/there", 20000, 3);
  const auto size = static_cast<double>(std::filesystem::file_size(folder / "r"));
  // header and end frame are guessed: some hundred bytes
  CHECK(near(static_cast<double>(forecast.needed), size, 600 / size));
  CHECK(near(forecast.free, static_cast<double>(std::filesystem::space(folder.path()).available),
             0.05));  // others write on this disk, too
  CHECK(forecast.fits());

  const SpaceForecast huge = forecast_space(folder.path(), std::int64_t{1} << 60, 1000);
  CHECK(!huge.fits());
  const std::string words = to_text(space_warning(folder.path(), huge));
  CHECK(contains(words, std::to_string(huge.needed)));
  CHECK(contains(words, std::to_string(huge.free)));
}
