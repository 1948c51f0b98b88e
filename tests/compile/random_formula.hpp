// Random formulas over every operator, with shared subterms, and inputs full of edges: what engines are compared on.
#pragma once

#include <array>
#include <random>
#include <vector>

#include "dimgate/expr.hpp"
#include "dimgate/world.hpp"

namespace dimgate::testing {

struct World {
  Context ctx;
  Layout layout;
  std::vector<Expr> ints, bools, floats, enums;  // symbols
  std::vector<std::string> names{"torch.float32", "torch.int64", "cuda:0", "cpu"};

  World() {
    for (const char* n : {"type(x)", "x.dim()", "x.size()[0]", "x.size()[1]", "a", "b", "c"}) {
      const bool name = layout[layout.add(n)].sort == SlotSort::name;
      (name ? enums : ints).push_back(ctx.symbol(n, name ? Sort::Enum : Sort::Int));
    }
    for (const char* n : {"p", "q"}) layout.add(n, SlotSort::boolean), bools.push_back(ctx.symbol(n, Sort::Bool));
    for (const char* n : {"f", "g"}) layout.add(n, SlotSort::floating), floats.push_back(ctx.symbol(n, Sort::Float));
    layout.add("x.dtype");
    enums.push_back(ctx.symbol("x.dtype", Sort::Enum));
  }
};

/// A call: the same values for the snapshot and for the reference.
struct Inputs {
  Snapshot snapshot;
  Assignment assignment;
};

class RandomFormula {
 public:
  RandomFormula(World& world, std::uint64_t seed) : w_(world), rng_(seed) {}

  Expr boolean(int depth) { return remember(make_bool(depth), shared_bool_); }
  Expr integer(int depth) { return remember(make_int(depth), shared_int_); }
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(rng_); }
  bool chance(int percent) { return below(100) < static_cast<std::size_t>(percent); }

  std::int64_t edge() {
    static constexpr std::array<std::int64_t, 14> kEdges{
        INT64_MIN,   INT64_MIN + 1,   -(1LL << 32),  -3,       -2, -1, 0, 1, 2, 3,
        (1LL << 31), (1LL << 53) + 1, INT64_MAX - 1, INT64_MAX};
    if (chance(15)) return static_cast<std::int64_t>(rng_());
    if (chance(60)) return static_cast<std::int64_t>(below(17)) - 4;
    return kEdges[below(kEdges.size())];
  }

  /// `absent`: percentage of slots left out.
  void fill(Inputs& in, int absent) {
    in.snapshot.resize(w_.layout.size());
    in.snapshot.clear();
    in.assignment.clear();
    const auto each = [&](const std::vector<Expr>& symbols, auto&& give) {
      for (const Expr s : symbols)
        if (!chance(absent)) give(s, w_.layout.find(w_.ctx.symbol_name(s)));
    };
    each(w_.ints, [&](Expr s, SlotIndex i) {
      const std::int64_t v = edge();
      in.snapshot.set(i, v);
      in.assignment.set(s, Value::of(v));
    });
    each(w_.bools, [&](Expr s, SlotIndex i) {
      const bool v = chance(50);
      in.snapshot.set_bool(i, v);
      in.assignment.set(s, Value::of(v));
    });
    each(w_.floats, [&](Expr s, SlotIndex i) {
      const std::uint64_t bits = float_bits();
      in.snapshot.set(i, static_cast<std::int64_t>(bits));
      in.assignment.set(s, Value::of_float_bits(bits));
    });
    each(w_.enums, [&](Expr s, SlotIndex i) {
      const std::string& n = w_.names[below(w_.names.size())];
      in.snapshot.set_name(i, w_.layout.names().intern(n));
      in.assignment.set(s, Value::of_enum(n));
    });
  }

 private:
  Expr remember(Expr e, std::vector<Expr>& pool) {
    if (pool.size() < 24)
      pool.push_back(e);
    else
      pool[below(pool.size())] = e;
    return e;
  }

  std::uint64_t float_bits() {
    static constexpr std::array<std::uint64_t, 8> kBits{0,
                                                        std::uint64_t{1} << 63,
                                                        0x3ff0000000000000,
                                                        0xbff0000000000000,
                                                        0x7ff0000000000000,
                                                        0x7ff8000000000000,
                                                        0xfff8000000000001,
                                                        1};
    return kBits[below(kBits.size())];
  }

  std::vector<Expr> many(std::size_t n, int depth, Expr (RandomFormula::*make)(int)) {
    std::vector<Expr> args;
    for (std::size_t i = 0; i < n; ++i) args.push_back((this->*make)(depth));
    return args;
  }

  Expr make_int(int depth) {
    if (depth <= 0 || chance(10)) {
      if (chance(30)) return w_.ctx.integer(chance(4) ? Integer(INT64_MAX) * Integer(edge()) : Integer(edge()));
      return w_.ints[below(w_.ints.size())];
    }
    if (!shared_int_.empty() && chance(20)) return shared_int_[below(shared_int_.size())];
    const int d = depth - 1;
    const auto two = [&](Op op) { return w_.ctx.make(op, {make_int(d), make_int(d)}); };
    switch (below(14)) {
      case 0:
        return w_.ctx.make(Op::Add, many(2 + below(3), d, &RandomFormula::integer));
      case 1:
        return two(Op::Sub);
      case 2:
        return w_.ctx.make(Op::Neg, {make_int(d)});
      case 3:
        return w_.ctx.make(Op::Mul, many(2 + below(2), d, &RandomFormula::integer));
      case 4:
        return two(Op::FloorDiv);
      case 5:
        return two(Op::Mod);
      case 6:
        return two(Op::CeilDiv);
      case 7:
        return w_.ctx.make(Op::Pow, {make_int(d), w_.ctx.integer(static_cast<int>(below(5)))});
      case 8:
        return w_.ctx.make(Op::Min, many(1 + below(3), d, &RandomFormula::integer));
      case 9:
        return w_.ctx.make(Op::Max, many(1 + below(3), d, &RandomFormula::integer));
      case 10:
        return w_.ctx.make(Op::Abs, {make_int(d)});
      case 11:
        return w_.ctx.make(Op::Ite, {make_bool(d), make_int(d), make_int(d)});
      case 12:
        return w_.ctx.make(Op::Mod, {make_int(d), w_.ctx.integer(edge())});
      default:
        return w_.ctx.make(Op::FloorDiv, {make_int(d), w_.ctx.integer(edge())});
    }
  }

  Expr make_float(int depth) {
    if (depth > 0 && chance(15)) return w_.ctx.make(Op::Ite, {make_bool(depth - 1), make_float(0), make_float(0)});
    return chance(40) ? w_.ctx.float_bits(float_bits()) : w_.floats[below(w_.floats.size())];
  }
  Expr make_enum(int depth) {
    if (depth > 0 && chance(15)) return w_.ctx.make(Op::Ite, {make_bool(depth - 1), make_enum(0), make_enum(0)});
    return chance(40) ? w_.ctx.enumeration(w_.names[below(w_.names.size())]) : w_.enums[below(w_.enums.size())];
  }

  Expr make_bool(int depth) {
    if (depth <= 0) {
      if (chance(20)) return w_.ctx.boolean(chance(50));
      return w_.bools[below(w_.bools.size())];
    }
    if (!shared_bool_.empty() && chance(15)) return shared_bool_[below(shared_bool_.size())];
    const int d = depth - 1;
    static constexpr std::array kCompare{Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge};
    const auto any_sort = [&](Op op, std::size_t n) {
      switch (below(5)) {
        case 0:
          return w_.ctx.make(op, many(n, d, &RandomFormula::make_float));
        case 1:
          return w_.ctx.make(op, many(n, d, &RandomFormula::make_enum));
        case 2:
          return w_.ctx.make(op, many(n, d, &RandomFormula::boolean));
        default:
          return w_.ctx.make(op, many(n, d, &RandomFormula::integer));
      }
    };
    switch (below(22)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return w_.ctx.make(kCompare[below(6)], {make_int(d), make_int(d)});
      case 4:  // what real guards look like
      case 5:
        return w_.ctx.make(kCompare[below(6)], {w_.ints[below(w_.ints.size())], w_.ctx.integer(edge())});
      case 6:
        return w_.ctx.make(kCompare[below(2)],
                           {w_.ctx.make(Op::Mod, {make_int(d / 2), w_.ctx.integer(edge())}), w_.ctx.integer(edge())});
      case 7:
        return any_sort(kCompare[below(2)], 2);
      case 8:
        return any_sort(Op::Distinct, chance(10) ? 17 + below(8) : 1 + below(4));
      case 9:
        return w_.ctx.make(Op::Divides, {chance(50) ? w_.ctx.integer(edge()) : make_int(d), make_int(d)});
      case 10:
        return any_sort(Op::In, 1 + below(5));
      case 11: {
        std::vector<Expr> args{w_.ints[below(w_.ints.size())]};
        for (std::size_t i = below(6); i-- > 0;) args.push_back(w_.ctx.integer(edge()));
        return w_.ctx.make(Op::In, args);
      }
      case 12:
      case 13:
        return w_.ctx.make(Op::And, many(below(4), d, &RandomFormula::boolean));
      case 14:
      case 15:
        return w_.ctx.make(Op::Or, many(below(4), d, &RandomFormula::boolean));
      case 16:
        return w_.ctx.make(Op::Not, {boolean(d)});
      case 17:
        return w_.ctx.make(Op::Implies, {boolean(d), boolean(d)});
      case 18:
        return w_.ctx.make(Op::Iff, {boolean(d), boolean(d)});
      case 19:
        return w_.ctx.make(Op::SameBits, {make_float(d), make_float(d)});
      case 20:
        return w_.ctx.make(Op::IsNan, {make_float(d)});
      default:
        return w_.ctx.make(Op::Ite, {make_bool(d), boolean(d), boolean(d)});
    }
  }

  World& w_;
  std::mt19937_64 rng_;
  std::vector<Expr> shared_int_, shared_bool_;
};

}  // namespace dimgate::testing
