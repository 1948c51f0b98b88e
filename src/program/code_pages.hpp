// Memory for machine code: mapped twice, once to write and once to run, never both at one address.
//
// Handed out in units of 64 bytes from blocks of 256 KiB (larger functions have a block of their own); a block without
// users goes back to the kernel. The mappings are shared, so a fork would let parent and child write into each other's
// code: blocks that were there at a fork are written no more, by neither side; what runs in them stays as it is.
// Thread-safe. Cost: a scan of the block's bit map, 64 words. Tested by tests/program/code_pages_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace dimgate::detail {

class CodePages {
 public:
  CodePages();
  ~CodePages();
  CodePages(const CodePages&) = delete;
  CodePages& operator=(const CodePages&) = delete;

  /// A copy of the code where it can run; null where the kernel gives no such memory.
  const void* add(const void* code, std::size_t size);
  /// What `add` gave; nobody runs it any more.
  void remove(const void* code) noexcept;
  /// Bytes handed out, in whole units.
  [[nodiscard]] std::size_t bytes() const noexcept;
  static constexpr std::size_t kUnit = 64;
  static constexpr std::size_t units(std::size_t size) noexcept { return (size + kUnit - 1) / kUnit; }

 private:
  struct Block;
  Block* make_block(std::size_t units);
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::size_t used_ = 0;  // units
};

}  // namespace dimgate::detail
