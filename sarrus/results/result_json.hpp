// JSON inside result files and checkpoints: parsed within bounds, written as one line of UTF-8.
// Included by .cpp files only.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>

#include "sarrus/core/diagnostic.hpp"
#include "sarrus/core/json.hpp"

namespace sarrus {

inline constexpr int json_depth_limit = 64;

/// How deep brackets are nested, those in strings left out.
inline int json_depth(std::string_view text) {
  int depth = 0, deepest = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\')
      ++i;
    else if (c == '"')
      in_string = !in_string;
    else if (!in_string && (c == '[' || c == '{'))
      deepest = std::max(deepest, ++depth);
    else if (!in_string && (c == ']' || c == '}'))
      --depth;
  }
  return deepest;
}

/// Throws Json::exception where the text is no JSON or nested deeper than anything we write.
/// (The parser could be asked at each bracket; it then looks through the whole list at the end of
/// each object in it, and a header with 200 000 columns takes ten seconds.)
inline Json parse_json(const std::string& text) {
  if (json_depth(text) > json_depth_limit)
    throw Json::other_error::create(599, "nested too deep", static_cast<const Json*>(nullptr));
  return Json::parse(text);
}

/// The same, discarded (is_discarded()) where parse_json would throw.
inline Json parse_json_if_any(const std::string& text) {
  return json_depth(text) > json_depth_limit ? Json(Json::value_t::discarded)
                                             : Json::parse(text, nullptr, false);
}

/// JSON that a caller hands over; `what` names the argument.
inline Json parse_argument(const std::string& text, const char* what) try {
  return parse_json(text);
} catch (const Json::exception& e) {
  throw std::invalid_argument(fmt::format("{} must be JSON: {}", what, e.what()));
}

inline std::string dump(const Json& json) {
  return json.is_discarded() ? "null" : json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

inline Severity parse_severity(const std::string& text) {
  if (text == "error") return Severity::error;
  return text == "warning" ? Severity::warning : Severity::note;
}

/// Of a note in a result. Throws Json::exception.
inline Diagnostic parse_diagnostic(const std::string& text) {
  const Json json = parse_json(text);
  const auto word = [&](const char* key) { return json.at(key).get<std::string>(); };
  return {parse_severity(word("severity")),
          word("code"),
          {word("file"), json.at("line").get<int>(), json.at("column").get<int>()},
          word("element"),
          word("message"),
          word("hint"),
          word("value"),
          word("limit")};
}

}  // namespace sarrus
