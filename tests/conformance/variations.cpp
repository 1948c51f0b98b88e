#include "conformance/variations.hpp"

#include <algorithm>
#include <map>

#include "expr/comparisons.hpp"

namespace dimgate::conformance {

Question read_question(Context& ctx, const Row& row) {
  Question q;
  for (const std::string& a : row.assumptions) q.facts.push_back(*parse(ctx, a));
  if (row.kind == "equiv") {
    const std::size_t at = row.query.find("===");
    q.claim = *parse(ctx, row.query.substr(0, at));
    q.right = *parse(ctx, row.query.substr(at + 3));
  } else {
    q.claim = row.query.empty() ? ctx.boolean(true) : *parse(ctx, row.query);
  }
  return q;
}

namespace {

// Rows are small: recursion is fine here.
class Varied {
 public:
  Varied(Context& to, Context& from, Variation how, std::mt19937_64& rng, std::string prefix)
      : to_(to), from_(from), how_(how), rng_(rng), prefix_(std::move(prefix)) {}

  void name_symbols(std::vector<Expr> symbols) {
    std::vector<std::string> names{"s10", "s2", "B", "k", "a", "h", "zz", "N_1", "w", "b", "t0", "c"};
    std::shuffle(names.begin(), names.end(), rng_);
    std::shuffle(symbols.begin(), symbols.end(), rng_);
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      const Expr fresh = to_.symbol(prefix_ + names[i % names.size()] + (i < names.size() ? "" : std::to_string(i)),
                                    symbols[i].sort());
      Expr value = fresh;
      if (how_ == Variation::moved && fresh.sort() == Sort::Int) {
        const Expr c = to_.integer(static_cast<int>(below(9)) - 4);
        value = below(3) == 0 ? to_.make(Op::Sub, {c, fresh}) : to_.make(Op::Add, {fresh, c});
      }
      value_[symbols[i].index()] = value;
    }
  }

  Expr operator()(Expr e) {
    if (e.is_symbol()) return value_.at(e.index());
    if (e.is_int()) return constant(e.integer());
    if (e.size() == 0) return transfer(to_, from_, e);
    std::vector<Expr> args;
    for (std::size_t i = 0; i < e.size(); ++i)
      args.push_back(e.is(Op::Pow) && i == 1 ? transfer(to_, from_, e[i]) : (*this)(e[i]));
    Op op = e.op();
    const bool compared = e.size() == 2 && (op == Op::Eq || op == Op::Ne || mirrored(op) != op);
    if (how_ == Variation::swapped && (compared || op == Op::And || op == Op::Or || op == Op::Iff || op == Op::Add ||
                                       op == Op::Mul || op == Op::Max || op == Op::Min)) {
      std::reverse(args.begin(), args.end());
      if (compared) op = mirrored(op);
    }
    return to_.make(op, args);
  }

 private:
  std::uint64_t below(std::uint64_t n) { return rng_() % n; }

  Expr constant(const Integer& c) {
    if (how_ != Variation::constants || abs(c) <= Integer(1)) return to_.integer(c);
    const auto [it, fresh] = constants_.try_emplace(c.to_string());
    if (fresh) {
      const Integer choices[] = {c + 1, c - 1, c * 2, floor_div(c, 2), c + 3, c * 3};
      it->second = choices[below(std::size(choices))];
      if (it->second.is_zero()) it->second = c;
    }
    return to_.integer(it->second);
  }

  Context& to_;
  Context& from_;
  Variation how_;
  std::mt19937_64& rng_;
  std::string prefix_;
  std::map<std::uint32_t, Expr> value_;
  std::map<std::string, Integer> constants_;
};

}  // namespace

Question vary(Context& to, Context& from, const Question& q, Variation how, std::mt19937_64& rng,
              const std::string& prefix) {
  std::vector<Expr> symbols;
  const auto collect = [&](Expr e) {
    for (const Expr s : symbols_of(from, e))
      if (std::find(symbols.begin(), symbols.end(), s) == symbols.end()) symbols.push_back(s);
  };
  for (const Expr f : q.facts) collect(f);
  collect(q.claim);
  if (q.right) collect(q.right);
  Varied varied(to, from, how, rng, prefix);
  varied.name_symbols(symbols);
  Question out;
  for (const Expr f : q.facts) out.facts.push_back(varied(f));
  out.claim = varied(q.claim);
  if (q.right) out.right = varied(q.right);
  if (how == Variation::swapped && q.right) std::swap(out.claim, out.right);
  if (how == Variation::renamed) {
    const Expr other = to.symbol(prefix + "irrelevant"), more = to.symbol(prefix + "a_irrelevant");
    out.facts.push_back(to.make(Op::Ge, {other, to.integer(3)}));
    out.facts.push_back(to.make(Op::Eq, {to.make(Op::Mod, {more, to.integer(4)}), to.integer(1)}));
    out.facts.push_back(to.make(Op::Le, {more, other}));
  }
  std::shuffle(out.facts.begin(), out.facts.end(), rng);
  return out;
}

std::string to_command(Context& ctx, const Question& q) {
  std::string out;
  for (const Expr f : q.facts) out += " -a '" + to_text(ctx, f) + "'";
  out += " '" + to_text(ctx, q.claim) + "'";
  if (q.right) out += " '" + to_text(ctx, q.right) + "'";
  return out;
}

}  // namespace dimgate::conformance
