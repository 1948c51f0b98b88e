// Machine code that a ProgramCode holds, and where it comes from.
#pragma once

#include "program/code.hpp"

namespace dimgate::detail {

/// One function. Its pages go back to the Jit when the last program with it is gone.
class NativeCode {
 public:
  using Function = std::int32_t (*)(const std::int64_t* values, const std::uint64_t* present);
  NativeCode(std::shared_ptr<Jit> jit, const void* at, std::size_t size)
      : pages(at), bytes(size), jit_(std::move(jit)) {}
  ~NativeCode();
  NativeCode(const NativeCode&) = delete;
  NativeCode& operator=(const NativeCode&) = delete;

  const void* const pages;
  const std::size_t bytes;

 private:
  std::shared_ptr<Jit> jit_;
};

}  // namespace dimgate::detail
