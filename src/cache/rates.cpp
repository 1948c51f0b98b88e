#include "cache/rates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dimgate::detail {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();
constexpr std::size_t kSlack = 64;  // ghosts above the limit before they are looked through

/// log2(2^a + 2^b).
double log_sum(double a, double b) {
  const double most = std::max(a, b), least = std::min(a, b);
  return least == kNever ? most : most + std::log2(1 + std::exp2(least - most));
}

/// log2 of the sum of 2^(-i*gap/h) for i < count.
double log_series(std::uint64_t count, double gap, double h) {
  if (count == 1) return 0;
  const double r = std::exp2(-gap / h);
  const auto n = static_cast<double>(count);
  return std::log2(1 - r < 1e-12 ? n : (1 - std::pow(r, n)) / (1 - r));
}

}  // namespace

Rates::Rates(Options options) : options_(std::move(options)), shadows_(options_.half_lives.size()) {
  best_ = shadows_.size() / 2;  // until the directories tell more
}

Rates::Object& Rates::object(std::uint64_t id) {
  const auto [it, fresh] = objects_.try_emplace(id);
  Object& o = it->second;
  if (fresh) {
    o.id = id;
    o.weight.assign(shadows_.size(), kNever);
    o.place.assign(shadows_.size(), kOut);
    o.age = ages_.insert(ages_.end(), id);
  }
  return o;
}

void Rates::set_capacity(std::size_t objects) {
  capacity_ = std::max<std::size_t>(objects, 1);
  for (std::size_t k = 0; k < shadows_.size(); ++k)
    while (shadows_[k].residents.size() > capacity_) leave(k, *least(k));
}

Rates::Object* Rates::least(std::size_t k) const {
  const auto& all = shadows_[k].residents;
  return *std::ranges::min_element(all, {}, [k](const Object* o) { return o->weight[k] + o->log_saving; });
}

void Rates::leave(std::size_t k, Object& o) {
  auto& all = shadows_[k].residents;
  all[o.place[k]] = all.back();
  all[o.place[k]]->place[k] = o.place[k];
  all.pop_back();
  o.place[k] = kOut;
  --o.shadows;
}

bool Rates::enter(std::size_t k, Object& o) {
  auto& all = shadows_[k].residents;
  if (all.size() >= capacity_) {
    Object& goes = *least(k);
    if (options_.bypass && goes.weight[k] + goes.log_saving >= o.weight[k] + o.log_saving) return false;
    leave(k, goes);
  }
  o.place[k] = static_cast<std::uint32_t>(all.size());
  all.push_back(&o);
  ++o.shadows;
  return true;
}

void Rates::called(std::uint64_t id, std::uint64_t count, std::uint64_t last, double saving) {
  if (count == 0) return;
  Object& o = object(id);
  o.log_saving = saving > 0 ? std::log2(saving) : -1e9;
  const auto n = static_cast<double>(count);
  const auto span = static_cast<double>(last > o.last ? last - o.last : 0);
  const double fade = std::exp2(-n / options_.memory);
  for (std::size_t k = 0; k < shadows_.size(); ++k) {
    const double h = options_.half_lives[k];
    o.weight[k] = log_sum(o.weight[k], log_series(count, span / n, h) + static_cast<double>(last) / h);
    Shadow& shadow = shadows_[k];
    const bool inside = o.place[k] != kOut;
    shadow.saved *= fade;
    if (inside)
      shadow.saved += n * saving;
    else if (enter(k, o))
      shadow.saved += (n - 1) * saving;
  }
  o.last = std::max(o.last, last);
  ages_.splice(ages_.end(), ages_, o.age);
  choose(saving);
  forget();
}

void Rates::choose(double saving) {
  std::size_t most = best_;
  for (std::size_t k = 0; k < shadows_.size(); ++k)
    if (shadows_[k].saved > shadows_[most].saved) most = k;
  if (shadows_[most].saved > shadows_[best_].saved + saving / 2) best_ = most;
}

void Rates::hold(std::uint64_t id, bool held) {
  Object& o = object(id);
  if (held)
    ++o.holds;
  else if (o.holds > 0)
    --o.holds;
}

void Rates::forget() {
  const std::size_t most = 4 * capacity_ + options_.ghosts;
  if (objects_.size() <= most + kSlack) return;
  for (auto it = ages_.begin(); it != ages_.end() && objects_.size() > most;) {
    const auto found = objects_.find(*it);
    if (found->second.holds > 0 || found->second.shadows > 0) {
      ++it;
      continue;
    }
    objects_.erase(found);
    it = ages_.erase(it);
  }
}

double Rates::log_rate(std::uint64_t id, std::uint64_t clock) const {
  const auto it = objects_.find(id);
  if (it == objects_.end()) return kNever;
  const double h = half_life();
  const auto now = static_cast<double>(std::max(clock, it->second.last));
  return it->second.weight[best_] - now / h + std::log2(1 - std::exp2(-1 / h));
}

}  // namespace dimgate::detail
