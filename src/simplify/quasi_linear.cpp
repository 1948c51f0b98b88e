#include "simplify/quasi_linear.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace dimgate::simplify {

namespace {

constexpr std::int64_t kLimit = IntSet::kFar;
constexpr std::size_t kMaxSegments = 20'000;
constexpr std::int64_t kMaxWindow = 4'096;  // points of q at which |divisor| <= |constant dividend|

std::int64_t floor_mod64(std::int64_t a, std::int64_t b) { return a - b * floor_div64(a, b); }

Segment constant(std::int64_t v) { return {kPlusInf, 0, v, false}; }
Segment undefined() { return {kPlusInf, 0, 0, true}; }

void put(Pieces& out, std::int64_t last, Segment s) {
  s.last = last;
  if (!out.empty()) {
    Segment& back = out.back();
    const bool same = back.undefined ? s.undefined : !s.undefined && back.slope == s.slope && back.offset == s.offset;
    if (same) {
      back.last = last;
      return;
    }
  }
  out.push_back(s);
}

}  // namespace

std::int64_t ResidueEvaluator::add(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  if (__builtin_add_overflow(a, b, &r) || r > kLimit || r < -kLimit) return cannot(), 0;
  return r;
}

std::int64_t ResidueEvaluator::multiply(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  if (__builtin_mul_overflow(a, b, &r) || r > kLimit || r < -kLimit) return cannot(), 0;
  return r;
}

Pieces ResidueEvaluator::run(Expr e, std::int64_t period, std::int64_t residue) {
  period_ = period;
  residue_ = residue;
  stop_ = Stop::none;
  return eval(e);
}

// Recursion depth is bounded by the caller's limit on the number of nodes.
Pieces ResidueEvaluator::eval(Expr e) {
  if (stop_ != Stop::none) return {};
  switch (e.op()) {
    case Op::IntConst: {
      const auto v = e.integer().to_int64();
      if (!v || *v > kLimit || *v < -kLimit) return cannot(), Pieces{};
      return {constant(*v)};
    }
    case Op::BoolConst:
      return {constant(e.is_true() ? 1 : 0)};
    case Op::Symbol:
      if (e != x_) return cannot(), Pieces{};
      return {Segment{kPlusInf, period_, residue_, false}};
    case Op::Neg:
      return binary(Op::Sub, {constant(0)}, eval(e[0]));
    case Op::Abs: {
      const Pieces a = eval(e[0]);
      if (stop_ != Stop::none) return {};
      return binary(Op::Max, a, binary(Op::Sub, {constant(0)}, a));
    }
    case Op::Not:
      return binary(Op::Sub, {constant(1)}, eval(e[0]));
    case Op::Implies: {
      const Pieces p = binary(Op::Sub, {constant(1)}, eval(e[0]));
      return binary(Op::Or, p, eval(e[1]));
    }
    case Op::Iff:
      return binary(Op::Eq, eval(e[0]), eval(e[1]));
    case Op::Divides:
      return binary(Op::Eq, binary(Op::Mod, eval(e[1]), eval(e[0])), {constant(0)});
    case Op::Ite: {
      const Pieces c = eval(e[0]);
      const Pieces t = eval(e[1]);
      const Pieces f = eval(e[2]);
      if (stop_ != Stop::none) return {};
      return branch(c, t, f);
    }
    case Op::Pow: {
      const auto n = e[1].is_int() ? e[1].integer().to_int64() : std::nullopt;
      if (!n || *n < 0 || *n > 64) return cannot(), Pieces{};
      const Pieces base = eval(e[0]);
      Pieces out = binary(Op::Add, binary(Op::Mul, base, {constant(0)}), {constant(1)});
      for (std::int64_t k = 0; k < *n && stop_ == Stop::none; ++k) out = binary(Op::Mul, out, base);
      return out;
    }
    case Op::In: {
      const Pieces v = eval(e[0]);
      Pieces out = binary(Op::Mul, v, {constant(0)});
      for (std::size_t i = 1; i < e.size() && stop_ == Stop::none; ++i)
        out = binary(Op::Max, out, binary(Op::Eq, v, eval(e[i])));
      return out;
    }
    case Op::Distinct: {
      std::vector<Pieces> vs;
      for (std::size_t i = 0; i < e.size() && stop_ == Stop::none; ++i) vs.push_back(eval(e[i]));
      if (stop_ != Stop::none) return {};
      Pieces out = binary(Op::Add, {constant(1)}, binary(Op::Mul, vs[0], {constant(0)}));
      for (std::size_t i = 0; i < vs.size(); ++i)
        for (std::size_t j = i + 1; j < vs.size() && stop_ == Stop::none; ++j)
          out = binary(Op::Min, out, binary(Op::Ne, vs[i], vs[j]));
      return out;
    }
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::FloorDiv:
    case Op::Mod:
    case Op::CeilDiv:
    case Op::Min:
    case Op::Max:
    case Op::And:
    case Op::Or:
    case Op::Eq:
    case Op::Ne:
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge:
      return fold(e);
    default:
      return cannot(), Pieces{};
  }
}

Pieces ResidueEvaluator::fold(Expr e) {
  if (e.size() == 0) return {constant(e.is(Op::And) ? 1 : 0)};
  Pieces out = eval(e[0]);
  for (std::size_t i = 1; i < e.size() && stop_ == Stop::none; ++i) out = binary(e.op(), out, eval(e[i]));
  return out;
}

Pieces ResidueEvaluator::binary(Op op, const Pieces& a, const Pieces& b) {
  Pieces out;
  if (stop_ != Stop::none) return out;
  std::size_t i = 0;
  std::size_t j = 0;
  std::int64_t first = kMinusInf;
  while (stop_ == Stop::none) {
    const std::int64_t last = std::min(a[i].last, b[j].last);
    apply(op, first, last, a[i], b[j], out);
    if (out.size() > kMaxSegments) cannot();
    if (last == kPlusInf) break;
    if (a[i].last == last) ++i;
    if (b[j].last == last) ++j;
    first = last + 1;
  }
  return out;
}

Pieces ResidueEvaluator::branch(const Pieces& condition, const Pieces& then, const Pieces& otherwise) {
  Pieces out;
  std::size_t c = 0;
  std::size_t t = 0;
  std::size_t f = 0;
  while (true) {
    const std::int64_t last = std::min({condition[c].last, then[t].last, otherwise[f].last});
    put(out, last, condition[c].undefined ? undefined() : condition[c].offset != 0 ? then[t] : otherwise[f]);
    if (last == kPlusInf) return out;
    if (condition[c].last == last) ++c;
    if (then[t].last == last) ++t;
    if (otherwise[f].last == last) ++f;
  }
}

void ResidueEvaluator::apply(Op op, std::int64_t first, std::int64_t last, const Segment& a, const Segment& b,
                             Pieces& out) {
  if (op == Op::And || op == Op::Or) {  // strong Kleene: the deciding value wins over undefined
    const std::int64_t decides = op == Op::Or ? 1 : 0;
    const bool decided = (!a.undefined && a.offset == decides) || (!b.undefined && b.offset == decides);
    if (decided) return put(out, last, constant(decides));
    return put(out, last, a.undefined || b.undefined ? undefined() : constant(1 - decides));
  }
  if (a.undefined || b.undefined) return put(out, last, undefined());
  switch (op) {
    case Op::Add:
      return put(out, last, {last, add(a.slope, b.slope), add(a.offset, b.offset), false});
    case Op::Sub:
      return put(out, last, {last, add(a.slope, -b.slope), add(a.offset, -b.offset), false});
    case Op::Mul:
      if (a.slope != 0 && b.slope != 0) return cannot();
      return put(
          out, last,
          {last, add(multiply(a.slope, b.offset), multiply(b.slope, a.offset)), multiply(a.offset, b.offset), false});
    case Op::FloorDiv:
    case Op::Mod:
    case Op::CeilDiv:
      return divide(op, first, last, a, b, out);
    case Op::Min:
    case Op::Max: {
      const Segment d{last, add(a.slope, -b.slope), add(a.offset, -b.offset), false};
      if (stop_ != Stop::none) return;
      return op == Op::Min ? choose_by_sign(first, last, d, a, b, out) : choose_by_sign(first, last, d, b, a, out);
    }
    default:
      return compare(op, first, last, a, b, out);
  }
}

// On [first, last]: `negative` where difference < 0, else `other`.
void ResidueEvaluator::choose_by_sign(std::int64_t first, std::int64_t last, const Segment& difference,
                                      const Segment& negative, const Segment& other, Pieces& out) {
  const std::int64_t a = difference.slope;
  const std::int64_t b = difference.offset;
  if (a == 0) return put(out, last, b < 0 ? negative : other);
  // a*q + b < 0 <=> q < -b/a (a > 0) or q > -b/a (a < 0)
  const std::int64_t split = a > 0 ? floor_div64(-b - 1, a) : floor_div64(b, -a);  // last q of the first part
  const Segment& low = a > 0 ? negative : other;
  const Segment& high = a > 0 ? other : negative;
  if (split >= first && split < last) {
    put(out, split, low);
    put(out, last, high);
  } else {
    put(out, last, split >= last ? low : high);
  }
}

void ResidueEvaluator::compare(Op op, std::int64_t first, std::int64_t last, const Segment& a, const Segment& b,
                               Pieces& out) {
  Segment d{last, add(a.slope, -b.slope), add(a.offset, -b.offset), false};
  if (stop_ != Stop::none) return;
  const Segment yes = constant(1);
  const Segment no = constant(0);
  switch (op) {
    case Op::Lt:
      return choose_by_sign(first, last, d, yes, no, out);
    case Op::Ge:
      return choose_by_sign(first, last, d, no, yes, out);
    case Op::Le:
      d.offset = add(d.offset, -1);
      return choose_by_sign(first, last, d, yes, no, out);
    case Op::Gt:
      d.offset = add(d.offset, -1);
      return choose_by_sign(first, last, d, no, yes, out);
    case Op::Eq:
    case Op::Ne: {
      const Segment& at = op == Op::Eq ? yes : no;
      const Segment& off = op == Op::Eq ? no : yes;
      if (d.slope == 0) return put(out, last, d.offset == 0 ? at : off);
      if (d.offset % d.slope != 0) return put(out, last, off);
      const std::int64_t root = -(d.offset / d.slope);
      if (root < first || root > last) return put(out, last, off);
      if (root > first) put(out, root - 1, off);
      put(out, root, at);
      if (root < last) put(out, last, off);
      return;
    }
    default:
      return cannot();
  }
}

void ResidueEvaluator::divide(Op op, std::int64_t first, std::int64_t last, const Segment& a, const Segment& b,
                              Pieces& out) {
  if (b.slope != 0) {
    if (a.slope != 0) return cannot();
    return divide_constant(op, first, last, a.offset, b, out);
  }
  const std::int64_t k = b.offset;
  if (k == 0) return put(out, last, undefined());
  if (a.slope % k != 0) {
    stop_ = Stop::refine;
    factor_ = std::abs(k) / std::gcd(a.slope, k);
    return;
  }
  if (op == Op::Mod) return put(out, last, constant(floor_mod64(a.offset, k)));
  const std::int64_t offset = op == Op::FloorDiv ? floor_div64(a.offset, k) : -floor_div64(-a.offset, k);
  put(out, last, {last, a.slope / k, offset, false});
}

// c // t and c % t for a varying t: q by q while |t| <= |c|, beyond that the quotient is 0 or -1 (ceiling: 0 or 1).
void ResidueEvaluator::divide_constant(Op op, std::int64_t first, std::int64_t last, std::int64_t c, const Segment& b,
                                       Pieces& out) {
  const std::int64_t reach = std::abs(c);
  const std::int64_t step = std::abs(b.slope);
  const std::int64_t centre = floor_div64(-b.offset, b.slope);
  const std::int64_t radius = reach / step + 2;
  if (radius > kMaxWindow / 2) return cannot();
  const std::int64_t window_first = std::max(first, centre - radius);
  const std::int64_t window_last = std::min(last, centre + radius);
  const auto tail = [&](std::int64_t upto, int sign_of_divisor) {
    const bool exact = c == 0;
    const bool same_sign = (c > 0) == (sign_of_divisor > 0);
    const std::int64_t quotient = exact ? 0 : op == Op::CeilDiv ? (same_sign ? 1 : 0) : (same_sign ? 0 : -1);
    if (op != Op::Mod) return put(out, upto, constant(quotient));
    if (quotient == 0) return put(out, upto, constant(c));
    put(out, upto, {upto, b.slope, add(b.offset, c), false});
  };
  if (window_first > window_last) return tail(last, (centre < first) == (b.slope > 0) ? 1 : -1);
  if (first < window_first) tail(window_first - 1, b.slope > 0 ? -1 : 1);
  for (std::int64_t q = window_first; q <= window_last && stop_ == Stop::none; ++q) {
    const std::int64_t t = add(multiply(b.slope, q), b.offset);
    if (t == 0) {
      put(out, q, undefined());
      continue;
    }
    put(out, q,
        constant(op == Op::Mod        ? floor_mod64(c, t)
                 : op == Op::FloorDiv ? floor_div64(c, t)
                                      : -floor_div64(-c, t)));
  }
  if (window_last < last) tail(last, b.slope > 0 ? 1 : -1);
}

}  // namespace dimgate::simplify
