// Hits, misses and cost of checks by kind of guard, and their chart.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "report/blocks.hpp"

namespace dimgate::report {

struct KindUse {
  std::uint64_t hits = 0;    // calls served by an entry with such a guard
  std::uint64_t misses = 0;  // calls that no entry accepted, where such a guard of the nearest failed
  double cost = 0;           // of such guards over the hits, in units of one simple test
};
struct HitsByKind {
  std::map<std::string, KindUse> kinds;
  std::uint64_t calls = 0, hits = 0, misses = 0, before_any = 0;  // before_any: no entry was there yet
  std::uint64_t without_guard = 0;                                // hits of an entry that has no guard
};

/// Bars and the table behind them; `whose` begins the table's caption.
Json hits_chart(const HitsByKind& use, const std::string& whose);

}  // namespace dimgate::report
