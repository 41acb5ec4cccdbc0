// Replays a corpus with any compiler: each file as it is, each cut short, and each with random
// changes, the same ones on every machine.
//
//   replay MUTATIONS FILE_OR_FOLDER…
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "fuzz/target.hpp"
#include "sarrus/core/random.hpp"

namespace {

using sarrus::Random;
namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A few bytes changed, taken out, put in, or a piece of another file put in between.
std::string mutated(std::string text, const std::string& other, Random& random) {
  const auto place = [&] {
    return static_cast<size_t>(random.below(static_cast<int>(text.size()) + 1));
  };
  for (int changes = 1 + random.below(4); changes > 0; --changes) {
    const size_t at = place();
    const auto length = static_cast<size_t>(random.below(16));
    switch (random.below(5)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(random.below(256));
        break;
      case 1: text.erase(at, length); break;
      case 2: text.insert(at, length, static_cast<char>(random.below(128))); break;
      case 3:
        if (!other.empty())
          text.insert(at, other, static_cast<size_t>(random.below(static_cast<int>(other.size()))),
                      4 * length);
        break;
      default: {
        static constexpr std::string_view numbers[] = {
            "0", "-1", "1e308", "nan", "1e-320", "2147483648", "1e999", "{", "[", "\""};
        text.insert(at, numbers[random.below(10)]);
      }
    }
  }
  return text;
}

}  // namespace

int main(int count, char** words) {
  sarrus::fuzz::require(count > 2, "replay MUTATIONS FILE_OR_FOLDER…");
  const int mutations = std::atoi(words[1]);
  std::vector<fs::path> files;
  for (int i = 2; i < count; ++i) {
    if (!fs::is_directory(words[i]))
      files.emplace_back(words[i]);
    else
      for (const auto& entry : fs::recursive_directory_iterator(words[i]))
        if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  sarrus::fuzz::require(!files.empty(), "the corpus is empty");
  std::vector<std::string> corpus;
  for (const fs::path& file : files) corpus.push_back(read(file));

  Random random(1);
  long long inputs = 0;
  const auto take = [&](const std::string& text) { sarrus::fuzz::take(text), ++inputs; };
  for (const std::string& text : corpus) {
    take(text);
    for (int i = 0; i < mutations / 4; ++i)
      take(text.substr(0, static_cast<size_t>(random.below(static_cast<int>(text.size()) + 1))));
    for (int i = 0; i < mutations; ++i)
      take(mutated(text, corpus[static_cast<size_t>(random.below(static_cast<int>(corpus.size())))],
                   random));
  }
  std::printf("%lld inputs from %zu files\n", inputs, files.size());
  return 0;
}
