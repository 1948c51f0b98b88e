// Random raw expressions over every operator, for property tests. The same seed gives the same expressions.
#pragma once

#include <random>
#include <vector>

#include "dimgate/expr.hpp"

namespace dimgate::test {

class RandomExpr {
 public:
  RandomExpr(Context& ctx, std::uint64_t seed) : ctx_(ctx), rng_(seed) {
    for (const char* name : {"a", "b", "c", "L['x'].size()[0]", "self._modules['a'].weight.stride()[1]"})
      symbols_[0].push_back(ctx.symbol(name, Sort::Int));
    for (const char* name : {"p", "q", "L['self'].training"}) symbols_[1].push_back(ctx.symbol(name, Sort::Bool));
    for (const char* name : {"u", "L['eps']"}) symbols_[2].push_back(ctx.symbol(name, Sort::Float));
    for (const char* name : {"d", "L['x'].dtype"}) symbols_[3].push_back(ctx.symbol(name, Sort::Enum));
  }

  [[nodiscard]] const std::vector<Expr>& symbols(Sort s) const { return symbols_[static_cast<std::size_t>(s)]; }
  std::uint64_t below(std::uint64_t n) { return std::uniform_int_distribution<std::uint64_t>(0, n - 1)(rng_); }
  std::mt19937_64& rng() { return rng_; }

  /// About `budget` nodes at most.
  Expr make(Sort sort, unsigned budget) {
    if (budget <= 1 || below(12) == 0) return leaf(sort);
    if (sort == Sort::Float || sort == Sort::Enum || below(12) == 0) return choice(sort, budget);
    return sort == Sort::Int ? term(budget) : formula(budget);
  }

  Expr leaf(Sort sort) {
    const auto& names = symbols(sort);
    if (below(3) != 0) return names[below(names.size())];
    switch (sort) {
      case Sort::Int:
        return ctx_.integer(integer());
      case Sort::Bool:
        return ctx_.boolean(below(2) == 0);
      case Sort::Float:
        return ctx_.float_bits(float_bits());
      case Sort::Enum:
        return ctx_.enumeration(pick(kNames));
    }
    return {};
  }

  Integer integer() {
    if (below(20) == 0) return *Integer::parse("-170141183460469231731687303715884105728");
    if (below(20) == 0) return Integer(std::numeric_limits<std::int64_t>::min() + static_cast<std::int64_t>(below(2)));
    return Integer(static_cast<std::int64_t>(below(9)) - 4);
  }
  std::uint64_t float_bits() {
    constexpr std::uint64_t kSome[] = {0,
                                       1ULL << 63U,
                                       0x3ff0000000000000ULL,
                                       0x3ff8000000000000ULL,
                                       0xbff0000000000000ULL,
                                       0x7ff0000000000000ULL,
                                       0xfff0000000000000ULL,
                                       0x7ff8000000000000ULL,
                                       0xfff8000000000000ULL,
                                       0x7ff8000000000001ULL,
                                       0x7ff0000000000001ULL,
                                       1,
                                       0x3ee4f8b588e368f1ULL,
                                       0x7fefffffffffffffULL};
    return kSome[below(std::size(kSome))];
  }

  /// A value of each symbol's sort, small so that zero divisors and equalities happen; now and then none.
  Assignment point(bool with_gaps) {
    Assignment at;
    for (std::size_t s = 0; s < 4; ++s)
      for (const Expr symbol : symbols_[s]) {
        if (with_gaps && below(8) == 0) continue;
        switch (static_cast<Sort>(s)) {
          case Sort::Int:
            at.set(symbol, Value::of(Integer(static_cast<std::int64_t>(below(9)) - 4)));
            break;
          case Sort::Bool:
            at.set(symbol, Value::of(below(2) == 0));
            break;
          case Sort::Float:
            at.set(symbol, Value::of_float_bits(float_bits()));
            break;
          case Sort::Enum:
            at.set(symbol, Value::of_enum(pick(kNames)));
            break;
        }
      }
    return at;
  }

  static constexpr const char* kNames[] = {"torch.float32", "cuda:0", "None",   "(1, 1)",   "it's",     "a\"b'c\\",
                                           "'None'",        "",       "torch.", "[1, 'x']", "'(1, 1)'", "a\nb"};

 private:
  template <std::size_t N>
  const char* pick(const char* const (&names)[N]) {
    return names[below(N)];
  }
  std::vector<Expr> several(Sort sort, std::size_t least, std::size_t most, unsigned budget) {
    const std::size_t n = least + below(most - least + 1);
    std::vector<Expr> out;
    for (std::size_t i = 0; i < n; ++i) out.push_back(make(sort, n == 0 ? 0 : (budget - 1) / static_cast<unsigned>(n)));
    return out;
  }
  Expr choice(Sort sort, unsigned budget) {
    return ctx_.make(Op::Ite, {make(Sort::Bool, budget / 3), make(sort, budget / 3), make(sort, budget / 3)});
  }
  Expr term(unsigned budget) {
    switch (below(11)) {
      case 0:
        return ctx_.make(Op::Add, several(Sort::Int, 2, 4, budget));
      case 1:
        return ctx_.make(Op::Sub, several(Sort::Int, 2, 2, budget));
      case 2:
        return ctx_.make(Op::Neg, several(Sort::Int, 1, 1, budget));
      case 3:
        return ctx_.make(Op::Mul, several(Sort::Int, 2, 3, budget));
      case 4:
        return ctx_.make(Op::FloorDiv, several(Sort::Int, 2, 2, budget));
      case 5:
        return ctx_.make(Op::Mod, several(Sort::Int, 2, 2, budget));
      case 6:
        return ctx_.make(Op::CeilDiv, several(Sort::Int, 2, 2, budget));
      case 7:
        return ctx_.make(Op::Pow, {make(Sort::Int, budget / 2), ctx_.integer(static_cast<int>(below(4)))});
      case 8:
        return ctx_.make(Op::Min, several(Sort::Int, 1, 3, budget));
      case 9:
        return ctx_.make(Op::Max, several(Sort::Int, 1, 3, budget));
      default:
        return ctx_.make(Op::Abs, several(Sort::Int, 1, 1, budget));
    }
  }
  Expr formula(unsigned budget) {
    constexpr Op kCompare[] = {Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge};
    const Sort any = static_cast<Sort>(below(4));
    switch (below(14)) {
      case 0:
      case 1:
      case 2:
        return ctx_.make(kCompare[below(6)], several(Sort::Int, 2, 2, budget));
      case 3:
        return ctx_.make(kCompare[below(2)], several(any, 2, 2, budget));
      case 4:
        return ctx_.make(Op::Distinct, several(any, 1, 4, budget));
      case 5:
        return ctx_.make(Op::Divides, several(Sort::Int, 2, 2, budget));
      case 6:
        return ctx_.make(Op::In, several(any, 1, 4, budget));
      case 7:
        return ctx_.make(Op::And, several(Sort::Bool, 0, 4, budget));
      case 8:
        return ctx_.make(Op::Or, several(Sort::Bool, 0, 4, budget));
      case 9:
        return ctx_.make(Op::Not, several(Sort::Bool, 1, 1, budget));
      case 10:
        return ctx_.make(Op::Implies, several(Sort::Bool, 2, 2, budget));
      case 11:
        return ctx_.make(Op::Iff, several(Sort::Bool, 2, 2, budget));
      case 12:
        return ctx_.make(Op::SameBits, several(Sort::Float, 2, 2, budget));
      default:
        return ctx_.make(Op::IsNan, several(Sort::Float, 1, 1, budget));
    }
  }

  Context& ctx_;
  std::mt19937_64 rng_;
  std::vector<Expr> symbols_[4];
};

}  // namespace dimgate::test
