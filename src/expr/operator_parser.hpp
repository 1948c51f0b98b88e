// The operator-precedence parser behind parse_tokens: two explicit stacks, no recursion, so that depth is bounded by
// memory alone. Operands are node indices; an operator waits on `pending_` until something looser or a closing bracket
// reduces it (Dijkstra's shunting yard). Linear in the tokens but for functions of several arguments. One object reads
// one text. The methods lie in parser.cpp, parse_operands.cpp, parse_operators.cpp and parse_reduce.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "expr/parser.hpp"

namespace dimgate::detail {

struct Function;

// Binding strength, Python's.
enum Level : std::uint8_t {
  kElse = 1,
  kOr,
  kAnd,
  kNot,
  kCompare,
  kBitOr,
  kBitAnd,
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

// Values on the stack are node indices; a set after `in` is not a node but an index into sets_ with this bit.
constexpr std::uint32_t kSet = 0x80000000U;

class OperatorParser {
 public:
  OperatorParser(const TokenList& tokens, std::uint32_t text, Syntax& out, TextFault& fault)
      : tokens_(tokens), text_(text), out_(out), fault_(fault) {}

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
  static bool read_float(std::string_view text, std::uint64_t& bits);

  // parse_operators.cpp
  bool read_operator(bool& operand);
  bool comparison(Link link, std::uint32_t tokens, bool& operand);
  bool begin_condition(bool& operand);
  bool end_condition(bool& operand);
  bool comma(bool& operand);

  // parse_reduce.cpp
  bool reduce_above(Level level, bool left_associative);
  [[nodiscard]] bool same_operator(const Pending& top) const;
  bool reduce_to_frame();
  // Replaces the operands of the top operator by its node.
  bool reduce();
  bool reduce_chain(const Pending& top);
  // `a**2**3` has a power as exponent; small enough, it is the constant it denotes.
  bool check_exponent(std::uint32_t place, std::uint32_t& exponent);
  bool close_frame(bool& operand);
  bool finish_call(const Pending& frame, std::uint32_t count);
  // Piecewise((x, c), (y, d)) = x if c else (y if d else undefined); a last condition True has no else.
  bool finish_piecewise(const Pending& frame, std::uint32_t count);
  void fold(Op op, std::uint32_t place, std::uint32_t first);
  std::uint32_t node(Op op, std::uint32_t place, const std::vector<std::uint32_t>& operands);
  std::uint32_t integer_node(std::uint32_t place, int value);

  // parser.cpp
  bool misplaced_set();
  [[nodiscard]] std::string shown_token(std::size_t i) const;
  bool fail(std::size_t at_token, std::string message);
  std::uint32_t name(std::string text);
  void open(Kind frame, const Function* f) {
    pending_.push_back({frame, kElse, Op::Symbol, false, at_, size(), 0, f});
    ++at_;
  }
  void push_operator(const Pending& p) { pending_.push_back(p); }
  void push_leaf(Op op, std::uint32_t place, std::uint32_t payload) {
    values_.push_back(out_.add_leaf(op, text_, tokens_.tokens[place].begin, payload));
  }
  static bool is_set(std::uint32_t value) { return (value & kSet) != 0; }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(values_.size()); }
  [[nodiscard]] const Token& token() const { return tokens_.tokens[at_]; }
  [[nodiscard]] Tok kind() const { return token().kind; }
  [[nodiscard]] std::string_view spelling(std::size_t i) const { return tokens_.spelling(i); }
  [[nodiscard]] std::string found() const { return shown_token(at_); }

  const TokenList& tokens_;
  std::uint32_t text_;
  Syntax& out_;
  TextFault& fault_;
  std::uint32_t at_ = 0;
  std::vector<Pending> pending_;
  std::vector<std::uint32_t> values_;
  std::vector<Link> links_;
  std::vector<std::vector<std::uint32_t>> sets_;
};

}  // namespace dimgate::detail
