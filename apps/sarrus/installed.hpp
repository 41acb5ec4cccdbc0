// What came with the program: where its examples lie.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sarrus::app {

/// The folder of the examples: beside an installed program in share/sarrus, or in the checkout that
/// the program was built in. Empty where neither is there.
std::filesystem::path examples_folder();

struct Example {
  std::string name;   // of its folder below examples/, "four_bar" or "benchmarks/rolling_coin"
  std::string title;  // of its page
};
/// In the order of their names.
std::vector<Example> examples_in(const std::filesystem::path& folder);

}  // namespace sarrus::app
