// The linear view of a set of canonical literals: monomials as columns, literals as rows, and a domain per column.
//
// Nonlinear atoms are columns with rows that define them:
//   q = e//k, k > 0 constant:     0 <= e - k*q <= k - 1
//   q = p//d, sign of d known:    0 <= p - d*q <= d - 1   (mirrored for d < 0); d*q is a polynomial over columns
//   m = max(a, b, ...):           m >= a, m >= b, ...
// `propagate` runs interval x congruence propagation over rows and definitions to a capped fixpoint
// (O(rounds * row lengths)); it finds conflicts and gives every column a domain. Each domain keeps the premises it
// rests on. Limits: no case split, no product of rows (see relax.hpp). Tested by tests/prove/native_test.cpp.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "dimgate/expr.hpp"
#include "expr/node_map.hpp"
#include "expr/poly.hpp"
#include "prove/deps.hpp"
#include "prove/domain.hpp"
#include "prove/linear.hpp"

namespace dimgate {

/// A canonical literal with the premises it came from.
struct Literal {
  Expr f;
  Deps deps;
};

struct Column {
  enum class Kind : std::uint8_t { symbol, product, quotient, quotient_by_term, maximum, branch, opaque } kind;
  Expr atom;
  std::vector<std::uint32_t> factors;  // product
  Domain domain;
  Deps deps;
  bool defined = false;  // quotient_by_term: its two defining rows are in place
};

/// sum(terms) >= bound, or == bound.
struct Row {
  std::vector<LinearTerm> terms;
  Integer bound;
  bool equality = false;
  Deps deps;
};
/// k divides sum(terms) + offset.
struct DividesRow {
  std::vector<LinearTerm> terms;
  Integer offset, modulus;
  bool negated = false;
  Deps deps;
};
/// sum(terms) != value.
struct DisequalityRow {
  std::vector<LinearTerm> terms;
  Integer value;
  Deps deps;
  Expr literal;
};

class System {
 public:
  System(Context& ctx, std::uint64_t& steps) : ctx_(ctx), ring_(ctx.impl()), steps_(steps) {}

  void add(const Literal& l);
  /// term >= 1, or <= -1, as a row of its own.
  void add_sign(Expr term, bool positive, const Deps& deps);
  /// Columns for the products of each quotient by a term with the divisors of all, and of its divisor with what short
  /// rows compare it with: what bounds on one say of another.
  void cross_quotients();
  /// Columns for what a short row makes of part of a product: of m = u*w under v - u >= c, v*w. `widened` then:
  /// products that are not negative may multiply rows.
  bool widen_products();  // true: there are new columns
  bool widened = false;
  /// Interval x congruence propagation. A conflict is returned as the premises that suffice.
  std::optional<Deps> propagate(int rounds = 10);

  /// sum + constant for a canonical Int term; registers its columns. Carriers count as 0.
  struct Affine {
    std::vector<LinearTerm> terms;
    Integer constant;
  };
  Affine affine(Expr term);
  /// The same, with the definitions of its atoms in place.
  Affine probe(Expr term);
  [[nodiscard]] Domain domain_of(const Affine& a, Deps* deps = nullptr) const;
  /// The same, and what a row over just these terms says: x - 4*(x//4) lies in [0, 3]. O(rows).
  [[nodiscard]] Domain domain_by_rows(const Affine& a, Deps* deps = nullptr) const;

  std::vector<Column> columns;
  std::vector<Row> rows;
  std::vector<DividesRow> divides;
  std::vector<DisequalityRow> disequalities;
  using ColumnIndex = NodeMap<std::uint32_t, 32>;
  [[nodiscard]] const ColumnIndex& index() const { return index_; }
  PolyRing& ring() { return ring_; }

 private:
  std::uint32_t column(const Node* monomial);
  void define(std::uint32_t c);
  void define_pending();
  void define_quotients_by_terms();
  void push_row(const Affine& a, const Integer& bound, bool equality, const Deps& deps);
  bool tighten(std::uint32_t c, const Domain& d, const Deps& deps);
  bool forward(std::uint32_t c);
  bool backward_product(std::uint32_t c);
  bool through(const Row& r);
  bool upper_side(const std::vector<LinearTerm>& terms, const Integer& bound, bool flip, const Deps& deps);
  bool congruences(const std::vector<LinearTerm>& terms, const Integer& value, const Integer& modulus,
                   const Deps& deps);

  Context& ctx_;
  PolyRing ring_;
  std::uint64_t& steps_;
  ColumnIndex index_;
  std::vector<std::uint32_t> undefined_;  // columns whose definitions are still to be added
  std::optional<Deps> conflict_;
};

}  // namespace dimgate
