// Machine code that a program holds, and where it comes from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace dimgate {

class Jit;

namespace detail {

/// One function. Its pages go back to the Jit when it is gone.
class NativeCode {
 public:
  NativeCode() = default;
  NativeCode(std::shared_ptr<Jit> jit, const void* pages, std::size_t bytes) noexcept
      : jit_(std::move(jit)), pages_(pages), bytes_(bytes) {}
  ~NativeCode() { release(); }
  NativeCode(const NativeCode&) = delete;
  NativeCode& operator=(const NativeCode&) = delete;
  NativeCode& operator=(NativeCode&& o) noexcept {
    release();
    jit_ = std::move(o.jit_);
    pages_ = std::exchange(o.pages_, nullptr);
    bytes_ = std::exchange(o.bytes_, 0);
    return *this;
  }

  [[nodiscard]] bool is_there() const noexcept { return pages_ != nullptr; }
  /// What it takes of the pages.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  void release() noexcept;

  std::shared_ptr<Jit> jit_;
  const void* pages_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace detail
}  // namespace dimgate
