// An array in a program's block: it says where its elements are, counted from itself, and how many. Eight bytes
// instead of a vector's twenty-four, no allocation of its own, and a block can be copied byte by byte. It cannot be
// moved out of its block. Constant cost. Tested with all that reads programs.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dimgate::detail {

/// Where arrays in a block begin: at multiples of so many bytes.
inline constexpr std::size_t kTableUnit = 8;

template <class T>
class alignas(kTableUnit) Table {
 public:
  using value_type = T;
  Table() = default;
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  [[nodiscard]] const T* data() const noexcept {
    return reinterpret_cast<const T*>(reinterpret_cast<const char*>(this) + kTableUnit * at_);
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] const T* begin() const noexcept { return data(); }
  [[nodiscard]] const T* end() const noexcept { return data() + size_; }
  [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return data()[i]; }
  [[nodiscard]] const T& back() const noexcept { return data()[size_ - 1]; }

  /// The elements are at `at`, a multiple of kTableUnit behind this.
  void place(const void* at, std::size_t size) noexcept {
    static_assert(alignof(T) <= kTableUnit);
    const auto bytes = static_cast<const char*>(at) - reinterpret_cast<const char*>(this);
    at_ = static_cast<std::uint32_t>(static_cast<std::size_t>(bytes) / kTableUnit);
    size_ = static_cast<std::uint32_t>(size);
  }

 private:
  std::uint32_t at_ = 0;
  std::uint32_t size_ = 0;
};

}  // namespace dimgate::detail
