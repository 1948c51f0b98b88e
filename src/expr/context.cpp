#include <algorithm>
#include <bit>
#include <cassert>
#include <new>

#include "expr/context_impl.hpp"
#include "expr/symbol_names.hpp"

namespace dimgate {

namespace {

constexpr std::uint64_t mix(std::uint64_t h, std::uint64_t v) {
  h ^= v + 0x9e3779b97f4a7c15ULL + (h << 12U) + (h >> 4U);
  h *= 0xff51afd7ed558ccdULL;
  return h ^ (h >> 32U);
}

std::uint64_t hash_text(std::string_view s) {
  std::uint64_t h = 0xcbf29ce484222325ULL;
  for (const char c : s) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return mix(h, s.size());
}

bool divides_by_nonzero_constant(Op op, std::span<const Node* const> args) {
  const Node* divisor = nullptr;
  if (op == Op::FloorDiv || op == Op::Mod || op == Op::CeilDiv) divisor = args[1];
  if (op == Op::Divides) divisor = args[0];
  return divisor == nullptr || (divisor->op == Op::IntConst && !divisor->integer->is_zero());
}

std::uint8_t degree_of(Op op, std::uint8_t largest, std::uint64_t sum) {
  if (op <= Op::EnumConst) return 0;
  if (op == Op::Add || op == Op::Sub || op == Op::Neg) return largest;
  return op == Op::Mul ? static_cast<std::uint8_t>(std::min<std::uint64_t>(sum, 255)) : 1;
}

}  // namespace

Context::Impl::Impl() : table(256) {
  zero = intern_integer(0);
  one = intern_integer(1);
  no = intern_leaf(Op::BoolConst, Sort::Bool, 0, 0);
  yes = intern_leaf(Op::BoolConst, Sort::Bool, 1, 0);
}

Context::Impl::~Impl() {
  for (Integer* i : big) i->~Integer();
}

// Where a leaf is or belongs.
const Node** Context::Impl::slot(std::uint64_t hash, Op op, std::uint64_t payload, const Integer* integer) {
  const std::size_t mask = table.size() - 1;
  for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
    const Node* n = table[i];
    if (n == nullptr) return &table[i];
    if (n->hash != hash || n->op != op) continue;
    const bool same = op == Op::IntConst ? *n->integer == *integer
                      : op == Op::Symbol ? n->index == payload
                                         : n->bits == payload;
    if (same) return &table[i];
  }
}

Node* Context::Impl::create(Op op, Sort sort, std::uint64_t hash, std::size_t args) {
  void* memory = arena.allocate(sizeof(Node) + args * sizeof(const Node*), alignof(Node));
  auto* n = new (memory) Node{};
  n->hash = hash;
  n->op = op;
  n->sort = sort;
  n->total = true;
  n->size = static_cast<std::uint32_t>(args);
  n->weight = 1;
  n->id = nodes++;
  return n;
}

void Context::Impl::grow() {
  std::vector<const Node*> bigger(table.size() * 2);
  const std::size_t mask = bigger.size() - 1;
  for (const Node* n : table) {
    if (n == nullptr) continue;
    std::size_t i = n->hash & mask;
    while (bigger[i] != nullptr) i = (i + 1) & mask;
    bigger[i] = n;
  }
  table = std::move(bigger);
}

const Node* Context::Impl::intern_integer(const Integer& v) {
  const bool common = v.is_small() && v.small() >= kSmallest && v.small() <= kLargest;
  if (common && small[v.small() - kSmallest] != nullptr) return small[v.small() - kSmallest];
  const std::uint64_t h = mix(0x11, v.hash());
  const Node** at = slot(h, Op::IntConst, 0, &v);
  if (*at != nullptr) return *at;
  Node* n = create(Op::IntConst, Sort::Int, h, 0);
  auto* value = new (arena.allocate(sizeof(Integer), alignof(Integer))) Integer(v);
  if (!v.is_small()) big.push_back(value);
  n->integer = value;
  if (common) small[v.small() - kSmallest] = n;
  n->canon = n;
  *at = n;
  if (nodes * 2 > table.size()) grow();
  return n;
}

const Node* Context::Impl::intern_leaf(Op op, Sort sort, std::uint64_t payload, std::uint64_t name_hash) {
  const std::uint64_t h = mix(mix(static_cast<std::uint64_t>(op), name_hash), op == Op::EnumConst ? 0 : payload);
  const Node** at = slot(h, op, payload, nullptr);
  if (*at != nullptr) return *at;
  Node* n = create(op, sort, h, 0);
  n->bits = payload;
  n->canon = n;
  *at = n;
  if (nodes * 2 > table.size()) grow();
  return n;
}

const Node* Context::Impl::intern_symbol(std::string_view name, Sort sort) {
  if (const auto it = symbol_index.find(name); it != symbol_index.end()) {
    const Node* n = symbols[it->second].node;
    assert(n->sort == sort && "a symbol has one sort");
    return n;
  }
  const auto index = static_cast<std::uint32_t>(symbols.size());
  symbols.push_back({std::string(name), nullptr, is_size_name(name)});
  const std::uint64_t h = mix(mix(static_cast<std::uint64_t>(Op::Symbol), hash_text(name)), static_cast<int>(sort));
  const Node** at = slot(h, Op::Symbol, index, nullptr);
  Node* n = create(Op::Symbol, sort, h, 0);
  n->index = index;
  n->degree = sort == Sort::Int ? 1 : 0;
  n->canon = n;
  symbols.back().node = n;
  symbol_index.emplace(symbols.back().name, index);
  *at = n;
  if (nodes * 2 > table.size()) grow();
  return n;
}

const Node* Context::Impl::intern(Op op, Sort sort, std::span<const Node* const> args) {
  std::uint64_t h = mix(static_cast<std::uint64_t>(op), args.size());
  for (const Node* a : args) {
    h = (h ^ a->hash) * 0x9fb21c651e98df25ULL;
    h ^= h >> 32U;
  }
  const auto is_it = [&](const Node* n) {
    if (n->hash != h || n->op != op || n->size != args.size()) return false;
    const Node* const* stored = n->args();
    for (std::size_t k = 0; k < args.size(); ++k)
      if (args[k] != stored[k]) return false;
    return true;
  };
  const std::size_t mask = table.size() - 1;
  std::size_t at = h & mask;
  for (; table[at] != nullptr; at = (at + 1) & mask)
    if (is_it(table[at])) return table[at];
  Node* n = create(op, sort, h, args.size());
  auto** out = const_cast<const Node**>(n->args());
  bool total = divides_by_nonzero_constant(op, args);
  std::uint64_t weight = 1, degrees = 0;  // of fewer than 2^32 operands: no overflow
  std::uint8_t degree = 0;
  for (const Node* a : args) {
    *out++ = a;
    total = total && a->total;
    weight += a->weight;
    degrees += a->degree;
    degree = std::max(degree, a->degree);
  }
  n->total = total;
  n->weight = static_cast<std::uint32_t>(std::min<std::uint64_t>(weight, UINT32_MAX));
  n->degree = degree_of(op, degree, degrees);
  table[at] = n;
  if (nodes * 2 > table.size()) grow();
  return n;
}

// ---- Context ---------------------------------------------------------------------------------

Context::Context() : impl_(std::make_unique<Impl>()) {}
Context::~Context() = default;

Expr Context::integer(const Integer& value) { return Expr(impl_->intern_integer(value)); }
Expr Context::boolean(bool value) { return Expr(value ? impl_->yes : impl_->no); }
Expr Context::floating(double value) { return float_bits(std::bit_cast<std::uint64_t>(value)); }
Expr Context::float_bits(std::uint64_t bits) { return Expr(impl_->intern_leaf(Op::FloatConst, Sort::Float, bits, 0)); }

Expr Context::enumeration(std::string_view name) {
  auto it = impl_->name_index.find(name);
  if (it == impl_->name_index.end()) {
    impl_->names.emplace_back(name);
    it = impl_->name_index.emplace(impl_->names.back(), static_cast<std::uint32_t>(impl_->names.size() - 1)).first;
  }
  return Expr(impl_->intern_leaf(Op::EnumConst, Sort::Enum, it->second, hash_text(name)));
}

Expr Context::symbol(std::string_view name, Sort sort) { return Expr(impl_->intern_symbol(name, sort)); }

Expr Context::find_symbol(std::string_view name) const {
  const auto it = impl_->symbol_index.find(name);
  return it == impl_->symbol_index.end() ? Expr() : Expr(impl_->symbols[it->second].node);
}

std::size_t Context::symbol_count() const noexcept { return impl_->symbols.size(); }
Expr Context::symbol_at(std::uint32_t index) const { return Expr(impl_->symbols[index].node); }
const std::string& Context::symbol_name(Expr s) const { return impl_->symbols[s.index()].name; }
const std::string& Context::enum_name(Expr c) const { return impl_->names[c.index()]; }
bool Context::is_size(Expr s) const { return impl_->symbols[s.index()].is_size; }

Expr Context::make(Op op, std::span<const Expr> args) {
  assert(!check(op, args).has_value());
  static_assert(sizeof(Expr) == sizeof(const Node*));
  const std::span<const Node* const> nodes(reinterpret_cast<const Node* const*>(args.data()), args.size());
  return Expr(impl_->intern(op, op == Op::Ite ? args[1].sort() : info(op).result, nodes));
}

std::optional<std::string> Context::check(Op op, std::span<const Expr> args) const {
  const OpInfo& row = info(op);
  const std::string name(row.name);
  if (row.strictness == Strictness::leaf) return name + " is a leaf, not an operator";
  if (args.size() < row.min_args || (row.max_args != kVariadic && args.size() > row.max_args)) {
    std::string want = std::to_string(row.min_args);
    if (row.max_args == kVariadic)
      want = "at least " + want;
    else if (row.max_args != row.min_args)
      want += " to " + std::to_string(row.max_args);
    return name + " takes " + want + " operands, not " + std::to_string(args.size());
  }
  const auto wrong = [&](std::size_t i, Sort want) {
    return name + ": operand " + std::to_string(i + 1) + " must be " + std::string(to_string(want)) + ", not " +
           std::string(to_string(args[i].sort()));
  };
  Sort want = Sort::Int;
  std::size_t first = 0;
  switch (row.args) {
    case ArgSorts::none:
      break;
    case ArgSorts::ints:
      want = Sort::Int;
      break;
    case ArgSorts::bools:
      want = Sort::Bool;
      break;
    case ArgSorts::floats:
      want = Sort::Float;
      break;
    case ArgSorts::same:
      want = args.empty() ? Sort::Int : args[0].sort();
      break;
    case ArgSorts::condition_then_same:
      if (args[0].sort() != Sort::Bool) return wrong(0, Sort::Bool);
      want = args[1].sort();
      first = 1;
      break;
  }
  for (std::size_t i = first; i < args.size(); ++i)
    if (args[i].sort() != want) return wrong(i, want);
  if (op == Op::Pow) {
    if (!args[1].is_int() || args[1].integer().sign() < 0) return "**: the exponent must be a constant >= 0";
    if (!args[1].integer().is_small() || args[1].integer().small() > 4096)
      return "**: the exponent must be at most 4096";
  }
  return std::nullopt;
}

std::size_t Context::node_count() const noexcept { return impl_->nodes; }
std::size_t Context::bytes() const noexcept {
  return impl_->arena.bytes() + impl_->table.size() * sizeof(void*) + impl_->symbols.size() * sizeof(SymbolInfo);
}
std::uint32_t Context::next_mark() noexcept { return ++impl_->marks; }

// ---- order -----------------------------------------------------------------------------------

namespace {

int rank_of(Op op) {  // leaves before operators, constants first
  return static_cast<int>(op);
}

int compare_leaf(const Context::Impl& impl, const Node* a, const Node* b) {
  switch (a->op) {
    case Op::IntConst:
      return *a->integer < *b->integer ? -1 : (*b->integer < *a->integer ? 1 : 0);
    case Op::EnumConst:
      return impl.names[a->index].compare(impl.names[b->index]);
    case Op::Symbol:
      return natural_compare(impl.symbols[a->index].name, impl.symbols[b->index].name);
    default:
      return a->bits < b->bits ? -1 : (b->bits < a->bits ? 1 : 0);
  }
}

}  // namespace

int order_nodes(const Context::Impl& impl, const Node* a, const Node* b) {
  // Hash-consing makes equal subtrees one pointer, so the first differing argument decides: no recursion.
  while (a != b) {
    if (a->op != b->op) return rank_of(a->op) < rank_of(b->op) ? -1 : 1;
    if (a->size == 0 && b->size == 0) return compare_leaf(impl, a, b);
    if (a->weight != b->weight) return a->weight < b->weight ? -1 : 1;
    if (a->size != b->size) return a->size < b->size ? -1 : 1;
    std::uint32_t i = 0;
    while (a->args()[i] == b->args()[i]) ++i;
    const Node* next = a->args()[i];
    b = b->args()[i];
    a = next;
  }
  return 0;
}

int Context::order(Expr a, Expr b) const { return order_nodes(*impl_, a.node(), b.node()); }

}  // namespace dimgate
