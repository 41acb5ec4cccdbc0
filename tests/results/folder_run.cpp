#include <signal.h>
#include <sys/stat.h>

#include "results/result_helpers.hpp"
#include "sarrus/results/run_folder.hpp"

using namespace sarrus;
using namespace sarrus::test;

namespace {

/// A run that ends well, in a folder.
void run_into(const std::string& path, FolderUse use = FolderUse::fresh) {
  RunFolder folder(path, use);
  folder.start("sarrus = 1\n");
  write_pattern(folder.result_path(), 4);
}

}  // namespace

TEST_CASE("folder: a run makes its folder, parents too, and leaves model and result, no lock") {
  const TemporaryFolder place;
  run_into(place / "a/b/out/");
  CHECK(bytes_of(place / "a/b/out/model.toml") == "sarrus = 1\n");
  CHECK(read_result(place / "a/b/out").rows.rows() == 4);
  CHECK(!is_file(place / "a/b/out/sarrus.lock"));
}

TEST_CASE("folder: earlier results are replaced only when that is asked for, other files never") {
  const TemporaryFolder place;
  run_into(place / "out");
  put_bytes(place / "out/checkpoint", "old");
  put_bytes(place / "out/mine.txt", "mine");
  const std::string before = bytes_of(place / "out/result.sarrus");
  CHECK(code_of([&] { run_into(place / "out"); }) == "holds-results");
  CHECK(bytes_of(place / "out/result.sarrus") == before);
  CHECK(!is_file(place / "out/sarrus.lock"));

  { const RunFolder not_started(place / "out", FolderUse::replace); }
  CHECK(bytes_of(place / "out/result.sarrus") == before);

  run_into(place / "out", FolderUse::replace);
  CHECK(!is_file(place / "out/checkpoint"));
  CHECK(bytes_of(place / "out/mine.txt") == "mine");
}

TEST_CASE("folder: the run before is kept whole, and comes back where the next one fails at once") {
  const TemporaryFolder place;
  run_into(place / "out");
  put_bytes(place / "out/checkpoint", "old");
  put_bytes(place / "out/verify.json", "{}");
  const std::string before = bytes_of(place / "out/result.sarrus");
  {
    RunFolder failing(place / "out", FolderUse::keep_last);
    failing.start("sarrus = 1\n");
    CHECK(!is_file(place / "out/verify.json"));  // it spoke of other rows
    CHECK(bytes_of(place / "out/previous/result.sarrus") == before);
    failing.discard();
  }
  CHECK(bytes_of(place / "out/result.sarrus") == before);
  CHECK(bytes_of(place / "out/checkpoint") == "old");
  CHECK(!is_folder(place / "out/previous"));

  run_into(place / "out", FolderUse::keep_last);
  CHECK(bytes_of(place / "out/previous/checkpoint") == "old");
  CHECK(bytes_of(place / "out/previous/verify.json") == "{}");
  CHECK(!is_file(place / "out/previous/sarrus.lock"));

  // a program that was ended between two moves: the rows are here, the model is there
  rename_file(place / "out/model.toml", place / "out/previous/model.toml");
  remove_file(place / "out/previous/result.sarrus");
  run_into(place / "out", FolderUse::keep_last);
  CHECK(bytes_of(place / "out/previous/model.toml") == "sarrus = 1\n");
  CHECK(read_result(place / "out/previous").rows.rows() == 4);
}

TEST_CASE("folder: a model.toml that no run wrote is not overwritten") {
  const TemporaryFolder place;
  put_bytes(place / "model.toml", "precious");
  for (const FolderUse use : {FolderUse::fresh, FolderUse::replace})
    CHECK(code_of([&] { run_into(place.path(), use); }) == "foreign-file");
  CHECK(bytes_of(place / "model.toml") == "precious");
  CHECK(place.entries() == 1);
}

TEST_CASE("folder: a file in the way and a folder that may not be written are refused") {
  const TemporaryFolder place;
  put_bytes(place / "file", "x");
  CHECK(contains(words_of([&] { RunFolder(place / "file"); }), "is a file, not a folder"));
  CHECK(contains(words_of([&] { RunFolder(place / "file/out"); }), "is a file, not a folder"));
  CHECK(code_of([&] { RunFolder(""); }) == "bad-folder");

  std::filesystem::create_directory(place / "closed");
  ::chmod(place.path().c_str(), 0755);
  ::chmod((place / "closed").c_str(), 0555);
  const pid_t child = start_child([&] {
    if (::geteuid() == 0 && ::setuid(65534) != 0) return 97;  // root may write everywhere
    for (const char* name : {"closed", "closed/new"}) try {
        RunFolder(place / name);
        return 0;
      } catch (const Error& e) {
        if (!contains(e.what(), "Permission denied") || !contains(e.what(), "closed")) return 98;
      }
    return 6;
  });
  CHECK(exit_code(child) == 6);
}

TEST_CASE("folder: a second run into it is refused naming the first") {
  const TemporaryFolder place;
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  const pid_t child = start_child([&] {
    RunFolder folder(place / "out");
    folder.start("m");
    if (::write(ready[1], "x", 1) != 1) return 1;
    ::pause();
    return 0;
  });
  char byte = 0;
  REQUIRE(::read(ready[0], &byte, 1) == 1);
  for (const FolderUse use : {FolderUse::fresh, FolderUse::replace}) {
    const std::string words = words_of([&] { RunFolder(place / "out", use); });
    CHECK(contains(words, "in use by process " + std::to_string(child) + " since 20"));
  }
  CHECK(bytes_of(place / "out/model.toml") == "m");

  // killed, it leaves the lock behind, which holds nobody up
  ::kill(child, SIGKILL);
  CHECK(exit_code(child) == -SIGKILL);
  CHECK(is_file(place / "out/sarrus.lock"));
  CHECK(code_of([&] { RunFolder(place / "out", FolderUse::continued); }) == "no-results");
  run_into(place / "out");
  CHECK(read_result(place / "out").rows.rows() == 4);
  CHECK(!is_file(place / "out/sarrus.lock"));
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_CASE("folder: of many runs that start at once, one gets it at a time") {
  const TemporaryFolder place;
  std::filesystem::create_directories(place / "out");
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i)
    children.push_back(start_child([&] {
      for (int held = 0; held < 5;) try {
          const RunFolder folder(place / "out", FolderUse::replace);
          if (::mkdir((place / "out/alone").c_str(), 0777) != 0) return 1;  // somebody else is in
          ::usleep(50);
          if (::rmdir((place / "out/alone").c_str()) != 0) return 2;
          ++held;
        } catch (const Error& e) {
          if (e.diagnostics().front().code != "in-use") return 3;
          ::usleep(100);
        }
      return 0;
    }));
  for (const pid_t child : children) CHECK(exit_code(child) == 0);
}

TEST_CASE("folder: a run that fails before its first row leaves nothing") {
  const TemporaryFolder place;
  { const RunFolder never_started(place / "a/out"); }
  CHECK(place.entries() == 0);

  RunFolder folder(place / "b/out");
  folder.start("m");
  folder.discard();
  CHECK(place.entries() == 0);

  std::filesystem::create_directory(place / "c");
  put_bytes(place / "c/mine.txt", "mine");
  RunFolder shared(place / "c");
  shared.start("m");
  shared.discard();
  CHECK(place.entries() == 1);
  CHECK(bytes_of(place / "c/mine.txt") == "mine");
  CHECK(!is_file(place / "c/model.toml"));
}

TEST_CASE("folder: a continued run needs results and keeps them") {
  const TemporaryFolder place;
  CHECK(code_of([&] { RunFolder(place / "none", FolderUse::continued); }) == "no-results");
  CHECK(code_of([&] { RunFolder(place.path(), FolderUse::continued); }) == "no-results");
  run_into(place / "out");
  RunFolder folder(place / "out", FolderUse::continued);
  CHECK_THROWS_AS(folder.start("m"), std::logic_error);
  folder.discard();
  CHECK(read_result(place / "out").rows.rows() == 4);
}

TEST_CASE("folder: any name that the system allows works, others are named") {
  const TemporaryFolder place;
  for (const std::string& name :
       {std::string("with blanks"), std::string("Größe 力学"), std::string("line\nbreak"),
        std::string("-dash"), std::string(255, 'n'), std::string("quote'\"`$")}) {
    CAPTURE(name);
    run_into(place / name);
    CHECK(read_result(place / name).rows.rows() == 4);
    CHECK(contains(words_of([&] { run_into(place / name); }), "holds the results"));
  }
  CHECK(contains(words_of([&] { run_into(place / "line\nbreak"); }), "line\\nbreak: error["));

  const std::string long_name(256, 'n');
  CHECK(code_of([&] { run_into(place / long_name); }, Fault::usage) == "bad-folder");
  CHECK(contains(words_of([&] { run_into(place / long_name); }), long_name));
  const std::string zero("a\0b", 3);
  CHECK(code_of([&] { run_into(place / zero); }, Fault::usage) == "bad-path");
}
