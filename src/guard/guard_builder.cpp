#include "dimgate/guard_builder.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "dimgate/guard_kinds.hpp"
#include "guard/pieces.hpp"
#include "guard/world_layout.hpp"

namespace dimgate {
namespace {

bool is_metadata(Ask ask) noexcept {
  switch (ask) {
    case Ask::type:
    case Ask::value:
    case Ask::rank:
    case Ask::size:
    case Ask::dtype:
    case Ask::device:
    case Ask::requires_grad:
    case Ask::layout:
    case Ask::length:
      return true;
    default:
      return false;
  }
}

bool is_tensor_part(Ask ask) noexcept { return ask >= Ask::rank && ask <= Ask::data; }

/// One `build`: slots wanted, in order, then guards from them.
class Build {
 public:
  Build(Context& ctx, const WorldLayout& layout, SnapshotView at, const BuilderOptions& options)
      : ctx_(ctx), world_(layout.impl()), at_(at), options_(options), state_(world_.slots.size(), State::unseen) {}

  std::optional<Error> want(SlotIndex slot) {
    if (!at_.has(slot))
      return Error{"'" + world_.layout[slot].name + "' was used, but the observed world has no such value"};
    // What makes it readable, outermost first.
    std::vector<SlotIndex> chain;
    for (SlotIndex s = slot; s != kNoSlot && chain.size() <= world_.slots.size(); s = world_.layout[s].edge)
      chain.push_back(s);
    for (std::size_t i = chain.size(); i-- > 0;) {
      const SlotIndex s = chain[i];
      const bool itself = i == 0;
      if (!itself && world_.slots[s].ask == Ask::length) {
        // Item k needs a length above k; taking the length needs it as it is.
        const WorldObject& item = world_.objects[world_.slots[chain[i - 1]].object];
        auto& least = at_least_[s];
        least = std::max<std::int64_t>(least, std::int64_t{item.index} + 1);
        if (state_[s] == State::unseen) order_.push_back(s), state_[s] = State::at_least;
        continue;
      }
      const bool symbolic = options_.symbolic && options_.symbolic(s);
      if (symbolic && itself) continue;
      if (state_[s] == State::unseen) order_.push_back(s);
      state_[s] = State::equal;
    }
    return std::nullopt;
  }

  GuardSet guards() {
    GuardSet out;
    std::vector<bool> sized(world_.objects.size(), false), strided(world_.objects.size(), false);
    for (const SlotIndex s : order_) {
      const WorldSlot& w = world_.slots[s];
      if (w.ask == Ask::size || w.ask == Ask::stride) {
        // One guard a tensor for all sizes used, where the first stood.
        auto& done = w.ask == Ask::size ? sized : strided;
        if (!done[w.object]) out.add(placed(tensor_guard(w.object, w.ask)));
        done[w.object] = true;
        continue;
      }
      out.add(placed(slot_guard(s)));
    }
    if (options_.aliasing) aliasing(out);
    return out;
  }

 private:
  enum class State : std::uint8_t { unseen, at_least, equal };

  Guard placed(Guard g) const {
    g.where = options_.where;
    return g;
  }

  Guard tensor_guard(std::uint32_t object, Ask ask) {
    std::vector<std::optional<std::int64_t>> values;
    for (SlotIndex s = 0; s < world_.slots.size(); ++s) {
      const WorldSlot& w = world_.slots[s];
      if (w.object != object || w.ask != ask || !at_.has(s)) continue;
      if (w.index >= values.size()) values.resize(w.index + 1);
      if (state_[s] == State::equal) values[w.index] = at_.raw(s);
    }
    const std::string& path = world_.objects[object].path;
    return ask == Ask::size ? guards::shape(ctx_, path, values) : guards::stride(ctx_, path, values);
  }

  Guard slot_guard(SlotIndex s) {
    const Slot& slot = world_.layout[s];
    const WorldSlot& w = world_.slots[s];
    if (w.ask == Ask::length && state_[s] == State::at_least) {
      Guard g = guards::length_at_least(ctx_, world_.objects[w.object].path, at_least_[s]);
      return g;
    }
    Guard g;
    g.kind = w.kind;
    g.cost = slot.read_cost;
    const std::string shown = guards::display(slot.name);
    switch (slot.sort) {
      case SlotSort::integer:
        g = guards::equals(ctx_, slot.name, at_.raw(s));
        break;
      case SlotSort::boolean:
        g = guards::equals(ctx_, slot.name, at_.raw(s) != 0);
        break;
      case SlotSort::floating:
        g = guards::same_float(ctx_, slot.name, std::bit_cast<double>(at_.raw(s)));
        break;
      case SlotSort::name: {
        const Expr name = ctx_.enumeration(world_.layout.names().name(at_.raw(s)));
        g.formula = ctx_.make(Op::Eq, {ctx_.symbol(slot.name, Sort::Enum), name});
        g.reason = shown + " is " + to_text(ctx_, name);
        break;
      }
    }
    g.kind = w.kind;
    g.cost = slot.read_cost;
    return g;
  }

  void aliasing(GuardSet& out) {
    // Used tensors by storage, in order of first use.
    std::vector<std::pair<std::int64_t, std::vector<std::uint32_t>>> groups;
    std::vector<bool> seen(world_.objects.size(), false);
    for (const SlotIndex s : order_) {
      const WorldSlot& w = world_.slots[s];
      if (w.object == kNoObject || seen[w.object] || !is_tensor_part(w.ask)) continue;
      seen[w.object] = true;
      const SlotIndex storage = world_.layout.find("storage(" + world_.objects[w.object].path + ")");
      if (storage == kNoSlot || !at_.has(storage)) continue;
      const std::int64_t id = at_.raw(storage);
      auto it = std::ranges::find(groups, id, &std::pair<std::int64_t, std::vector<std::uint32_t>>::first);
      if (it == groups.end()) it = groups.insert(groups.end(), {id, {}});
      it->second.push_back(w.object);
    }
    std::vector<std::string> apart;
    for (const auto& [id, members] : groups) {
      const std::string& first = world_.objects[members.front()].path;
      apart.push_back(first);
      for (std::size_t i = 1; i < members.size(); ++i)
        out.add(placed(guards::same_storage(ctx_, first, world_.objects[members[i]].path)));
      for (std::size_t i = 0; i < members.size(); ++i)
        for (std::size_t j = i + 1; j < members.size(); ++j) meet(out, members[i], members[j]);
    }
    if (apart.size() > 1) out.add(placed(guards::no_aliasing(ctx_, apart)));
  }

  void meet(GuardSet& out, std::uint32_t a, std::uint32_t b) {
    for (SlotIndex s = 0; s < world_.slots.size(); ++s) {
      const WorldSlot& w = world_.slots[s];
      if (w.ask != Ask::overlap || !at_.has(s) || state_[s] == State::equal) continue;
      if ((w.object == a && w.other == b) || (w.object == b && w.other == a)) {
        if (options_.symbolic && options_.symbolic(s)) return;  // a guard of the caller's looks at it
        const std::string &x = world_.objects[w.object].path, &y = world_.objects[w.other].path;
        out.add(placed(at_.raw(s) != 0 ? guards::overlapping(ctx_, x, y) : guards::no_overlap(ctx_, x, y)));
        return;
      }
    }
  }

  Context& ctx_;
  const WorldLayout::Impl& world_;
  SnapshotView at_;
  const BuilderOptions& options_;
  std::vector<State> state_;
  std::vector<SlotIndex> order_;
  std::map<SlotIndex, std::int64_t> at_least_;
};

}  // namespace

std::vector<SlotIndex> unguarded(const Context& ctx, const Layout& layout, const GuardSet& guards,
                                 const ReadRecord& reads, const std::function<bool(SlotIndex)>& symbolic) {
  std::vector<bool> seen(layout.size(), false);
  for (const Guard& g : guards.all())
    // The walk only reads, but marks live in the nodes.
    for (const Expr s : symbols_of(const_cast<Context&>(ctx), g.formula))
      if (const SlotIndex slot = layout.find(ctx.symbol_name(s)); slot != kNoSlot) seen[slot] = true;
  std::vector<SlotIndex> out;
  for (const SlotIndex s : reads.slots())
    if (s < seen.size() && !seen[s] && !(symbolic && symbolic(s))) out.push_back(s);
  return out;
}

GuardBuilder::GuardBuilder(Context& ctx, const WorldLayout& layout, SnapshotView observed, BuilderOptions options)
    : ctx_(ctx), layout_(layout), observed_(layout.size()), options_(std::move(options)) {
  for (SlotIndex s = 0; s < layout.size(); ++s)
    if (observed.has(s)) observed_.set(s, observed.raw(s));
}

void GuardBuilder::used(const ReadRecord& reads) {
  for (const SlotIndex s : reads.slots()) reads_.note(s);
}

Status GuardBuilder::used(std::string_view name) {
  const WorldLayout::Impl& world = layout_.impl();
  if (const auto it = world.by_path.find(std::string(name)); it != world.by_path.end()) {
    bool any = false;
    for (const SlotIndex s : layout_.slots_of(name)) {
      if (!is_metadata(world.slots[s].ask) || !observed_.has(s)) continue;
      reads_.note(s);
      any = true;
    }
    if (any) return Ok{};
  }
  const SlotIndex slot = layout_.layout().find(name);
  if (slot != kNoSlot && observed_.has(slot)) {
    reads_.note(slot);
    return Ok{};
  }
  std::string near;
  const std::string base = Source::parse(name).base;
  for (SlotIndex i = 0; i < layout_.size(); ++i)
    if (observed_.has(i) && layout_.layout()[i].source.base == base && near.size() < 200)
      near += (near.empty() ? "" : ", ") + layout_.layout()[i].name;
  return Error{"the observed world has no '" + std::string(name) + "'" +
               (near.empty() ? std::string() : "; of it there are " + near)};
}

Result<GuardSet> GuardBuilder::build() const {
  Build build(ctx_, layout_, observed_, options_);
  for (const SlotIndex s : reads_.slots())
    if (auto error = build.want(s)) return std::move(*error);
  if (options_.preset == GuardPreset::strict)
    for (SlotIndex s = 0; s < layout_.size(); ++s)
      if (observed_.has(s))
        if (auto error = build.want(s)) return std::move(*error);
  GuardSet out = build.guards();
  for (const Guard& g : given_) out.add(g);
  return out;
}

}  // namespace dimgate
