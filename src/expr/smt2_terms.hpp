// Hash-consed SMT-LIB2 terms, and their text with a `let` for each that is used twice: linear in the DAG.
// Tests: tests/expr/smt2_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace dimgate::detail {

class Smt2Terms {
 public:
  using Id = std::uint32_t;  // operands have smaller ids than what uses them

  Smt2Terms() {
    leaf("true");
    leaf("false");
  }
  Id leaf(std::string text) { return intern(std::move(text), {}); }
  Id make(std::string_view op, std::vector<Id> args) { return intern(std::string(op), std::move(args)); }
  [[nodiscard]] Id yes() const { return 0; }
  [[nodiscard]] Id no() const { return 1; }

  Id conj(std::vector<Id> parts) { return gather("and", std::move(parts), yes(), no()); }
  Id disj(std::vector<Id> parts) { return gather("or", std::move(parts), no(), yes()); }
  Id negate(Id p) {
    if (p == yes()) return no();
    if (p == no()) return yes();
    return terms_[p].op == "not" ? terms_[p].args[0] : make("not", {p});
  }
  Id choose(Id c, Id x, Id y) {
    if (x == y || c == yes()) return x;
    return c == no() ? y : make("ite", {c, x, y});
  }

  /// The text of one term.
  [[nodiscard]] std::string print(Id root) const;

 private:
  struct Term {
    std::string op;  // or the whole leaf
    std::vector<Id> args;
  };
  void append(std::string& out, Id top, const std::vector<std::uint32_t>& uses) const;
  // Without `neutral` and repetitions; `absorbing` if that is among them.
  Id gather(std::string_view op, std::vector<Id> parts, Id neutral, Id absorbing);
  Id intern(std::string op, std::vector<Id> args);

  std::vector<Term> terms_;
  std::unordered_multimap<std::uint64_t, Id> index_;
};

}  // namespace dimgate::detail
