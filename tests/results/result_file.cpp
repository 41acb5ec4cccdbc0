#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "results/result_helpers.hpp"
#include "sarrus/core/checksum.hpp"
#include "sarrus/core/version.hpp"

using namespace sarrus;
using namespace sarrus::test;

namespace {

std::string little_endian(std::uint64_t value) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(value >> (8 * i));
  return bytes;
}

/// A frame by the letter of docs/reference/results.md: checksum of all before, checksums left out.
std::string documented_frame(const std::string& type, const std::string& payload,
                             std::string& so_far) {
  const std::string body = type + little_endian(payload.size()) + payload;
  so_far += body;
  return body + little_endian(crc64(so_far));
}

std::string doubles(const std::vector<double>& values) {
  std::string bytes;
  for (const double v : values) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &v, 8);
    bytes += little_endian(bits);
  }
  return bytes;
}

std::string header_text(int format) {
  return R"({"format":)" + std::to_string(format) +
         R"(,"sarrus":"9.9","model":"m","model_hash":"h","columns":[{"name":"time","unit":"s"}],)"
         R"("settings":{}})";
}

/// Lengths of the frames of a file, in order, magic excluded.
std::vector<size_t> frame_lengths(const std::string& bytes) {
  std::vector<size_t> lengths;
  for (size_t at = 8; at < bytes.size(); at += lengths.back()) {
    std::uint64_t payload = 0;
    std::memcpy(&payload, bytes.data() + at + 4, 8);
    lengths.push_back(12 + payload + 8);
  }
  return lengths;
}

}  // namespace

TEST_CASE("result: what was written comes back, bit for bit") {
  const TemporaryFolder folder;
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<double> odd = {-0.0, std::nan("7"), -inf, 5e-324, 1e308, 0.1};
  {
    ResultWriter writer(folder / "result.sarrus", pendulum_header());
    writer.begin({{"time", "s"}, {"größe, \"x\"", "m/s2"}});
    for (size_t i = 0; i < odd.size(); i += 2) writer.row({odd.data() + i, 2});
    Diagnostic note{.severity = Severity::warning,
                    .code = "slow",
                    .where = {"m.toml", 3, 4},
                    .element = "joint/a",
                    .message = "why",
                    .hint = "do",
                    .value = "1",
                    .limit = "2"};
    writer.add_note(note);
    writer.finish(ResultStatus::diverged, R"({"steps":12,"energy":0.5})");
  }
  const ResultFile result = read_result(folder / "result.sarrus");
  CHECK(result.rows.rows() == 3);
  CHECK(std::memcmp(result.rows.values.data(), odd.data(), odd.size() * 8) == 0);
  CHECK(result.rows.columns[1].name == "größe, \"x\"");
  CHECK(result.rows.columns[1].unit == "m/s2");
  CHECK(result.header.model_name == "pendulum");
  CHECK(result.header.model_hash == "0123456789abcdef");
  CHECK(result.header.sarrus_version == version);
  CHECK(nlohmann::json::parse(result.header.settings_json)["until"] == 10);
  CHECK(result.status == ResultStatus::diverged);
  CHECK(result.summary_json == R"({"steps":12,"energy":0.5})");
  REQUIRE(result.notes.size() == 1);
  CHECK(to_text(result.notes[0]) == "m.toml:3:4: warning[slow]: joint/a: why; hint: do");
}

TEST_CASE("result: the folder stands for the file in it") {
  const TemporaryFolder folder;
  write_pattern(folder / "result.sarrus", 5);
  CHECK(read_result(folder.path()).rows.rows() == 5);
  CHECK(read_result(folder.path() + "/").rows.rows() == 5);
  CHECK(folder.entries() == 1);
}

TEST_CASE("result: the bytes are those that the reference page describes") {
  const TemporaryFolder folder;
  write_pattern(folder / "r", 3, 2);
  std::string so_far = "SARRUSR1";
  const std::string written = bytes_of(folder / "r");
  const std::string header = written.substr(8 + 12, frame_lengths(written)[0] - 20);

  std::string expected = so_far;
  expected += documented_frame("HEAD", header, so_far);
  expected += documented_frame("ROWS", doubles(pattern_row(0)) + doubles(pattern_row(1)), so_far);
  expected += documented_frame("ROWS", doubles(pattern_row(2)), so_far);
  expected += documented_frame(
      "END ", R"({"status":"done","rows":3,"notes_left_out":0,"summary":{"steps":12}})", so_far);
  CHECK(written == expected);

  const auto json = nlohmann::json::parse(header);
  CHECK(json["format"] == 1);
  CHECK(json["columns"][1]["name"] == "slider.q");
  CHECK(json["columns"][1]["unit"] == "m");
  CHECK(json["settings"]["integrator"] == "dop853");
}

TEST_CASE("result: a file cut at any byte gives its whole frames and says what is left out") {
  const TemporaryFolder folder;
  write_pattern(folder / "whole", 7, 2);
  const std::string whole = bytes_of(folder / "whole");
  const size_t header_end = 8 + frame_lengths(whole)[0];
  int wrong = 0, silent = 0;
  for (size_t n = 0; n < whole.size(); ++n) {
    put_bytes(folder / "cut", whole.substr(0, n));
    if (n < header_end) {
      CHECK(code_of([&] { read_result(folder / "cut"); }) != "");
      continue;
    }
    const ResultFile cut = read_result(folder / "cut");
    const size_t frame = 12 + 2 * 3 * 8 + 8;
    const int expected = std::min(7, 2 * static_cast<int>((n - header_end) / frame) +
                                         ((n - header_end) >= 3 * frame + 44 ? 1 : 0));
    wrong += cut.rows.rows() != expected || !is_pattern(cut.rows) ||
             cut.status != ResultStatus::unfinished;
    const size_t rest = n - header_end;
    const bool on_boundary = rest == 3 * frame + 44 || (rest <= 3 * frame && rest % frame == 0);
    silent += cut.notes.empty() != on_boundary;
  }
  CHECK(wrong == 0);
  CHECK(silent == 0);
}

TEST_CASE("result: any flipped bit is refused or ends the rows before it") {
  const TemporaryFolder folder;
  write_pattern(folder / "whole", 7, 2);
  const std::string whole = bytes_of(folder / "whole");
  int unnoticed = 0;
  for (size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::string bad = whole;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
    put_bytes(folder / "bad", bad);
    try {
      const ResultFile read = read_result(folder / "bad");
      unnoticed += read.notes.empty() || !is_pattern(read.rows);
    } catch (const Error& e) {
      unnoticed += e.fault() != Fault::io;
    }
  }
  CHECK(unnoticed == 0);
}

TEST_CASE("result: a frame removed, doubled or swapped is noticed, whole as it is") {
  const TemporaryFolder folder;
  write_pattern(folder / "whole", 8, 2);
  const std::string whole = bytes_of(folder / "whole");
  const size_t first = 8 + frame_lengths(whole)[0], frame = 68;  // 12 + 2·3·8 + 8
  const std::string a = whole.substr(first, frame), b = whole.substr(first + frame, frame);
  const std::string head = whole.substr(0, first), tail = whole.substr(first + 2 * frame);

  for (const std::string& bad : {head + b + tail, head + a + a + b + tail, head + b + a + tail}) {
    put_bytes(folder / "bad", bad);
    const ResultFile read = read_result(folder / "bad");
    CHECK(read.rows.rows() <= 2);
    CHECK(is_pattern(read.rows));
    REQUIRE(read.notes.size() == 1);
    CHECK(read.notes[0].code == "result-cut");
    CHECK(contains(read.notes[0].message, "a checksum does not match"));
  }
}

TEST_CASE("result: what is none is refused with words") {
  const TemporaryFolder folder;
  const auto refusal = [&](const std::string& bytes) {
    put_bytes(folder / "f", bytes);
    return words_of([&] { read_result(folder / "f"); });
  };
  CHECK(contains(refusal("\x89PNG\r\n\x1a\n"), "looks like a PNG picture, not a Sarrus result"));
  CHECK(contains(refusal("SARRUSC1...."), "looks like a Sarrus checkpoint, not a Sarrus result"));
  CHECK(contains(refusal("name = \"model\"\n"), "this is not a Sarrus result"));
  CHECK(contains(refusal(""), "looks like an empty file"));
  CHECK(contains(refusal("SARRUSR2 and more"), "layout 2"));
  CHECK(contains(refusal("SARRUSR1"), "the header is cut"));
  CHECK(contains(words_of([&] { read_result(folder / "none"); }), "No such file"));
  CHECK(contains(words_of([&] { read_result(folder.path()); }), "result.sarrus"));
}

TEST_CASE("result: a newer format is refused naming both versions, an unknown frame is skipped") {
  const TemporaryFolder folder;
  const std::string magic = "SARRUSR1";
  std::string so_far = magic;
  put_bytes(folder / "newer", magic + documented_frame("HEAD", header_text(2), so_far));
  const std::string words = words_of([&] { read_result(folder / "newer"); });
  CHECK(contains(words, "newer-format"));
  CHECK(contains(words, "format 2, written by Sarrus 9.9"));
  CHECK(contains(words, version));

  so_far = magic;
  std::string bytes = magic + documented_frame("HEAD", header_text(1), so_far);
  bytes += documented_frame("XTRA", "anything", so_far);
  bytes += documented_frame("ROWS", doubles({0.25, 0.5}), so_far);
  put_bytes(folder / "extra", bytes);
  CHECK(read_result(folder / "extra").rows.values == std::vector{0.25, 0.5});

  so_far = magic;
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  put_bytes(folder / "deep", magic + documented_frame("HEAD", deep, so_far));
  CHECK(code_of([&] { read_result(folder / "deep"); }) == "bad-header");
}

TEST_CASE("result: rows are committed after so many rows or so long") {
  const TemporaryFolder folder;
  ResultWriter writer(folder / "r", pendulum_header());
  writer.begin(three_columns());
  for (int i = 0; i < 999; ++i) writer.row(pattern_row(i));
  CHECK(read_result(folder / "r").rows.rows() == 0);
  writer.row(pattern_row(999));
  CHECK(read_result(folder / "r").rows.rows() == 1000);
  CHECK(read_result(folder / "r").status == ResultStatus::unfinished);

  // no row waits longer than the time allowed, even if the next one is late
  ResultWriterOptions quick;
  quick.commit_seconds = 0.02;
  ResultWriter slow(folder / "slow", pendulum_header(), quick);
  slow.begin(three_columns());
  for (int i = 0; i < 3; ++i) {
    ::usleep(15000);
    slow.row(pattern_row(i));
    CHECK(read_result(folder / "slow").rows.rows() == i + 1);
  }
}

TEST_CASE("result: a writer that is dropped without finishing leaves all its rows") {
  const TemporaryFolder folder;
  {
    ResultWriter writer(folder / "r", pendulum_header());
    writer.begin(three_columns());
    writer.row(pattern_row(0));
  }
  CHECK(read_result(folder / "r").rows.rows() == 1);
  CHECK(read_result(folder / "r").status == ResultStatus::unfinished);
}

TEST_CASE("result: a million warnings are counted, not kept") {
  const TemporaryFolder folder;
  ResultWriter writer(folder / "r", pendulum_header());
  writer.begin(three_columns());
  const int many = 1000000;
  for (int i = 0; i < many; ++i)
    writer.add_note({.severity = Severity::warning, .code = "small-step", .message = "again"});
  writer.finish(ResultStatus::done, "{}");
  const ResultFile result = read_result(folder / "r");
  CHECK(std::filesystem::file_size(folder / "r") < 1000000);
  CHECK(static_cast<int>(result.notes.size()) - 1 + writer.notes_left_out() == many);
  CHECK(contains(result.notes.back().message, std::to_string(writer.notes_left_out())));
}

TEST_CASE("A04: result: calls in the wrong order or with wrong widths are refused") {
  const TemporaryFolder folder;
  ResultWriter writer(folder / "r", pendulum_header());
  CHECK_THROWS_AS(writer.row(pattern_row(0)), std::logic_error);
  CHECK_THROWS_AS(writer.begin({}), std::invalid_argument);
  writer.begin(three_columns());
  CHECK_THROWS_AS(writer.begin(three_columns()), std::logic_error);
  CHECK_THROWS_AS(writer.row(std::vector{1.0}), std::invalid_argument);
  CHECK_THROWS_AS(writer.finish(ResultStatus::done, "{"), std::invalid_argument);
  writer.finish(ResultStatus::done, "{}");
  CHECK_THROWS_AS(writer.row(pattern_row(0)), std::logic_error);
  CHECK_THROWS_AS(writer.finish(ResultStatus::done, "{}"), std::logic_error);
}
