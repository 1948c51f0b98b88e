#include <cstdlib>
#include <cstring>
#include <string_view>

#include "program/draft.hpp"
#if DIMGATE_HAVE_JIT
#include "program/code_pages.hpp"
#include "program/jit_emitter.hpp"
#endif

namespace dimgate {

#if DIMGATE_HAVE_JIT
namespace {

/// Valgrind translates code once; code that appears where other code was must be announced. A client request of its
/// public protocol (valgrind.h, `discard translations`): four rotations that add up to nothing on a real machine.
void tell_valgrind(const void* code, std::size_t size) {
  volatile std::uint64_t request[6] = {0x1002, reinterpret_cast<std::uint64_t>(code), size, 0, 0, 0};
  std::uint64_t result = 0;
  asm volatile("rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi; xchgq %%rbx, %%rbx"
               : "=d"(result)
               : "a"(&request[0]), "0"(result)
               : "cc", "memory");
}

}  // namespace

struct Jit::Impl {
  detail::CodePages pages;  // locks
  bool vectors = __builtin_cpu_supports("avx2") != 0;
};

std::shared_ptr<Jit> Jit::create() {
  if (const char* set = std::getenv("DIMGATE_JIT"); set != nullptr && std::string_view(set) == "0") return nullptr;
  auto jit = std::shared_ptr<Jit>(new Jit);
  jit->impl_ = std::make_unique<Impl>();
  // Whether pages can be had and run is known by trying: the program without guards.
  const Program tried = jit->translate(Program());
  if (!tried.is_native() || tried.check(SnapshotView{}) != kPass) return nullptr;
  return jit;
}

Jit::Jit() = default;
Jit::~Jit() = default;

std::size_t Jit::bytes() const noexcept { return impl_->pages.bytes(); }

void Jit::attach(detail::ProgramCode& code) {
  detail::JitEmitter emitter(code, impl_->vectors);
  if (!emitter.emit()) return;
  const void* const executable = impl_->pages.add(emitter.code().data(), emitter.code().size());
  if (executable == nullptr) return;
  // As it is handed out.
  const std::size_t size = detail::CodePages::units(emitter.code().size()) * detail::CodePages::kUnit;
  tell_valgrind(executable, size);
  const auto* const entry = static_cast<const std::uint8_t*>(executable) + emitter.entry();
  code.run = reinterpret_cast<detail::RunProgram>(reinterpret_cast<std::uintptr_t>(entry));
  code.slot_limit = code.slots.empty() ? 0 : std::size_t{code.slots.back()} + 1;
  code.native = detail::NativeCode(shared_from_this(), executable, size);
}

void detail::NativeCode::release() noexcept {
  if (pages_ != nullptr) jit_->release(pages_);
}

void Jit::release(const void* function) noexcept { impl_->pages.remove(function); }

#else

struct Jit::Impl {};
std::shared_ptr<Jit> Jit::create() { return nullptr; }
Jit::Jit() = default;
Jit::~Jit() = default;
std::size_t Jit::bytes() const noexcept { return 0; }
void Jit::attach(detail::ProgramCode&) {}
void detail::NativeCode::release() noexcept {}
void Jit::release(const void*) noexcept {}

#endif

Program Jit::translate(const Program& program) {
  if (program.is_native()) return program;
  auto code = detail::copy_tables(program.code());
  attach(*code);
  return code->native.is_there() ? Program(std::move(code)) : program;
}

}  // namespace dimgate
