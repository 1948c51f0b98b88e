#include "translate.hpp"

#include <algorithm>
#include <optional>

namespace dimgate::z3 {

namespace {

// Z3 walks terms recursively in places; 64 MB of its frames would be needed far above this depth.
constexpr unsigned kMaxDepth = 2'000;
constexpr std::size_t kMaxNodes = 200'000;
constexpr std::int64_t kMaxExponent = 1'024;

std::optional<Integer> constant(Expr e) {
  if (e.is_int()) return e.integer();
  if (e.is(Op::Neg) && e[0].is_int()) return -e[0].integer();
  return std::nullopt;
}

}  // namespace

void Translator::number_names(const std::vector<Expr>& formulas) {
  std::unordered_map<const detail::Node*, bool> seen;
  std::vector<Expr> stack(formulas.begin(), formulas.end());
  while (!stack.empty()) {
    const Expr e = stack.back();
    stack.pop_back();
    if (!seen.emplace(e.node(), true).second) continue;
    if (e.is(Op::EnumConst)) names_.push_back(formulas_.enum_name(e));
    for (std::size_t i = 0; i < e.size(); ++i) stack.push_back(e[i]);
  }
  std::sort(names_.begin(), names_.end());
  names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
  for (std::size_t i = 0; i < names_.size(); ++i) name_numbers_[names_[i]] = static_cast<std::int64_t>(i);
}

std::string Translator::name_of(const Integer& number) const {
  if (number.sign() >= 0 && number < Integer(static_cast<std::int64_t>(names_.size())))
    return names_[static_cast<std::size_t>(number.small())];
  std::string name = "other" + number.to_string();
  while (name_numbers_.contains(name)) name += '_';
  return name;
}

Z3_ast Translator::integer(const Integer& value) {
  if (value.is_small()) return Z3_mk_int64(z3_, value.small(), Z3_mk_int_sort(z3_));
  return Z3_mk_numeral(z3_, value.to_string().c_str(), Z3_mk_int_sort(z3_));
}

Z3_ast Translator::both(Z3_ast a, Z3_ast b) {
  if (a == nullptr) return b;
  if (b == nullptr) return a;
  const Z3_ast parts[] = {a, b};
  return Z3_mk_and(z3_, 2, parts);
}

Z3_ast Translator::all(const std::vector<Z3_ast>& parts) {
  if (parts.size() == 1) return parts[0];
  return parts.empty() ? Z3_mk_true(z3_) : Z3_mk_and(z3_, static_cast<unsigned>(parts.size()), parts.data());
}

Z3_ast Translator::any(const std::vector<Z3_ast>& parts) {
  if (parts.size() == 1) return parts[0];
  return parts.empty() ? Z3_mk_false(z3_) : Z3_mk_or(z3_, static_cast<unsigned>(parts.size()), parts.data());
}

Z3_ast Translator::negation(Z3_ast a) { return Z3_mk_not(z3_, a); }

Z3_ast Translator::constant_of(Expr symbol) {
  Z3_sort sort = nullptr;
  switch (symbol.sort()) {
    case Sort::Bool:
      sort = Z3_mk_bool_sort(z3_);
      break;
    case Sort::Float:
      sort = Z3_mk_bv_sort(z3_, 64);
      break;
    case Sort::Int:
    case Sort::Enum:
      sort = Z3_mk_int_sort(z3_);
      break;
  }
  return Z3_mk_const(z3_, Z3_mk_string_symbol(z3_, formulas_.symbol_name(symbol).c_str()), sort);
}

Z3_ast Translator::is_nan(Z3_ast bits) {
  Z3_sort word = Z3_mk_bv_sort(z3_, 64);
  Z3_ast magnitude = Z3_mk_bvand(z3_, bits, Z3_mk_unsigned_int64(z3_, 0x7fff'ffff'ffff'ffffULL, word));
  return Z3_mk_bvugt(z3_, magnitude, Z3_mk_unsigned_int64(z3_, 0x7ff0'0000'0000'0000ULL, word));
}

// Truth of `a == b` where both are defined.
Z3_ast Translator::equal(Sort sort, const Denotation& a, const Denotation& b) {
  if (sort != Sort::Float) return Z3_mk_eq(z3_, a.first, b.first);
  Z3_sort word = Z3_mk_bv_sort(z3_, 64);
  Z3_ast mask = Z3_mk_unsigned_int64(z3_, 0x7fff'ffff'ffff'ffffULL, word);
  Z3_ast magnitudes = Z3_mk_bvand(z3_, Z3_mk_bvor(z3_, a.first, b.first), mask);
  Z3_ast both_zero = Z3_mk_eq(z3_, magnitudes, Z3_mk_unsigned_int64(z3_, 0, word));
  return all({negation(is_nan(a.first)), negation(is_nan(b.first)), any({Z3_mk_eq(z3_, a.first, b.first), both_zero})});
}

// A strict operator: `truth` counts where all arguments are defined.
Denotation Translator::strict(Expr e, const std::vector<Denotation>& args, Z3_ast truth) {
  Z3_ast defined = nullptr;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (e[i].sort() == Sort::Bool) {
      if (!e[i].is_total()) defined = both(defined, any({args[i].first, args[i].second}));
    } else {
      defined = both(defined, args[i].second);
    }
  }
  return {both(defined, truth), both(defined, negation(truth))};
}

Denotation Translator::build_division(Op op, Expr e, const std::vector<Denotation>& args) {
  Z3_ast a = args[0].first;
  Z3_ast b = args[1].first;
  Z3_ast defined = both(args[0].second, args[1].second);
  // ceil(a / b) is -floor(-a / b).
  const bool ceil = op == Op::CeilDiv;
  if (ceil) a = Z3_mk_unary_minus(z3_, a);
  const auto signed_by = [&](Z3_ast numerator, Z3_ast divisor, bool negative) {
    if (op == Op::Mod) {
      Z3_ast r = Z3_mk_mod(z3_, numerator, divisor);
      return negative ? Z3_mk_unary_minus(z3_, r) : r;
    }
    return Z3_mk_div(z3_, numerator, divisor);
  };
  Z3_ast value = nullptr;
  if (const auto k = constant(e[1])) {
    if (k->is_zero()) return {zero(), Z3_mk_false(z3_)};
    const bool negative = k->sign() < 0;
    value = signed_by(negative ? Z3_mk_unary_minus(z3_, a) : a, integer(abs(*k)), negative);
  } else {
    value = Z3_mk_ite(z3_, Z3_mk_gt(z3_, b, zero()), signed_by(a, b, false),
                      signed_by(Z3_mk_unary_minus(z3_, a), Z3_mk_unary_minus(z3_, b), true));
    defined = both(defined, negation(Z3_mk_eq(z3_, b, zero())));
  }
  return {ceil ? Z3_mk_unary_minus(z3_, value) : value, defined};
}

Denotation Translator::build_truth(Expr e, const std::vector<Denotation>& args) {
  std::vector<Z3_ast> t;
  std::vector<Z3_ast> f;
  switch (e.op()) {
    case Op::And:
    case Op::Or:
      for (const Denotation& d : args) {
        t.push_back(d.first);
        f.push_back(d.second);
      }
      return e.is(Op::And) ? Denotation{all(t), any(f)} : Denotation{any(t), all(f)};
    case Op::Not:
      return {args[0].second, args[0].first};
    case Op::Implies:
      return {any({args[0].second, args[1].first}), all({args[0].first, args[1].second})};
    case Op::Lt:
      return strict(e, args, Z3_mk_lt(z3_, args[0].first, args[1].first));
    case Op::Le:
      return strict(e, args, Z3_mk_le(z3_, args[0].first, args[1].first));
    case Op::Gt:
      return strict(e, args, Z3_mk_gt(z3_, args[0].first, args[1].first));
    case Op::Ge:
      return strict(e, args, Z3_mk_ge(z3_, args[0].first, args[1].first));
    case Op::Eq:
    case Op::Iff:
      return strict(e, args, equal(e[0].sort(), args[0], args[1]));
    case Op::Ne:
      return strict(e, args, negation(equal(e[0].sort(), args[0], args[1])));
    case Op::SameBits:
      return strict(e, args, Z3_mk_eq(z3_, args[0].first, args[1].first));
    case Op::IsNan:
      return strict(e, args, is_nan(args[0].first));
    case Op::In:
      for (std::size_t i = 1; i < args.size(); ++i) t.push_back(equal(e[0].sort(), args[0], args[i]));
      return strict(e, args, any(t));
    case Op::Distinct:
      for (std::size_t i = 0; i < args.size(); ++i)
        for (std::size_t j = i + 1; j < args.size(); ++j) t.push_back(negation(equal(e[0].sort(), args[i], args[j])));
      return strict(e, args, all(t));
    case Op::Divides: {  // (k, e): e % k == 0, for k of either sign
      Z3_ast k = args[0].first;
      if (const auto c = constant(e[0])) {
        if (c->is_zero()) return {Z3_mk_false(z3_), Z3_mk_false(z3_)};
        return strict(e, args, Z3_mk_eq(z3_, Z3_mk_mod(z3_, args[1].first, integer(abs(*c))), zero()));
      }
      Z3_ast nonzero = negation(Z3_mk_eq(z3_, k, zero()));
      Z3_ast size = Z3_mk_ite(z3_, Z3_mk_gt(z3_, k, zero()), k, Z3_mk_unary_minus(z3_, k));
      Denotation d = strict(e, args, Z3_mk_eq(z3_, Z3_mk_mod(z3_, args[1].first, size), zero()));
      return {both(nonzero, d.first), both(nonzero, d.second)};
    }
    default:
      failure_ = "solver: operator " + std::string(info(e.op()).name);
      return {};
  }
}

Denotation Translator::build(Expr e, const std::vector<Denotation>& args) {
  const auto count = static_cast<unsigned>(args.size());
  std::vector<Z3_ast> values;
  Z3_ast defined = nullptr;
  const auto strict_value = [&](auto&& combine) {
    for (const Denotation& d : args) {
      values.push_back(d.first);
      defined = both(defined, d.second);
    }
    return Denotation{combine(), defined};
  };
  const auto fold = [&](auto&& step) {
    return strict_value([&] {
      Z3_ast acc = values[0];
      for (unsigned i = 1; i < count; ++i) acc = step(acc, values[i]);
      return acc;
    });
  };
  switch (e.op()) {
    case Op::IntConst:
      return {integer(e.integer()), nullptr};
    case Op::BoolConst:
      return {e.is_true() ? Z3_mk_true(z3_) : Z3_mk_false(z3_), e.is_true() ? Z3_mk_false(z3_) : Z3_mk_true(z3_)};
    case Op::FloatConst:
      return {Z3_mk_unsigned_int64(z3_, e.float_bits(), Z3_mk_bv_sort(z3_, 64)), nullptr};
    case Op::EnumConst:
      return {integer(name_numbers_.at(formulas_.enum_name(e))), nullptr};
    case Op::Symbol: {
      symbols_.push_back(e);
      Z3_ast c = constant_of(e);
      return {c, e.sort() == Sort::Bool ? negation(c) : nullptr};
    }
    case Op::Add:
      return strict_value([&] { return Z3_mk_add(z3_, count, values.data()); });
    case Op::Sub:
      return strict_value([&] { return Z3_mk_sub(z3_, count, values.data()); });
    case Op::Mul:
      return strict_value([&] { return Z3_mk_mul(z3_, count, values.data()); });
    case Op::Neg:
      return strict_value([&] { return Z3_mk_unary_minus(z3_, values[0]); });
    case Op::FloorDiv:
    case Op::Mod:
    case Op::CeilDiv:
      return build_division(e.op(), e, args);
    case Op::Pow: {
      const auto k = constant(e[1]);
      if (!k || k->sign() < 0 || *k > Integer(kMaxExponent)) {
        failure_ = "solver: exponent above " + std::to_string(kMaxExponent);
        return {};
      }
      if (k->is_zero()) return {integer(1), args[0].second};
      const std::vector<Z3_ast> factors(static_cast<std::size_t>(k->small()), args[0].first);
      return {Z3_mk_mul(z3_, static_cast<unsigned>(factors.size()), factors.data()), args[0].second};
    }
    case Op::Min:
      return fold([&](Z3_ast a, Z3_ast b) { return Z3_mk_ite(z3_, Z3_mk_le(z3_, a, b), a, b); });
    case Op::Max:
      return fold([&](Z3_ast a, Z3_ast b) { return Z3_mk_ite(z3_, Z3_mk_ge(z3_, a, b), a, b); });
    case Op::Abs:
      return strict_value([&] {
        return Z3_mk_ite(z3_, Z3_mk_ge(z3_, values[0], zero()), values[0], Z3_mk_unary_minus(z3_, values[0]));
      });
    case Op::Ite: {
      const Denotation& c = args[0];
      const auto branch = [&](Z3_ast x, Z3_ast y) { return any({both(c.first, x), both(c.second, y)}); };
      if (e.sort() == Sort::Bool) return {branch(args[1].first, args[2].first), branch(args[1].second, args[2].second)};
      const bool everywhere = e[0].is_total() && args[1].second == nullptr && args[2].second == nullptr;
      return {Z3_mk_ite(z3_, c.first, args[1].first, args[2].first),
              everywhere ? nullptr : branch(args[1].second, args[2].second)};
    }
    default:
      return build_truth(e, args);
  }
}

Denotation Translator::denote(Expr root) {
  std::vector<Expr> stack{root};
  std::vector<Denotation> args;
  while (!stack.empty()) {
    const Expr e = stack.back();
    if (memo_.contains(e.node())) {
      stack.pop_back();
      continue;
    }
    args.clear();
    unsigned depth = 0;
    for (std::size_t i = e.size(); i-- > 0;) {
      const auto it = memo_.find(e[i].node());
      if (it == memo_.end()) {
        stack.push_back(e[i]);
      } else {
        args.push_back(it->second);
        depth = std::max(depth, depth_[e[i].node()] + 1);
      }
    }
    if (args.size() != e.size()) continue;
    std::reverse(args.begin(), args.end());
    if (depth > kMaxDepth || memo_.size() > kMaxNodes) {
      failure_ = "solver: formula too large";
      return {};
    }
    const Denotation d = build(e, args);
    if (!failure_.empty()) return {};
    memo_.emplace(e.node(), d);
    depth_[e.node()] = depth;
    stack.pop_back();
  }
  return memo_.at(root.node());
}

}  // namespace dimgate::z3
