// One input gives one output: every byte, wherever and whenever it is computed.
#include "program.hpp"

using namespace sarrus::testing;

TEST_CASE("N12: the same result file from another folder, environment and run") {
  const std::string model = busy_model("until = 2\noutput_step = 0.01\n");
  const Folder here, there;
  here.write("m.toml", model);
  there.write("m.toml", model);
  REQUIRE(here.sarrus({"run", "m.toml"}).code == 0);
  const std::string bytes = here.read("m/result.sarrus");
  REQUIRE(bytes.size() > 10000);

  for (int i = 0; i < 5; ++i) {
    REQUIRE(here.sarrus({"run", "m.toml", "--force"}).code == 0);
    const bool again = here.read("m/result.sarrus") == bytes;
    CHECK(again);
  }
  REQUIRE(there
              .sarrus({"run", (there / "m.toml").string(), "-o", "x"},
                      {{"HOME", "/nowhere"},
                       {"TZ", "Asia/Tokyo"},
                       {"OMP_NUM_THREADS", "3"},
                       {"PADDING", std::string(5000, 'x')}})
              .code == 0);
  const bool same = there.read("x/result.sarrus") == bytes;
  CHECK(same);
}

TEST_CASE("M24: a comma locale changes neither the reading nor the bytes of the result") {
  const Folder folder;
  folder.write("m.toml", busy_model("until = 1\noutput_step = 0.01\n"));
  REQUIRE(folder.sarrus({"run", "m.toml", "-o", "plain"}).code == 0);
  for (const char* locale : {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"}) {
    REQUIRE(folder
                .sarrus({"run", "m.toml", "-o", "other", "--force", "--csv", "x.csv"},
                        {{"LC_ALL", locale}, {"LANG", locale}})
                .code == 0);
    const bool same = folder.read("other/result.sarrus") == folder.read("plain/result.sarrus");
    CHECK(same);
  }
}
