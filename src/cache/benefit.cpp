// The cost model, over rates.hpp.
#include <algorithm>
#include <cmath>
#include <mutex>
#include <tuple>
#include <unordered_map>

#include "cache/rates.hpp"
#include "dimgate/eviction.hpp"

namespace dimgate {

namespace {

using detail::Rates;

/// What makes two entries the same when one comes back: artifact and guards, else the inputs it was made for.
std::uint64_t identity_of(const Entry& e) {
  if (!e.artifact || e.artifact->fingerprint.empty()) return e.made_for != 0 ? e.made_for : ~e.id;
  std::string whole = e.artifact->fingerprint;
  for (const std::string& g : e.guard_texts) whole += '\0' + g;
  return std::hash<std::string>{}(whole);
}

class Benefit final : public BenefitEviction {
 public:
  explicit Benefit(BenefitOptions options)
      : options_(std::move(options)),
        rates_({options_.half_lives, options_.memory, options_.ghosts, options_.bypass}) {}

  void missed(std::uint64_t inputs, const EntrySet& set, bool full, std::uint64_t clock) override {
    const std::lock_guard lock(mutex_);
    rates_.set_capacity(set.entries.size() + (full ? 0 : 1));
    std::vector<std::tuple<std::uint64_t, EntryId, const Entry*>> called;  // in the order of their latest calls
    for (const EntryRef& e : set.entries)
      called.emplace_back(e->last_hit.load(std::memory_order_relaxed), e->id, e.get());
    std::ranges::sort(called);
    for (const auto& [last, id, entry] : called) catch_up(*entry, saving(*entry, set));
    rates_.called(inputs, 1, clock, usual_saving());
  }

  bool admit(std::uint64_t inputs, const EntrySet& set, std::uint64_t clock) override {
    if (!options_.bypass) return true;
    const std::lock_guard lock(mutex_);
    const double worth = rates_.log_rate(inputs, clock) + std::log2(usual_saving());
    return std::ranges::any_of(worths(set, clock), [&](const Worth& w) { return w.negative < 0 || w.log < worth; });
  }

  std::optional<EntryId> victim(const EntrySet& set, const NewEntry&, std::uint64_t clock) override {
    const std::lock_guard lock(mutex_);
    const std::vector<Worth> all = worths(set, clock);
    if (all.empty()) return std::nullopt;
    return std::ranges::min_element(all, {}, [](const Worth& w) { return std::tuple(w.negative, w.log, w.id); })->id;
  }

  void inserted(const Entry& e) override {
    const std::lock_guard lock(mutex_);
    const std::uint64_t identity = identity_of(e);
    entries_[e.id] = {identity, 0, 0, std::nullopt};
    rates_.hold(identity, true);
    if (identity != e.made_for && e.made_for != 0) rates_.called(identity, 1, e.inserted_at, usual_saving());
  }

  void removed(const Entry& e) override {
    const std::lock_guard lock(mutex_);
    const auto it = entries_.find(e.id);
    if (it == entries_.end()) return;
    catch_up(e, usual_saving());
    rates_.hold(it->second.identity, false);
    entries_.erase(it);
  }

  double benefit(const Entry& e, const EntrySet& set, std::uint64_t clock) override {
    const std::lock_guard lock(mutex_);
    for (const EntryRef& other : set.entries) catch_up(*other, saving(*other, set));
    for (const Worth& w : worths(set, clock))
      if (w.id == e.id) return w.benefit;
    return 0;
  }

  void measured_run(EntryId id, double seconds) override {
    const std::lock_guard lock(mutex_);
    const auto it = entries_.find(id);
    if (it == entries_.end() || !(seconds >= 0)) return;
    Known& k = it->second;
    ++k.reports;
    const double share = std::max(1.0 / static_cast<double>(k.reports), 0.05);
    k.run = k.run ? *k.run + share * (seconds - *k.run) : seconds;
  }

  double rate(const Entry& e, std::uint64_t clock) override {
    const std::lock_guard lock(mutex_);
    const auto it = entries_.find(e.id);
    if (it == entries_.end()) return 0;
    catch_up(e, usual_saving());
    return std::exp2(rates_.log_rate(it->second.identity, clock));
  }

  [[nodiscard]] double half_life() const override {
    const std::lock_guard lock(mutex_);
    return rates_.half_life();
  }

 private:
  struct Known {
    std::uint64_t identity = 0;
    std::uint64_t hits = 0;  // of the entry's counter, taken into account
    std::uint64_t reports = 0;
    std::optional<double> run;  // measured
  };
  struct Worth {
    EntryId id;
    double benefit;   // seconds saved a call
    double negative;  // benefit where below 0, else 0
    double log;       // log2(benefit) where above 0, else of the part before checks: precise for tiny rates
  };

  [[nodiscard]] double run_of(const Entry& e) const {
    const auto it = entries_.find(e.id);
    if (it != entries_.end() && it->second.run) return *it->second.run;
    return e.costs.run.value_or(options_.run);
  }
  [[nodiscard]] double check_of(const Entry& e) const {
    return e.costs.check.value_or(options_.check_per_guard * static_cast<double>(e.program.guard_count()));
  }
  [[nodiscard]] double usual_saving() const {
    return std::max(std::min(options_.eager, options_.compile + options_.run) - options_.run, 1e-12);
  }
  /// Cost of what would serve the entry's calls without it, less its own.
  [[nodiscard]] double saving(const Entry& e, const EntrySet& set) const {
    const double run = run_of(e);
    double other = std::min(options_.eager, e.costs.compile.value_or(options_.compile) + run);
    for (const EntryId outer : e.inside)
      if (const Entry* o = set.find(outer)) other = std::min(other, run_of(*o));
    return other - run;
  }

  void catch_up(const Entry& e, double saves) {
    const auto it = entries_.find(e.id);
    if (it == entries_.end()) return;
    const std::uint64_t hits = e.hits.load(std::memory_order_relaxed);
    const std::uint64_t fresh = hits - it->second.hits;
    it->second.hits = hits;
    rates_.called(it->second.identity, fresh, e.last_hit.load(std::memory_order_relaxed), saves);
  }

  [[nodiscard]] std::vector<Worth> worths(const EntrySet& set, std::uint64_t clock) const {
    std::vector<Worth> out;
    double reach = 1;  // share of calls that no entry before this one served
    for (const EntryRef& e : set.entries) {
      const auto known = entries_.find(e->id);
      if (known == entries_.end()) continue;
      const double log_rate = rates_.log_rate(known->second.identity, clock);
      const double own = std::exp2(log_rate), saves = saving(*e, set), check = check_of(*e);
      // Entries that only pin slots are found by hashing: other calls do not try them.
      const double others = e->program.is_exact() ? 0 : std::max(reach - own, 0.0);
      const double net = saves - check;  // of a call that it serves
      const double benefit = own * net - others * check;
      const double log =
          net > 0 ? log_rate + std::log2(net) + (benefit > 0 && own > 0 ? std::log2(benefit / (own * net)) : 0)
                  : log_rate;
      out.push_back({e->id, benefit, std::min(net > 0 || own > 0 ? benefit : net, 0.0), log});
      reach = std::max(reach - own, 0.0);
    }
    return out;
  }

  BenefitOptions options_;
  mutable std::mutex mutex_;  // the front end reports while the cache asks
  Rates rates_;
  std::unordered_map<EntryId, Known> entries_;
};

}  // namespace

std::shared_ptr<BenefitEviction> make_benefit(BenefitOptions options) {
  if (options.half_lives.empty()) options.half_lives = {1};
  for (double& h : options.half_lives) h = std::max(h, 1.0);
  return std::make_shared<Benefit>(std::move(options));
}

}  // namespace dimgate
