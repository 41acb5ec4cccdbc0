#include "sarrus/core/json.hpp"

#include <mutex>

namespace sarrus::json_detail {
namespace {

constexpr std::size_t reserve_bytes = 1 << 20;  // 65536 entries of a list, or fewer that are nested

/// Blocks one after the other; the place is free again when the last of them is given back.
struct Reserve {
  std::mutex mutex;
  alignas(std::max_align_t) std::byte bytes[reserve_bytes];
  std::size_t used = 0, blocks = 0;
};
Reserve reserve;

}  // namespace

void* take_for_walk(std::size_t bytes) {
  if (void* memory = ::operator new(bytes, std::nothrow)) return memory;
  const std::lock_guard lock(reserve.mutex);
  const std::size_t aligned =
      (bytes + alignof(std::max_align_t) - 1) & ~(alignof(std::max_align_t) - 1);
  if (aligned > reserve_bytes - reserve.used) throw std::bad_alloc();
  void* memory = reserve.bytes + reserve.used;
  reserve.used += aligned;
  ++reserve.blocks;
  return memory;
}

void give_back(void* memory) noexcept {
  auto* place = static_cast<std::byte*>(memory);
  if (place < reserve.bytes || place >= reserve.bytes + reserve_bytes)
    return ::operator delete(memory);
  const std::lock_guard lock(reserve.mutex);
  if (--reserve.blocks == 0) reserve.used = 0;
}

}  // namespace sarrus::json_detail
