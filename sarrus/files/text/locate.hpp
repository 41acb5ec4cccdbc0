// From the path of an element ("joint/left.knee/limits") back to its place in the files.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sarrus/files/text/document.hpp"

namespace sarrus {

/// One file of a model and the prefix of its names.
struct ModelPart {
  std::unique_ptr<Document> document;
  std::string prefix;
};

/// The element that a path speaks of: "joint/left.knee".
std::string element_head(std::string_view path);

/// The place of the deepest key of the path that is written; line 0 where the element is not found.
Place locate(const std::vector<ModelPart>& parts, std::string_view path);

}  // namespace sarrus
