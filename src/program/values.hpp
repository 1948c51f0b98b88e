// Instructions that compute a value. Included through execute.hpp.
#pragma once

#include "program/executor.hpp"

namespace dimgate::detail {

template <class M, class In>
inline bool Executor<M, In>::step_value(const Instr& i) noexcept {
  const auto set = [&](int t) { M::set(r[i.a], Number(t)); };
  const auto less = [](const Cell& a, const Cell& b) { return M::number(a) < M::number(b); };
  switch (i.code) {
    case Code::Loads:
      for (std::uint32_t k = i.b; k < i.b + i.c; ++k) {
        const RegisterLoad& load = p.loads[k];
        if (has(load.slot))
          M::set(r[load.reg], Number(in.raw(load.slot)));
        else
          M::set_undefined(r[load.reg]);
      }
      return true;
    case Code::Load:
      if (has(i.b))
        M::set(r[i.a], Number(in.raw(i.b)));
      else
        M::set_undefined(r[i.a]);
      return true;
    case Code::LoadBool: {
      const std::int64_t v = has(i.b) ? in.raw(i.b) : -1;
      set(v == 1 ? kTrue : v == 0 ? kFalse : kUndefined);
      return true;
    }
    case Code::Const:
      M::set(r[i.a], Number(i.imm));
      return true;
    case Code::BigConst: {
      Number out{};
      if (!Ops::big(out, p.bigs[i.b])) return false;
      M::set(r[i.a], out);
      return true;
    }
    case Code::Move:
      r[i.a] = r[i.b];
      return true;
    case Code::Add:
      return arith(i, Ops::add);
    case Code::AddI:
      return arith_imm(i, Ops::add);
    case Code::Sub:
      return arith(i, Ops::sub);
    case Code::Neg:
      return arith_imm(i, [](Number& o, const Number& a, const Number&) { return Ops::sub(o, 0, a); });
    case Code::Mul:
      return arith(i, Ops::mul);
    case Code::MulI:
      return arith_imm(i, Ops::mul);
    case Code::Div:
      return divide(i, Ops::floor_div);
    case Code::DivI:
    case Code::DivPow2:
    case Code::DivMagic:
      return arith_imm(i, Ops::floor_div);
    case Code::Mod:
      return divide(i, Ops::floor_mod);
    case Code::ModI:
    case Code::ModPow2:
    case Code::ModMagic:
      return arith_imm(i, Ops::floor_mod);
    case Code::CeilDiv:
      return divide(i, Ops::ceil_div);
    case Code::CeilDivI:
      return arith_imm(i, Ops::ceil_div);
    case Code::Min:
      return arith(i, [](Number& o, const Number& a, const Number& b) { return o = b < a ? b : a, true; });
    case Code::Max:
      return arith(i, [](Number& o, const Number& a, const Number& b) { return o = a < b ? b : a, true; });
    case Code::MinI:
      return arith_imm(i, [](Number& o, const Number& a, const Number& b) { return o = b < a ? b : a, true; });
    case Code::MaxI:
      return arith_imm(i, [](Number& o, const Number& a, const Number& b) { return o = a < b ? b : a, true; });
    case Code::Abs:
      return arith_imm(i, [](Number& o, const Number& a, const Number&) {
        if (a < 0) return Ops::sub(o, 0, a);
        return o = a, true;
      });
    case Code::Select: {
      const int t = truth_of(i.b);
      if (t == kUndefined)
        M::set_undefined(r[i.a]);
      else
        r[i.a] = t == kTrue ? r[i.c] : r[static_cast<std::size_t>(i.imm)];
      return true;
    }
    case Code::Choose: {
      const int t = truth_of(i.b);
      set(t == kTrue    ? truth_of(i.c)
          : t == kFalse ? truth_of(static_cast<std::uint32_t>(i.imm))
                        : static_cast<int>(kUndefined));
      return true;
    }
    case Code::NonZero:
      set(M::defined(r[i.b]) && M::number(r[i.b]) != 0 ? kTrue : kUndefined);
      return true;
    case Code::Mask:
      set(truth_of(i.c) == kTrue ? truth_of(i.b) : kUndefined);
      return true;
    case Code::Not:
      set(kTrue - truth_of(i.b));
      return true;
    case Code::Iff: {
      const int b = truth_of(i.b), c = truth_of(i.c);
      set(b == kUndefined || c == kUndefined ? kUndefined : truth(b == c));
      return true;
    }
    case Code::StrictOr: {
      const int b = truth_of(i.b), c = truth_of(i.c);
      set(b == kUndefined || c == kUndefined ? static_cast<int>(kUndefined) : b | c);
      return true;
    }
    case Code::SetEq:
      set(on(i.b, i.c, [](const Number& a, const Number& b) { return a == b; }));
      return true;
    case Code::SetNe:
      set(on(i.b, i.c, [](const Number& a, const Number& b) { return a != b; }));
      return true;
    case Code::SetLt:
      set(on(i.b, i.c, [](const Number& a, const Number& b) { return a < b; }));
      return true;
    case Code::SetLe:
      set(on(i.b, i.c, [](const Number& a, const Number& b) { return a <= b; }));
      return true;
    case Code::SetEqI:
      set(on(i.b, [&](const Number& a) { return a == i.imm; }));
      return true;
    case Code::SetNeI:
      set(on(i.b, [&](const Number& a) { return a != i.imm; }));
      return true;
    case Code::SetLtI:
      set(on(i.b, [&](const Number& a) { return a < i.imm; }));
      return true;
    case Code::SetGtI:
      set(on(i.b, [&](const Number& a) { return a > i.imm; }));
      return true;
    case Code::SetEqF:
      set(on(i.b, i.c, [](const Number& a, const Number& b) {
        return std::bit_cast<double>(Ops::low(a)) == std::bit_cast<double>(Ops::low(b));
      }));
      return true;
    case Code::SetNan:
      set(on(i.b, [](const Number& a) { return is_nan_bits(Ops::low(a)); }));
      return true;
    case Code::SetIn:
      set(on(i.b, [&](const Number& a) {
        return std::binary_search(p.sets[i.c].begin(), p.sets[i.c].end(), a,
                                  [](const auto& x, const auto& y) { return x < y; });
      }));
      return true;
    case Code::Distinct: {
      bool defined = true;
      for (std::uint32_t k = 0; k < i.c; ++k) defined = defined && M::defined(r[i.b + k]);
      set(defined ? truth(all_different(r + i.b, i.c, less)) : kUndefined);
      return true;
    }
    default:
      return false;  // jumps and runs are not values: `run` has them
  }
}

}  // namespace dimgate::detail
