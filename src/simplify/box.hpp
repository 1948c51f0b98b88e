// Formulas as unions of boxes: a box fixes, for some variables, the set of values each may have.
//
// Variables are Int symbols (IntSet), Enum symbols (NameSet) and literals: formulas that are taken as they are, with
// the states true, false and undefined as values (a Mask), so that `p or not p` comes out as "p is defined". Literals
// are treated as independent of everything else: what holds for boxes holds for the formulas, not the other way round.
// Cost: unions are capped (kMaxBoxes), covering questions count steps; what does not fit says nullopt.
// Tested by tests/simplify/join_test.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "dimgate/expr.hpp"
#include "simplify/int_set.hpp"

namespace dimgate::simplify {

/// A finite set of names, or all names but these. Sorted by name.
struct NameSet {
  bool all_but = true;
  std::vector<std::string> names;
  friend bool operator==(const NameSet&, const NameSet&) = default;
};

/// States of a literal: bit 0 true, bit 1 false, bit 2 undefined.
struct Mask {
  std::uint8_t bits = 7;
  friend bool operator==(const Mask&, const Mask&) = default;
};

using ValueSet = std::variant<IntSet, NameSet, Mask>;
std::optional<ValueSet> intersect(const ValueSet& a, const ValueSet& b);
std::optional<ValueSet> unite(const ValueSet& a, const ValueSet& b);
std::optional<ValueSet> subtract(const ValueSet& a, const ValueSet& b);
std::optional<bool> is_subset(const ValueSet& a, const ValueSet& b);
bool is_empty(const ValueSet& a);

using VarId = std::uint32_t;

/// Names the variables of one simplification. Ids are local and never decide an order.
class Variables {
 public:
  explicit Variables(Context& ctx) : ctx_(ctx) {}
  VarId of_symbol(Expr symbol);
  /// A literal and its negation are one variable; `flipped` says that `formula` is the negated one of the two.
  VarId of_literal(Expr formula, bool& flipped);
  [[nodiscard]] Expr symbol(VarId v) const { return vars_[v].key; }
  /// A formula for the literal being true (or false: `negated`), as it was written if it was.
  [[nodiscard]] Expr literal(VarId v, bool negated) const;
  [[nodiscard]] bool is_literal(VarId v) const { return vars_[v].literal; }
  [[nodiscard]] std::size_t size() const noexcept { return vars_.size(); }
  /// Everything: the set that says nothing about v.
  [[nodiscard]] ValueSet full(VarId v) const;
  [[nodiscard]] Context& context() const noexcept { return ctx_; }
  /// Symbols by name, then literals by structure.
  [[nodiscard]] bool before(VarId a, VarId b) const;
  /// Position of every variable in that order.
  [[nodiscard]] std::vector<std::uint32_t> ranks() const;

 private:
  struct Variable {
    Expr key;  // the symbol; or of a literal and its negation the canonical one that comes first
    bool literal = false;
    bool total = false;
    Expr spelled[2];  // literal: the cheapest spelling seen of key and of its negation
  };
  Context& ctx_;
  std::vector<Variable> vars_;
  std::unordered_map<Expr, VarId> ids_;                        // by symbol
  std::unordered_map<Expr, std::pair<VarId, bool>> literals_;  // by canonical formula; true: the negation of the key
};

/// Sets by variable; a variable that is not listed is free. Sorted by id.
using Box = std::map<VarId, ValueSet>;
/// What the box says of `v`; null: nothing.
inline const ValueSet* find(const Box& box, VarId v) {
  const auto it = box.find(v);
  return it == box.end() ? nullptr : &it->second;
}

inline constexpr std::size_t kMaxBoxes = 1U << 13;

/// The boxes whose union is T(formula); nullopt if there would be more than `limit`.
std::optional<std::vector<Box>> to_boxes(Variables& vars, Expr formula, std::size_t limit = 256);

/// The points common to both; nullopt: cannot. An empty set makes the whole box empty: `false` in the pair.
struct Meet {
  Box box;
  bool empty = false;
};
std::optional<Meet> meet(const Box& a, const Box& b);

/// box within the union, counting each split as a step. nullopt: ran out of steps or sets.
std::optional<bool> is_covered(const Variables& vars, const Box& box, const std::vector<Box>& by, int exclude,
                               std::uint64_t& steps);

/// Fewer and larger boxes with the same union inside `domain`: merged where they differ in one variable, enlarged as
/// far as the union allows, redundant ones left out. Empty result: the union is empty inside the domain.
std::vector<Box> minimise_boxes(const Variables& vars, std::vector<Box> boxes, const Box& domain);

}  // namespace dimgate::simplify
