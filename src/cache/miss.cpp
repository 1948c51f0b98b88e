// The cold path of a lookup: one handler call at a time, everybody else waits or falls back.
#include <algorithm>
#include <chrono>

#include "cache/impl.hpp"

namespace dimgate {

namespace {

/// Hash of a key; 0 is kept for "no inputs".
std::uint64_t hash_of(const std::string& key) { return std::max<std::uint64_t>(std::hash<std::string>{}(key), 1); }

}  // namespace

bool Cache::Impl::is_full() const {
  const EntrySet& now = *table.set();
  if (now.entries.size() >= options.max_entries) return true;
  if (options.max_bytes == SIZE_MAX || now.entries.empty()) return false;
  const std::size_t bytes = table.bytes();  // as if the next entry were as large as the mean
  return bytes + bytes / now.entries.size() > options.max_bytes;
}

bool Cache::Impl::make_room(const NewEntry& incoming, std::uint64_t now, MissHandler& by,
                            std::vector<EntryId>& victims) {
  const EntrySet& present = *table.set();
  if (options.max_bytes == SIZE_MAX && present.entries.size() < options.max_entries) return true;
  // As if what retires were gone already.
  const auto stays = [&](const EntryRef& e) {
    return std::ranges::find(incoming.retires, e->id) == incoming.retires.end() &&
           std::ranges::find(victims, e->id) == victims.end();
  };
  const std::size_t arriving = incoming.program.bytes() + (incoming.artifact ? incoming.artifact->bytes : 0);
  for (;;) {
    EntrySet left;
    left.version = present.version;
    for (const EntryRef& e : present.entries)
      if (stays(e)) left.entries.push_back(e);
    std::size_t bytes = arriving;
    if (options.max_bytes != SIZE_MAX)
      for (const EntryRef& e : left.entries) bytes += e->bytes() + (e->artifact ? e->artifact->bytes : 0);
    if (left.entries.size() < options.max_entries && bytes <= options.max_bytes) return true;
    if (options.on_limit == OnLimit::fallback || left.entries.empty()) return false;
    const std::optional<EntryId> victim =
        options.eviction ? options.eviction->victim(left, incoming, now) : by.victim(left, incoming);
    if (!victim || left.find(*victim) == nullptr) return false;
    victims.push_back(*victim);
  }
}

std::optional<std::string> Cache::Impl::adopt(const Program& program) {
  const auto slots = program.slots();
  const auto theirs = program.slot_marks();
  for (std::size_t k = 0; k < theirs.size(); ++k)
    if (slots[k] < marks.size() && marks[slots[k]] != 0 && marks[slots[k]] != theirs[k])
      return "a program of another layout: slot " + std::to_string(slots[k]) +
             " stands for another source in it than in this cache's other programs";
  for (std::size_t k = 0; k < theirs.size(); ++k) {
    if (slots[k] >= marks.size()) marks.resize(slots[k] + 1, 0);
    marks[slots[k]] = theirs[k];
  }
  return std::nullopt;
}

const std::string* Cache::Impl::broken_fact(SnapshotView at) const {
  for (const DeclaredFacts& f : facts)
    if (const std::int32_t failed = f.program.check(at); failed != kPass)
      return &f.texts[static_cast<std::size_t>(failed)];
  return nullptr;
}

void Cache::Impl::learn(DeclaredFacts&& more) {
  if (more.program.guard_count() != more.texts.size() || more.texts.empty()) return;
  if (std::ranges::find(facts, more.texts, &DeclaredFacts::texts) == facts.end()) facts.push_back(std::move(more));
}

Cache::Answer Cache::Impl::look(CacheReader& reader, SnapshotView at) {
  CacheReader::Impl& me = *reader.impl_;
  Answer found;
  const EntrySet& set = *table.set();
  const std::int32_t rank = set.dispatch.find(at);
  if (rank < 0) return found;
  me.enter();
  found.pinned_ = &reader;
  found.entry_ = set.entries[static_cast<std::size_t>(rank)].get();
  found.entry_->hits.fetch_add(1, std::memory_order_relaxed);
  found.entry_->last_hit.store(me.clock, std::memory_order_relaxed);
  me.hits.add();
  found.outcome_ = Outcome::hit;
  return found;
}

std::uint64_t Cache::Impl::hits_so_far() const {
  std::uint64_t n = counts.hits;
  for (const CacheReader::Impl* r : readers) n += r->hits.get();
  return n;
}

Cache::Answer Cache::Impl::told(MissRecord& record, Answer answer) {
  if (!options.observer) return answer;
  record.outcome = answer.outcome();
  record.made = answer.entry();
  record.reason = answer.reason();
  record.hits = hits_so_far();
  options.observer->missed(record);
  return answer;
}

std::optional<Cache::Answer> Cache::Impl::without_handler(const std::string& key, std::uint64_t inputs,
                                                          std::uint64_t now) {
  const bool first = table.inserted() == 0;
  if (options.mode == CacheMode::run_only || (options.mode == CacheMode::eager_on_recompile && !first)) {
    ++counts.fallbacks;
    return plain(Outcome::fallback, "the mode forbids compiling");
  }
  if (options.mode == CacheMode::fail_on_recompile && !first) {
    ++counts.errors;
    return plain(Outcome::error, "recompile forbidden by the mode: no entry serves this call");
  }
  if (table.set()->entries.size() >= options.max_entries && options.on_limit == OnLimit::fallback) {
    ++counts.fallbacks;
    ++counts.limit_fallbacks;
    return plain(Outcome::fallback, "limit of " + std::to_string(options.max_entries) + " entries reached");
  }
  const std::uint64_t seen = ++sightings.at(key);
  const bool waits = seen < options.admit_at_sighting;
  if (waits || (options.eviction && is_full() && !options.eviction->admit(inputs, *table.set(), now))) {
    ++counts.fallbacks;
    ++counts.admission_fallbacks;
    return plain(Outcome::fallback, waits ? "seen " + std::to_string(seen) + " of " +
                                                std::to_string(options.admit_at_sighting) + " times: runs eagerly"
                                          : "not worth the entry that would have to go");
  }
  return std::nullopt;
}

Cache::Answer Cache::Impl::miss(CacheReader& reader, SnapshotView at, MissHandler& by) {
  CacheReader::Impl& me = *reader.impl_;
  const std::string key = detail::key_of(at);
  const std::uint64_t inputs = hash_of(key);
  MissAnswer answer;  // what of it does not go into the table is destroyed without the lock, too
  Writing writing(*this);
  std::unique_lock<std::mutex>& lock = writing.lock;
  ++counts.misses;
  clock = me.clock = std::max(clock, me.clock);
  for (bool waited = false;;) {
    // Somebody may have served it since the lookup without the lock.
    if (Answer found = look(reader, at); found.entry() != nullptr) return found;
    if (const std::string* fact = broken_fact(at)) {
      ++counts.fallbacks;
      ++counts.precondition_failures;
      return plain(Outcome::fallback, "the call breaks the declared fact " + *fact);
    }
    if (const std::string* why = rejections.find(key)) {
      ++counts.rejected;
      return plain(Outcome::rejected, *why);
    }
    if (!compiling) break;
    if (compiler == std::this_thread::get_id()) {
      ++counts.errors;
      return plain(Outcome::error, "the miss handler looked up its own cache for inputs that no entry serves");
    }
    if (options.on_busy == OnBusy::fallback) {
      ++counts.fallbacks;
      return plain(Outcome::fallback, "another thread is compiling");
    }
    if (!waited) ++counts.waits, waited = true;
    idle.wait(lock, [this] { return !compiling; });
  }
  const std::shared_ptr<const EntrySet>& set = writing.set = table.set();
  MissRecord record{.clock = clock, .inputs = at, .entries = set.get(), .first = table.inserted() == 0};
  if (options.observer && options.observer->wants_nearest())
    record.nearest = nearest_entries(*set, at, MissRecord::kNearest);
  if (options.eviction) options.eviction->missed(inputs, *set, is_full(), clock);
  if (auto plainly = without_handler(key, inputs, clock)) return told(record, *std::move(plainly));
  const std::uint64_t* seen = sightings.find(key);
  compiling = true;
  compiler = std::this_thread::get_id();
  // Whatever the handler does (it may throw), the next thread gets its turn.
  struct Turn {
    Cache::Impl& cache;
    std::unique_lock<std::mutex>& lock;
    ~Turn() {
      if (!lock.owns_lock()) lock.lock();
      cache.compiling = false;
      cache.idle.notify_all();
    }
  } turn{*this, lock};
  const Miss miss{at, *set, seen != nullptr ? *seen : 1, record.first};
  lock.unlock();
  const auto start = std::chrono::steady_clock::now();
  answer = by.miss(miss);
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  lock.lock();
  return told(record, settle(reader, at, by, answer, key, inputs, writing));
}

Cache::Answer Cache::Impl::settle(CacheReader& reader, SnapshotView at, MissHandler& by, MissAnswer& answer,
                                  const std::string& key, std::uint64_t inputs, Writing& writing) {
  using Kind = MissAnswer::Kind;
  switch (answer.kind) {
    case Kind::fallback:
      ++counts.fallbacks;
      return plain(Outcome::fallback, std::move(answer.reason));
    case Kind::failed:
      ++counts.errors;
      return plain(Outcome::error, std::move(answer.reason));
    case Kind::reject:
      ++counts.traces;
      ++counts.rejected;
      sightings.erase(key);
      rejections.at(key) = answer.reason;
      return plain(Outcome::rejected, std::move(answer.reason));
    case Kind::compiled:
    case Kind::shared:
      break;
  }
  ++counts.traces;
  sightings.erase(key);
  NewEntry& e = answer.entry;
  if (auto foreign = adopt(e.program)) {
    ++counts.errors;
    return plain(Outcome::error, *std::move(foreign));
  }
  if (const std::int32_t failed = e.program.check(at); failed != kPass) {
    ++counts.errors;
    const auto g = static_cast<std::size_t>(failed);
    std::string text = "guard " + std::to_string(failed);
    if (g < e.guard_texts.size()) text += " `" + e.guard_texts[g] + "`";
    return plain(Outcome::error, "the new entry does not accept the inputs it was made for: " + text + " is not true");
  }
  CacheReader::Impl& me = *reader.impl_;
  std::vector<EntryId> victims;
  if (!make_room(e, me.clock, by, victims)) {
    ++counts.fallbacks;
    ++counts.limit_fallbacks;
    return plain(Outcome::fallback, "the limit leaves no room for the new entry");
  }
  const bool first = table.inserted() == 0;
  const std::shared_ptr<const EntrySet> before = table.set();
  if (!victims.empty()) {
    counts.evictions += victims.size();
    change(nullptr, victims, CacheEvent::Kind::evict, "limit reached");
  }
  const std::vector<EntryId> retires = std::move(e.retires);
  const EntryId id = change(&e, retires, CacheEvent::Kind::retire, "joined into or covered by the new entry", inputs);
  if (answer.kind == Kind::compiled) {
    ++counts.compiles;
    if (!first) ++counts.recompiles;
  } else {
    ++counts.shared;
  }
  // Pinned before it can be seen by anyone who might take it out again.
  me.enter();
  Answer a;
  a.pinned_ = &reader;
  a.entry_ = table.set()->find(id);
  a.outcome_ = answer.kind == Kind::compiled ? Outcome::compiled : Outcome::shared;
  publish(before, writing);
  return a;
}

}  // namespace dimgate
