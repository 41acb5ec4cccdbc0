// Folders of runs that were killed at once, or that somebody has filled with nonsense.
#include <sys/stat.h>

#include "program.hpp"
#include "sarrus/results/result_format.hpp"

using namespace sarrus;
using namespace sarrus::testing;

namespace {

/// A run with its result cut after its last frame before the first of this type.
struct CutRun {
  std::string bytes;
  std::uint64_t chain = 0;
};
CutRun cut_before(const fs::path& result, std::string_view type) {
  FrameReader frames(result.string(), result_magic, "a result");
  CutRun cut{std::string(result_magic), frames.checksum()};
  while (frames.next() == FrameReader::Found::frame && frames.type() != type) {
    cut.bytes = read_text(result).substr(0, frames.position());
    cut.chain = frames.checksum();
  }
  return cut;
}

/// {"a":{"a":{"a": … so deep that a parser by recursion, or a destructor, has no stack left.
std::string deep(size_t depth, bool closed) {
  std::string text;
  for (size_t i = 0; i < depth; ++i) text += "{\"a\":";
  if (!closed) return text;
  return text + "1" + std::string(depth, '}');
}

/// What a visitor sees of `view`: whether it starts, and ends when it is told to.
Ended view_for_a_moment(const Folder& folder) {
  Running server(folder.path(), {"view", "m", "--port", "0"}, {}, (folder / "said").string());
  if (appears(folder / "said", 20)) std::this_thread::sleep_for(std::chrono::milliseconds(300));
  server.send(SIGTERM);
  return server.wait();
}

const std::vector<std::vector<std::string>> looks = {{"report", "m", "-o", "x.html", "--force"},
                                                     {"export", "m", "--csv", "-"},
                                                     {"export", "m", "--gltf", "x.glb", "--force"},
                                                     {"plot", "m", "-o", "x.svg", "--force"}};

}  // namespace

TEST_CASE(
    "R03: a run that was killed before its first row: every command says so, none falls over it") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 0.1\n"));
  REQUIRE(folder.sarrus({"run", "m.toml", "-o", "m"}).code == 0);
  folder.write("m/result.sarrus", cut_before(folder / "m/result.sarrus", frame_rows).bytes);
  const auto code_of = [&](const std::vector<std::string>& words) {
    const Ended ended = folder.sarrus(words);
    CAPTURE(words);
    CAPTURE(ended.error);
    CHECK(ended.signal == 0);
    return ended.code;
  };
  const Ended gltf = folder.sarrus({"export", "m", "--gltf", "x.glb"});
  CHECK(gltf.code == 6);
  CHECK(contains(gltf.error, "error[no-rows]"));
  CHECK(contains(gltf.error, "hint: run it again, or continue it with sarrus run --resume"));
  CHECK_FALSE(fs::exists(folder / "x.glb"));
  CHECK(code_of({"export", "m", "--csv", "x.csv"}) == 0);
  CHECK(contains(folder.read("x.csv"), "time"));
  CHECK(code_of({"report", "m", "-o", "x.html"}) == 0);
  for (const int code : {code_of({"plot", "m", "-o", "x.svg"}), code_of({"verify", "m"})})
    CHECK(code != 1);
  CHECK(view_for_a_moment(folder).code == 0);
  CHECK(code_of({"run", "m.toml", "-o", "m", "--resume"}) == 0);
}

TEST_CASE("R20: JSON nested a million deep beside a result, or in it, is passed over") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 0.1\n"));
  REQUIRE(folder.sarrus({"run", "m.toml", "-o", "m"}).code == 0);
  const std::string whole = folder.read("m/result.sarrus");
  const CutRun cut = cut_before(folder / "m/result.sarrus", frame_end);
  for (const bool closed : {true, false})
    for (const size_t depth : {size_t(64), size_t(100000), size_t(1000000)}) {
      CAPTURE(closed);
      CAPTURE(depth);
      const std::string text = deep(depth, closed);
      // the verdict of verify
      folder.write("m/result.sarrus", whole);
      folder.write("m/verify.json", text);
      for (const auto& words : looks) CHECK(folder.sarrus(words).code == 0);
      CHECK(view_for_a_moment(folder).code == 0);
      // the summary of the run, and a note
      fs::remove(folder / "m/verify.json");
      std::uint64_t chain = cut.chain;
      const std::string note = make_frame(frame_note, text, chain);
      const std::string end = make_frame(
          frame_end, R"({"status":"done","notes_left_out":0,"summary":)" + text + "}", chain);
      folder.write("m/result.sarrus", cut.bytes + note + end);
      for (const auto& words : looks) CHECK(folder.sarrus(words).code == 0);
      CHECK(view_for_a_moment(folder).code == 0);
    }
}

TEST_CASE("R20: JSON nested deep in a list of numbers to expect is refused") {
  const Folder folder;
  fs::create_directories(folder / "suite/one");
  folder.write("suite/one/model.toml", busy_model("until = 0.1\n"));
  folder.write("suite/one/expected.json", deep(1000000, true));
  const Ended ended = folder.sarrus({"verify", "--suite", "suite", "--short"});
  CAPTURE(ended.error);
  CHECK(ended.signal == 0);
  CHECK(ended.code != 0);
  CHECK(contains(ended.error + ended.out, "nested too deep"));
}

TEST_CASE("R20: a table of verify of another form, or a pipe in its place, is passed over") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 0.1\n"));
  REQUIRE(folder.sarrus({"run", "m.toml", "-o", "m"}).code == 0);
  for (const char* text : {"{\"verdict\": \"agree\", \"formulations\": 7}", "[1, 2]",
                           "{\"verdict\": 3}", "{\"verdict\": \"agree\", \"audits\": [1]}"}) {
    CAPTURE(text);
    folder.write("m/verify.json", text);
    REQUIRE(folder.sarrus({"report", "m", "-o", "x.html", "--force"}).code == 0);
    CHECK_FALSE(contains(folder.read("x.html"), "\"verdict\""));
  }
  folder.write("m/verify.json", "{\"verdict\": \"agree\", \"sentence\": \"all agree\"}");
  REQUIRE(folder.sarrus({"report", "m", "-o", "x.html", "--force"}).code == 0);
  CHECK(contains(folder.read("x.html"), "all agree"));
  for (const char* name : {"m/verify.json", "m/model.toml", "m/model.parts"}) {
    CAPTURE(name);
    fs::remove(folder / name);
    REQUIRE(::mkfifo((folder / name).c_str(), 0600) == 0);
    CHECK(folder.sarrus({"report", "m", "-o", "x.html", "--force"}).signal == 0);  // and ends
    fs::remove(folder / name);
  }
}

TEST_CASE("V02: without a folder for temporary files view says what to set") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 0.1\n"));
  const Ended ended =
      folder.sarrus({"view", "m.toml", "--port", "0"}, {{"TMPDIR", "/no/such/folder"}});
  CHECK(ended.code == 6);
  CHECK(contains(ended.error, "no-temporary-folder"));
  CHECK(contains(ended.error, "set TMPDIR"));
}
