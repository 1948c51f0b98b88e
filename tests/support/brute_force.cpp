#include "support/brute_force.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <set>
#include <string>
#include <unordered_set>

namespace dimgate::test {

namespace {

std::set<std::string> names_in(Context& ctx, std::span<const Expr> formulas) {
  std::set<std::string> out;
  std::unordered_set<Expr> seen;
  std::vector<Expr> stack(formulas.begin(), formulas.end());
  while (!stack.empty()) {
    const Expr e = stack.back();
    stack.pop_back();
    if (!seen.insert(e).second) continue;
    if (e.is(Op::EnumConst)) out.insert(ctx.enum_name(e));
    for (std::size_t i = 0; i < e.size(); ++i) stack.push_back(e[i]);
  }
  return out;
}

std::vector<Value> values_of(Context& ctx, Expr symbol, const Box& box, const std::set<std::string>& names) {
  std::vector<Value> out;
  switch (symbol.sort()) {
    case Sort::Int:
      for (std::int64_t v = box.lo; v <= box.hi; ++v)
        if (v >= 0 || !ctx.is_size(symbol)) out.push_back(Value::of(v));
      break;
    case Sort::Bool:
      out = {Value::of(false), Value::of(true)};
      break;
    case Sort::Float:
      for (const double v :
           {0.0, -0.0, 1.5, -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
        out.push_back(Value::of_float_bits(std::bit_cast<std::uint64_t>(v)));
      break;
    case Sort::Enum:
      for (const std::string& name : names) out.push_back(Value::of_enum(name));
      out.push_back(Value::of_enum("a name of no formula"));
      break;
  }
  return out;
}

// Visits points where all facts are true.
void for_each_model(Context& ctx, std::span<const Expr> facts, Expr extra, const Box& box,
                    const std::function<bool(const Assignment&, std::span<const Expr>)>& visit) {
  std::vector<Expr> all(facts.begin(), facts.end());
  all.push_back(extra);
  const std::vector<Expr> symbols = symbols_of_all(ctx, all);
  for_each_point(
      ctx, symbols, box,
      [&](const Assignment& at) {
        for (const Expr f : facts)
          if (!evaluate(ctx, f, at).is_true()) return true;
        return visit(at, symbols);
      },
      all);
}

}  // namespace

std::vector<Expr> symbols_of_all(Context& ctx, std::span<const Expr> formulas) {
  std::vector<Expr> out;
  for (const Expr f : formulas)
    for (const Expr s : symbols_of(ctx, f))
      if (std::find(out.begin(), out.end(), s) == out.end()) out.push_back(s);
  return out;
}

void for_each_point(Context& ctx, std::span<const Expr> symbols, const Box& box,
                    const std::function<bool(const Assignment&)>& visit, std::span<const Expr> names_from) {
  const std::set<std::string> names = names_in(ctx, names_from);
  std::vector<std::vector<Value>> values;
  for (const Expr s : symbols) values.push_back(values_of(ctx, s, box, names));
  for (const auto& v : values)
    if (v.empty()) return;
  std::vector<std::size_t> at(symbols.size(), 0);
  Assignment point;
  for (std::size_t i = 0; i < symbols.size(); ++i) point.set(symbols[i], values[i][0]);
  for (;;) {
    if (!visit(point)) return;
    std::size_t i = 0;
    for (; i < at.size(); ++i) {
      if (++at[i] < values[i].size()) break;
      at[i] = 0;
      point.set(symbols[i], values[i][0]);
    }
    if (i == at.size()) return;
    point.set(symbols[i], values[i][at[i]]);
  }
}

BruteForce prove(Context& ctx, std::span<const Expr> facts, Expr claim, const Box& box) {
  BruteForce out;
  for_each_model(ctx, facts, claim, box, [&](const Assignment& at, std::span<const Expr> symbols) {
    out.satisfiable = true;
    if (evaluate(ctx, claim, at).is_true()) return true;
    out.holds = false;
    for (const Expr s : symbols) out.counterexample.emplace_back(s, at.get(s));
    return false;
  });
  return out;
}

BruteForce bound(Context& ctx, std::span<const Expr> facts, Expr term, const Box& box) {
  BruteForce out;
  for_each_model(ctx, facts, term, box, [&](const Assignment& at, std::span<const Expr>) {
    out.satisfiable = true;
    const Value v = evaluate(ctx, term, at);
    if (v.is_undefined()) return true;
    if (out.least) out.gcd_of_differences = gcd(out.gcd_of_differences, v.integer - *out.least);
    if (!out.least || v.integer < *out.least) out.least = v.integer;
    if (!out.greatest || v.integer > *out.greatest) out.greatest = v.integer;
    return true;
  });
  return out;
}

std::vector<Expr> formulas_of(const Facts& facts) {
  std::vector<Expr> out;
  for (const Fact& f : facts.all()) out.push_back(f.formula);
  return out;
}

}  // namespace dimgate::test
