#include "expr/parser.hpp"

#include <algorithm>
#include <bit>

#include "expr/functions.hpp"
#include "expr/names.hpp"

namespace dimgate::detail {
namespace {

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

bool infix_of(Tok t, Infix& out) {
  switch (t) {
    case Tok::kw_or:
      out = {kOr, Op::Or, true};
      return true;
    case Tok::kw_and:
      out = {kAnd, Op::And, true};
      return true;
    case Tok::pipe:
      out = {kBitOr, Op::Or, true};
      return true;
    case Tok::amp:
      out = {kBitAnd, Op::And, true};
      return true;
    case Tok::plus:
      out = {kSum, Op::Add, true};
      return true;
    case Tok::minus:
      out = {kSum, Op::Sub, false};
      return true;
    case Tok::star:
      out = {kProduct, Op::Mul, true};
      return true;
    case Tok::floor_div:
      out = {kProduct, Op::FloorDiv, false};
      return true;
    case Tok::percent:
      out = {kProduct, Op::Mod, false};
      return true;
    case Tok::power:
      out = {kPower, Op::Pow, false};
      return true;
    case Tok::eq:
      out = {kCompare, Op::Eq, false};
      return true;
    case Tok::ne:
      out = {kCompare, Op::Ne, false};
      return true;
    case Tok::lt:
      out = {kCompare, Op::Lt, false};
      return true;
    case Tok::le:
      out = {kCompare, Op::Le, false};
      return true;
    case Tok::gt:
      out = {kCompare, Op::Gt, false};
      return true;
    case Tok::ge:
      out = {kCompare, Op::Ge, false};
      return true;
    default:
      return false;
  }
}

constexpr int kLargestExponent = 4096;  // Context::check's

// Values on the stack are node indices; a set after `in` is not a node but an index into sets_ with this bit.
constexpr std::uint32_t kSet = 0x80000000U;

class Parser {
 public:
  Parser(const TokenList& tokens, std::uint32_t text, Syntax& out, TextFault& fault)
      : tokens_(tokens), text_(text), out_(out), fault_(fault) {}

  bool all(bool list_mode) {
    for (;;) {
      while (list_mode && kind() == Tok::separator) ++at_;
      if (list_mode && kind() == Tok::end) return true;
      if (!one()) return false;
      if (kind() == Tok::end) return true;
      if (!list_mode) return fail(at_, "expected one formula, found ';'");
    }
  }

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
  bool one() {
    pending_.clear();
    values_.clear();
    links_.clear();
    sets_.clear();
    bool operand = true;
    for (;;) {
      if (operand) {
        if (!read_operand(operand)) return false;
      } else {
        if (kind() == Tok::end || kind() == Tok::separator) break;
        if (!read_operator(operand)) return false;
      }
    }
    if (!reduce_to_frame()) return false;
    if (!pending_.empty()) return fail(at_, "expected 'else' to go with 'if', found " + found());
    out_.roots.push_back({values_[0], text_});
    return true;
  }

  // ---- operands ---------------------------------------------------------------------------------

  bool read_operand(bool& operand) {
    const Token& t = token();
    const Kind top = pending_.empty() ? Kind::group : pending_.back().kind;
    if (top == Kind::piecewise && !pending_.empty()) {
      if (t.kind != Tok::left_paren) return fail(at_, "expected '(value, condition)' in Piecewise, found " + found());
      open(Kind::piece, nullptr);
      return true;
    }
    switch (t.kind) {
      case Tok::integer:
      case Tok::floating:
        number(at_, false);
        break;
      case Tok::string:
        push_leaf(Op::EnumConst, at_, name(enum_name_of_string(string_content(spelling(at_)))));
        ++at_;
        break;
      case Tok::name:
        return read_name(operand);
      case Tok::plus:
        ++at_;
        return true;
      case Tok::minus:
        if (!signed_constant()) {
          push_operator({Kind::prefix, kUnary, Op::Neg, false, at_, size()});
          ++at_;
          return true;
        }
        break;
      case Tok::tilde:
        push_operator({Kind::prefix, kUnary, Op::Not, false, at_, size()});
        ++at_;
        return true;
      case Tok::kw_not:
        if (!pending_.empty() && !is_frame(pending_.back().kind) && pending_.back().level > kNot)
          return fail(at_, "expected an operand after " + shown(spelling(pending_.back().token)) +
                               ", found 'not': put it in parentheses, (not ...)");
        push_operator({Kind::prefix, kNot, Op::Not, false, at_, size()});
        ++at_;
        return true;
      case Tok::left_paren:
      case Tok::left_bracket:
      case Tok::left_brace:
        if (t.literal) {
          const std::size_t last = t.match + 1;
          const std::uint32_t start = at_;
          at_ = static_cast<std::uint32_t>(last);
          push_leaf(Op::EnumConst, start, name(normal_text(tokens_, start, last)));
          break;
        }
        if (t.kind != Tok::left_paren)
          return fail(at_, "expected an operand, found " + found() + ": a set or list of terms can only follow 'in'");
        open(Kind::group, nullptr);
        return true;
      default:
        return expected_operand();
    }
    operand = false;
    return true;
  }

  bool expected_operand() {
    const bool first = at_ == 0 || tokens_.tokens[at_ - 1].kind == Tok::separator;
    if (first && (kind() == Tok::end || kind() == Tok::separator))
      return fail(at_, "expected a formula, found nothing");
    return fail(at_, "expected an operand" + (first ? std::string() : " after " + shown(spelling(at_ - 1))) +
                         ", found " + found());
  }

  // A minus sign before a number makes a negative constant, unless `**` binds the number first.
  bool signed_constant() {
    const Token& next = tokens_.tokens[at_ + 1];
    const bool word = next.kind == Tok::name && (spelling(at_ + 1) == "nan" || spelling(at_ + 1) == "inf");
    if (next.kind != Tok::integer && next.kind != Tok::floating && !word) return false;
    const Tok after = tokens_.tokens[at_ + 2].kind;
    if (after == Tok::power) return false;
    if (word) {
      if (after == Tok::dot || after == Tok::left_bracket || after == Tok::left_paren) return false;
      float_word(at_ + 1, true);
      at_ += 2;
      return true;
    }
    ++at_;
    number(at_ - 1, true);
    return true;
  }

  void number(std::uint32_t place, bool negative) {
    const std::string_view text = spelling(at_);
    if (token().kind == Tok::floating) {
      std::uint64_t bits = float_token_bits(text);
      if (negative) bits ^= 1ULL << 63U;
      out_.floats.push_back(bits);
      push_leaf(Op::FloatConst, place, static_cast<std::uint32_t>(out_.floats.size() - 1));
    } else {
      Integer value = integer_value(text);
      out_.integers.push_back(negative ? -value : std::move(value));
      push_leaf(Op::IntConst, place, static_cast<std::uint32_t>(out_.integers.size() - 1));
    }
    ++at_;
  }

  static Integer integer_value(std::string_view text) {
    std::string digits;
    if (text.size() > 1 && (text[1] == 'x' || text[1] == 'X')) {
      Integer value = 0;
      for (const char c : text.substr(2))
        value = value * Integer(16) + Integer(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
      return value;
    }
    for (const char c : text)
      if (c != '_') digits += c;
    return Integer::parse(digits).value_or(Integer(0));
  }

  void float_word(std::uint32_t i, bool negative) {
    std::uint64_t bits = spelling(i) == "inf" ? 0x7ff0000000000000ULL : 0x7ff8000000000000ULL;
    if (negative) bits ^= 1ULL << 63U;
    out_.floats.push_back(bits);
    push_leaf(Op::FloatConst, i, static_cast<std::uint32_t>(out_.floats.size() - 1));
  }

  bool read_name(bool& operand) {
    const std::string_view word = spelling(at_);
    std::size_t paren = 0;
    if (const Function* f = function_called_at(tokens_, at_, paren)) return read_call(*f, paren, operand);
    if (is_reserved_word(word)) {
      if (word == "nan" || word == "inf")
        float_word(at_, false);
      else if (word == "None")
        push_leaf(Op::EnumConst, at_, name("None"));
      else
        push_leaf(Op::BoolConst, at_, word == "True" ? 1 : 0);
      ++at_;
    } else {
      SourceText source = read_source(tokens_, at_);
      if (source.kind == SourceKind::unknown_function) {
        std::string message = "unknown function " + shown(source.name);
        if (const auto near = closest_function(source.name)) message += "; did you mean " + shown(*near) + "?";
        return fail(at_, std::move(message));
      }
      if (source.kind == SourceKind::broken)
        return fail(source.next, "expected a name after '.', found " + shown_token(source.next));
      if (source.kind == SourceKind::constant)
        push_leaf(Op::EnumConst, at_, name(std::move(source.name)));
      else
        values_.push_back(out_.add_symbol(std::move(source.name), text_, token().begin));
      at_ = static_cast<std::uint32_t>(source.next);
    }
    operand = false;
    return true;
  }

  bool read_call(const Function& f, std::size_t paren, bool& operand) {
    const std::uint32_t close = tokens_.tokens[paren].match;
    const bool one = close == paren + 2;
    switch (f.kind) {
      case CallKind::symbol:
        if (!one || tokens_.tokens[paren + 1].kind != Tok::string)
          return fail(paren + 1, "expected a string in Symbol('...'), found " + shown_token(paren + 1));
        values_.push_back(out_.add_symbol(string_content(spelling(paren + 1)), text_, token().begin));
        break;
      case CallKind::float_of: {
        std::string_view digits = one ? spelling(paren + 1) : std::string_view();
        if (one && tokens_.tokens[paren + 1].kind == Tok::string) digits = digits.substr(1, digits.size() - 2);
        std::uint64_t bits = 0;
        if (!read_float(digits, bits))
          return fail(paren + 1, "expected a number in float('...'), found " + shown_token(paren + 1));
        out_.floats.push_back(bits);
        push_leaf(Op::FloatConst, at_, static_cast<std::uint32_t>(out_.floats.size() - 1));
        break;
      }
      case CallKind::float_bits: {
        if (!one || tokens_.tokens[paren + 1].kind != Tok::integer || spelling(paren + 1).size() > 20)
          return fail(paren + 1,
                      "expected the 64 bits as an integer in float_bits(0x...), found " + shown_token(paren + 1));
        const Integer value = integer_value(spelling(paren + 1));
        if (value.bit_length() > 64) return fail(paren + 1, "more than 64 bits in float_bits(...)");
        const Integer low = floor_mod(value, Integer::from_u64(1ULL << 32U));
        const Integer high = floor_div(value, Integer::from_u64(1ULL << 32U));
        out_.floats.push_back((static_cast<std::uint64_t>(high.small()) << 32U) |
                              static_cast<std::uint64_t>(low.small()));
        push_leaf(Op::FloatConst, at_, static_cast<std::uint32_t>(out_.floats.size() - 1));
        break;
      }
      default: {
        const std::uint32_t start = at_;
        at_ = static_cast<std::uint32_t>(paren);
        open(f.kind == CallKind::piecewise ? Kind::piecewise : Kind::call, &f);
        pending_.back().token = start;
        if (kind() == Tok::right_paren) return close_frame(operand);
        return true;
      }
    }
    at_ = close + 1;
    operand = false;
    return true;
  }

  static bool read_float(std::string_view text, std::uint64_t& bits) {
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    if (text == "nan" || text == "inf" || text == "infinity") {
      bits = text == "nan" ? 0x7ff8000000000000ULL : 0x7ff0000000000000ULL;
    } else {
      TokenList t;
      TextFault ignored;
      if (!lex(text, false, t, ignored) || t.tokens.size() != 2) return false;
      if (t.tokens[0].kind != Tok::integer && t.tokens[0].kind != Tok::floating) return false;
      bits = float_token_bits(text);
    }
    if (negative) bits ^= 1ULL << 63U;
    return true;
  }

  // ---- operators --------------------------------------------------------------------------------

  bool read_operator(bool& operand) {
    Infix in{};
    const bool after_piece = !pending_.empty() && pending_.back().kind == Kind::piecewise;
    if (after_piece && kind() != Tok::comma && kind() != Tok::right_paren)
      return fail(at_, "expected ',' or ')' after the Piecewise case, found " + found());
    switch (kind()) {
      case Tok::right_paren:
      case Tok::right_bracket:
      case Tok::right_brace:
        return close_frame(operand);
      case Tok::comma:
        return comma(operand);
      case Tok::kw_if:
        return begin_condition(operand);
      case Tok::kw_else:
        return end_condition(operand);
      case Tok::kw_in:
        return comparison({Op::In, false, false, at_}, 1, operand);
      case Tok::kw_is: {
        const bool negated = tokens_.tokens[at_ + 1].kind == Tok::kw_not;
        return comparison({negated ? Op::Ne : Op::Eq, false, true, at_}, negated ? 2 : 1, operand);
      }
      case Tok::kw_not:
        if (tokens_.tokens[at_ + 1].kind != Tok::kw_in)
          return fail(at_, "expected an operator, found 'not' (did you mean 'not in'?)");
        return comparison({Op::In, true, false, at_}, 2, operand);
      case Tok::slash:
        return fail(at_, "unexpected '/': terms are integers, write '//' for floor division");
      case Tok::assign:
        return fail(at_, "unexpected '=': write '==' to compare");
      default:
        break;
    }
    if (!infix_of(kind(), in)) return fail(at_, "expected an operator, found " + found());
    if (in.level == kCompare) return comparison({in.op, false, false, at_}, 1, operand);
    if (!reduce_above(in.level, in.level != kPower)) return false;
    if (is_set(values_.back())) return misplaced_set();
    if (!pending_.empty() && in.run) {
      const Pending& top = pending_.back();
      if (top.kind == Kind::infix && top.level == in.level && top.op == in.op) return ++at_, operand = true;
    }
    push_operator({Kind::infix, in.level, in.op, in.run, at_, size() - 1});
    ++at_;
    return operand = true;
  }

  bool comparison(Link link, std::uint32_t tokens, bool& operand) {
    if (!reduce_above(kCompare, false)) return false;
    if (is_set(values_.back())) return misplaced_set();
    if (pending_.empty() || pending_.back().kind != Kind::compare) {
      push_operator({Kind::compare, kCompare, link.op, false, at_, size() - 1});
      pending_.back().link = static_cast<std::uint32_t>(links_.size());
    }
    links_.push_back(link);
    at_ += tokens;
    operand = true;
    if (link.op != Op::In) return true;
    if (kind() != Tok::left_paren && kind() != Tok::left_bracket && kind() != Tok::left_brace)
      return fail(at_, "expected a set such as {1, 2} after 'in', found " + found());
    const bool empty = token().match == at_ + 1;
    open(Kind::set, nullptr);
    return empty ? close_frame(operand) : true;
  }

  bool begin_condition(bool& operand) {
    while (!pending_.empty() && !is_frame(pending_.back().kind) && pending_.back().kind != Kind::otherwise)
      if (!reduce()) return false;
    if (!pending_.empty() && pending_.back().kind == Kind::condition)
      return fail(at_, "expected 'else', found 'if': put the inner 'x if c else y' in parentheses");
    if (is_set(values_.back())) return misplaced_set();
    pending_.push_back({Kind::condition, kElse, Op::Ite, false, at_, size() - 1});
    ++at_;
    return operand = true;
  }

  bool end_condition(bool& operand) {
    if (!reduce_to_frame()) return false;
    if (pending_.empty() || pending_.back().kind != Kind::condition) return fail(at_, "unexpected 'else' without 'if'");
    pending_.back().kind = Kind::otherwise;
    ++at_;
    return operand = true;
  }

  bool comma(bool& operand) {
    if (!reduce_to_frame()) return false;
    const Kind top = pending_.empty() ? Kind::condition : pending_.back().kind;
    if (pending_.empty()) return fail(at_, "expected an operator or the end, found ','");
    if (top == Kind::condition) return fail(at_, "expected 'else' to go with 'if', found ','");
    if (top == Kind::group) return fail(at_, "expected ')' or an operator, found ','");
    if (top == Kind::piece && size() - pending_.back().first == 2) return fail(at_, "expected ')' after the condition");
    ++at_;
    const Tok next = kind();
    if (next == Tok::right_paren || next == Tok::right_bracket || next == Tok::right_brace) return close_frame(operand);
    return operand = true;
  }

  bool close_frame(bool& operand) {
    if (!reduce_to_frame()) return false;
    if (pending_.empty()) return fail(at_, "unmatched " + found());
    const Pending frame = pending_.back();
    if (frame.kind == Kind::condition) return fail(at_, "expected 'else' to go with 'if', found " + found());
    pending_.pop_back();
    const std::uint32_t count = size() - frame.first;
    switch (frame.kind) {
      case Kind::set: {
        sets_.emplace_back(values_.begin() + frame.first, values_.end());
        values_.resize(frame.first);
        values_.push_back(kSet | static_cast<std::uint32_t>(sets_.size() - 1));
        break;
      }
      case Kind::piece:
        if (count != 2) return fail(at_, "expected ', condition' in the Piecewise case, found ')'");
        break;
      case Kind::piecewise:
        if (!finish_piecewise(frame, count)) return false;
        break;
      case Kind::call:
        if (!finish_call(frame, count)) return false;
        break;
      default:
        break;
    }
    ++at_;
    operand = false;
    return true;
  }

  bool finish_call(const Pending& frame, std::uint32_t count) {
    const Function& f = *frame.function;
    if (count < f.min_args || (f.max_args != kVariadic && count > f.max_args)) {
      std::string want = std::to_string(f.min_args);
      if (f.max_args == kVariadic) want = "at least " + want;
      return fail(frame.token, shown(f.name) + " takes " + want + (f.min_args == 1 ? " argument" : " arguments") +
                                   ", found " + std::to_string(count));
    }
    if (f.kind == CallKind::identity) return true;
    if (f.kind == CallKind::modular_indexing) {
      const std::uint32_t quotient = node(Op::FloorDiv, frame.token, {values_[frame.first], values_[frame.first + 1]});
      const std::uint32_t whole = node(Op::Mod, frame.token, {quotient, values_[frame.first + 2]});
      values_.resize(frame.first);
      values_.push_back(whole);
      return true;
    }
    if (f.kind == CallKind::op && f.op == Op::Pow && !check_exponent(frame.token, values_.back())) return false;
    fold(f.op, frame.token, frame.first);
    return true;
  }

  // Piecewise((x, c), (y, d)) = x if c else (y if d else undefined); a last condition True has no else.
  bool finish_piecewise(const Pending& frame, std::uint32_t count) {
    if (count == 0) return fail(frame.token, "'Piecewise' takes at least 1 case, found 0");
    std::uint32_t whole = 0;
    std::uint32_t last = count - 2;
    const SyntaxNode& final_condition = out_.nodes[values_.back()];
    if (final_condition.op == Op::BoolConst && final_condition.payload == 1) {
      whole = values_[frame.first + last];
    } else {
      // Undefined, of whatever sort the cases have: a choice by `0 divides 0`.
      const std::uint32_t value = values_[frame.first + last];
      const std::uint32_t zero = integer_node(frame.token, 0);
      const std::uint32_t never = node(Op::Divides, frame.token, {zero, zero});
      whole = node(Op::Ite, frame.token, {never, value, value});
      last += 2;
    }
    while (last > 0) {
      last -= 2;
      whole = node(Op::Ite, frame.token, {values_[frame.first + last + 1], values_[frame.first + last], whole});
    }
    values_.resize(frame.first);
    values_.push_back(whole);
    return true;
  }

  // ---- reducing ---------------------------------------------------------------------------------

  bool reduce_above(Level level, bool left_associative) {
    while (!pending_.empty() && !is_frame(pending_.back().kind)) {
      const Pending& top = pending_.back();
      const bool same_run = top.kind == Kind::infix && top.level == level && top.run && same_operator(top);
      if (top.level < level || (top.level == level && (!left_associative || same_run))) break;
      if (!reduce()) return false;
    }
    return true;
  }
  [[nodiscard]] bool same_operator(const Pending& top) const {
    Infix in{};
    return infix_of(kind(), in) && in.op == top.op && in.level == top.level;
  }

  bool reduce_to_frame() {
    while (!pending_.empty() && !is_frame(pending_.back().kind))
      if (!reduce()) return false;
    return true;
  }

  // Replaces the operands of the top operator by its node.
  bool reduce() {
    const Pending top = pending_.back();
    pending_.pop_back();
    if (top.kind == Kind::compare) return reduce_chain(top);
    if (is_set(values_.back())) return misplaced_set();
    if (top.kind == Kind::otherwise) {  // x, condition, y
      const std::uint32_t x = values_[top.first];
      values_[top.first] = values_[top.first + 1];
      values_[top.first + 1] = x;
    }
    if (top.op == Op::Pow && !check_exponent(top.token, values_.back())) return false;
    fold(top.op, top.token, top.first);
    return true;
  }

  bool reduce_chain(const Pending& top) {
    const std::uint32_t count = static_cast<std::uint32_t>(links_.size()) - top.link;
    std::vector<std::uint32_t> parts;
    for (std::uint32_t i = 0; i < count; ++i) {
      const Link link = links_[top.link + i];
      const std::uint32_t left = values_[top.first + i], right = values_[top.first + i + 1];
      std::uint32_t part = 0;
      if (is_set(right)) {
        std::vector<std::uint32_t>& elements = sets_[right & ~kSet];
        elements.insert(elements.begin(), left);
        part = node(Op::In, link.token, elements);
        if (link.negated) part = node(Op::Not, link.token, {part});
      } else {
        part = node(link.op, link.token, {left, right});
        out_.nodes[part].identity = link.identity;
      }
      parts.push_back(part);
    }
    const std::uint32_t whole = count == 1 ? parts[0] : node(Op::And, top.token, parts);
    links_.resize(top.link);
    values_.resize(top.first);
    values_.push_back(whole);
    return true;
  }

  // `a**2**3` has a power as exponent; small enough, it is the constant it denotes.
  bool check_exponent(std::uint32_t place, std::uint32_t& exponent) {
    const SyntaxNode e = out_.nodes[exponent];
    if (e.op == Op::IntConst && out_.integers[e.payload].sign() >= 0) {
      if (out_.integers[e.payload] <= Integer(kLargestExponent)) return true;
      return fail(place, "expected an exponent of at most " + std::to_string(kLargestExponent) + " after '**'");
    }
    if (e.op == Op::Pow) {
      const SyntaxNode& base_node = out_.nodes[out_.children[e.first]];
      const Integer power = out_.integers[out_.nodes[out_.children[e.first + 1]].payload];
      if (base_node.op == Op::IntConst && power <= Integer(64)) {
        const Integer base = out_.integers[base_node.payload];
        if (base.sign() >= 0 && base.bit_length() <= 64) {
          out_.integers.push_back(pow(base, static_cast<unsigned>(power.small())));
          exponent = out_.add_leaf(Op::IntConst, text_, e.at, static_cast<std::uint32_t>(out_.integers.size() - 1));
          return true;
        }
      }
    }
    return fail(place, "expected a constant exponent >= 0 after '**'");
  }

  void fold(Op op, std::uint32_t place, std::uint32_t first) {
    const std::uint32_t made =
        out_.add({op, false, text_, tokens_.tokens[place].begin}, values_.data() + first, values_.size() - first);
    values_.resize(first);
    values_.push_back(made);
  }
  std::uint32_t node(Op op, std::uint32_t place, const std::vector<std::uint32_t>& operands) {
    return out_.add({op, false, text_, tokens_.tokens[place].begin}, operands.data(), operands.size());
  }
  std::uint32_t integer_node(std::uint32_t place, int value) {
    out_.integers.emplace_back(value);
    return out_.add_leaf(Op::IntConst, text_, tokens_.tokens[place].begin,
                         static_cast<std::uint32_t>(out_.integers.size() - 1));
  }

  // ---- small things -----------------------------------------------------------------------------

  void open(Kind frame, const Function* f) {
    pending_.push_back({frame, kElse, Op::Symbol, false, at_, size(), 0, f});
    ++at_;
  }
  void push_operator(const Pending& p) { pending_.push_back(p); }
  void push_leaf(Op op, std::uint32_t place, std::uint32_t payload) {
    values_.push_back(out_.add_leaf(op, text_, tokens_.tokens[place].begin, payload));
  }
  std::uint32_t name(std::string text) {
    out_.names.push_back(std::move(text));
    return static_cast<std::uint32_t>(out_.names.size() - 1);
  }
  bool misplaced_set() {
    const bool last = kind() == Tok::end || kind() == Tok::separator;
    return fail(at_, "expected 'and', 'or' or the end after the set, found " +
                         (last ? std::string("the end") : found()) + ": put parentheses around the membership test");
  }
  static bool is_set(std::uint32_t value) { return (value & kSet) != 0; }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(values_.size()); }
  [[nodiscard]] const Token& token() const { return tokens_.tokens[at_]; }
  [[nodiscard]] Tok kind() const { return token().kind; }
  [[nodiscard]] std::string_view spelling(std::size_t i) const { return tokens_.spelling(i); }
  [[nodiscard]] std::string found() const { return shown_token(at_); }
  [[nodiscard]] std::string shown_token(std::size_t i) const {
    const Tok k = tokens_.tokens[i].kind;
    return k == Tok::end                               ? "the end"
           : k == Tok::separator && spelling(i) != ";" ? "the end of the line"
                                                       : shown(spelling(i));
  }
  bool fail(std::size_t at_token, std::string message) {
    fault_ = {tokens_.tokens[at_token].begin, std::move(message)};
    return false;
  }

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

}  // namespace

bool parse_tokens(const TokenList& tokens, std::uint32_t text_index, bool list_mode, Syntax& out, TextFault& fault) {
  return Parser(tokens, text_index, out, fault).all(list_mode);
}

}  // namespace dimgate::detail
