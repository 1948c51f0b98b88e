// What a Tracer keeps out of its header.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "dimgate/trace.hpp"
#include "trace/hint_table.hpp"
#include "trace/op_memo.hpp"

namespace dimgate {

struct Tracer::Impl {
  explicit Impl(Context& ctx) : path(ctx) {}

  enum class Decided : std::uint8_t { no, yes_false, yes_true };

  Facts path;  // declarations, and the guards and asserts recorded since
  HintTable hints;
  OpMemo memo;
  std::vector<Decided> decided;  // by id of the canonical formula
  std::vector<Expr> soft;        // soft assumptions
  bool has_unbacked = false;
  std::unordered_map<std::string, SymTensor> parameters;

  [[nodiscard]] Decided decision(std::uint32_t id) const noexcept {
    return id < decided.size() ? decided[id] : Decided::no;
  }
  [[nodiscard]] Decided decision(Expr e) const noexcept { return decision(e.id()); }
  void note(Expr e, bool value) {
    if (e.id() >= decided.size()) decided.resize(e.id() + 1 + decided.size() / 2, Decided::no);
    decided[e.id()] = value ? Decided::yes_true : Decided::yes_false;
  }
};

/// Arithmetic and comparison on SymInts: constants at once, terms through the memo.
struct SymOps {
  /// Handles of two tracers have no common meaning: throws std::logic_error.
  [[noreturn]] static void mixed(const Tracer* a, const Tracer* b);
  static void same(const Tracer* a, const Tracer* b) {
    if (a != b) [[unlikely]]
      mixed(a, b);
  }
  static SymInt arithmetic(Op op, const SymInt& a, const SymInt& b);
  static SymBool compare(Op op, const SymInt& a, const SymInt& b, std::source_location at);
  static HintValue hint_of(Tracer& t, const SymInt& s);
  /// The value of any term or formula under the hints; walks it if it was not built by SymInt arithmetic.
  static HintValue hint_of(Tracer& t, Expr e);
  static OpMemo::Made make(Tracer& t, Op op, const SymInt& a, const SymInt& b);
  static SymInt from_node(Tracer& t, const OpMemo::Made& made);
  static SymInt divide(Op op, const Located& a, const Located& b);
  static Tracer::Impl& impl(Tracer& t) { return *t.impl_; }
  /// The first divisor that is 0 under the hints, for a message; null if none is.
  static Expr zero_divisor(Tracer& t, Expr e);
  /// What decides a formula that is neither known nor backed by hints.
  struct Unbacked {
    std::optional<bool> fallback = std::nullopt;
    bool use_soft = true;
  };
  /// A formula that was not decided before.
  static bool decide(Tracer& t, Expr canonical, std::source_location at, std::string_view reason,
                     const Unbacked& unbacked);
};

}  // namespace dimgate
