// The constraints of a LinearCore, level by level, in normal form.
//
// A form is a primitive vector: terms by ascending variable, gcd 1, first coefficient positive; each is stored once and
// constraints bound it from below or above (an integer division rounds the bound: gcd tightening). One variable alone
// is its own form. A constraint without variables is true and forgotten, or contradicts.
// seal() numbers what a tableau holds: per level its new variables, then its new forms in the order of their
// contents, so that the order in which constraints came does not show.
// Tests: tests/prove/linear_test.cpp (through LinearCore).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "prove/linear.hpp"

namespace dimgate::linear {

enum class Relation : std::uint8_t { at_least, at_most, equals };

/// Writes the terms as a primitive vector, sorted, and returns what it must be multiplied with (negative if the first
/// coefficient was; 0 if no terms are left).
Integer make_form(std::span<const LinearTerm> terms, std::vector<LinearTerm>& out);
/// The same with a positive factor: out keeps the signs. Without terms the factor is 1.
Integer make_primitive(std::span<const LinearTerm> terms, std::vector<LinearTerm>& out);

class Store {
 public:
  static constexpr std::uint32_t kVariable = 0x80000000U;  // form ids with this bit are single variables
  struct Constraint {
    std::uint32_t form;
    bool upper;
    std::uint32_t tag;
    Integer bound;
  };
  struct Range {
    std::size_t begin, end;
  };
  struct Level {
    std::uint32_t variables, forms, constraints, terms;  // where they begin
    std::optional<std::uint32_t> contradiction;          // the least tag of a constraint that is false by itself
    bool sealed = false;
  };

  Store() { clear(); }
  void clear();
  void push();
  void pop();
  std::uint32_t new_variable();
  void add(std::span<const LinearTerm> terms, const Integer& bound, Relation relation, std::uint32_t tag);
  void seal();

  [[nodiscard]] const std::vector<Level>& levels() const { return levels_; }
  [[nodiscard]] std::uint32_t variables() const { return variables_; }
  [[nodiscard]] std::size_t forms() const { return forms_.size(); }
  [[nodiscard]] std::span<const LinearTerm> terms(std::uint32_t form) const {
    return {terms_.data() + forms_[form].begin, forms_[form].end - forms_[form].begin};
  }
  [[nodiscard]] const Constraint& constraint(std::size_t i) const { return constraints_[i]; }
  [[nodiscard]] std::optional<std::uint32_t> contradiction() const;
  /// Of one level; forms are numbered in their order (ordered_form gives the id). After seal().
  [[nodiscard]] Range variables_of(std::size_t level) const { return range(level, &Level::variables, variables_); }
  [[nodiscard]] Range forms_of(std::size_t level) const { return range(level, &Level::forms, forms_.size()); }
  [[nodiscard]] Range constraints_of(std::size_t level) const {
    return range(level, &Level::constraints, constraints_.size());
  }
  [[nodiscard]] std::uint32_t ordered_form(std::size_t i) const { return order_[i]; }
  /// The tableau's number of a variable, and of a form id. After seal().
  [[nodiscard]] std::uint32_t place_of_variable(std::uint32_t v) const { return variable_place_[v]; }
  [[nodiscard]] std::uint32_t place(std::uint32_t form) const {
    return (form & kVariable) != 0 ? variable_place_[form & ~kVariable] : forms_[form].place;
  }

 private:
  struct Form {
    std::uint32_t begin, end;
    std::uint64_t hash;
    std::uint32_t place;
  };
  static constexpr std::size_t kScan = 32;  // with more forms than this they are found through a table

  [[nodiscard]] Range range(std::size_t level, std::uint32_t Level::* member, std::size_t end) const {
    return {levels_[level].*member, level + 1 < levels_.size() ? levels_[level + 1].*member : end};
  }
  std::uint32_t intern();
  [[nodiscard]] bool same(const Form& f) const;
  [[nodiscard]] int compare(std::uint32_t a, std::uint32_t b) const;

  std::uint32_t variables_ = 0;
  std::vector<LinearTerm> terms_, scratch_;
  std::vector<Form> forms_;
  std::vector<Constraint> constraints_;
  std::vector<Level> levels_;
  std::vector<std::uint32_t> order_, variable_place_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> table_;
};

}  // namespace dimgate::linear
