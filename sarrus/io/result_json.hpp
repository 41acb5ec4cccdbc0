// JSON inside result files and checkpoints: parsed within bounds, written as one line of UTF-8.
// Included by .cpp files of io only.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace sarrus {

using Json = nlohmann::ordered_json;

inline constexpr int json_depth_limit = 64;

/// Throws Json::exception where the text is no JSON or nested deeper than anything we write.
inline Json parse_json(const std::string& text) {
  return Json::parse(text, [](int depth, Json::parse_event_t, Json&) {
    if (depth > json_depth_limit)
      throw Json::other_error::create(599, "nested too deep", static_cast<const Json*>(nullptr));
    return true;
  });
}

/// JSON that a caller hands over; `what` names the argument.
inline Json parse_argument(const std::string& text, const char* what) try {
  return parse_json(text);
} catch (const Json::exception& e) {
  throw std::invalid_argument(fmt::format("{} must be JSON: {}", what, e.what()));
}

inline std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace sarrus
