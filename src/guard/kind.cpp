// What a guard looks at, read off its symbols' sources; and what evaluating it costs.
#include <array>
#include <utility>

#include "dimgate/guard_text.hpp"
#include "dimgate/world.hpp"

namespace dimgate {

namespace {

struct KindRow {
  GuardKind kind;
  std::string_view name;
  GuardFamily family;
};

constexpr std::size_t kKinds = static_cast<std::size_t>(GuardKind::version) + 1;
constexpr std::array<KindRow, kKinds> kRows{{
    {GuardKind::shape, "shape", GuardFamily::tensor},
    {GuardKind::rank, "rank", GuardFamily::tensor},
    {GuardKind::stride, "stride", GuardFamily::tensor},
    {GuardKind::contiguity, "contiguity", GuardFamily::tensor},
    {GuardKind::storage_offset, "storage_offset", GuardFamily::tensor},
    {GuardKind::dtype, "dtype", GuardFamily::tensor},
    {GuardKind::device, "device", GuardFamily::tensor},
    {GuardKind::requires_grad, "requires_grad", GuardFamily::tensor},
    {GuardKind::layout, "layout", GuardFamily::tensor},
    {GuardKind::storage, "storage", GuardFamily::tensor},
    {GuardKind::aliasing, "aliasing", GuardFamily::tensor},
    {GuardKind::overlap, "overlap", GuardFamily::tensor},
    {GuardKind::data, "data", GuardFamily::tensor},
    {GuardKind::code, "code", GuardFamily::frame},
    {GuardKind::caller, "caller", GuardFamily::frame},
    {GuardKind::closure, "closure", GuardFamily::frame},
    {GuardKind::type, "type", GuardFamily::frame},
    {GuardKind::identity, "identity", GuardFamily::frame},
    {GuardKind::attribute, "attribute", GuardFamily::frame},
    {GuardKind::module_global, "module_global", GuardFamily::frame},
    {GuardKind::value, "value", GuardFamily::frame},
    {GuardKind::grad_mode, "grad_mode", GuardFamily::global},
    {GuardKind::inference_mode, "inference_mode", GuardFamily::global},
    {GuardKind::autocast, "autocast", GuardFamily::global},
    {GuardKind::deterministic, "deterministic", GuardFamily::global},
    {GuardKind::default_dtype, "default_dtype", GuardFamily::global},
    {GuardKind::default_device, "default_device", GuardFamily::global},
    {GuardKind::threads, "threads", GuardFamily::global},
    {GuardKind::precision, "precision", GuardFamily::global},
    {GuardKind::function_modes, "function_modes", GuardFamily::global},
    {GuardKind::environment, "environment", GuardFamily::global},
    {GuardKind::flag, "flag", GuardFamily::global},
    {GuardKind::length, "length", GuardFamily::container},
    {GuardKind::keys, "keys", GuardFamily::container},
    {GuardKind::key_order, "key_order", GuardFamily::container},
    {GuardKind::membership, "membership", GuardFamily::container},
    {GuardKind::version, "version", GuardFamily::container},
}};

consteval bool rows_are_complete() {
  for (std::size_t i = 0; i < kKinds; ++i)
    if (static_cast<std::size_t>(kRows[i].kind) != i || kRows[i].name.empty()) return false;
  return true;
}
static_assert(rows_are_complete(), "kRows needs one row per GuardKind, in the order of the enum");

GuardKind kind_of_property(Property p, bool is_size) {
  switch (p) {
    case Property::size:
      return GuardKind::shape;
    case Property::stride:
      return GuardKind::stride;
    case Property::rank:
      return GuardKind::rank;
    case Property::storage_offset:
      return GuardKind::storage_offset;
    case Property::dtype:
      return GuardKind::dtype;
    case Property::device:
      return GuardKind::device;
    case Property::requires_grad:
      return GuardKind::requires_grad;
    case Property::layout:
      return GuardKind::layout;
    case Property::storage:
      return GuardKind::storage;
    case Property::type:
      return GuardKind::type;
    case Property::identity:
      return GuardKind::identity;
    case Property::length:
      return GuardKind::length;
    case Property::value:
      return is_size ? GuardKind::shape : GuardKind::value;
  }
  return GuardKind::value;
}

/// Relative cost of one operator once its operands are there (a load is 1, an add 1).
double step_cost(Op op) {
  switch (op) {
    case Op::FloorDiv:
    case Op::Mod:
    case Op::CeilDiv:
    case Op::Divides:
      return 6.0;
    case Op::Mul:
      return 2.0;
    case Op::IntConst:
    case Op::BoolConst:
    case Op::FloatConst:
    case Op::EnumConst:
      return 0.0;
    case Op::Pow:
      return 8.0;
    default:
      return 1.0;
  }
}

}  // namespace

std::string_view to_string(GuardKind kind) noexcept { return kRows[static_cast<std::size_t>(kind)].name; }
std::string_view to_string(GuardFamily f) noexcept {
  switch (f) {
    case GuardFamily::frame:
      return "frame";
    case GuardFamily::tensor:
      return "tensor";
    case GuardFamily::global:
      return "global";
    case GuardFamily::container:
      return "container";
  }
  return "";
}

GuardFamily family(GuardKind kind) noexcept { return kRows[static_cast<std::size_t>(kind)].family; }

GuardKind kind_of(const Context& ctx, Expr formula) {
  // The walk only reads, but marks live in the nodes, so symbols_of wants a mutable Context.
  const std::vector<Expr> symbols = symbols_of(const_cast<Context&>(ctx), formula);
  std::optional<GuardKind> kind;
  for (const Expr s : symbols) {
    const std::string& name = ctx.symbol_name(s);
    const Source source = Source::parse(name);
    // A bare integer name in a formula beside sizes is a dim by another name ("L"): shape. Alone it is a value only
    // where the name says that it is an argument (`L['n']`).
    const bool bare =
        source.property == Property::value && s.sort() == Sort::Int && name.find_first_of("['.(") == std::string::npos;
    const GuardKind k = kind_of_property(source.property, bare);
    // Mixed: shape relates everything of a tensor; anything else keeps the first kind seen.
    if (!kind)
      kind = k;
    else if (*kind != k && family(k) == GuardFamily::tensor && family(*kind) == GuardFamily::tensor)
      kind = GuardKind::shape;
  }
  return kind.value_or(GuardKind::shape);
}

double estimated_cost(Context& ctx, Expr formula) {
  const std::uint32_t mark = ctx.next_mark();
  std::vector<Expr> stack{formula};
  formula.node()->mark = mark;
  double cost = 0;
  while (!stack.empty()) {
    const Expr e = stack.back();
    stack.pop_back();
    cost += step_cost(e.op()) * (e.size() > 2 ? static_cast<double>(e.size() - 1) : 1.0);
    for (std::size_t i = 0; i < e.size(); ++i) {
      if (e[i].node()->mark == mark) continue;
      e[i].node()->mark = mark;
      stack.push_back(e[i]);
    }
  }
  return cost;
}

}  // namespace dimgate
