// Where results go, and what happens to what is there already.
#include "program.hpp"
#include "sarrus/results/result_reader.hpp"

using namespace sarrus::testing;

namespace {

/// Runs a line of a shell in a folder, with $sarrus for the program; the exit code.
int shell(const Folder& folder, const std::string& line) {
  folder.write("script", std::string("sarrus='") + sarrus_program + "'\n" + line + "\n");
  return WEXITSTATUS(std::system(("cd '" + folder.path().string() + "' && bash script").c_str()));
}

}  // namespace

TEST_CASE("R06: the folder is made, parents too, a file in its place is refused") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 0.1\n"));
  CHECK(folder.sarrus({"run", "m.toml", "-o", "a/b/c"}).code == 0);
  CHECK(fs::exists(folder / "a/b/c/result.sarrus"));
  folder.write("file", "mine");
  CHECK(folder.sarrus({"run", "m.toml", "-o", "file"}).code == 6);
  CHECK(folder.sarrus({"run", "m.toml", "-o", "file/in"}).code == 6);
  CHECK(folder.read("file") == "mine");
}

TEST_CASE("R06: a run takes the place of the one before, which is kept whole") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 0.1\n"));
  REQUIRE(folder.sarrus({"run", "m.toml"}).code == 0);
  folder.write("m/notes.txt", "mine");
  const std::string before = folder.read("m/result.sarrus");
  const Ended second = folder.sarrus({"run", "m.toml", "--until", "0.2"});
  CHECK(second.code == 0);
  CHECK(contains(second.out, "m/previous"));
  const bool kept = folder.read("m/previous/result.sarrus") == before;
  CHECK(kept);
  CHECK(folder.read("m/previous/model.toml") == folder.read("m.toml"));
  CHECK(folder.sarrus({"export", "m/previous", "--csv", "-"}).code == 0);
  CHECK(sarrus::read_result((folder / "m").string()).rows.row(1)[0] > 0);
  CHECK(folder.read("m/notes.txt") == "mine");

  // a third keeps the second, and --replace keeps nothing new
  const std::string between = folder.read("m/result.sarrus");
  CHECK(folder.sarrus({"run", "m.toml", "--until", "0.3"}).code == 0);
  const bool second_kept = folder.read("m/previous/result.sarrus") == between;
  CHECK(second_kept);
  CHECK(folder.sarrus({"run", "m.toml", "--until", "0.4", "--replace"}).code == 0);
  const bool still = folder.read("m/previous/result.sarrus") == between;
  CHECK(still);
}

TEST_CASE("R06: a run that is refused or fails at once leaves earlier results where they are") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 0.1\n"));
  REQUIRE(folder.sarrus({"run", "m.toml"}).code == 0);
  const std::string before = folder.read("m/result.sarrus");
  CHECK(folder.sarrus({"run", "m.toml", "--until", "-1"}).code == 2);
  CHECK(folder.sarrus({"run", "m.toml", "--set", "load=-1"}).code == 4);
  // a folder called previous that a run could not have made is nobody's to write in
  fs::create_directory(folder / "m/previous");
  folder.write("m/previous/model.toml", "mine");
  CHECK(folder.sarrus({"run", "m.toml"}).code == 6);
  CHECK(folder.read("m/previous/model.toml") == "mine");
  const bool untouched = folder.read("m/result.sarrus") == before;
  CHECK(untouched);
}

TEST_CASE("R06: --keep numbers the folders and touches none that is there") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 0.1\n"));
  for (const char* name : {"m", "m-2", "m-3"}) {
    CHECK(folder.sarrus({"run", "m.toml", "--keep"}).code == 0);
    CHECK(fs::exists(folder / name / "result.sarrus"));
  }
  CHECK_FALSE(fs::exists(folder / "m/previous"));
  CHECK(folder.sarrus({"run", "m.toml", "--keep", "--resume"}).code == 2);
}

TEST_CASE("R06: a file in the place of an export is kept under another name") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 0.1\n"));
  folder.write("x.csv", "mine");
  const Ended ran = folder.sarrus({"run", "m.toml", "--csv", "x.csv"});
  CHECK(ran.code == 0);
  CHECK(contains(ran.error, "x.previous.csv"));
  CHECK(folder.read("x.previous.csv") == "mine");
  CHECK(folder.read("x.csv").starts_with("time[s],"));
  // a folder is in the way: known before the run, not after it
  folder.write("n.toml", endless_model());
  CHECK(folder.sarrus({"run", "n.toml", "--csv", "m"}).code == 6);
  CHECK_FALSE(fs::exists(folder / "n"));
}

TEST_CASE("R07: a second run into a folder at work is refused with the process that holds it") {
  const Folder folder;
  folder.write("m.toml", endless_model());
  Running first(folder.path(), {"run", "m.toml"});
  REQUIRE(appears(folder / "m/result.sarrus", 1000));
  for (const char* flag : {"--force", "--resume"}) {
    CAPTURE(flag);
    const Ended second = folder.sarrus({"run", "m.toml", flag});
    CHECK(second.code == 6);
    CHECK(contains(second.error, "in use by process " + std::to_string(first.process())));
  }
  first.send(SIGKILL);
  first.wait();
  // the lock of the dead process holds nobody up
  CHECK(folder.sarrus({"run", "m.toml", "--force", "--max-steps", "10"}).code == 7);
}

TEST_CASE("R12: a reader that goes away is no fault, a full device is one") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 10\noutput_step = 0.001\n"));
  REQUIRE(folder.sarrus({"run", "m.toml"}).code == 0);
  CHECK(shell(folder, "set -o pipefail; $sarrus export m --csv - 2>said | head -1 >first") == 0);
  CHECK(folder.read("first").starts_with("time[s],"));
  CHECK(folder.read("said").empty());
  CHECK(shell(folder, "$sarrus run m.toml --force | true") == 0);
  CHECK(sarrus::read_result((folder / "m").string()).rows.rows() == 10001);
  CHECK(shell(folder, "$sarrus export m --csv - > /dev/full 2>said") == 6);
  CHECK(shell(folder, "$sarrus run m.toml --force > said 2> /dev/full") == 0);
  CHECK(shell(folder, "$sarrus run m.toml --force <&- >&- 2>&-") == 0);
  CHECK(sarrus::read_result((folder / "m").string()).rows.rows() == 10001);
}

TEST_CASE("R05: a limit on file size ends the run with 6, and the rows before it stay") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 100\noutput_step = 0.001\n"));
  CHECK(shell(folder, "ulimit -f 2000; $sarrus run m.toml 2>said") == 6);  // 2,000 KiB
  CHECK(contains(folder.read("said"), "result.sarrus"));
  CHECK(sarrus::read_result((folder / "m").string()).rows.rows() > 1000);
}

#if !defined(__SANITIZE_ADDRESS__)  // it needs all the addresses there are
TEST_CASE("N17: more memory than there is: exit 6 in words, and no folder is left behind") {
  const Folder folder;
  std::string model = "sarrus = 1\n", parent = "world";
  for (int i = 0; i < 20'000; ++i) {
    const std::string n = std::to_string(i);
    model += "[[body]]\nname = \"b" + n +
             "\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n[[joint]]\nname = \"j" + n +
             "\"\ntype = \"revolute\"\nparent = \"" + parent + "\"\nchild = \"b" + n +
             "\"\naxis = \"y\"\non_parent = { at = [1, 0, 0] }\n";
    parent = "b" + n;
  }
  folder.write("m.toml", model);
  CHECK(shell(folder, "ulimit -v 100000; $sarrus run m.toml --until 0.01 2>said") == 6);  // KiB
  CHECK(contains(folder.read("said"), "error[out-of-memory]"));
  CHECK_FALSE(fs::exists(folder / "m"));
}
#endif

TEST_CASE("R15: a result that the disk cannot hold is announced before the first step") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 1e6\noutput_step = 1e-6\n"));
  const Ended ended = folder.sarrus({"run", "m.toml", "--max-steps", "1"});
  CHECK(ended.code == 7);
  CHECK(contains(ended.error, "warning[little-space]"));
}

TEST_CASE(
    "R16: blanks, foreign letters, line breaks, dashes and long names are names like others") {
  const Folder folder;
  const std::string long_name(250, 'x');
  for (const std::string& name : {std::string("with blank"), std::string("Gelenk ümläut ß 機構"),
                                  std::string("line\nbreak"), std::string("quo'te"), long_name}) {
    CAPTURE(name);
    folder.write(name + ".toml", busy_model("until = 0.1\n"));
    CHECK(folder.sarrus({"run", name + ".toml"}).code == 0);
    CHECK(folder.sarrus({"export", name, "--csv", "out.csv", "--force"}).code == 0);
  }
  folder.write("-dash.toml", busy_model("until = 0.1\n"));
  CHECK(folder.sarrus({"run", "--", "-dash.toml"}).code == 0);
  CHECK(folder.sarrus({"run", "./-dash.toml", "--force"}).code == 0);
  const Ended too_long = folder.sarrus({"run", "with blank.toml", "-o", std::string(300, 'y')});
  CHECK(too_long.code == 2);

  fs::create_directory(folder / "elsewhere");
  Running other(folder / "elsewhere", {"run", "../with blank.toml", "--force"});
  CHECK(other.wait().code == 0);
  CHECK(fs::is_empty(folder / "elsewhere") == false);  // only what the test itself wrote there
  CHECK_FALSE(fs::exists(folder / "elsewhere/with blank"));
}
