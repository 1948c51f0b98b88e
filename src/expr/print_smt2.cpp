// SMT-LIB2 with two-valued truth: T(e).
//
// SMT has no undefined terms, so each node becomes several SMT terms: for Bool nodes T (true exactly where e is true)
// and F (exactly where it is false); for others a value and a definedness. Strict nodes: T = defined and the plain
// comparison; `and` is true where all operands are and false where one is; and so on for `or`, `not`, `implies` and
// choices. SMT's div and mod are Euclidean: floor division by b is `(div a b)` for b > 0 and `(div (- a) (- b))` for
// b < 0. Terms are shared; those used twice get a `let`, so the text is linear in the DAG.
// Tests: tests/expr/smt2_test.cpp (evaluates the text; asks Z3 too where Python has it).
#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

#include "dimgate/expr.hpp"
#include "expr/smt2_terms.hpp"

namespace dimgate {
namespace {

using Terms = detail::Smt2Terms;
using Id = Terms::Id;

// What one node becomes. Bool: T and F. Others: value and definedness.
struct Pair {
  Id a = 0;  // T, or the value
  Id b = 0;  // F, or where it is defined
};

class Translation {
 public:
  explicit Translation(const Context& ctx) : ctx_(ctx) {}

  std::string operator()(Expr root) {
    const std::vector<Expr> order = operands_first(root);
    for (const Expr e : order) made_[e.node()] = node(e);
    return t_.print(of(root).a);
  }

 private:
  [[nodiscard]] const Pair& of(Expr e) const { return made_.at(e.node()); }
  Id value(Expr e) { return of(e).a; }  // of a Bool operand: its T, right wherever it is defined
  Id defined(Expr e) { return e.sort() == Sort::Bool ? t_.disj({of(e).a, of(e).b}) : of(e).b; }
  Id all_defined(Expr e) {
    std::vector<Id> parts;
    for (std::size_t i = 0; i < e.size(); ++i) parts.push_back(defined(e[i]));
    return t_.conj(std::move(parts));
  }
  std::vector<Id> values(Expr e, std::size_t from = 0) {
    std::vector<Id> out;
    for (std::size_t i = from; i < e.size(); ++i) out.push_back(value(e[i]));
    return out;
  }

  static std::vector<Expr> operands_first(Expr root) {
    std::vector<Expr> out, stack{root};
    std::unordered_map<const detail::Node*, bool> done;
    while (!stack.empty()) {
      const Expr e = stack.back();
      const auto [it, fresh] = done.try_emplace(e.node(), false);
      if (fresh)
        for (std::size_t i = e.size(); i-- > 0;) stack.push_back(e[i]);
      if (fresh && e.size() != 0) continue;
      stack.pop_back();
      if (it->second) continue;
      it->second = true;
      out.push_back(e);
    }
    return out;
  }

  Id integer(const Integer& v) {
    return v.sign() < 0 ? t_.make("-", {t_.leaf((-v).to_string())}) : t_.leaf(v.to_string());
  }

  Pair node(Expr e) {
    switch (e.op()) {
      case Op::IntConst:
        return {integer(e.integer()), t_.yes()};
      case Op::BoolConst:
        return e.is_true() ? Pair{t_.yes(), t_.no()} : Pair{t_.no(), t_.yes()};
      case Op::FloatConst:
        return {t_.leaf("(_ bv" + Integer::from_u64(e.float_bits()).to_string() + " 64)"), t_.yes()};
      case Op::EnumConst:
        return {t_.leaf(std::to_string(e.index())), t_.yes()};
      case Op::Symbol: {
        const Id s = t_.leaf(smt2_symbol(ctx_, e));
        return {s, e.sort() == Sort::Bool ? t_.negate(s) : t_.yes()};
      }
      case Op::Ite:
        return choice(e);
      default:
        break;
    }
    return e.sort() == Sort::Int ? term(e) : formula(e);
  }

  Pair choice(Expr e) {
    const Pair c = of(e[0]), x = of(e[1]), y = of(e[2]);
    const Id b = t_.disj({t_.conj({c.a, x.b}), t_.conj({c.b, y.b})});
    if (e.sort() == Sort::Bool) return {t_.disj({t_.conj({c.a, x.a}), t_.conj({c.b, y.a})}), b};
    return {t_.choose(c.a, x.a, y.a), b};
  }

  Pair term(Expr e) {
    Id d = all_defined(e);
    const std::vector<Id> v = values(e);
    switch (e.op()) {
      case Op::Add:
        return {t_.make("+", v), d};
      case Op::Sub:
      case Op::Neg:
        return {t_.make("-", v), d};
      case Op::Mul:
        return {t_.make("*", v), d};
      case Op::FloorDiv:
        return {floor_div(v[0], e[1], v[1]), t_.conj({d, nonzero(e[1])})};
      case Op::CeilDiv:
        return {t_.make("-", {floor_div(t_.make("-", {v[0]}), e[1], v[1])}), t_.conj({d, nonzero(e[1])})};
      case Op::Mod:
        return {floor_mod(v[0], e[1], v[1]), t_.conj({d, nonzero(e[1])})};
      case Op::Pow:
        return {power(v[0], static_cast<unsigned>(e[1].integer().small())), d};
      case Op::Abs:
        return {t_.make("abs", v), d};
      default: {
        Id best = v[0];
        for (std::size_t i = 1; i < v.size(); ++i)
          best = t_.choose(t_.make(e.is(Op::Min) ? "<=" : ">=", {best, v[i]}), best, v[i]);
        return {best, d};
      }
    }
  }
  Id nonzero(Expr divisor) {
    if (divisor.is_int()) return divisor.integer().is_zero() ? t_.no() : t_.yes();
    return t_.negate(t_.make("=", {value(divisor), t_.leaf("0")}));
  }
  Id minus(Id v) { return t_.make("-", {v}); }
  Id floor_div(Id a, Expr divisor, Id b) {
    if (divisor.is_int() && divisor.integer().sign() > 0) return t_.make("div", {a, b});
    const Id other = t_.make("div", {minus(a), divisor.is_int() ? integer(-divisor.integer()) : minus(b)});
    if (divisor.is_int()) return other;
    const Id positive = t_.make(">", {b, t_.leaf("0")}), same = t_.make("div", {a, b});
    return t_.choose(positive, same, other);
  }
  Id floor_mod(Id a, Expr divisor, Id b) {
    if (divisor.is_int() && divisor.integer().sign() > 0) return t_.make("mod", {a, b});
    const Id other = minus(t_.make("mod", {minus(a), divisor.is_int() ? integer(-divisor.integer()) : minus(b)}));
    if (divisor.is_int()) return other;
    const Id positive = t_.make(">", {b, t_.leaf("0")}), same = t_.make("mod", {a, b});
    return t_.choose(positive, same, other);
  }
  Id power(Id base, unsigned exponent) {
    if (exponent == 0) return t_.leaf("1");
    Id square = base, result = 0;
    bool any = false;
    for (; exponent != 0; exponent >>= 1U) {
      if ((exponent & 1U) != 0) {
        result = any ? t_.make("*", {result, square}) : square;
        any = true;
      }
      if (exponent > 1) square = t_.make("*", {square, square});
    }
    return result;
  }

  Id equal(Sort sort, Id x, Id y) {
    return sort == Sort::Float ? t_.make("fp.eq", {as_float(x), as_float(y)}) : t_.make("=", {x, y});
  }
  Id as_float(Id bits) { return t_.make("(_ to_fp 11 53)", {bits}); }

  // Strict: true where defined and `truth`.
  Pair strict(Id d, Id truth) { return {t_.conj({d, truth}), t_.conj({d, t_.negate(truth)})}; }

  Pair formula(Expr e) {
    std::vector<Id> ts, fs;
    if (info(e.op()).args == ArgSorts::bools)
      for (std::size_t i = 0; i < e.size(); ++i) {
        ts.push_back(of(e[i]).a);
        fs.push_back(of(e[i]).b);
      }
    switch (e.op()) {
      case Op::And:
        return {t_.conj(ts), t_.disj(fs)};
      case Op::Or:
        return {t_.disj(ts), t_.conj(fs)};
      case Op::Not:
        return {fs[0], ts[0]};
      case Op::Implies:
        return {t_.disj({fs[0], ts[1]}), t_.conj({ts[0], fs[1]})};
      default:
        break;
    }
    const Id d = all_defined(e);
    const std::vector<Id> v = values(e);
    const Sort sort = e[0].sort();
    switch (e.op()) {
      case Op::Iff:
      case Op::Eq:
        return strict(d, equal(sort, v[0], v[1]));
      case Op::Ne:
        return strict(d, t_.negate(equal(sort, v[0], v[1])));
      case Op::Lt:
        return strict(d, t_.make("<", v));
      case Op::Le:
        return strict(d, t_.make("<=", v));
      case Op::Gt:
        return strict(d, t_.make(">", v));
      case Op::Ge:
        return strict(d, t_.make(">=", v));
      case Op::Divides: {
        const Id nonzero_too = t_.conj({d, nonzero(e[0])});
        return strict(nonzero_too, t_.make("=", {t_.make("mod", {v[1], v[0]}), t_.leaf("0")}));
      }
      case Op::In: {
        std::vector<Id> hits;
        for (std::size_t i = 1; i < v.size(); ++i) hits.push_back(equal(sort, v[0], v[i]));
        return strict(d, t_.disj(std::move(hits)));
      }
      case Op::Distinct: {
        if (v.size() == 1) return strict(d, t_.yes());
        if (sort != Sort::Float) return strict(d, t_.make("distinct", v));
        std::vector<Id> pairs;
        for (std::size_t i = 0; i < v.size(); ++i)
          for (std::size_t j = i + 1; j < v.size(); ++j) pairs.push_back(t_.negate(equal(sort, v[i], v[j])));
        return strict(d, t_.conj(std::move(pairs)));
      }
      case Op::SameBits:
        return strict(d, t_.make("=", v));
      default:
        return strict(d, t_.make("fp.isNaN", {as_float(v[0])}));
    }
  }

  const Context& ctx_;
  Terms t_;
  std::unordered_map<const detail::Node*, Pair> made_;
};

// Words of SMT-LIB and of the theories we use; a symbol of that name gets another.
bool is_taken(std::string_view name) {
  constexpr std::array<std::string_view, 44> kWords{
      "and",     "or",           "not",         "xor",     "distinct", "ite",   "let",     "forall",  "exists",
      "true",    "false",        "Int",         "Bool",    "Real",     "div",   "mod",     "abs",     "par",
      "match",   "as",           "const",       "select",  "store",    "Array", "BitVec",  "Float64", "Float32",
      "Float16", "RoundingMode", "RNE",         "RNA",     "RTP",      "RTN",   "RTZ",     "concat",  "extract",
      "BINARY",  "DECIMAL",      "HEXADECIMAL", "NUMERAL", "STRING",   "is",    "implies", "iff"};
  for (const std::string_view prefix : {"bv", "fp", "to_", "str", "seq", "re", "dg!", "sym:", "int2", "round", "set"})
    if (name.starts_with(prefix)) return true;
  return std::find(kWords.begin(), kWords.end(), name) != kWords.end();
}

}  // namespace

std::string to_smt2(const Context& ctx, Expr e) { return Translation(ctx)(e); }

std::string smt2_symbol(const Context& ctx, Expr symbol) {
  const std::string& name = ctx.symbol_name(symbol);
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  bool plain = !name.empty() && letter(name[0]), printable = !name.empty();
  for (const char c : name) {
    plain = plain && (letter(c) || (c >= '0' && c <= '9'));
    printable = printable && c >= 0x20 && c < 0x7f && c != '|' && c != '\\';
  }
  if (!is_taken(name)) {
    if (plain) return name;
    if (printable) return "|" + name + "|";
  }
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out = "|sym:";
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (letter(c) || (c >= '0' && c <= '9'))
      out += c;
    else
      ((out += '%') += kHex[byte >> 4U]) += kHex[byte & 15U];
  }
  return out += '|';
}

std::string_view smt2_sort(Sort sort) {
  switch (sort) {
    case Sort::Bool:
      return "Bool";
    case Sort::Float:
      return "(_ BitVec 64)";
    default:
      return "Int";
  }
}

std::string to_smt2_script(Context& ctx, Expr e) {
  std::string out = "(set-logic ALL)\n";
  for (const Expr s : symbols_of(ctx, e))
    out += "(declare-const " + smt2_symbol(ctx, s) + " " + std::string(smt2_sort(s.sort())) + ")\n";
  return out += "(assert " + to_smt2(ctx, e) + ")\n(check-sat)\n";
}

}  // namespace dimgate
