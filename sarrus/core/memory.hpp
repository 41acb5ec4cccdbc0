// For libraries that do not survive running out of memory: ask before calling them.
#pragma once

#include <cstddef>
#include <new>

namespace sarrus {

/// Throws std::bad_alloc unless this much memory is available.
inline void ask_for_memory(std::size_t bytes) { ::operator delete(::operator new(bytes)); }

}  // namespace sarrus
