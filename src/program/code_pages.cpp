// Blocks of executable memory, mapped twice; meaning, cost and what a fork does: code_pages.hpp.
#include "program/code_pages.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <unordered_map>

#if defined(__linux__)
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace dimgate::detail {
namespace {

constexpr std::size_t kBlockUnits = (std::size_t{1} << 18) / CodePages::kUnit;

/// Counts forks, on both sides.
std::atomic<std::uint64_t> forks{0};  // NOLINT: process-wide, as forks are

struct Mapping {
  std::uint8_t *run = nullptr, *write = nullptr;
};

#if defined(__linux__)
void count_forks() {
  static const int registered = pthread_atfork([] { forks.fetch_add(1, std::memory_order_seq_cst); }, nullptr, nullptr);
  (void)registered;
}

Mapping map_twice(std::size_t size) {
#if defined(MFD_EXEC)
  int file = memfd_create("dimgate", MFD_CLOEXEC | MFD_EXEC);
  if (file < 0) file = memfd_create("dimgate", MFD_CLOEXEC);  // a kernel that does not know the flag
#else
  const int file = memfd_create("dimgate", MFD_CLOEXEC);
#endif
  if (file < 0) return {};
  void *run = MAP_FAILED, *write = MAP_FAILED;
  if (ftruncate(file, static_cast<off_t>(size)) == 0) {
    run = mmap(nullptr, size, PROT_READ | PROT_EXEC, MAP_SHARED, file, 0);
    if (run != MAP_FAILED) write = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  close(file);
  if (write != MAP_FAILED) return {static_cast<std::uint8_t*>(run), static_cast<std::uint8_t*>(write)};
  if (run != MAP_FAILED) munmap(run, size);
  return {};
}

void unmap(const Mapping& m, std::size_t size) noexcept {
  munmap(m.run, size);
  munmap(m.write, size);
}
#else
void count_forks() {}
Mapping map_twice(std::size_t) { return {}; }
void unmap(const Mapping&, std::size_t) noexcept {}
#endif

}  // namespace

struct CodePages::Block {
  Block(const Mapping& mapped, std::size_t units)
      : map(mapped),
        born(forks.load(std::memory_order_seq_cst)),
        taken((units + 63) / 64, 0),
        size(units),
        free(units) {}
  ~Block() { unmap(map, size * kUnit); }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  /// The first of `units` free ones in a row, or `size`.
  [[nodiscard]] std::size_t find(std::size_t units) const noexcept {
    std::size_t run = 0;
    for (std::size_t i = 0; i < size; ++i) {
      if (i % 64 == 0 && taken[i / 64] == ~std::uint64_t{0}) {
        run = 0, i += 63;
        continue;
      }
      run = ((taken[i / 64] >> (i % 64)) & 1U) != 0 ? 0 : run + 1;
      if (run == units) return i + 1 - units;
    }
    return size;
  }
  void mark(std::size_t first, std::size_t units, bool used) noexcept {
    for (std::size_t i = first; i < first + units; ++i) {
      const std::uint64_t bit = std::uint64_t{1} << (i % 64);
      taken[i / 64] = used ? taken[i / 64] | bit : taken[i / 64] & ~bit;
    }
    free = used ? free - units : free + units;
  }
  [[nodiscard]] bool holds(const std::uint8_t* at) const noexcept {
    return !std::less<>{}(at, map.run) && std::less<>{}(at, map.run + size * kUnit);
  }
  [[nodiscard]] bool may_write() const noexcept { return born == forks.load(std::memory_order_seq_cst); }

  Mapping map;
  std::uint64_t born;  // forks before it
  std::vector<std::uint64_t> taken;
  std::size_t size, free;                                // units
  std::unordered_map<std::size_t, std::size_t> lengths;  // by first unit
};

CodePages::CodePages() { count_forks(); }
CodePages::~CodePages() = default;

CodePages::Block* CodePages::make_block(std::size_t units) {
  const std::size_t size = (std::max(units, kBlockUnits) + 63) & ~std::size_t{63};  // whole pages
  const Mapping mapped = map_twice(size * kUnit);
  if (mapped.run == nullptr) return nullptr;
  return blocks_.emplace_back(std::make_unique<Block>(mapped, size)).get();
}

const void* CodePages::add(const void* code, std::size_t size) {
  const std::size_t n = std::max<std::size_t>(units(size), 1);
  const std::lock_guard lock(mutex_);
  Block* block = nullptr;
  std::size_t first = 0;
  // The newest block has room most often.
  for (auto it = blocks_.rbegin(); it != blocks_.rend() && block == nullptr; ++it)
    if ((*it)->free >= n && (*it)->may_write() && (first = (*it)->find(n)) != (*it)->size) block = it->get();
  if (block == nullptr) {
    block = make_block(n);
    first = 0;
  }
  if (block == nullptr) return nullptr;
  block->mark(first, n, true);
  block->lengths.emplace(first, n);
  used_ += n;
  std::memcpy(block->map.write + first * kUnit, code, size);
  return block->map.run + first * kUnit;
}

void CodePages::remove(const void* code) noexcept {
  const auto* const at = static_cast<const std::uint8_t*>(code);
  const std::lock_guard lock(mutex_);
  const auto it = std::ranges::find_if(blocks_, [at](const auto& b) { return b->holds(at); });
  if (it == blocks_.end()) return;
  Block& block = **it;
  const auto first = static_cast<std::size_t>(at - block.map.run) / kUnit;
  const auto length = block.lengths.find(first);
  if (length == block.lengths.end()) return;
  used_ -= length->second;
  block.mark(first, length->second, false);
  block.lengths.erase(length);
  // One block stays for the next function, so that making and dropping one maps nothing.
  if (block.free == block.size && (blocks_.size() > 1 || !block.may_write())) blocks_.erase(it);
}

std::size_t CodePages::bytes() const noexcept {
  const std::lock_guard lock(mutex_);
  return used_ * kUnit;
}

}  // namespace dimgate::detail
