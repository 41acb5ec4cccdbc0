// Forward declaration of the JSON tree. Files that use its contents include json.hpp, which takes
// three seconds to compile.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace sarrus {
namespace json_detail {

template <class T>
struct Heap;

}  // namespace json_detail

using Json = nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool,
                                  std::int64_t, std::uint64_t, double, json_detail::Heap>;

}  // namespace sarrus
