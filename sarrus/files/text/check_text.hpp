// What a model's text must be before a parser sees it: of bounded size, UTF-8 without control
// characters or direction overrides, in TOML non-ASCII only inside strings and comments, with
// bounded nesting. The parser library thus never sees the inputs it is known to fail on.
#pragma once

#include <string>
#include <string_view>

#include "sarrus/files/text/document.hpp"

namespace sarrus {

/// Throws Error(Fault::model) naming line, column and byte of the first fault. Returns the text
/// without its byte order mark.
std::string_view check_text(std::string_view text, const std::string& file, Format format);

}  // namespace sarrus
