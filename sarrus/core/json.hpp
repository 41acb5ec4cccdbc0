// The tree of nlohmann's JSON library, for .cpp files only.
//
// Its destructor allocates, in order to walk a tree of any depth without recursion; with no memory
// left the program would be terminated there. That walk therefore has a reserve to fall back on,
// so that the program can still say what happened.
#pragma once

#include <cstddef>
#include <new>
#include <nlohmann/json.hpp>

#include "sarrus/core/json_fwd.hpp"

namespace sarrus::json_detail {

/// Memory for that walk: from the heap, or else from a reserve that all threads share.
void* take_for_walk(std::size_t bytes);
void give_back(void* memory) noexcept;

/// For everything else in a tree: the heap.
template <class T>
struct Heap {
  using value_type = T;
  Heap() = default;
  template <class U>
  Heap(const Heap<U>&) noexcept {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T))); }
  void deallocate(T* p, std::size_t) noexcept { ::operator delete(p); }
  friend bool operator==(const Heap&, const Heap&) { return true; }
};

}  // namespace sarrus::json_detail

/// For the walk only; the contents of a tree come from Heap.
template <>
struct std::allocator<sarrus::Json> {
  using value_type = sarrus::Json;
  allocator() = default;
  template <class U>
  allocator(const std::allocator<U>&) noexcept {}
  sarrus::Json* allocate(std::size_t n) {
    return static_cast<sarrus::Json*>(sarrus::json_detail::take_for_walk(n * sizeof(sarrus::Json)));
  }
  void deallocate(sarrus::Json* p, std::size_t) noexcept { sarrus::json_detail::give_back(p); }
  friend bool operator==(const allocator&, const allocator&) { return true; }
};
