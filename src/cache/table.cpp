#include "cache/table.hpp"

#include <algorithm>
#include <queue>

#include "dimgate/observe.hpp"

namespace dimgate {

const Entry* EntrySet::find(EntryId id) const noexcept {
  // From behind: the newest are asked for most, and stand last unless they are inside others.
  const auto it = std::find_if(entries.rbegin(), entries.rend(), [id](const EntryRef& e) { return e->id == id; });
  return it == entries.rend() ? nullptr : it->get();
}

std::size_t Entry::bytes() const noexcept {
  std::size_t n = sizeof *this + program.bytes() + label.capacity();
  for (const std::string& t : guard_texts) n += sizeof(std::string) + t.capacity();
  for (const std::string& t : guard_kinds) n += sizeof(std::string) + t.capacity();
  n += binding.capacity() * sizeof(SlotIndex) + (asserts ? sizeof *asserts + asserts->program.bytes() : 0);
  return n;
}

}  // namespace dimgate

namespace dimgate::detail {

std::size_t Table::bytes() const {
  std::size_t n = set_->dispatch.bytes() + set_->entries.capacity() * sizeof(EntryRef);
  std::set<const Artifact*> artifacts;
  for (const EntryRef& e : set_->entries) {
    n += e->bytes();
    if (e->artifact && artifacts.insert(e->artifact.get()).second)
      n += sizeof(Artifact) + e->artifact->bytes + e->artifact->fingerprint.capacity();
  }
  return n;
}

void Table::log(CacheEvent::Kind kind, const Entry& entry, std::string reason) {
  const CacheEvent event{kind, set_->version + 1, entry.id, std::move(reason)};
  if (options_.on_event) options_.on_event(event);
  if (options_.observer) options_.observer->changed(event, entry);
  if (options_.max_events == 0) return;
  events_.push_back(event);
  if (events_.size() > options_.max_events) events_.pop_front();
}

void Table::forget(EntryId id) {
  inside_.erase(id);
  for (auto& [other, outer] : inside_) outer.erase(id);
}

// Kahn's algorithm, always taking the oldest entry that no unplaced one must precede.
std::vector<EntryRef> Table::ordered(std::vector<EntryRef> entries) const {
  if (inside_.empty()) return entries;
  std::map<EntryId, std::size_t> place;
  for (std::size_t i = 0; i < entries.size(); ++i) place.emplace(entries[i]->id, i);
  std::vector<std::size_t> waits(entries.size(), 0);
  for (const auto& [inner, outer] : inside_)
    for (const EntryId o : outer) ++waits[place.at(o)];
  std::priority_queue<EntryId, std::vector<EntryId>, std::greater<>> ready;
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (waits[i] == 0) ready.push(entries[i]->id);
  std::vector<EntryRef> out;
  out.reserve(entries.size());
  while (!ready.empty()) {
    const EntryId id = ready.top();
    ready.pop();
    out.push_back(std::move(entries[place.at(id)]));
    const auto it = inside_.find(id);
    if (it == inside_.end()) continue;
    for (const EntryId o : it->second)
      if (--waits[place.at(o)] == 0) ready.push(o);
  }
  // A cycle would claim strict inclusion both ways: what is in one keeps its age order at the end.
  for (EntryRef& e : entries)
    if (e) out.push_back(std::move(e));
  return out;
}

EntryId Table::change(NewEntry* entry, std::span<const EntryId> gone, CacheEvent::Kind why_gone,
                      const std::string& reason, std::uint64_t made_for, std::uint64_t clock) {
  auto next = std::make_shared<EntrySet>();
  next->version = set_->version + 1;
  std::vector<EntryRef> entries = set_->entries;
  bool same_prefix = true;
  for (const EntryId id : gone) {
    const auto it = std::ranges::find_if(entries, [id](const EntryRef& e) { return e->id == id; });
    if (it == entries.end()) continue;
    forget(id);
    log(why_gone, **it, reason);
    entries.erase(it);
    same_prefix = false;
  }
  EntryId id = 0;
  if (entry != nullptr) {
    const auto present = [&](EntryId e) {
      return std::ranges::any_of(entries, [e](const EntryRef& r) { return r->id == e; });
    };
    id = next_id_++;
    std::set<EntryId> outer;
    for (const EntryId o : entry->inside) {
      if (!present(o)) continue;
      outer.insert(o);
      if (const auto it = inside_.find(o); it != inside_.end()) outer.insert(it->second.begin(), it->second.end());
    }
    for (const EntryId i : entry->contains) {
      if (!present(i)) continue;
      inside_[i].insert(id);
      inside_[i].insert(outer.begin(), outer.end());
      for (auto& [inner, its_outer] : inside_)
        if (its_outer.contains(i)) its_outer.insert(id), its_outer.insert(outer.begin(), outer.end());
    }
    same_prefix = same_prefix && outer.empty();  // otherwise it goes before someone
    auto made = std::make_shared<Entry>();
    made->inside.assign(outer.begin(), outer.end());
    if (!outer.empty()) inside_[id] = std::move(outer);
    made->id = id;
    made->program = std::move(entry->program);
    made->artifact = std::move(entry->artifact);
    made->label = std::move(entry->label);
    made->guard_texts = std::move(entry->guard_texts);
    made->version = next->version;
    made->guard_kinds = std::move(entry->guard_kinds);
    made->costs = entry->costs;
    made->asserts = std::move(entry->asserts);
    made->binding = std::move(entry->binding);
    made->made_for = made_for;
    made->inserted_at = clock;
    made->last_hit.store(clock, std::memory_order_relaxed);
    log(CacheEvent::Kind::insert, *made, made->label);
    entries.push_back(std::move(made));
  }
  if (same_prefix && id != 0) {
    // The new entry is the youngest and precedes nobody: it goes last, and the rest keeps its order.
    next->entries = std::move(entries);
    next->dispatch = set_->dispatch;
    next->dispatch.append(next->entries.back()->program);
  } else {
    std::ranges::sort(entries, {}, [](const EntryRef& e) { return e->id; });
    next->entries = ordered(std::move(entries));
    for (const EntryRef& e : next->entries) next->dispatch.append(e->program);
  }
  set_ = std::move(next);
  return id;
}

}  // namespace dimgate::detail
