// How a bounded cache is asked for, and the cache options that this means.
#include <algorithm>
#include <array>
#include <charconv>

#include "dimgate/eviction.hpp"
#include "dimgate/policy.hpp"

namespace dimgate {

namespace {

using Full = EntryLimit::Full;

constexpr std::array<std::pair<std::string_view, Full>, 6> kFullNames = {{{"fallback", Full::fallback},
                                                                          {"fifo", Full::fifo},
                                                                          {"lru", Full::lru},
                                                                          {"frequency", Full::frequency},
                                                                          {"benefit", Full::benefit},
                                                                          {"bypass", Full::bypass}}};

std::shared_ptr<Eviction> benefit_of(const Costs& costs, std::string_view policy, bool bypass) {
  BenefitOptions options;
  options.bypass = bypass;
  options.compile = costs.compile_for(policy).value_or(options.compile);
  options.run = costs.run_for(policy).value_or(options.run);
  options.eager = costs.eager.value_or(options.eager);
  return make_benefit(std::move(options));
}

}  // namespace

void EntryLimit::apply(const Costs& costs, std::string_view policy, CacheOptions& options) const {
  options.max_entries = entries;
  options.on_limit = full == Full::fallback ? OnLimit::fallback : OnLimit::evict;
  switch (full) {
    case Full::fallback:
      break;
    case Full::fifo:
      options.eviction = make_fifo();
      break;
    case Full::lru:
      options.eviction = make_lru();
      break;
    case Full::frequency:
      options.eviction = make_frequency();
      break;
    case Full::benefit:
    case Full::bypass:
      options.eviction = benefit_of(costs, policy, full == Full::bypass);
      break;
  }
}

std::string EntryLimit::text() const {
  const auto it = std::ranges::find(kFullNames, full, &std::pair<std::string_view, Full>::second);
  return std::to_string(entries) + ":" + std::string(it->first);
}

Result<EntryLimit> parse_entry_limit(std::string_view text) {
  const auto bad = [&](const std::string& why) {
    return Error{"--entries '" + std::string(text) + "': " + why +
                 "; expected a number of entries, 1 or more, and what happens at the limit: 8, 8:fallback, 8:fifo, "
                 "8:lru, 8:frequency, 8:benefit or 8:bypass"};
  };
  EntryLimit limit;
  const std::size_t colon = text.find(':');
  const std::string_view number = text.substr(0, colon);
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), limit.entries);
  if (error != std::errc{} || end != number.data() + number.size() || limit.entries == 0)
    return bad("no number of entries");
  if (colon == std::string_view::npos) return limit;
  const std::string_view name = text.substr(colon + 1);
  for (const auto& [known, full] : kFullNames)
    if (known == name) {
      limit.full = full;
      return limit;
    }
  return bad("nothing is called '" + std::string(name) + "'");
}

}  // namespace dimgate
