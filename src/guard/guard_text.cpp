#include "dimgate/guard_text.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "dimgate/guard_kinds.hpp"
#include "expr/names.hpp"
#include "guard/pieces.hpp"
#include "guard/world_layout.hpp"

namespace dimgate {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kScalarTypes{{
    {"torch.float32", "Float"},
    {"torch.float64", "Double"},
    {"torch.float16", "Half"},
    {"torch.bfloat16", "BFloat16"},
    {"torch.int64", "Long"},
    {"torch.int32", "Int"},
    {"torch.int16", "Short"},
    {"torch.int8", "Char"},
    {"torch.uint8", "Byte"},
    {"torch.bool", "Bool"},
    {"torch.complex64", "ComplexFloat"},
    {"torch.complex128", "ComplexDouble"},
}};

std::string scalar_type(const std::string& dtype) {
  const auto it = std::ranges::find(kScalarTypes, std::string_view(dtype), [](const auto& row) { return row.first; });
  return it == kScalarTypes.end() ? dtype : std::string(it->second);
}

/// One run over one guard.
class Teller {
 public:
  Teller(const Context& ctx, const Guard& guard, const Layout& layout, SnapshotView at)
      : ctx_(ctx), guard_(guard), layout_(layout), at_(at) {}

  std::vector<GuardFailure> all() {
    std::vector<GuardFailure> out;
    std::vector<Expr> parts, open{guard_.formula};
    while (!open.empty()) {
      const Expr e = open.back();
      open.pop_back();
      if (e.is(Op::And))
        for (std::size_t i = e.size(); i-- > 0;) open.push_back(e[i]);
      else
        parts.push_back(e);
    }
    for (const Expr e : parts)
      if (Value v = value_at(ctx_, e, layout_, at_); !v.is_true()) out.push_back(part(e, v));
    if (!out.empty()) out.front().whole = whole(parts);
    return out;
  }

 private:
  [[nodiscard]] std::string spelled(Expr symbol) const { return ctx_.symbol_name(symbol); }

  /// The value of a symbol at the view, as Python would print it; "missing".
  [[nodiscard]] std::string seen(Expr e) const {
    const Value v = value_at(ctx_, e, layout_, at_);
    if (v.is_undefined()) return e.is_symbol() ? "missing" : "undefined";
    return v.to_string();
  }
  [[nodiscard]] static std::string bare(std::string text) {
    if (text.size() >= 2 && text.front() == '\'' && text.back() == '\'') return text.substr(1, text.size() - 2);
    return text;
  }

  GuardFailure part(Expr e, const Value& value) const {
    GuardFailure f;
    f.undefined = value.is_undefined();
    const bool negated = e.is(Op::Not);
    const Expr inner = negated ? e[0] : e;
    if (inner.is_symbol()) return flag(f, inner, !negated);
    if (e.is(Op::Eq) || e.is(Op::SameBits)) {
      const std::size_t s = e[0].is_symbol() ? 0 : 1;
      if (e[s].is_symbol() && e[1 - s].is_const()) return equality(f, e[s], e[1 - s]);
    }
    if (e.is(Op::Distinct) && guard_.kind == GuardKind::aliasing) return aliased(f, e);
    return general(f, e);
  }

  /// A Bool slot that is not as it should be.
  GuardFailure flag(GuardFailure f, Expr symbol, bool expected) const {
    const std::string name = spelled(symbol);
    f.source = name;
    f.expected = expected ? "True" : "False";
    f.actual = seen(symbol);
    const Source source = Source::parse(name);
    if (source.property == Property::requires_grad && !f.undefined) {
      f.text = "tensor '" + guards::display(source.base) +
               "' requires_grad mismatch. expected requires_grad=" + (expected ? "1" : "0");
      return f;
    }
    return state(f, name) ? f : plain(f, name);
  }

  GuardFailure equality(GuardFailure f, Expr symbol, Expr constant) const {
    const std::string name = spelled(symbol);
    f.source = name;
    f.expected = to_text(ctx_, constant);
    f.actual = seen(symbol);
    const Source source = Source::parse(name);
    const std::string tensor = "tensor '" + guards::display(source.base) + "' ";
    const std::string values = ". expected " + f.expected + ", actual " + f.actual;
    switch (source.property) {
      case Property::size:
        f.text = tensor + "size mismatch at index " + std::to_string(source.index) + values;
        return f;
      case Property::stride:
        f.text = tensor + "stride mismatch at index " + std::to_string(source.index) + values;
        return f;
      case Property::rank:
        f.text = tensor + "rank mismatch" + values;
        return f;
      case Property::dtype:
        if (guard_.kind != GuardKind::dtype) break;
        f.text = tensor + "dtype mismatch. expected " + scalar_type(bare(f.expected)) + ", actual " +
                 scalar_type(bare(f.actual));
        return f;
      case Property::device:
        return device(f, tensor);
      case Property::type:
        return type(f, source);
      default:
        break;
    }
    return state(f, name) ? f : plain(f, name);
  }

  GuardFailure device(GuardFailure f, const std::string& tensor) const {
    const std::string expected = bare(f.expected), actual = bare(f.actual);
    const auto split = [](const std::string& d) {
      return std::pair(d.substr(0, d.find(':')), d.substr(std::min(d.find(':'), d.size() - 1) + 1));
    };
    const auto [type, index] = split(expected);
    const auto [actual_type, actual_index] = split(actual);
    if (type == actual_type && expected != type && actual != type)
      f.text =
          tensor + "Tensor device index mismatch. Expected device index to be " + index + ", actual " + actual_index;
    else
      f.text = tensor + "device mismatch. expected " + expected + ", actual " + actual;
    return f;
  }

  GuardFailure type(GuardFailure f, const Source& source) const {
    const std::string expected = bare(f.expected), actual = bare(f.actual);
    const std::string what = "expected type of '" + guards::display(source.base) + "' to be ";
    if (expected == "Tensor")
      f.text = what + "a tensor type, ' but found " + (f.undefined ? actual : "<class '" + actual + "'>");
    else
      f.text = what + expected + ", actual " + actual;
    return f;
  }

  /// "GLOBAL_STATE changed: grad_mode" for what PyTorch guards with its global state.
  bool state(GuardFailure& f, const std::string& name) const {
    std::string torch;
    for (const StateRow& row : state_rows())
      if (row.slot == name) torch = row.torch;
    if (name.starts_with("autocast['")) {
      const std::string device = name.substr(10, name.find('\'', 10) - 10);
      torch = "autocast(" + device + ")_" + (name.ends_with(".dtype") ? "dtype" : "enabled");
    }
    if (torch.empty()) return false;
    f.text = "GLOBAL_STATE changed: " + torch + " (expected " + f.expected + ", actual " + f.actual + ")";
    return true;
  }

  GuardFailure plain(GuardFailure f, const std::string& name) const {
    f.text = guards::display(name) + ": expected " + f.expected + ", actual " + f.actual;
    return f;
  }

  /// Which of them are equal.
  GuardFailure aliased(GuardFailure f, Expr e) const {
    f.expected = "all different";
    for (std::size_t i = 0; i < e.size(); ++i)
      if (value_at(ctx_, e[i], layout_, at_).is_undefined()) {
        f.actual = "missing";
        f.text = guards::display(spelled(e[i])) + " is missing, so nothing is known of what it shares";
        return f;
      }
    for (std::size_t i = 0; i < e.size(); ++i)
      for (std::size_t j = i + 1; j < e.size(); ++j)
        if (value_at(ctx_, e[i], layout_, at_) == value_at(ctx_, e[j], layout_, at_)) {
          const std::string a = Source::parse(spelled(e[i])).base, b = Source::parse(spelled(e[j])).base;
          f.actual = guards::display(a) + " and " + guards::display(b) + " are the same";
          f.text = "Duplicate tensor found where not expected! " + guards::display(a) +
                   " should not alias to anything, "
                   "but is aliased to " +
                   guards::display(b);
          return f;
        }
    return f;
  }

  GuardFailure general(GuardFailure f, Expr e) const {
    f.expected = to_pretty(ctx_, e);
    std::string values;
    for (const Expr s : symbols_of(const_cast<Context&>(ctx_), e))
      values += (values.empty() ? "" : ", ") + guards::display(spelled(s)) + " = " + seen(s);
    f.actual = values;
    f.text = f.expected + (f.undefined ? ": undefined" : ": false") + (values.empty() ? "" : ", actual " + values);
    return f;
  }

  /// The whole shape where every part is `size()[i] == c` of one tensor (or the same for strides).
  std::string whole(const std::vector<Expr>& parts) const {
    std::vector<std::optional<std::int64_t>> expected;
    std::optional<Source> tensor;
    for (const Expr e : parts) {
      if (!e.is(Op::Eq) || !e[0].is_symbol() || !e[1].is_int()) return {};
      const Source s = Source::parse(spelled(e[0]));
      if (s.property != Property::size && s.property != Property::stride) return {};
      if (tensor && (tensor->base != s.base || tensor->property != s.property)) return {};
      tensor = s;
      if (s.index >= 4096) return {};
      if (s.index >= expected.size()) expected.resize(s.index + 1);
      expected[s.index] = e[1].integer().to_int64();
    }
    if (!tensor) return {};
    // As many sizes as the tensor has, where its rank was read.
    std::size_t rank = expected.size();
    if (const SlotIndex r = layout_.find(Source{tensor->base, Property::rank, 0}.text()); at_.has(r) && at_.raw(r) >= 0)
      rank = std::min<std::size_t>(static_cast<std::size_t>(at_.raw(r)), 4096);
    std::vector<std::optional<std::int64_t>> actual(rank);
    bool known = true;
    for (std::uint32_t i = 0; i < rank; ++i) {
      const SlotIndex s = layout_.find(Source{tensor->base, tensor->property, i}.text());
      if (at_.has(s)) actual[i] = at_.raw(s);
      known = known && at_.has(s);
    }
    const bool shape = tensor->property == Property::size;
    std::string got = detail::tuple_text(actual);
    if (!known) std::ranges::replace(got, '*', '?');
    return std::string(shape ? "shape" : "stride") + " guard failed on " + guards::display(tensor->base) +
           ": expected " + detail::tuple_text(expected) + ", got " + got;
  }

  const Context& ctx_;
  const Guard& guard_;
  const Layout& layout_;
  SnapshotView at_;
};

}  // namespace

void declare_slots(Context& ctx, const Layout& layout) {
  constexpr std::array kSorts{Sort::Int, Sort::Bool, Sort::Float, Sort::Enum};  // by SlotSort
  for (const Slot& s : layout.slots())
    if (!ctx.find_symbol(s.name)) ctx.symbol(s.name, kSorts[static_cast<std::size_t>(s.sort)]);
}

Value value_at(const Context& ctx, Expr formula, const Layout& layout, SnapshotView at) {
  Assignment values;
  // The walk only reads, but marks live in the nodes.
  for (const Expr s : symbols_of(const_cast<Context&>(ctx), formula)) {
    const SlotIndex slot = layout.find(ctx.symbol_name(s));
    if (slot == kNoSlot || !at.has(slot)) continue;
    const std::int64_t raw = at.raw(slot);
    switch (layout[slot].sort) {
      case SlotSort::integer:
        if (s.sort() == Sort::Int) values.set(s, Value::of(raw));
        break;
      case SlotSort::boolean:
        if (s.sort() == Sort::Bool) values.set(s, Value::of(raw != 0));
        break;
      case SlotSort::floating:
        if (s.sort() == Sort::Float) values.set(s, Value::of_float_bits(std::bit_cast<std::uint64_t>(raw)));
        break;
      case SlotSort::name:
        if (s.sort() == Sort::Enum) values.set(s, Value::of_enum(layout.names().name(raw)));
        break;
    }
  }
  return evaluate(ctx, formula, values);
}

std::vector<GuardFailure> explain_failures(const Context& ctx, const Guard& guard, const Layout& layout,
                                           SnapshotView at) {
  return Teller(ctx, guard, layout, at).all();
}

GuardFailure explain_failure(const Context& ctx, const Guard& guard, const Layout& layout, SnapshotView at) {
  std::vector<GuardFailure> all = explain_failures(ctx, guard, layout, at);
  return all.empty() ? GuardFailure{} : std::move(all.front());
}

}  // namespace dimgate
