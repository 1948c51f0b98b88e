// The competitor: a set of mixed guards, and the same set as a person would write it in C++, for the system's compiler.
//
// No guard follows from the others: equalities pin slots that nothing else reads; bounds, residues, relations,
// products, quotients and remainders by symbols share the rest; twenty storages differ. The C++ reads the same slots
// and presence words, tests overflow and zero divisors too, and has its cheap tests first; once it leaves at the first
// test that fails, once it evaluates everything without a branch.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "dimgate/world.hpp"

namespace dimgate::bench {

struct Condition {
  int cost = 0;            // where it stands in the C++
  std::string early;       // statements that `return 0` where it is not true
  std::string branchless;  // statements that clear `ok`
};

class MixedSet {
 public:
  /// `storages`: with the twenty.
  MixedSet(std::size_t n, std::uint64_t seed, bool storages) : rng_(seed) {
    for (std::size_t i = 0; i < kStorages; ++i)
      storages_.push_back(slot("t" + std::to_string(i) + ".storage_id", 7000 + 13 * static_cast<std::int64_t>(i)));
    for (std::size_t i = 0; i < 4 + n / 6; ++i) shared_.push_back(size(2 + static_cast<std::int64_t>(rng_() % 500)));
    if (storages) distinct();
    while (guards.size() < n) one();
  }

  std::vector<std::string> guards;
  Layout layout;
  std::vector<std::int64_t> at;  // all guards hold here

  [[nodiscard]] std::string source() const {
    std::vector<Condition> sorted = conditions_;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Condition& a, const Condition& b) { return a.cost < b.cost; });
    std::string out = kPrelude, present;
    for (std::size_t w = 0; w * 64 < layout.size(); ++w) {
      const std::size_t left = layout.size() - w * 64;
      const std::string mask = left >= 64 ? "~0ULL" : "((1ULL << " + std::to_string(left) + ") - 1)";
      present += std::string(w == 0 ? "" : " || ") + "(p[" + std::to_string(w) + "] & " + mask + ") != " + mask;
    }
    out += "extern \"C\" int early(const i64* s, const u64* p) {\n  if (" + present + ") return exact(s, p);\n";
    for (const Condition& c : sorted) out += "  " + c.early + "\n";
    out += "  return 1;\n}\nextern \"C\" int branchless(const i64* s, const u64* p) {\n  if (" + present +
           ") return exact(s, p);\n  bool ok = true, overflow = false;\n";
    for (const Condition& c : sorted) out += "  " + c.branchless + "\n";
    return out + "  if (overflow) return exact(s, p);\n  return ok;\n}\n";
  }

 private:
  static constexpr std::size_t kStorages = 20;
  static constexpr const char* kPrelude = R"(#include <cstdint>
using i64 = std::int64_t; using u64 = std::uint64_t;
[[gnu::noinline, gnu::cold]] static int exact(const i64* s, const u64* p) { return s[0] == 12345 && p[0] == 54321 ? 2 : 3; }
template <i64 d> static inline i64 mod(i64 a) { if constexpr ((d & (d - 1)) == 0) return a & (d - 1); i64 m = a % d; return m + ((m >> 63) & d); }
template <i64 d> static inline i64 div(i64 a) { i64 q = a / d; return q - (a % d < 0); }
static inline i64 mod(i64 a, i64 b) { if (b == -1) return 0; i64 m = a % b; return m != 0 && (m ^ b) < 0 ? m + b : m; }
)";

  SlotIndex slot(const std::string& name, std::int64_t value) {
    at.push_back(value);
    return layout.add(name, SlotSort::integer);
  }
  SlotIndex size(std::int64_t value) {
    const std::size_t i = sizes_++;
    return slot("L['x" + std::to_string(i / 4) + "'].size()[" + std::to_string(i % 4) + "]", value);
  }
  [[nodiscard]] std::string name(SlotIndex i) const { return layout[i].name; }
  static std::string text(std::int64_t v) { return std::to_string(v); }
  static std::string s(SlotIndex i) { return "s[" + std::to_string(i) + "]"; }
  void add(const std::string& guard, int cost, const std::string& condition) {
    guards.push_back(guard);
    conditions_.push_back({cost, "if (!(" + condition + ")) return 0;", "ok &= " + condition + ";"});
  }
  SlotIndex any() { return shared_[rng_() % shared_.size()]; }

  void distinct() {
    std::string guard;
    for (const SlotIndex i : storages_) guard += (guard.empty() ? "" : ", ") + name(i);
    guards.push_back("distinct(" + guard + ")");
    std::string pairs, all;
    for (std::size_t i = 1; i < kStorages; ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const std::string equal = s(storages_[i]) + " == " + s(storages_[j]);
        pairs += (pairs.empty() ? "" : " || ") + equal;
        all += (all.empty() ? "(" : " | (") + equal + ")";
      }
    conditions_.push_back({9, "if (" + pairs + ") return 0;", "ok &= !(" + all + ");"});
  }

  void one() {
    const SlotIndex a = any();
    SlotIndex b = any();
    while (b == a) b = any();
    const std::int64_t va = at[a], vb = at[b];
    switch (guards.size() % 10) {
      case 1:
      case 2: {
        const SlotIndex pinned = size(static_cast<std::int64_t>(rng_() % 500));
        return add(name(pinned) + " == " + text(at[pinned]), 0, s(pinned) + " == " + text(at[pinned]));
      }
      case 3: {  // two bounds of one slot: two guards, one test in the C++
        const SlotIndex r = size(2 + static_cast<std::int64_t>(rng_() % 500));
        const std::string lo = text(at[r] / 2), hi = text(at[r] + 100);
        guards.push_back(lo + " <= " + name(r));
        return add(name(r) + " <= " + hi, 1, "(" + lo + " <= " + s(r) + " && " + s(r) + " <= " + hi + ")");
      }
      case 4:  // the other of the two above: none of its own
      case 5: {
        const SlotIndex r = size(static_cast<std::int64_t>(rng_() % 500));
        const std::int64_t m = rng_() % 2 == 0 ? 8 : 7;
        return add(name(r) + " % " + text(m) + " == " + text(at[r] % m), 2,
                   "mod<" + text(m) + ">(" + s(r) + ") == " + text(at[r] % m));
      }
      case 6: {
        const std::string c = text(va * vb + 7);
        guards.push_back(name(a) + " * " + name(b) + " <= " + c);
        conditions_.push_back(
            {4,
             "{ i64 t; if (__builtin_mul_overflow(" + s(a) + ", " + s(b) + ", &t)) return exact(s, p); if (t > " + c +
                 ") return 0; }",
             "{ i64 t; overflow |= __builtin_mul_overflow(" + s(a) + ", " + s(b) + ", &t); ok &= t <= " + c + "; }"});
        return;
      }
      case 7: {
        const std::string op = va == vb ? " == " : va < vb ? " < " : " > ";
        return add(name(a) + op + name(b), 3, s(a) + op + s(b));
      }
      case 8: {
        const std::string r = text(va % vb);
        guards.push_back(name(a) + " % " + name(b) + " == " + r);
        conditions_.push_back(
            {8, "if (" + s(b) + " == 0 || mod(" + s(a) + ", " + s(b) + ") != " + r + ") return 0;",
             "ok &= " + s(b) + " != 0; ok &= mod(" + s(a) + ", " + s(b) + " == 0 ? 1 : " + s(b) + ") == " + r + ";"});
        return;
      }
      default: {
        const SlotIndex c = any();
        const std::string k = text((va + vb) / 3), g = s(c) + " == 1";
        guards.push_back("(" + name(a) + " + " + name(b) + ") // 3 >= " + k + " or " + name(c) + " == 1");
        conditions_.push_back({5,
                               "{ i64 t; if (__builtin_add_overflow(" + s(a) + ", " + s(b) +
                                   ", &t)) return exact(s, p); if (div<3>(t) < " + k + " && !(" + g + ")) return 0; }",
                               "{ i64 t; overflow |= __builtin_add_overflow(" + s(a) + ", " + s(b) +
                                   ", &t); ok &= (div<3>(t) >= " + k + ") | (" + g + "); }"});
        return;
      }
    }
  }

  std::mt19937_64 rng_;
  std::size_t sizes_ = 0;
  std::vector<SlotIndex> storages_, shared_;
  std::vector<Condition> conditions_;
};

}  // namespace dimgate::bench
