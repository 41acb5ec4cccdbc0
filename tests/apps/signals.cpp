// Whatever ends a run, its rows can be read and it can be continued.
#include <cmath>

#include "program.hpp"
#include "sarrus/core/random.hpp"
#include "sarrus/results/result_reader.hpp"

using namespace sarrus::testing;

namespace {

/// Rows at multiples of the output step, each finite.
void check_rows(const fs::path& folder, double output_step) {
  const auto result = sarrus::read_result(folder.string());
  for (int i = 0; i < result.rows.rows(); ++i) {
    CHECK(result.rows.row(i)[0] == i * output_step);
    for (const double x : result.rows.row(i)) REQUIRE(std::isfinite(x));
  }
}

}  // namespace

TEST_CASE(
    "R01, R02: whoever asks a run to end, it finishes the step, saves, and exits within 2 s") {
  // a closed terminal and a used-up budget of processor time ask like Ctrl-C and a scheduler
  for (const auto& [signal, code] : {std::pair{SIGINT, 130}, std::pair{SIGTERM, 143},
                                     std::pair{SIGHUP, 129}, std::pair{SIGXCPU, 152}}) {
    CAPTURE(signal);
    const Folder folder;
    folder.write("m.toml", endless_model());
    Running run(folder.path(), {"run", "m.toml"});
    REQUIRE(appears(folder / "m/result.sarrus", 1000));
    const double before = run.processor_seconds();
    run.send(signal);
    const Ended ended = run.wait();
    CHECK(ended.processor_seconds - before < 2);  // of its own; a busy machine may add others
    CHECK(ended.code == code);
    CHECK(contains(ended.out, "--resume"));
    CHECK(sarrus::read_result((folder / "m").string()).status == sarrus::ResultStatus::interrupted);
    CHECK_FALSE(fs::exists(folder / "m/sarrus.lock"));
    check_rows(folder / "m", 0.1);

    const Ended resumed = folder.sarrus({"run", "m.toml", "--resume", "--max-steps", "300"});
    CHECK(resumed.code == 7);
    check_rows(folder / "m", 0.1);
  }
}

TEST_CASE("R01: two signals at once end the program, and the rows stay readable") {
  const Folder folder;
  folder.write("m.toml", endless_model());
  Running run(folder.path(), {"run", "m.toml"});
  REQUIRE(appears(folder / "m/result.sarrus", 1000));
  const double before = run.processor_seconds();
  run.send(SIGINT);
  run.send(SIGTERM);
  const Ended ended = run.wait();
  CHECK(ended.processor_seconds - before < 1);
  CHECK((ended.code == 130 || ended.code == 143));
  check_rows(folder / "m", 0.1);
}

TEST_CASE("R03: kill -9 at random moments leaves readable rows, and the run can be continued") {
  sarrus::Random random(11);
  for (int i = 0; i < 20; ++i) {
    const bool early = i < 5;  // perhaps before it begins to write; else at some size of its file
    const auto moment = static_cast<unsigned>((early ? 60 : 200'000) * random.uniform());
    CAPTURE(early);
    CAPTURE(moment);  // [ms], [bytes]
    const Folder folder;
    folder.write("m.toml", endless_model());
    {
      Running run(folder.path(), {"run", "m.toml", "--checkpoint-every", "0.01"});
      if (early)
        std::this_thread::sleep_for(std::chrono::milliseconds(moment));
      else
        REQUIRE(appears(folder / "m/result.sarrus", moment));
      run.send(SIGKILL);
      run.wait();
    }
    if (early && !fs::exists(folder / "m/result.sarrus")) continue;  // killed before it began
    check_rows(folder / "m", 0.1);
    const Ended resumed = folder.sarrus({"run", "m.toml", "--resume", "--max-steps", "100"});
    CHECK(resumed.code == 7);
    check_rows(folder / "m", 0.1);
  }
}
