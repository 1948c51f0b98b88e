// One question put to Z3: facts of one component asserted in canonical order, each under a literal, then checks.
// Tested through tests/solver.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "components.hpp"
#include "session.hpp"
#include "translate.hpp"

namespace dimgate::z3 {

using Values = std::vector<std::pair<Expr, Value>>;

class Question {
 public:
  enum class Tracking : std::uint8_t { none, facts };

  /// `asked`: what will be asked about (for numbering its names).
  Question(Context& ctx, const Component& component, std::span<const Expr> asked, Tracking tracking,
           std::uint64_t rlimit, unsigned watchdog_ms);

  [[nodiscard]] Session& session() noexcept { return session_; }
  [[nodiscard]] Translator& translator() noexcept { return translator_; }
  /// Not empty: something could not be translated; ask nothing.
  [[nodiscard]] const std::string& failure() const noexcept { return translator_.failure(); }

  /// Translates; also asserts what the symbols' nature implies (sizes are >= 0).
  Denotation denote(Expr e);
  /// Are the facts and what was added to the session satisfiable?
  Outcome check() { return session_.check(literals_); }
  /// After unsat with Tracking::facts: positions in the component, ascending.
  std::vector<std::size_t> core();
  /// Drops from an unsatisfiable core what it does not need, last first, while budget lasts.
  std::vector<std::size_t> minimal_core();
  /// After sat: values of all symbols translated so far; nullopt if the model has none to read.
  std::optional<Values> values();

 private:
  std::vector<std::size_t> positions(const std::vector<Z3_ast>& literals) const;
  void assert_nature();

  Context& ctx_;
  Session session_;
  Translator translator_;
  std::vector<Z3_ast> literals_;  // one a fact; empty without tracking
  std::size_t natured_ = 0;       // symbols whose nature is asserted
};

}  // namespace dimgate::z3
