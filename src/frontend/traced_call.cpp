// One call on symbols: its slots as symbols and guards, and the entry that its trace makes.
//
// An entry's program demands the guards and every intrinsic or checked fact that they do not imply by themselves:
// guards were minimised under the facts, so without them an entry would accept calls nobody has traced for. Facts about
// symbols that no slot shows cannot be looked up; they join the run-time asserts. Cost: one question a fact.
#include <algorithm>
#include <unordered_map>

#include "dimgate/compile.hpp"
#include "dimgate/frontend.hpp"

namespace dimgate {

SlotIndex TracedCall::present(std::string_view slot) const {
  const SlotIndex i = layout_ == nullptr ? kNoSlot : layout_->find(slot);
  if (i == kNoSlot) throw TraceError("the front end's layout has no slot '" + std::string(slot) + "'", {});
  if (!inputs_.has(i)) throw OutsideError("the call has no " + std::string(slot), {});
  return i;
}

void TracedCall::fix(SlotIndex slot, Expr value) {
  const Expr guard = context.make(Op::Eq, {context.symbol((*layout_)[slot].name, value.sort()), value});
  if (std::ranges::find(fixed_, guard) == fixed_.end()) fixed_.push_back(guard);
}

SymInt TracedCall::integer(std::string_view slot) {
  const SlotIndex i = present(slot);
  const Slot& s = (*layout_)[i];
  if (s.sort != SlotSort::integer) throw TraceError("slot " + s.name + " holds no integer", {});
  return s.at_least == 0 ? tracer.size(s.name, Integer(inputs_.raw(i)))
                         : tracer.integer(s.name, Integer(inputs_.raw(i)));
}

std::int64_t TracedCall::constant(std::string_view slot) {
  const SlotIndex i = present(slot);
  const std::int64_t raw = inputs_.raw(i);
  switch ((*layout_)[i].sort) {
    case SlotSort::integer:
      fix(i, context.integer(raw));
      break;
    case SlotSort::boolean:
      fixed_.push_back(context.symbol((*layout_)[i].name, Sort::Bool));
      if (raw == 0) fixed_.back() = context.make(Op::Not, {fixed_.back()});
      break;
    case SlotSort::name:
      fix(i, context.enumeration(layout_->names().name(raw)));
      break;
    case SlotSort::floating: {
      const Expr symbol = context.symbol((*layout_)[i].name, Sort::Float);
      fixed_.push_back(context.make(Op::SameBits, {symbol, context.float_bits(static_cast<std::uint64_t>(raw))}));
      break;
    }
  }
  return raw;
}

std::string TracedCall::name(std::string_view slot) {
  const SlotIndex i = present(slot);
  if ((*layout_)[i].sort != SlotSort::name) throw TraceError("slot " + std::string(slot) + " holds no name", {});
  return layout_->names().name(constant(slot));
}

SymTensor TracedCall::tensor(std::string_view base) {
  const std::string b(base);
  const std::int64_t rank = constant(b + ".dim()");
  std::string dtype = name(b + ".dtype");
  if (dtype.starts_with("torch.")) dtype.erase(0, 6);
  Shape shape;
  for (std::int64_t d = 0; d < rank; ++d) {
    const std::string size = b + ".size()[" + std::to_string(d) + "]";
    if (layout_->find(size) == kNoSlot)
      throw OutsideError(
          b + " has " + std::to_string(rank) + " dims, and this front end has slots for " + std::to_string(d), {});
    shape.push_back(integer(size));
  }
  return tracer.input(base, std::move(shape), std::move(dtype));
}

std::vector<const Guard*> TracedCall::lookup() const {
  std::vector<const Guard*> out;
  for (const Guard& g : tracer.guards().all())
    if (!g.runtime_assert) out.push_back(&g);
  return out;
}

std::vector<Expr> TracedCall::recorded() const {
  std::vector<Expr> out;
  for (const Guard* g : lookup()) out.push_back(g->formula);
  return out;
}

Minimised TracedCall::minimal(const SimplifyOptions& options) {
  return minimise(tracer.prover(), tracer.facts(), recorded(), options);
}

namespace {

bool is_checked(const Fact& f) { return f.standing == Standing::intrinsic || f.standing == Standing::checked; }

bool has_slots(Context& ctx, const Layout& layout, Expr formula) {
  return std::ranges::all_of(symbols_of(ctx, formula),
                             [&](Expr s) { return layout.find(ctx.symbol_name(s)) != kNoSlot; });
}

}  // namespace

/// What the guards were minimised under: the facts that can be looked up, and that sizes are no less than 0.
std::vector<Expr> TracedCall::lookup_facts(const Layout& layout, std::span<const Expr> guards) {
  std::vector<Expr> out, symbols;
  const auto note = [&](Expr e) {
    for (const Expr s : symbols_of(context, e))
      if (s.sort() == Sort::Int && std::ranges::find(symbols, s) == symbols.end()) symbols.push_back(s);
  };
  for (const Fact& f : tracer.facts().all())
    if (is_checked(f) && has_slots(context, layout, f.formula)) out.push_back(f.formula), note(f.formula);
  for (const Expr g : guards) note(g);
  for (const ProgramNode& node : tracer.program().nodes())
    if (node.op == "input" || node.op == "input_int")
      for (const ValueId v : node.results) {
        const ProgramValue& value = tracer.program().value(v);
        for (const Expr d : value.dims) note(d);
        if (value.scalar) note(value.scalar);
      }
  // A size's name says that it is one: the tracer need not declare it.
  for (const Expr s : symbols)
    if (context.is_size(s) && has_slots(context, layout, s))
      out.push_back(context.make(Op::Ge, {s, context.integer(0)}));
  return out;
}

std::vector<Expr> TracedCall::facts_beside(const Layout& layout, std::span<const Expr> guards) {
  // The prover takes it for granted that a size is no less than 0, which is to be found out here: it is asked about
  // symbols of other names.
  std::unordered_map<Expr, Expr> renamed;
  const auto plain = [&](Expr symbol) {
    if (symbol.sort() != Sort::Int) return symbol;
    const auto [it, fresh] = renamed.try_emplace(symbol);
    if (fresh) it->second = context.symbol("$" + std::to_string(renamed.size()));
    return it->second;
  };
  Facts known(context);
  for (const Expr g : guards) known.assume(substitute(context, g, plain), Standing::assumed);
  std::vector<Expr> out;
  for (const Expr f : lookup_facts(layout, guards)) {
    const Expr claim = substitute(context, f, plain);
    if (tracer.prover().prove(known, claim, {.counterexample = false}).proved()) continue;
    out.push_back(f);
    known.assume(claim, Standing::assumed);
  }
  return out;
}

Result<std::shared_ptr<const RuntimeAsserts>> TracedCall::asserts(const Layout& layout) {
  std::vector<Expr> list;
  for (const Guard& g : tracer.guards().all())
    if (g.runtime_assert) list.push_back(g.formula);
  for (const Fact& f : tracer.facts().all())
    if (is_checked(f) && !has_slots(context, layout, f.formula)) list.push_back(f.formula);
  if (list.empty()) return std::shared_ptr<const RuntimeAsserts>();
  RuntimeAsserts out;
  Layout with_unbacked = layout;
  out.first = static_cast<SlotIndex>(layout.size());
  for (const Expr e : list) {
    out.texts.push_back(to_text(context, e));
    for (const Expr s : symbols_of(context, e)) {
      const std::string& name = context.symbol_name(s);
      if (with_unbacked.find(name) != kNoSlot) continue;
      with_unbacked.add(name, SlotSort::integer);
      out.unbacked.push_back(name);
    }
  }
  auto program = compile(context, list, with_unbacked);
  if (!program) return program.error();
  out.program = std::move(*program);
  return std::make_shared<const RuntimeAsserts>(std::move(out));
}

Result<NewEntry> TracedCall::entry(const Layout& layout, std::span<const Expr> guards, ArtifactRef artifact,
                                   std::string label, const std::shared_ptr<Jit>& jit) {
  std::vector<Expr> all(guards.begin(), guards.end());
  std::vector<Expr> declared;
  NewEntry entry;
  for (const Fact& f : tracer.facts().all())
    if (f.standing == Standing::checked && has_slots(context, layout, f.formula)) {
      declared.push_back(f.formula);
      entry.facts.texts.push_back(to_text(context, f.formula));
    }
  for (const Expr f : facts_beside(layout, guards)) all.push_back(f);
  CompileOptions options;
  options.jit = jit;
  auto program = compile(context, all, layout, options);
  if (!program) return program.error();
  auto facts = compile(context, declared, layout);
  if (!facts) return facts.error();
  auto late = asserts(layout);
  if (!late) return late.error();
  entry.program = std::move(*program);
  entry.facts.program = std::move(*facts);
  entry.asserts = std::move(*late);
  entry.artifact = std::move(artifact);
  entry.label = std::move(label);
  for (const Expr g : all) {
    entry.guard_texts.push_back(to_pretty(context, g));
    entry.guard_kinds.emplace_back(to_string(kind_of(context, g)));
  }
  return entry;
}

MissAnswer TracedCall::failure() const {
  switch (outcome.kind) {
    case TraceOutcome::Kind::rejected:
      return MissAnswer::reject(outcome.error.to_string());
    case TraceOutcome::Kind::outside:
      return MissAnswer::fall_back(outcome.error.to_string());
    default:
      return MissAnswer::fail(outcome.error.to_string());
  }
}

}  // namespace dimgate
