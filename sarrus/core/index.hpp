// Numbers of things are int, places in containers size_t.
#pragma once

#include <cstddef>

namespace sarrus {

constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace sarrus
