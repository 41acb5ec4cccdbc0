// For libraries that do not survive a lack of memory: they are called where there is enough.
#pragma once

#include <cstddef>
#include <new>

namespace sarrus {

/// Throws std::bad_alloc where so much cannot be had.
inline void ask_for_memory(std::size_t bytes) { ::operator delete(::operator new(bytes)); }

}  // namespace sarrus
