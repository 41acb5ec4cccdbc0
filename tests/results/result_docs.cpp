#include <sstream>

#include "places.hpp"
#include "results/result_helpers.hpp"

using namespace sarrus;
using namespace sarrus::test;

namespace {

std::string python_block_of_the_page() {
  const std::string page =
      bytes_of(std::string(sarrus::testing::source_folder) + "/docs/reference/results.md");
  const std::string fence = "```python\n";
  const size_t begin = page.find(fence);
  REQUIRE(begin != std::string::npos);
  const size_t end = page.find("```", begin + fence.size());
  return page.substr(begin + fence.size(), end - begin - fence.size());
}

}  // namespace

TEST_CASE(
    "result: the reader printed in the reference page reads it, and stops where it is damaged") {
  if (::system("command -v python3 >/dev/null 2>&1") != 0) {
    MESSAGE("no python3 on this machine");
    return;
  }
  const TemporaryFolder folder;
  put_bytes(folder / "reader.py", python_block_of_the_page());
  const auto rows_read = [&](const std::string& bytes) {
    put_bytes(folder / "r", bytes);
    const std::string command = "cd '" + folder.path() + "' && python3 reader.py r > out 2> err";
    const int status = ::system(command.c_str());
    INFO(bytes_of(folder / "err"));
    CHECK(status == 0);
    std::istringstream out(bytes_of(folder / "out"));
    std::string header;
    std::getline(out, header);
    CHECK(header == "time slider.q count");
    int rows = 0;
    std::vector<double> row(3);
    while (out >> row[0] >> row[1] >> row[2]) CHECK(row == pattern_row(rows++));
    return rows;
  };

  write_pattern(folder / "whole", 25, 10);
  std::string bytes = bytes_of(folder / "whole");
  CHECK(rows_read(bytes) == 25);
  CHECK(rows_read(bytes.substr(0, bytes.size() - 200)) == 20);  // within the last rows
  bytes[bytes.find("ROWS") + 12 + 10 * 24 + 8 + 100] ^= 1;      // within the second frame of rows
  CHECK(rows_read(bytes) == 10);
}
