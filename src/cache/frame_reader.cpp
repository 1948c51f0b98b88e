// A lookup through both layers. On a miss the global layer's turn is taken first, then the frame's; inside both the
// frame's handler is asked once, and its answer goes to the layer it names.
#include "cache/layers_impl.hpp"

namespace dimgate {

namespace {

using Ask = std::function<MissAnswer(const Miss&)>;
struct Asking final : MissHandler {
  explicit Asking(Ask f) : ask(std::move(f)) {}
  MissAnswer miss(const Miss& m) override { return ask(m); }
  Ask ask;
};

std::size_t arriving(const NewEntry& e) { return e.program.bytes() + (e.artifact ? e.artifact->bytes : 0); }
bool inserts(const MissAnswer& a) { return a.kind == MissAnswer::Kind::compiled || a.kind == MissAnswer::Kind::shared; }

}  // namespace

FrameReader::FrameReader(LayeredFrame& frame) : impl_(std::make_unique<Impl>()) {
  impl_->frame = frame.impl_.get();
  if (impl_->frame->global != nullptr) impl_->global.emplace(impl_->frame->global->cache);
  impl_->own.emplace(impl_->frame->own->cache);
  impl_->function.resize(impl_->frame->options.slots.size());
  const std::lock_guard lock(impl_->frame->mutex);
  impl_->frame->readers.push_back(this);
}

FrameReader::~FrameReader() {
  LayeredFrame::Impl& f = *impl_->frame;
  const std::lock_guard lock(f.mutex);
  std::erase(f.readers, this);
  f.cold.global_hits += impl_->global_hits.get();
  f.cold.frame_hits += impl_->frame_hits.get();
  f.cold.guard_failures += impl_->guard_failures.get();
  f.cold.fallbacks += impl_->guard_failures.get() + impl_->forced.get();
}

SnapshotView FrameReader::Impl::permuted(SnapshotView at) {
  const auto& slots = frame->options.slots;
  if (slots.empty()) return at;
  function.clear();
  for (SlotIndex k = 0; k < slots.size(); ++k)
    if (at.has(slots[k])) function.set(k, at.raw(slots[k]));
  return function;
}

Cache::Answer FrameReader::lookup(SnapshotView at) {
  Impl& me = *impl_;
  LayeredFrame::Impl& f = *me.frame;
  if (f.options.cache.mode == CacheMode::force_eager) {
    me.forced.add();
    return {};
  }
  if (f.options.guards && f.options.guards->check(at) != kPass) {
    me.guard_failures.add();
    return {};
  }
  const bool global = me.global.has_value();
  const SnapshotView function_at = global ? me.permuted(at) : at;
  if (global) {
    if (Cache::Answer a = me.global->try_hit(function_at); a.entry() != nullptr) {
      me.global_hits.add();
      if (!f.served.load(std::memory_order_relaxed)) f.served.store(true, std::memory_order_relaxed);
      return a;
    }
  }
  if (Cache::Answer a = me.own->try_hit(at); a.entry() != nullptr) {
    me.frame_hits.add();
    return a;
  }
  return me.miss(at, function_at);
}

Cache::Answer FrameReader::Impl::miss(SnapshotView at, SnapshotView function_at) {
  LayeredFrame::Impl& f = *frame;
  CacheDomain::Impl& d = *f.domain;
  const CacheMode mode = f.options.cache.mode;
  const bool first = !f.served.load(std::memory_order_relaxed);
  if (mode == CacheMode::run_only || (mode == CacheMode::eager_on_recompile && !first))
    return counted(Cache::answer(Outcome::fallback, "the mode forbids compiling"), false);
  if (mode == CacheMode::fail_on_recompile && !first)
    return counted(Cache::answer(Outcome::error, "recompile forbidden by the mode: no entry serves this call"), false);

  const std::string& owner = f.options.owner;
  const bool falls_back = d.options.on_limit == OnLimit::fallback;
  bool limited = false, reserved = false;
  std::size_t bytes = 0;
  // The frame's handler, within the limits.
  const auto ask = [&](const Miss& m) -> FrameAnswer {
    std::string why;
    if (falls_back) {
      if (!d.ledger.reserve(owner, 0, why)) return limited = true, FrameAnswer{MissAnswer::fall_back(why)};
      d.ledger.release(owner, 0);  // it is taken when the size is known
    }
    const std::shared_ptr<const EntrySet> global_set = f.global != nullptr ? f.global->cache.entries() : nullptr;
    FrameAnswer fa = f.handler->miss({{m.inputs, m.entries, m.sightings, first}, function_at, global_set.get()});
    if (!inserts(fa.answer)) return fa;
    if (f.global == nullptr) fa.layer = Layer::frame;
    NewEntry& e = fa.answer.entry;
    if (f.options.share && e.artifact && !e.artifact->fingerprint.empty()) {
      ArtifactRef known = f.face->keep_artifact(e.artifact);
      if (known != e.artifact) e.artifact = std::move(known), fa.answer.kind = MissAnswer::Kind::shared;
    }
    bytes = arriving(e);
    if (falls_back && !d.ledger.reserve(owner, bytes, why))
      return limited = true, FrameAnswer{MissAnswer::fall_back(why)};
    reserved = falls_back;
    return fa;
  };

  Cache::Answer result;
  detail::LayerCache* where = f.own.get();
  if (!global) {
    Asking handler([&](const Miss& m) { return ask(m).answer; });
    result = own->lookup(at, handler);
  } else {
    Cache::Answer from_own;
    bool had_turn = false, in_own = true;
    Asking outer([&](const Miss&) {
      had_turn = true;
      MissAnswer for_global = MissAnswer::fall_back("answered by the frame's own layer");
      Asking inner([&](const Miss& m) {
        FrameAnswer fa = ask(m);
        if (fa.layer == Layer::frame) return std::move(fa.answer);
        in_own = false;
        for_global = std::move(fa.answer);
        return MissAnswer::fall_back("answered by the global layer");
      });
      from_own = own->lookup(at, inner);
      return for_global;
    });
    Cache::Answer from_global = global->lookup(function_at, outer);
    // Without the turn (busy, or somebody else's entry served) the global layer's answer stands.
    if (from_own.entry() != nullptr || (had_turn && in_own && from_global.outcome() == Outcome::fallback)) {
      result = std::move(from_own);
    } else {
      result = std::move(from_global);
      where = f.global;
    }
  }
  if (reserved) d.ledger.release(owner, bytes);
  if (result.outcome() == Outcome::compiled || result.outcome() == Outcome::shared) {
    const EntryId id = result.entry()->id;
    d.ledger.assign(where, id, owner);
    if (!falls_back) d.enforce(owner, *where, id);
  }
  return counted(std::move(result), limited);
}

Cache::Answer FrameReader::Impl::counted(Cache::Answer answer, bool limit) {
  LayeredFrame::Impl& f = *frame;
  const std::lock_guard lock(f.mutex);
  FrameStatistics& s = f.cold;
  switch (answer.outcome()) {
    case Outcome::hit:  // another thread's entry
      ++s.global_hits;
      break;
    case Outcome::compiled:
      ++s.compiles;
      if (f.served.load(std::memory_order_relaxed)) ++s.recompiles;
      break;
    case Outcome::shared:
      ++s.shared;
      break;
    case Outcome::fallback:
      ++s.fallbacks;
      s.limit_fallbacks += limit ? 1 : 0;
      break;
    case Outcome::rejected:
      ++s.rejected;
      break;
    case Outcome::error:
      ++s.errors;
      break;
  }
  if (answer.entry() != nullptr) f.served.store(true, std::memory_order_relaxed);
  return answer;
}

}  // namespace dimgate
