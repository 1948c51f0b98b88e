// Formulas: hash-consed terms of the one guard language.
//
// A Context owns nodes; an Expr is an 8-byte handle into it. Two kinds of handle live in the same table:
//  - raw nodes, made by `make`: exactly what was written, printed back exactly, and what the reference
//    evaluator runs on;
//  - canonical nodes, made by `canonical`: the normal form that provers and fingerprints use.
// `==` is structural (same node). Whether two different terms are equal for all values is a question for a Prover.
//
// Meaning: a term denotes an integer, truth value, float, name, or *undefined* (division by zero and what is
// strict in it). A formula f therefore has a set T(f) where it is true and F(f) where it is false; `canonical`
// preserves both exactly.
//
// Ownership: a Context belongs to one thread, and every Expr dies with its Context.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dimgate/integer.hpp"
#include "dimgate/op.hpp"
#include "dimgate/result.hpp"

namespace dimgate {

class Context;
class Expr;

namespace detail {

/// One interned node. Arguments follow the node in memory.
struct Node {
  std::uint64_t hash;  // of structure and symbol names: the same in every Context
  Op op;
  Sort sort;
  bool total;            // syntactically never undefined (no divisor that could be zero)
  std::uint8_t degree;   // canonical Int terms: polynomial degree in atoms, saturating at 255
  std::uint32_t size;    // number of arguments
  std::uint32_t weight;  // nodes of the tree below, saturating
  std::uint32_t id;      // creation index in the Context; identity only, never an order
  union {
    const Integer* integer;  // IntConst
    std::uint64_t bits;      // FloatConst: IEEE bits; BoolConst: 0 or 1
    std::uint32_t index;     // Symbol: index of symbol; EnumConst: index of name
  };
  mutable const Node* canon;     // memo of Context::canonical; itself if canonical; null if not yet asked
  mutable std::uint32_t mark;    // scratch for walkers of the owning Context (see Context::next_mark)
  mutable const Node* negation;  // memo of Context::negate (canonical Bool nodes); null if not yet asked
  [[nodiscard]] const Node* const* args() const noexcept { return reinterpret_cast<const Node* const*>(this + 1); }
};

}  // namespace detail

/// Handle to a node. Cheap to copy; default-constructed handles are null and only testable.
class Expr {
 public:
  constexpr Expr() noexcept = default;
  explicit constexpr Expr(const detail::Node* n) noexcept : node_(n) {}

  explicit operator bool() const noexcept { return node_ != nullptr; }
  [[nodiscard]] Op op() const noexcept { return node_->op; }
  [[nodiscard]] Sort sort() const noexcept { return node_->sort; }
  [[nodiscard]] std::size_t size() const noexcept { return node_->size; }
  [[nodiscard]] Expr operator[](std::size_t i) const noexcept { return Expr(node_->args()[i]); }
  [[nodiscard]] std::uint32_t id() const noexcept { return node_->id; }
  [[nodiscard]] std::uint64_t hash() const noexcept { return node_->hash; }
  [[nodiscard]] bool is_total() const noexcept { return node_->total; }
  [[nodiscard]] bool is(Op op) const noexcept { return node_->op == op; }
  [[nodiscard]] bool is_const() const noexcept { return node_->op < Op::Symbol; }
  [[nodiscard]] bool is_int() const noexcept { return node_->op == Op::IntConst; }
  [[nodiscard]] bool is_symbol() const noexcept { return node_->op == Op::Symbol; }
  [[nodiscard]] bool is_true() const noexcept { return node_->op == Op::BoolConst && node_->bits == 1; }
  [[nodiscard]] bool is_false() const noexcept { return node_->op == Op::BoolConst && node_->bits == 0; }
  /// Value of an IntConst.
  [[nodiscard]] const Integer& integer() const noexcept { return *node_->integer; }
  /// Bits of a FloatConst.
  [[nodiscard]] std::uint64_t float_bits() const noexcept { return node_->bits; }
  /// Index of a Symbol or EnumConst within its Context (see Context::symbol_name, enum_name).
  [[nodiscard]] std::uint32_t index() const noexcept { return node_->index; }
  [[nodiscard]] const detail::Node* node() const noexcept { return node_; }
  friend bool operator==(Expr a, Expr b) noexcept { return a.node_ == b.node_; }

 private:
  const detail::Node* node_ = nullptr;
};

/// Owns nodes, symbols and names. Not thread-safe: one thread at a time.
class Context {
 public:
  Context();
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  // ---- leaves -------------------------------------------------------------------------------
  Expr integer(const Integer& value);
  Expr boolean(bool value);
  Expr floating(double value);  // by bit pattern: -0.0 and each NaN are their own constants
  Expr float_bits(std::uint64_t bits);
  Expr enumeration(std::string_view name);  // `torch.float32`, `cuda:0`
  /// The symbol of that name, made on first use. Asking again with another sort is an error of the
  /// caller (asserted); use `find_symbol` to look first.
  Expr symbol(std::string_view name, Sort sort = Sort::Int);
  [[nodiscard]] Expr find_symbol(std::string_view name) const;  // null if there is none
  [[nodiscard]] std::size_t symbol_count() const noexcept;
  [[nodiscard]] Expr symbol_at(std::uint32_t index) const;
  [[nodiscard]] const std::string& symbol_name(Expr symbol) const;
  [[nodiscard]] const std::string& enum_name(Expr constant) const;
  /// True for a symbol that is >= 0 by nature: `….size()[i]`, `len(…)` and the like.
  [[nodiscard]] bool is_size(Expr symbol) const;

  // ---- raw nodes ----------------------------------------------------------------------------
  /// Interns op(args) as written. Arity and sorts must fit the table (asserted; `check` asks first).
  Expr make(Op op, std::span<const Expr> args);
  Expr make(Op op, std::initializer_list<Expr> args) { return make(op, std::span(args.begin(), args.size())); }
  /// What is wrong with op(args): arity, a sort, a non-constant or negative exponent; nullopt if fine.
  [[nodiscard]] std::optional<std::string> check(Op op, std::span<const Expr> args) const;

  // ---- canonical form -----------------------------------------------------------------------
  /// The canonical node with the same T and F (Bool) or the same value and domain (other sorts).
  /// Near-linear in the DAG; memoised; stack-safe.
  Expr canonical(Expr e);
  /// Canonical constructors over canonical operands (what SymInt arithmetic calls).
  Expr add(Expr a, Expr b);
  Expr sub(Expr a, Expr b);
  Expr mul(Expr a, Expr b);
  Expr floor_div(Expr a, Expr b);
  Expr mod(Expr a, Expr b);
  Expr min(Expr a, Expr b);
  Expr max(Expr a, Expr b);
  Expr compare(Op op, Expr a, Expr b);  // Eq Ne Lt Le Gt Ge
  Expr conj(std::span<const Expr> parts);
  Expr disj(std::span<const Expr> parts);
  Expr negate(Expr p);

  /// Total order on nodes by structure and symbol names: the same in every Context. <0, 0, >0.
  [[nodiscard]] int order(Expr a, Expr b) const;

  [[nodiscard]] std::size_t node_count() const noexcept;
  [[nodiscard]] std::size_t bytes() const noexcept;
  std::uint32_t next_mark() noexcept;  // fresh value for Node::mark

 public:
  struct Impl;  // the table; defined in src/expr/context_impl.hpp, for src/expr only
  [[nodiscard]] Impl& impl() noexcept { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

/// Symbols of e, each once, in order of first occurrence (left to right). Linear in the DAG.
std::vector<Expr> symbols_of(Context& ctx, Expr e);
/// e with symbols replaced (raw rebuild; canonicalise afterwards if wanted). Linear in the DAG.
Expr substitute(Context& ctx, Expr e, const std::function<Expr(Expr symbol)>& replacement);
/// e rebuilt in another Context, node by node. Linear in the DAG.
Expr transfer(Context& to, const Context& from, Expr e);
/// The disjunction of `divisor == 0`-free conditions: a formula that is true exactly where e is defined
/// and never undefined itself where it matters (strong Kleene, guarded by branches).
Expr definedness(Context& ctx, Expr e);

// ---- reference evaluation --------------------------------------------------------------------

/// A value, or undefined.
struct Value {
  enum class Kind : std::uint8_t { undefined, integer, boolean, floating, enumeration } kind = Kind::undefined;
  Integer integer;         // integer
  std::uint64_t bits = 0;  // boolean: 0/1; floating: IEEE bits
  std::string name;        // enumeration
  static Value undefined() { return {}; }
  static Value of(Integer v) { return {Kind::integer, std::move(v), 0, {}}; }
  static Value of(bool v) { return {Kind::boolean, 0, v ? 1U : 0U, {}}; }
  static Value of(std::int64_t v) { return of(Integer(v)); }
  static Value of(int v) { return of(Integer(v)); }
  static Value of_float_bits(std::uint64_t b) { return {Kind::floating, 0, b, {}}; }
  static Value of_enum(std::string n) { return {Kind::enumeration, 0, 0, std::move(n)}; }
  [[nodiscard]] bool is_undefined() const noexcept { return kind == Kind::undefined; }
  [[nodiscard]] bool is_true() const noexcept { return kind == Kind::boolean && bits == 1; }
  [[nodiscard]] bool is_false() const noexcept { return kind == Kind::boolean && bits == 0; }
  [[nodiscard]] std::string to_string() const;
  friend bool operator==(const Value&, const Value&) = default;
};

/// Values of symbols by symbol index of one Context. A symbol without a value is undefined.
class Assignment {
 public:
  void set(Expr symbol, Value v) {
    if (symbol.index() >= values_.size()) values_.resize(symbol.index() + 1);
    values_[symbol.index()] = std::move(v);
  }
  [[nodiscard]] const Value& get(Expr symbol) const {
    static const Value none;
    return symbol.index() < values_.size() ? values_[symbol.index()] : none;
  }
  void clear() { values_.clear(); }

 private:
  std::vector<Value> values_;
};

/// The reference evaluator: exact, slow, obviously right; works on any tree as it stands. Stack-safe.
Value evaluate(const Context& ctx, Expr e, const Assignment& at);

// ---- text ------------------------------------------------------------------------------------

/// How to read a formula. docs/guard-language.md is the grammar and the meaning of every operator.
struct ParseOptions {
  std::string file = {};  // for error messages
  unsigned first_line = 1;
  /// Symbols must exist already; otherwise a new name makes a symbol of the sort its use asks for.
  bool declared_only = false;
  /// The sort the text must have: Bool for a guard or fact, Int for a term. Decides a bare symbol too.
  std::optional<Sort> sort = {};
};

/// Reads one formula or term in Python/PyTorch spelling into a raw node. The error carries line, column and what
/// was expected. A symbol's sort comes from its uses (none: Int); two different ones are an error naming both places.
/// Linear in the text, stack-safe. Nothing is added to the Context when the text is wrong.
Result<Expr> parse(Context& ctx, std::string_view text, const ParseOptions& options = {});

/// Reads formulas separated by `;` or by line ends outside brackets (a guard file, a list of assumptions); empty
/// ones and `#` comments are skipped. A symbol has one sort in the whole list.
Result<std::vector<Expr>> parse_list(Context& ctx, std::string_view text, const ParseOptions& options = {});

/// Texts that belong together (facts and a claim) and so share symbols: the sort of each comes from all its uses.
struct FormulaText {
  std::string_view text;
  ParseOptions options = {};  // declared_only is read from the first
};
Result<std::vector<Expr>> parse_together(Context& ctx, std::span<const FormulaText> texts);

/// Text that parses back to the same node in this Context, for every raw or canonical node.
std::string to_text(const Context& ctx, Expr e);
/// Text for people: as to_text, but `a - 3` for the sum of a and -3. Parses back to a node with the same canonical
/// form.
std::string to_pretty(const Context& ctx, Expr e);
std::string to_latex(const Context& ctx, Expr e);
/// A presentation MathML `<math>` element.
std::string to_mathml(const Context& ctx, Expr e);

/// An SMT-LIB2 term whose truth is T(e) for Bool (floor division and definedness spelled out); for Int a term with e's
/// value wherever e is defined. Enum constants are their index in the Context, Floats are (_ BitVec 64).
std::string to_smt2(const Context& ctx, Expr e);
/// The symbol quoted for SMT-LIB2, and its sort there.
std::string smt2_symbol(const Context& ctx, Expr symbol);
std::string_view smt2_sort(Sort sort);
/// A whole script: declarations of e's symbols, an assertion that e is in T, (check-sat).
std::string to_smt2_script(Context& ctx, Expr e);

/// A Python expression (symbols as written) that is True exactly on T(e) and raises or is False elsewhere. Needs
/// `python_prelude` where an operand of `or` or under `not` may be undefined, for Distinct and for float bits.
std::string to_python(const Context& ctx, Expr e);
std::string_view python_prelude();

/// A C expression over the variables `c_identifier(name)` (int64_t for Int, int for Bool, uint64_t bits for Float,
/// int64_t index for Enum), using what `c_prelude` defines. Bool: 1 true, 0 false, DG_UNDEFINED, DG_OVERFLOW (the exact
/// value needs more than 64 bits: ask the library). Int: a dg_int.
std::string to_c(const Context& ctx, Expr e);
std::string_view c_prelude();
std::string c_identifier(std::string_view symbol_name);

/// `{"op": "Add", "args": [...]}`; leaves are `{"op": "Int", "value": 3}` (a string beyond 2^53), Bool, Float (bits as
/// hex), Enum and Symbol (name and sort). docs/guard-language.md has the schema.
std::string to_json(const Context& ctx, Expr e);
/// Reads what to_json writes. The error names the place in the document.
Result<Expr> from_json(Context& ctx, std::string_view text);

}  // namespace dimgate

template <>
struct std::hash<dimgate::Expr> {
  std::size_t operator()(dimgate::Expr e) const noexcept { return std::hash<const void*>{}(e.node()); }
};
