// A bump allocator for trivially destructible objects that all die together.
// Allocation is O(1); the first block is small so that a short-lived owner costs one malloc.
// An object larger than a block gets a block of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace dimgate {

class Arena {
 public:
  /// `align` must be a power of two no larger than that of std::max_align_t.
  void* allocate(std::size_t bytes, std::size_t align = alignof(std::max_align_t)) {
    std::uintptr_t p = (next_ + align - 1) & ~(static_cast<std::uintptr_t>(align) - 1);
    if (p + bytes > end_ || next_ == 0) {
      grow(bytes + align);
      p = (next_ + align - 1) & ~(static_cast<std::uintptr_t>(align) - 1);
    }
    next_ = p + bytes;
    return reinterpret_cast<void*>(p);
  }
  [[nodiscard]] std::size_t bytes() const noexcept { return total_; }

 private:
  void grow(std::size_t need) {
    const std::size_t size = need > block_ ? need : block_;
    if (block_ < kLargest) block_ *= 2;
    blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(size));
    next_ = reinterpret_cast<std::uintptr_t>(blocks_.back().get());
    end_ = next_ + size;
    total_ += size;
  }
  static constexpr std::size_t kFirst = 4096, kLargest = 1U << 20U;
  std::uintptr_t next_ = 0, end_ = 0;
  std::size_t block_ = kFirst, total_ = 0;
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
};

}  // namespace dimgate
