// The order of tests: level by level within the readable-edges, cheap and likely to fail first, tests of one slot in
// runs.
#include <algorithm>

#include "compile/lowering.hpp"

namespace dimgate::lowering {
namespace {

// A range test as it was asked for, before ranges of one slot are put together.
struct RangeTest {
  SlotRange range;
  std::uint32_t test;
};

std::int64_t top(const SlotRange& r) noexcept {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(r.lo) + r.width);
}

// Ranges of one slot as one, each end with the test that asks for it; what it stands for goes to `shadowed`. Ranges
// that contradict each other stay as they are.
void merge_ranges(std::vector<RangeTest>& tests, Draft& out) {
  std::ranges::stable_sort(tests, {}, [](const RangeTest& t) { return t.range.slot; });
  for (std::size_t i = 0; i < tests.size();) {
    std::size_t end = i + 1;
    while (end < tests.size() && tests[end].range.slot == tests[i].range.slot) ++end;
    const RangeTest* lowest = &tests[i];
    const RangeTest* highest = &tests[i];
    for (std::size_t k = i; k < end; ++k) {
      if (tests[k].range.lo > lowest->range.lo) lowest = &tests[k];
      if (top(tests[k].range) < top(highest->range)) highest = &tests[k];
    }
    const SlotIndex slot = tests[i].range.slot;
    const std::int64_t lo = lowest->range.lo, hi = top(highest->range);
    if (lo <= hi) {
      out.ranges.push_back(
          {slot, lowest->test, highest->test, lo, static_cast<std::uint64_t>(hi) - static_cast<std::uint64_t>(lo)});
      if (end - i > 1)
        for (std::size_t k = i; k < end; ++k)
          out.shadowed.push_back({slot, tests[k].test, tests[k].test, tests[k].range.lo, tests[k].range.width});
    } else {
      out.never = true;
      for (std::size_t k = i; k < end; ++k)
        out.ranges.push_back({slot, tests[k].test, tests[k].test, tests[k].range.lo, tests[k].range.width});
    }
    i = end;
  }
}

}  // namespace

void Lowering::open_phase() {
  phase_at_ = out_.code.size();
  emit(Code::Need);
}

// The slots first read in this phase must be there before it starts.
void Lowering::close_phase() {
  Instr& need = out_.code[phase_at_];
  std::ranges::sort(phase_words_);
  need.b = static_cast<std::uint32_t>(out_.needs.size());
  for (const std::uint32_t word : phase_words_) out_.needs.push_back({word, std::exchange(phase_[word], 0)});
  need.c = static_cast<std::uint32_t>(out_.needs.size()) - need.b;
  phase_words_.clear();
  if (!phase_loads_.empty()) {
    const Instr loads{Code::Loads,
                      0,
                      0,
                      static_cast<std::uint32_t>(out_.loads.size()),
                      static_cast<std::uint32_t>(phase_loads_.size()),
                      0};
    out_.code.insert(out_.code.begin() + static_cast<std::ptrdiff_t>(loads_at_), loads);
    shift_labels(loads_at_, 1);
    out_.loads.insert(out_.loads.end(), phase_loads_.begin(), phase_loads_.end());
    phase_loads_.clear();
  }
  if (out_.code[phase_at_].c == 0) {
    out_.code.erase(out_.code.begin() + static_cast<std::ptrdiff_t>(phase_at_));
    shift_labels(phase_at_ + 1, -1);
  }
}

/// Bound labels at or behind `from` move with the code.
void Lowering::shift_labels(std::size_t from, int by) {
  for (std::uint32_t& l : labels_)
    if (l >= from && l != 0) l = static_cast<std::uint32_t>(static_cast<std::int64_t>(l) + by);
}

void Lowering::note_pair(const SlotPair& pair, std::uint32_t test) {
  const SlotIndex l = slot_of(pair.left), r = slot_of(pair.right);
  out_.pairs.push_back({l, r, test});
}

void Lowering::lower_tests() {
  struct General {
    std::uint32_t test;
    std::uint32_t level;
    double cost;
  };
  const auto rate = [&](std::uint32_t test) {
    if (options_.failure_rates.empty()) return 0.0;
    const auto of = [&](std::uint32_t g) {
      return g < options_.failure_rates.size() ? options_.failure_rates[g] : 0.0;
    };
    double sum = of(tests_[test].guard);
    for (const std::uint32_t g : tests_[test].more) sum += of(g);
    return sum;
  };
  std::vector<std::vector<RangeTest>> ranges;
  std::vector<std::vector<std::pair<SlotCongruence, std::uint32_t>>> mods;
  std::vector<std::vector<RangeTest>> outsides;
  std::vector<std::pair<SlotPair, std::uint32_t>> pairs;
  std::vector<General> gates, others;
  std::uint32_t levels = 0;
  bool simple = true;
  for (std::uint32_t t = 0; t < tests_.size(); ++t)
    levels = std::max<std::uint32_t>(levels, info_of(tests_[t].node).level + 1);
  ranges.resize(levels);
  outsides.resize(levels);
  mods.resize(levels);
  for (std::uint32_t t = 0; t < tests_.size(); ++t) {
    const Test& test = tests_[t];
    const NodeInfo& info = info_of(test.node);
    if (const auto r = as_range(test.node, test.polarity)) {
      (r->outside ? outsides : ranges)[info.level].push_back({*r, t});
      continue;
    }
    if (const auto c = as_congruence(test.node, test.polarity); c && !c->differs) {
      mods[info.level].emplace_back(*c, t);
      continue;
    }
    if (const auto pair = as_pair(test.node, test.polarity); pair && !info.gate) {
      pairs.emplace_back(*pair, t);
      continue;
    }
    // Dear in evaluation, cheap if it often fails.
    const double cost = static_cast<double>(test.node->weight) / (0.05 + rate(t));
    (info.gate ? gates : others).push_back({t, info.level, cost});
  }
  const auto cheaper = [](const General& a, const General& b) { return a.cost < b.cost; };
  std::ranges::stable_sort(gates, cheaper);
  std::ranges::stable_sort(others, cheaper);

  const auto lower = [&](std::uint32_t t) {
    branch(tests_[t].node, tests_[t].polarity, Sense::jump_unless, fail_labels_[t]);
    if (error_) error_->message = describe_guard(tests_[t].guard) + ": " + error_->message;
  };
  bool joined = false;
  for (std::uint32_t level = 0; level < levels && !error_; ++level) {
    open_phase();
    if (!ranges[level].empty()) {
      const std::size_t begin = out_.ranges.size();
      merge_ranges(ranges[level], out_);
      // Likely to fail first: by what was observed, then the narrow ones.
      std::stable_sort(out_.ranges.begin() + static_cast<std::ptrdiff_t>(begin), out_.ranges.end(),
                       [&](const detail::Range& a, const detail::Range& b) {
                         const double ra = std::max(rate(a.below), rate(a.above));
                         const double rb = std::max(rate(b.below), rate(b.above));
                         return ra != rb ? ra > rb : a.width < b.width;
                       });
      for (std::size_t k = begin; k < out_.ranges.size(); ++k) {
        const detail::Range& r = out_.ranges[k];
        note(r.slot);
        if (r.width == 0) out_.pinned.push_back({r.slot, r.lo});
      }
      emit(Code::Ranges, 0, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(out_.ranges.size() - begin));
    }
    if (!outsides[level].empty()) {
      const std::size_t begin = out_.ranges.size();
      std::ranges::stable_sort(outsides[level],
                               [&](const auto& a, const auto& b) { return rate(a.test) > rate(b.test); });
      for (const auto& [r, t] : outsides[level]) {
        note(r.slot);
        out_.ranges.push_back({r.slot, t, t, r.lo, r.width});
        out_.never = out_.never || r.width == ~std::uint64_t{0};
      }
      emit(Code::NotRanges, 0, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(outsides[level].size()));
      simple = false;
    }
    if (!mods[level].empty()) {
      const std::size_t begin = out_.mods.size();
      std::ranges::stable_sort(mods[level], [&](const auto& a, const auto& b) {
        const double ra = rate(a.second), rb = rate(b.second);
        return ra != rb ? ra > rb : a.first.modulus > b.first.modulus;
      });
      for (const auto& [c, t] : mods[level]) {
        note(c.slot);
        out_.mods.push_back(detail::Congruent::make(c.slot, t, c.modulus, c.residue));
      }
      emit(Code::Mods, 0, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(out_.mods.size() - begin));
    }
    // Nothing becomes readable by what the last level tests: one phase with what follows.
    joined = level + 1 == levels && std::ranges::none_of(gates, [&](const General& g) { return g.level == level; });
    if (joined) break;
    open_general();
    for (const General& g : gates)
      if (g.level == level && !error_) lower(g.test);
    close_phase();
  }
  if (!joined) open_phase();
  std::ranges::stable_sort(pairs, [&](const auto& a, const auto& b) {
    return a.first.code != b.first.code ? a.first.code < b.first.code : rate(a.second) > rate(b.second);
  });
  for (std::size_t k = 0; k < pairs.size();) {
    const Code code = pairs[k].first.code;
    const std::size_t begin = out_.pairs.size();
    for (; k < pairs.size() && pairs[k].first.code == code; ++k) note_pair(pairs[k].first, pairs[k].second);
    emit(code, 0, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(out_.pairs.size() - begin));
  }
  open_general();
  for (const General& g : others)
    if (!error_) lower(g.test);
  close_phase();
  out_.exact = simple && pairs.empty() && others.empty() && gates.empty() && out_.mods.empty() && !out_.never &&
               std::ranges::all_of(out_.ranges, [](const detail::Range& r) { return r.width == 0; });
}

}  // namespace dimgate::lowering
