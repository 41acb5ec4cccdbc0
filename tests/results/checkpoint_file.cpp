#include "sarrus/results/checkpoint_file.hpp"

#include <cstring>

#include "results/result_helpers.hpp"
#include "sarrus/core/checksum.hpp"
#include "sarrus/core/version.hpp"

using namespace sarrus;
using namespace sarrus::test;

namespace {

Checkpoint state_at(double t) {
  Checkpoint c;
  c.model_hash = "abc";
  c.formulation = "recursive";
  c.integrator = "dop853";
  c.t = t;
  c.steps = 9007199254740993;  // more than a double can count
  c.rejected = 3;
  c.evaluations = 77;
  c.rows = 10;
  c.q = {0.1, -0.0, t};
  c.rest = {1e-310, std::nan("3")};
  c.memory = {};
  c.counters = {4};
  c.formulation_memory = {1, 0, 0.25};
  return c;
}

const ResultMark mark = {10, 1234, 0xfedcba9876543210};

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * 8) == 0);
}

bool is_same(const StoredCheckpoint& s, const Checkpoint& c) {
  const Checkpoint& d = s.state;
  return d.model_hash == c.model_hash && d.formulation == c.formulation &&
         d.integrator == c.integrator && d.t == c.t && d.steps == c.steps &&
         d.rejected == c.rejected && d.evaluations == c.evaluations && d.rows == c.rows &&
         same_bits(d.q, c.q) && same_bits(d.rest, c.rest) && same_bits(d.memory, c.memory) &&
         same_bits(d.counters, c.counters) &&
         same_bits(d.formulation_memory, c.formulation_memory) && s.result.rows == mark.rows &&
         s.result.bytes == mark.bytes && s.result.checksum == mark.checksum;
}

}  // namespace

TEST_CASE("checkpoint: what was written comes back, bit for bit") {
  const TemporaryFolder folder;
  write_checkpoint(folder.path(), state_at(0.3), mark);
  const StoredCheckpoint stored = read_checkpoint(folder.path(), "abc");
  CHECK(is_same(stored, state_at(0.3)));
  CHECK(stored.notes.empty());
  CHECK(folder.entries() == 1);
}

TEST_CASE("R10: checkpoint: the newest counts, the one before is kept, older ones go") {
  const TemporaryFolder folder;
  for (const double t : {1.0, 2.0, 3.0}) write_checkpoint(folder.path(), state_at(t), mark);
  CHECK(is_same(read_checkpoint(folder.path(), "abc"), state_at(3)));
  CHECK(is_same(read_checkpoint_file(folder / "checkpoint.previous", "abc"), state_at(2)));
  CHECK(folder.entries() == 2);
}

TEST_CASE("R09: checkpoint: cut at any byte, it is refused, or the one before serves with a note") {
  const TemporaryFolder folder;
  write_checkpoint(folder.path(), state_at(1), mark);
  const std::string whole = bytes_of(folder / "checkpoint");
  int wrong = 0;
  for (size_t n = 0; n < whole.size(); ++n) {
    put_bytes(folder / "checkpoint", whole.substr(0, n));
    wrong += code_of([&] { read_checkpoint(folder.path(), "abc"); }).empty();
  }
  put_bytes(folder / "checkpoint", whole + "x");
  wrong += code_of([&] { read_checkpoint(folder.path(), "abc"); }).empty();

  put_bytes(folder / "checkpoint.previous", whole);
  for (size_t n = 0; n < whole.size(); ++n) {
    put_bytes(folder / "checkpoint", whole.substr(0, n));
    const StoredCheckpoint stored = read_checkpoint(folder.path(), "abc");
    wrong += !is_same(stored, state_at(1)) || stored.notes.size() != 2;
  }
  CHECK(wrong == 0);

  std::filesystem::remove(folder / "checkpoint");  // killed between the two renames
  const StoredCheckpoint stored = read_checkpoint(folder.path(), "abc");
  CHECK(is_same(stored, state_at(1)));
  CHECK(contains(to_text(stored.notes), "the checkpoint before, at t = 1 s"));
}

TEST_CASE("R09: checkpoint: no flipped bit gives another state") {
  const TemporaryFolder folder;
  write_checkpoint(folder.path(), state_at(1), mark);
  write_checkpoint(folder.path(), state_at(2), mark);
  const std::string whole = bytes_of(folder / "checkpoint");
  int wrong = 0, fell_back = 0, refused = 0;
  for (size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::string bad = whole;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
    put_bytes(folder / "checkpoint", bad);
    try {
      const StoredCheckpoint stored = read_checkpoint(folder.path(), "abc");
      wrong += !is_same(stored, state_at(1)) || stored.notes.size() != 2;
      ++fell_back;
    } catch (const Error& e) {
      wrong += e.diagnostics()[0].code != "newer-format";  // a higher digit in the magic
      ++refused;
    }
  }
  CHECK(wrong == 0);
  CHECK(fell_back > 3000);
  CHECK(refused < 8);
}

TEST_CASE(
    "R09: checkpoint: another model, a newer Sarrus, none at all: refused naming the reason") {
  const TemporaryFolder folder;
  CHECK(code_of([&] { read_checkpoint(folder.path(), "abc"); }) == "no-checkpoint");
  write_checkpoint(folder.path(), state_at(1), mark);
  write_checkpoint(folder.path(), state_at(2), mark);
  CHECK(code_of([&] { read_checkpoint(folder.path(), "abd"); }) == "other-model");
  CHECK(contains(words_of([&] { read_checkpoint(folder.path(), "abd"); }), "abc, this is abd"));

  std::uint64_t chain = crc64("SARRUSC1");
  const std::string head = make_frame("HEAD", R"({"format":5,"sarrus":"9.9"})", chain);
  put_bytes(folder / "checkpoint", "SARRUSC1" + head);
  const std::string words = words_of([&] { read_checkpoint(folder.path(), "abc"); });
  CHECK(contains(words, "format 5, written by Sarrus 9.9"));
  CHECK(contains(words, version));

  chain = crc64("SARRUSC1");
  const std::string earlier =
      make_frame("HEAD", R"({"format":2,"sarrus":"0.1","formulation":"discrete"})", chain);
  put_bytes(folder / "old", "SARRUSC1" + earlier);
  CHECK(code_of([&] { read_checkpoint_file(folder / "old", ""); }) == "older-format");

  write_pattern(folder / "r", 2);
  CHECK(contains(words_of([&] { read_checkpoint_file(folder / "r", ""); }),
                 "looks like a Sarrus result, not a Sarrus checkpoint"));
}

TEST_CASE("checkpoint: sizes that do not fit their numbers are refused") {
  const TemporaryFolder folder;
  for (const char* sizes : {"[0,0,0,2]", "[0,0,0,0]", "[18446744073709551615,1,0,1]", "[1]",
                            "[-1,1,1,0]", "[0,0,0,0,2]", "[0,1,0,0,0,0,0]"}) {
    CAPTURE(sizes);
    std::uint64_t chain = crc64("SARRUSC1");
    std::string bytes = "SARRUSC1";
    bytes +=
        make_frame("HEAD",
                   std::string(R"({"format":1,"sarrus":"0","model_hash":"abc","formulation":"",)"
                               R"("integrator":"","steps":0,"rejected":0,"evaluations":0,)"
                               R"("rows":0,"result_rows":0,"result_bytes":0,)"
                               R"("result_checksum":0,"sizes":)") +
                       sizes + "}",
                   chain);
    bytes += make_frame("DATA", std::string(16, '\0'), chain);
    bytes += make_frame("END ", "", chain);
    put_bytes(folder / "checkpoint", bytes);
    CHECK(code_of([&] { read_checkpoint(folder.path(), "abc"); }) == "checkpoint-damaged");
  }
}

TEST_CASE("checkpoint: one of the first format, without the formulation's memory, is read") {
  const TemporaryFolder folder;
  std::uint64_t chain = crc64("SARRUSC1");
  std::string bytes = "SARRUSC1";
  bytes +=
      make_frame("HEAD",
                 R"({"format":1,"sarrus":"0.1.0","model_hash":"abc","formulation":"recursive",)"
                 R"("integrator":"rk4","steps":3,"rejected":0,"evaluations":12,"rows":1,)"
                 R"("result_rows":1,"result_bytes":10,"result_checksum":0,"sizes":[1,1,0,0]})",
                 chain);
  bytes += make_frame("DATA", std::string(24, '\0'), chain);
  bytes += make_frame("END ", "", chain);
  put_bytes(folder / "checkpoint", bytes);
  const Checkpoint read = read_checkpoint(folder.path(), "abc").state;
  CHECK(read.steps == 3);
  CHECK(read.q.size() == 1);
  CHECK(read.formulation_memory.empty());
}
