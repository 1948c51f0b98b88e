// The driver: raw DAG to canonical node, children first, with an explicit stack. Chains of sums, products and
// connectives are flattened whole, so that long chains cost near-linear time and nesting does not matter.
#include "expr/canonical.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "expr/node_map.hpp"

namespace dimgate {

namespace {

bool is_linear(const Node* n) {
  if (n->op == Op::Add || n->op == Op::Sub || n->op == Op::Neg) return true;
  if (n->op != Op::Mul) return false;
  std::size_t terms = 0;
  for (std::uint32_t i = 0; i < n->size; ++i) terms += n->args()[i]->op != Op::IntConst;
  return terms <= 1;
}

using Region = SmallVector<const Node*, 32>;
constexpr std::uint32_t kSmallRegion = 48;

// The nodes of the region below `root` that satisfy `inside`, and its leaves: each once, operands before operators.
template <class Inside>
Region region_post_order(Context::Impl& impl, const Node* root, Inside inside) {
  Region order, stack{root};
  const std::uint32_t opened = ++impl.marks, closed = ++impl.marks;
  while (!stack.empty()) {
    const Node* n = stack.back();
    if (n->mark != opened && n->mark != closed && (n == root || inside(n))) {
      n->mark = opened;
      for (std::uint32_t i = n->size; i-- > 0;) {
        const std::uint32_t seen = n->args()[i]->mark;
        if (seen != opened && seen != closed) stack.push_back(n->args()[i]);
      }
      continue;
    }
    stack.pop_back();
    if (n->mark == closed) continue;
    n->mark = closed;
    order.push_back(n);
  }
  return order;
}

template <class Inside, class Leaf>
void region_leaves(Context::Impl& impl, const Node* root, Inside inside, Leaf leaf) {
  if (std::none_of(root->args(), root->args() + root->size, inside)) {
    for (std::uint32_t i = 0; i < root->size; ++i) leaf(root->args()[i]);
    return;
  }
  if (root->weight <= kSmallRegion) {  // walked as a tree: a shared leaf comes more than once
    SmallVector<const Node*, kSmallRegion> stack{root};
    while (!stack.empty()) {
      const Node* n = stack.back();
      stack.pop_back();
      for (std::uint32_t i = 0; i < n->size; ++i) {
        const Node* a = n->args()[i];
        if (inside(a))
          stack.push_back(a);
        else
          leaf(a);
      }
    }
    return;
  }
  for (const Node* n : region_post_order(impl, root, inside))
    if (n != root && !inside(n)) leaf(n);
}

// A node already canonicalised is a leaf of any region: its result is reused.
bool inside_linear(const Node* n) { return n->canon == nullptr && is_linear(n); }
bool inside_product(const Node* n) { return n->canon == nullptr && n->op == Op::Mul; }

// `e % k == r` or its mirror with constants k > 0 and r: what it tests; null otherwise.
struct ResidueTest {
  const Node *e = nullptr, *k = nullptr, *r = nullptr;
};
ResidueTest residue_test(const Node* n) {
  if (n->op != Op::Eq && n->op != Op::Ne) return {};
  const Node *m = n->args()[0], *r = n->args()[1];
  if (r->op == Op::Mod) std::swap(m, r);
  if (m->op != Op::Mod || r->op != Op::IntConst) return {};
  const Node* k = m->args()[1];
  if (k->op != Op::IntConst || k->integer->sign() <= 0) return {};
  return {m->args()[0], k, r};
}

// A small sum, walked as the tree that was written: each leaf with its coefficient. false: too large for that, or
// shared so often that it may be (then the walk over the DAG below is the one that ends).
template <class Leaf>
bool walk_small_sum(const Node* root, Leaf leaf) {
  struct Part {
    const Node* node;
    Integer c;
  };
  constexpr std::size_t kVisits = 48;
  SmallVector<Part, 16> stack;
  stack.push_back({root, 1});
  for (std::size_t visits = 0; !stack.empty(); ++visits) {
    if (visits == kVisits) return false;
    const Node* n = stack.back().node;
    Integer c = std::move(stack.back().c);
    stack.pop_back();
    if (n != root && !inside_linear(n)) {
      leaf(n, c);
    } else if (n->op == Op::Mul) {  // at most one operand is not constant
      const Node* term = nullptr;
      for (std::uint32_t j = 0; j < n->size; ++j) {
        if (n->args()[j]->op == Op::IntConst)
          c *= *n->args()[j]->integer;
        else
          term = n->args()[j];
      }
      if (term != nullptr)
        stack.push_back({term, std::move(c)});
      else
        leaf(nullptr, c);
    } else {
      for (std::uint32_t k = n->size; k-- > 0;)
        stack.push_back({n->args()[k], n->op == Op::Neg || (n->op == Op::Sub && k == 1) ? -c : c});
    }
  }
  return true;
}

}  // namespace

void Canonicalizer::push_operands(const Node* n, Stack& stack) {
  const auto push = [&](const Node* a) {
    if (a->canon == nullptr) stack.push_back({a, false});
  };
  if (is_linear(n))
    region_leaves(impl_, n, inside_linear, push);
  else if (n->op == Op::Mul)
    region_leaves(impl_, n, inside_product, push);
  else if (n->op == Op::And || n->op == Op::Or)
    region_leaves(impl_, n, [op = n->op](const Node* a) { return a->canon == nullptr && a->op == op; }, push);
  else if (const ResidueTest t = residue_test(n); t.e != nullptr)
    push(t.e);
  else
    for (std::uint32_t i = 0; i < n->size; ++i) push(n->args()[i]);
}

const Node* Canonicalizer::canonical(const Node* raw) {
  if (raw->canon != nullptr) return raw->canon;
  Stack stack{{raw, false}};
  while (!stack.empty()) {
    const Node* n = stack.back().node;
    if (n->canon != nullptr) {
      stack.pop_back();
      continue;
    }
    if (n->size != 0 && !stack.back().opened) {
      stack.back().opened = true;
      push_operands(n, stack);
      continue;
    }
    stack.pop_back();
    const Node* c = build(n);
    n->canon = c;
    c->canon = c;
  }
  return raw->canon;
}

const Node* Canonicalizer::build_linear(const Node* root) {
  // Small case first: one operator over leaves.
  const auto canon = [](const Node* n) { return n->canon; };
  if (root->size <= 2 && !inside_linear(root->args()[0]) && (root->size < 2 || !inside_linear(root->args()[1]))) {
    const Node* a = canon(root->args()[0]);
    if (root->op == Op::Neg) return ring_.node(ring_.scale(ring_.of(a), -1));
    const Node* b = canon(root->args()[1]);
    if (root->op == Op::Mul) return ring_.node(ring_.mul(ring_.of(a), ring_.of(b)));
    return add(a, b, root->op == Op::Sub ? -1 : 1);
  }
  Terms terms;
  bool total = true;
  const auto add_leaf = [&](const Node* n, const Integer& c) {
    if (n == nullptr) return terms.push_back({c, impl_.one});
    const Poly p = ring_.of(canon(n));
    total = total && p.total;
    for (const Term& t : p.terms) terms.push_back({t.c * c, t.m});
  };
  if (walk_small_sum(root, add_leaf)) return ring_.node(ring_.sum(std::move(terms), total));
  terms.clear();
  total = true;
  const Region order = region_post_order(impl_, root, inside_linear);
  NodeMap<Integer, 32> coefficient;
  coefficient[root] = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    const Node* n = order[i];
    const Integer c = coefficient[n];
    if (n != root && !inside_linear(n)) {
      if (!c.is_zero() || !canon(n)->total) add_leaf(n, c);  // else a factor, or cancelled
      continue;
    }
    switch (n->op) {
      case Op::Add:
        for (std::uint32_t k = 0; k < n->size; ++k) coefficient[n->args()[k]] += c;
        break;
      case Op::Sub:
        coefficient[n->args()[0]] += c;
        coefficient[n->args()[1]] -= c;
        break;
      case Op::Neg:
        coefficient[n->args()[0]] -= c;
        break;
      default: {  // Mul with at most one operand that is not constant
        Integer k = c;
        const Node* term = nullptr;
        for (std::uint32_t j = 0; j < n->size; ++j) {
          if (n->args()[j]->op == Op::IntConst)
            k *= *n->args()[j]->integer;
          else
            term = n->args()[j];
        }
        if (term != nullptr)
          coefficient[term] += k;
        else if (!k.is_zero())
          terms.push_back({k, impl_.one});
      }
    }
  }
  return ring_.node(ring_.sum(std::move(terms), total));
}

const Node* Canonicalizer::build_product(const Node* root) {
  if (root->size == 2 && !inside_product(root->args()[0]) && !inside_product(root->args()[1]))
    return mul(root->args()[0]->canon, root->args()[1]->canon);
  // Multiplicity of each factor by the same reverse post-order; a factor used n times appears n times.
  const Region order = region_post_order(impl_, root, inside_product);
  NodeMap<std::uint64_t> times;
  times[root] = 1;
  std::vector<Poly> polys;
  std::vector<std::uint64_t> powers;
  for (std::size_t i = order.size(); i-- > 0;) {
    const Node* n = order[i];
    const std::uint64_t c = times[n];
    if (n != root && !inside_product(n)) {
      polys.push_back(ring_.of(n->canon));
      powers.push_back(c);
      continue;
    }
    for (std::uint32_t k = 0; k < n->size; ++k) times[n->args()[k]] += c;
  }
  SmallVector<const Poly*, 8> factors;
  for (std::size_t i = 0; i < polys.size(); ++i)
    for (std::uint64_t k = 0; k < powers[i]; ++k) factors.push_back(&polys[i]);
  return ring_.node(ring_.product(factors));
}

const Node* Canonicalizer::build_junction(const Node* root) {
  Nodes parts;
  region_leaves(
      impl_, root, [op = root->op](const Node* a) { return a->canon == nullptr && a->op == op; },
      [&](const Node* a) { parts.push_back(a->canon); });
  return junction(root->op, parts);
}

const Node* Canonicalizer::build(const Node* n) {
  const auto arg = [&](std::uint32_t i) { return n->args()[i]->canon; };
  const auto args = [&] {
    Nodes v;
    v.reserve(n->size);
    for (std::uint32_t i = 0; i < n->size; ++i) v.push_back(arg(i));
    return v;
  };
  switch (n->op) {
    case Op::IntConst:
    case Op::BoolConst:
    case Op::FloatConst:
    case Op::EnumConst:
    case Op::Symbol:
      return n;
    case Op::Add:
    case Op::Sub:
    case Op::Neg:
      return build_linear(n);
    case Op::Mul:
      return is_linear(n) ? build_linear(n) : build_product(n);
    case Op::FloorDiv:
      return quotient(arg(0), arg(1));
    case Op::Mod:
      return remainder(arg(0), arg(1));
    case Op::CeilDiv:
      return ring_.node(ring_.scale(quotient(ring_.scale(ring_.of(arg(0)), -1), ring_.of(arg(1))), -1));
    case Op::Pow: {
      const auto k = static_cast<std::size_t>(n->args()[1]->integer->small());
      const Poly base = ring_.of(arg(0));
      Poly p = ring_.product(std::vector<const Poly*>(k, &base));
      if (k == 0) ring_.keep_domain(p, base);
      return ring_.node(p);
    }
    case Op::Min:
      return maximum(args(), true);
    case Op::Max:
      return maximum(args(), false);
    case Op::Abs: {
      const Poly p = ring_.of(arg(0));
      return ring_.node(maximum(Polys{p, ring_.scale(p, -1)}));
    }
    case Op::Ite:
      return ite(arg(0), arg(1), arg(2));
    case Op::Eq:
    case Op::Ne:
      if (const ResidueTest t = residue_test(n); t.e != nullptr) return residue(n->op, t.e->canon, t.k, t.r);
      return compare(n->op, arg(0), arg(1));
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge:
      return compare(n->op, arg(0), arg(1));
    case Op::Distinct:
      return distinct(args());
    case Op::Divides:
      return divides(arg(0), arg(1));
    case Op::In:
      return member(args());
    case Op::And:
    case Op::Or:
      if (n->size == 0) return n->op == Op::And ? impl_.yes : impl_.no;
      return build_junction(n);
    case Op::Not:
      return negate(arg(0));
    case Op::Implies:
      return junction(Op::Or, {negate(arg(0)), arg(1)});
    case Op::Iff:
      return iff(arg(0), arg(1));
    case Op::SameBits: {
      const Node *a = arg(0), *b = arg(1);
      if (a == b && a->total) return impl_.yes;
      if (a->op == Op::FloatConst && b->op == Op::FloatConst) return impl_.no;
      if (order_nodes(impl_, b, a) < 0) std::swap(a, b);
      return intern(Op::SameBits, {a, b});
    }
    case Op::IsNan:
      if (arg(0)->op == Op::FloatConst) return std::isnan(std::bit_cast<double>(arg(0)->bits)) ? impl_.yes : impl_.no;
      return intern(Op::IsNan, {arg(0)});
  }
  return n;
}

// ---- Context ---------------------------------------------------------------------------------

Expr Context::canonical(Expr e) {
  if (e.node()->canon != nullptr) return Expr(e.node()->canon);
  return Expr(Canonicalizer(*impl_).canonical(e.node()));
}
Expr Context::add(Expr a, Expr b) { return Expr(Canonicalizer(*impl_).add(a.node(), b.node(), 1)); }
Expr Context::sub(Expr a, Expr b) { return Expr(Canonicalizer(*impl_).add(a.node(), b.node(), -1)); }
Expr Context::mul(Expr a, Expr b) { return Expr(Canonicalizer(*impl_).mul(a.node(), b.node())); }
Expr Context::floor_div(Expr a, Expr b) { return Expr(Canonicalizer(*impl_).quotient(a.node(), b.node())); }
Expr Context::mod(Expr a, Expr b) { return Expr(Canonicalizer(*impl_).remainder(a.node(), b.node())); }
Expr Context::min(Expr a, Expr b) { return Expr(Canonicalizer(*impl_).maximum(Nodes{a.node(), b.node()}, true)); }
Expr Context::max(Expr a, Expr b) { return Expr(Canonicalizer(*impl_).maximum(Nodes{a.node(), b.node()}, false)); }
Expr Context::compare(Op op, Expr a, Expr b) { return Expr(Canonicalizer(*impl_).compare(op, a.node(), b.node())); }
Expr Context::negate(Expr p) { return Expr(Canonicalizer(*impl_).negate(p.node())); }

namespace {
Nodes nodes_of(std::span<const Expr> parts) {
  Nodes v;
  v.reserve(parts.size());
  for (const Expr p : parts) v.push_back(p.node());
  return v;
}
}  // namespace

Expr Context::conj(std::span<const Expr> parts) {
  return Expr(Canonicalizer(*impl_).junction(Op::And, nodes_of(parts)));
}
Expr Context::disj(std::span<const Expr> parts) {
  return Expr(Canonicalizer(*impl_).junction(Op::Or, nodes_of(parts)));
}

}  // namespace dimgate
