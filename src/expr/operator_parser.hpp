// The operator-precedence parser behind parse_tokens: two explicit stacks, no recursion, so that depth is bounded by
// memory alone. Operands are node indices; an operator waits on `pending_` until something looser or a closing bracket
// reduces it (Dijkstra's shunting yard). Linear in the tokens but for functions of several arguments. One object reads
// one text. The methods lie in parser.cpp and the files named parse_….cpp.
//
// What has no operator of its own is translated: bit operations in parse_bits.cpp, exact fractions (`H*0.5`, `a/b`,
// `sqrt(x)`) in parse_fractions.cpp, what rounds and compares them in parse_rounding.cpp and parse_roots.cpp.
// tests/expr/language_test.cpp compares the translations with Python's own arithmetic.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "expr/comparisons.hpp"
#include "expr/functions.hpp"
#include "expr/parser.hpp"

namespace dimgate::detail {

// Binding strength, Python's.
enum class Level : std::uint8_t {
  kElse = 1,
  kOr,
  kAnd,
  kNot,
  kCompare,
  kBitOr,
  kBitXor,
  kBitAnd,
  kShift,
  kSum,
  kProduct,
  kUnary,
  kPower,
};

struct Infix {
  Level level;
  Op op;
  bool run;  // a run of it is one n-ary node
};

/// False: no infix operator.
bool infix_of(Tok t, Infix& out);

constexpr int kLargestExponent = 4096;  // Context::check's

// What stands on the stack of operands. Sets, fractions and what is opaque are no nodes yet: what takes them decides.
struct Operand {
  enum class Kind : std::uint8_t { node, set, fraction, opaque } kind = Kind::node;
  bool bits = false;        // an infix bit operation without brackets around it
  std::uint32_t index = 0;  // of the node, the set or the fraction
  std::uint32_t begin = 0;  // the tokens [begin, end) spell it
  std::uint32_t end = 0;
};

// top / bottom, or its square root. Doubles round; a fraction is exact. So that the two agree on numbers below 2^53,
// `rounded` counts how often a double would have been rounded, and only what cannot see that is allowed.
struct Fraction {
  enum class Rounded : std::uint8_t { never, once, often };
  enum class Root : std::uint8_t { none, plain, floor, ceil, power };
  std::uint32_t top = 0;
  std::uint32_t bottom = 0;          // a node, if `unit` is 0
  Integer unit = 1;                  // bottom is this constant > 0
  Rounded rounded = Rounded::never;  // never: `unit` is a power of two
  Root root = Root::none;            // the square root of all that, perhaps rounded; power: unit**top
  bool negative = false;             // a root or power: minus that
  std::uint32_t token = 0;           // what made it
};

/// True for names of integers by what front ends write: `s0`, `u3`, sizes, strides.
bool is_integer_name(std::string_view name);

class OperatorParser {
 public:
  OperatorParser(const TokenList& tokens, std::uint32_t text, bool opaque, Syntax& out, TextFault& fault)
      : tokens_(tokens), text_(text), opaque_(opaque), out_(out), fault_(fault) {}

  /// Every formula of the text, or just the one it must be.
  bool all(bool list_mode);

 private:
  enum class Kind : std::uint8_t {
    // operators, reduced when something looser follows
    infix,
    compare,
    prefix,
    otherwise,
    // frames, closed by a bracket (or by `else`)
    group,
    call,
    set,
    piecewise,
    piece,
    condition,
  };
  struct Pending {
    Kind kind;
    Level level;
    Op op;
    bool run;
    std::uint32_t token;     // of the operator or bracket
    std::uint32_t first;     // index in values_ of the first operand
    std::uint32_t link = 0;  // compare: first link in links_
    const Function* function = nullptr;
    bool listed = false;  // any([...]): the closing bracket is followed by the call's
  };
  struct Link {
    Op op;
    bool negated;   // not in
    bool identity;  // is, is not
    std::uint32_t token;
  };
  static bool is_frame(Kind k) { return k >= Kind::group; }

  // One formula, up to a separator or the end.
  bool one();

  // parse_operands.cpp
  bool read_operand(bool& operand);
  bool expected_operand();
  // A minus sign before a number makes a negative constant, unless `**` binds the number first.
  bool signed_constant();
  void number(std::uint32_t place, bool negative);
  static Integer integer_value(std::string_view text);
  void float_word(std::uint32_t i, bool negative);
  bool read_name(bool& operand);
  bool read_call(const Function& f, std::size_t paren, bool& operand);
  // A call or constant that is not known: a fault, or skipped as an opaque operand.
  bool skip_opaque(std::uint32_t from, std::size_t to, std::string message, bool& operand);
  // `([p, q])`: one list is all that is between the brackets.
  [[nodiscard]] bool is_list_alone(std::size_t paren) const;
  static bool read_float(std::string_view text, std::uint64_t& bits);

  // parse_operators.cpp
  bool read_operator(bool& operand);
  bool comparison(Link link, std::uint32_t tokens, bool& operand);
  bool begin_condition(bool& operand);
  bool end_condition(bool& operand);
  bool comma(bool& operand);

  // parse_reduce.cpp
  using Operands = std::span<Operand>;
  bool reduce_above(Level level, bool left_associative);
  [[nodiscard]] bool same_operator(const Pending& top) const;
  bool reduce_to_frame();
  // Replaces the operands of the top operator by its node.
  bool reduce();
  bool reduce_chain(const Pending& top);
  bool link(const Link& link, const Operand& left, const Operand& right, std::uint32_t& part, bool& opaque);
  // `a**2**3` has a power as exponent; small enough, it is the constant it denotes.
  bool check_exponent(std::uint32_t place, Operand& exponent);
  bool close_frame(bool& operand);
  bool finish_call(const Pending& frame, std::uint32_t count);
  // Piecewise((x, c), (y, d)) = x if c else (y if d else undefined); a last condition True has no else.
  bool finish_piecewise(const Pending& frame, std::uint32_t count);
  bool fold(Op op, std::uint32_t place, std::uint32_t first, std::uint32_t end);
  bool combine(Op op, std::uint32_t place, Operands args, Operand& out);
  std::uint32_t node(Op op, std::uint32_t place, std::initializer_list<std::uint32_t> operands);
  std::uint32_t node(Op op, std::uint32_t place, std::span<const std::uint32_t> operands);
  std::uint32_t constant(std::uint32_t place, Integer value);
  std::uint32_t truth(std::uint32_t place, bool value);
  // Undefined, as a formula: `0 divides 0`.
  std::uint32_t nowhere(std::uint32_t place);
  [[nodiscard]] const Integer* constant_of(std::uint32_t node) const;
  std::uint32_t scaled(std::uint32_t place, std::uint32_t node, const Integer& by);
  std::uint32_t sum(std::uint32_t place, std::uint32_t a, std::uint32_t b);
  std::uint32_t product(std::uint32_t place, std::uint32_t a, std::uint32_t b);

  // parse_opaque.cpp
  // Refused by name; where opaque atoms are read, the operand becomes one.
  bool refuse(std::uint32_t place, std::string message, Operand& out);
  void combine_opaque(Op op, Operands args, Operand& out, bool& done);
  // The formula that an opaque operand is: a Bool symbol named by its text.
  std::uint32_t opaque_formula(const Operand& of);
  void settle(Operand& formula);
  static bool any_opaque(std::span<const Operand> args);

  // parse_calls.cpp
  bool call(const Function& f, std::uint32_t place, Operands args, Operand& out);
  bool divmod(std::uint32_t place, Operands args, Operand& out);

  // parse_bits.cpp
  [[nodiscard]] bool is_integer(const Operand& a) const;
  // `~x` is a logical not until something takes it for an integer.
  void as_integer(Operand& a);
  bool bit_operator(Op op, std::uint32_t place, Operands args, Operand& out, bool& done);
  bool bits(CallKind kind, std::uint32_t place, std::uint32_t a, std::uint32_t b, Operand& out);
  std::uint32_t masked(std::uint32_t place, std::uint32_t x, const Integer& mask);
  bool shift(bool left, std::uint32_t place, std::uint32_t x, std::uint32_t by, Operand& out);
  bool gcd(std::uint32_t place, std::uint32_t a, std::uint32_t b, Operand& out);

  // parse_fractions.cpp
  bool literal(std::uint32_t node, Fraction& out);
  [[nodiscard]] bool is_float(const Operand& a) const;
  bool fraction_of(const Operand& a, std::uint32_t place, Fraction& out, std::string& why);
  bool fraction_operator(Op op, std::uint32_t place, Operands args, Operand& out);
  bool arithmetic(Op op, std::uint32_t place, std::span<Fraction> f, Fraction& out, std::string& why);
  bool add(std::uint32_t place, const Fraction& a, const Fraction& b, Fraction& out, std::string& why);
  bool multiply(std::uint32_t place, const Fraction& a, const Fraction& b, Fraction& out, std::string& why);
  bool divide(std::uint32_t place, const Fraction& a, const Fraction& b, Fraction& out, std::string& why);
  bool choose(std::uint32_t place, Operands args, Fraction& out, std::string& why);
  Fraction negated(std::uint32_t place, Fraction a);
  std::uint32_t bottom(std::uint32_t place, const Fraction& a);
  void push_fraction(const Fraction& f, Operand& out);

  // parse_rounding.cpp
  bool rounding(CallKind kind, std::uint32_t place, const Operand& arg, Operand& out);
  std::uint32_t truncated(std::uint32_t place, Fraction a);
  std::uint32_t rounded(std::uint32_t place, const Fraction& a);
  [[nodiscard]] bool is_fraction_comparison(Op op, const Operand& left, const Operand& right) const;
  bool compare(Op op, std::uint32_t place, const Operand& left, const Operand& right, Operand& out);
  std::uint32_t compare_ratio(Op op, std::uint32_t place, std::uint32_t p, std::uint32_t q, std::uint32_t n);

  // parse_powers.cpp
  void power(std::uint32_t place, const Integer& base, std::uint32_t exponent, Operand& out);
  bool compare_power(Op op, std::uint32_t place, const Fraction& power, const Fraction& other, std::uint32_t& out,
                     std::string& why);

  // parse_roots.cpp
  bool square_root(std::uint32_t place, const Operand& arg, Operand& out);
  bool compare_root(Op op, std::uint32_t place, Fraction root, Fraction other, std::uint32_t& out, std::string& why);
  std::uint32_t compare_squares(Op op, std::uint32_t place, const Fraction& root, const Fraction& other);

  // parser.cpp
  bool misplaced_set();
  [[nodiscard]] std::string shown_token(std::size_t i) const;
  [[nodiscard]] std::string shown_tokens(const Operand& of) const;
  bool fail(std::size_t at_token, std::string message);
  std::uint32_t name(std::string text);
  void open(Kind frame, const Function* f) {
    pending_.push_back({frame, Level::kElse, Op::Symbol, false, at_, size(), 0, f});
    ++at_;
  }
  void push_operator(const Pending& p) { pending_.push_back(p); }
  void push(std::uint32_t node, std::uint32_t begin, std::uint32_t end) {
    values_.push_back({Operand::Kind::node, false, node, begin, end});
  }
  // A leaf that is the tokens from `place` to before at_.
  void push_leaf(Op op, std::uint32_t place, std::uint32_t payload) {
    push(out_.add_leaf(op, text_, tokens_.tokens[place].begin, payload), place, at_ + 1);
  }
  static bool is_set(const Operand& value) { return value.kind == Operand::Kind::set; }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(values_.size()); }
  [[nodiscard]] const Token& token() const { return tokens_.tokens[at_]; }
  [[nodiscard]] Tok kind() const { return token().kind; }
  [[nodiscard]] std::string_view spelling(std::size_t i) const { return tokens_.spelling(i); }
  [[nodiscard]] std::string found() const { return shown_token(at_); }

  const TokenList& tokens_;
  std::uint32_t text_;
  bool opaque_;  // what is not known is an opaque atom, no fault
  Syntax& out_;
  TextFault& fault_;
  std::uint32_t at_ = 0;
  std::vector<Pending> pending_;
  std::vector<Operand> values_;
  std::vector<Link> links_;
  std::vector<std::vector<Operand>> sets_;
  std::vector<Fraction> fractions_;
  std::unordered_map<std::uint32_t, Fraction> truncated_;  // the fraction that a node truncates
};

}  // namespace dimgate::detail
