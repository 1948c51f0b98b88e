#include "program/draft.hpp"

#include <cstring>
#include <new>

#include "program/steps.hpp"

namespace dimgate::detail {
namespace {

/// Tables and the vectors they are made of.
template <class F>
void each_table(F&& f) {
  f(&ProgramCode::code, &Draft::code);
  f(&ProgramCode::ranges, &Draft::ranges);
  f(&ProgramCode::mods, &Draft::mods);
  f(&ProgramCode::pairs, &Draft::pairs);
  f(&ProgramCode::loads, &Draft::loads);
  f(&ProgramCode::magics, &Draft::magics);
  f(&ProgramCode::needs, &Draft::needs);
  f(&ProgramCode::shadowed, &Draft::shadowed);
  f(&ProgramCode::test_guards, &Draft::test_guards);
  f(&ProgramCode::test_begin, &Draft::test_begin);
  f(&ProgramCode::order, &Draft::order);
  f(&ProgramCode::slots, &Draft::slots);
  f(&ProgramCode::marks, &Draft::marks);
  f(&ProgramCode::pinned, &Draft::pinned);
}
/// Those whose elements have a table themselves.
template <class F>
void each_nested(F&& f) {
  const auto self = [](auto& list) -> auto& { return list; };
  f(&ProgramCode::bigs, &Draft::bigs, [](auto& big) -> auto& { return big.limbs; });
  f(&ProgramCode::sets, &Draft::sets, self);
  f(&ProgramCode::lists, &Draft::lists, self);
}

template <class T>
using Element = typename std::remove_cvref_t<T>::value_type;

/// Counts what arrays take, or writes them behind each other.
class Block {
 public:
  explicit Block(std::byte* begin) : begin_(begin) {}
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// Room for n elements; null while counting.
  template <class T>
  T* take(std::size_t n) {
    std::byte* const at = begin_ == nullptr ? nullptr : begin_ + size_;
    size_ += (n * sizeof(T) + kTableUnit - 1) / kTableUnit * kTableUnit;
    return reinterpret_cast<T*>(at);
  }

 private:
  std::byte* begin_;
  std::size_t size_ = sizeof(ProgramCode);
};
static_assert(sizeof(ProgramCode) % kTableUnit == 0);

/// Test t is of guard t and of no other.
bool is_plain(const Draft& d) {
  if (d.test_begin.size() != d.test_guards.size() + 1) return false;
  for (std::uint32_t t = 0; t < d.test_guards.size(); ++t)
    if (d.test_begin[t] != t || d.test_guards[t] != t) return false;
  return true;
}

/// `code` null: counts only.
std::size_t lay(const Draft& draft, ProgramCode* code) {
  Block block(reinterpret_cast<std::byte*>(code));
  const bool plain = is_plain(draft);
  const auto put = [&]<class T>(Table<T>* table, const std::vector<T>& from) {
    T* const at = block.take<T>(from.size());
    if (table == nullptr) return;
    if (!from.empty()) std::memcpy(static_cast<void*>(at), from.data(), from.size() * sizeof(T));
    table->place(at, from.size());
  };
  each_table([&](auto table, auto from) {
    if (plain && (&(draft.*from) == static_cast<const void*>(&draft.test_guards) ||
                  &(draft.*from) == static_cast<const void*>(&draft.test_begin)))
      return;
    put(code == nullptr ? nullptr : &(code->*table), draft.*from);
  });
  each_nested([&](auto table, auto from, auto inner) {
    using T = Element<decltype(std::declval<ProgramCode&>().*table)>;
    const auto& lists = draft.*from;
    T* const at = block.take<T>(lists.size());
    for (std::size_t k = 0; k < lists.size(); ++k) {
      if (code == nullptr) {
        put(static_cast<std::remove_reference_t<decltype(inner(*at))>*>(nullptr), inner(lists[k]));
        continue;
      }
      T* const element = new (at + k) T;
      if constexpr (std::is_same_v<T, BigInt>) element->negative = lists[k].negative ? 1 : 0;
      put(&inner(*element), inner(lists[k]));
    }
    if (code != nullptr) (code->*table).place(at, lists.size());
  });
  return block.size();
}

}  // namespace

std::unique_ptr<ProgramCode> freeze(const Draft& draft) {
  const std::size_t bytes = lay(draft, nullptr);
  std::unique_ptr<ProgramCode> code(new (::operator new(bytes)) ProgramCode);
  code->block_bytes = bytes;
  code->registers = draft.registers;
  code->bits = draft.bits;
  code->guard_count = draft.guard_count;
  code->tests = draft.test_begin.empty() ? 0 : static_cast<std::uint32_t>(draft.test_begin.size() - 1);
  code->exact = draft.exact;
  code->never = draft.never;
  lay(draft, code.get());
  return code;
}

Draft thaw(const ProgramCode& code) {
  Draft draft;
  each_table([&](auto table, auto to) { (draft.*to).assign((code.*table).begin(), (code.*table).end()); });
  each_nested([&](auto table, auto to, auto inner) {
    for (const auto& from : code.*table) {
      auto& list = (draft.*to).emplace_back();
      inner(list).assign(inner(from).begin(), inner(from).end());
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(from)>, BigInt>) list.negative = from.negative != 0;
    }
  });
  if (code.test_begin.empty())
    for (std::uint32_t t = 0; t <= code.tests; ++t) {
      draft.test_begin.push_back(t);
      if (t < code.tests) draft.test_guards.push_back(t);
    }
  draft.registers = code.registers;
  draft.bits = code.bits;
  draft.guard_count = code.guard_count;
  draft.exact = code.exact;
  draft.never = code.never;
  return draft;
}

std::unique_ptr<ProgramCode> copy_tables(const ProgramCode& code) { return freeze(thaw(code)); }

Program finish(const Draft& draft, Jit* jit) {
  auto code = freeze(draft);
  if (jit != nullptr) jit->attach(*code);
  if (!code->native.is_there()) make_steps(*code);
  return Program(std::move(code));
}

}  // namespace dimgate::detail
