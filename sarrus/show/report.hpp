// A result as one HTML file that shows itself in any browser, without a network.
#pragma once

#include <string>
#include <string_view>

#include "sarrus/show/scene.hpp"

namespace sarrus {

/// The viewer as it was built, without data (viewer/README.md).
std::string_view viewer_page();

/// The viewer with a scene in it. From disk it may reach nothing; a page that is `served` may speak
/// with the program that serves it.
std::string page_with(const std::string& title, const std::string& scene_json, bool served = false);

/// Writes the page of a result, or of a folder of modes. Returns how many rows it shows of how
/// many. Throws Error(Fault::io) where reading or writing fails or, unless `replace`, the file
/// exists.
struct PageReport {
  std::int64_t rows = 0, shown = 0;
  std::uint64_t bytes = 0;
  std::string problem;  // why the mechanism is not drawn; "" where it is
};
PageReport write_report(const std::string& result, const std::string& path,
                        const SceneOptions& options = {}, bool replace = false);

}  // namespace sarrus
