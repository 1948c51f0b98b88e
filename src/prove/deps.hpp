// A set of premises (dense indices) that a derived bound or literal rests on. One word covers most questions.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace dimgate {

class Deps {
 public:
  Deps() = default;
  static Deps of(std::uint32_t i) {
    Deps d;
    if (i < 64)
      d.low_ = 1ULL << i;
    else
      d.high_.assign(i / 64, 0), d.high_[i / 64 - 1] = 1ULL << (i % 64);
    return d;
  }
  void merge(const Deps& o) {
    low_ |= o.low_;
    if (o.high_.size() > high_.size()) high_.resize(o.high_.size());
    for (std::size_t i = 0; i < o.high_.size(); ++i) high_[i] |= o.high_[i];
  }
  template <class F>
  void each(F f) const {
    word(low_, 0, f);
    for (std::size_t i = 0; i < high_.size(); ++i) word(high_[i], static_cast<std::uint32_t>(64 * (i + 1)), f);
  }

 private:
  template <class F>
  static void word(std::uint64_t w, std::uint32_t base, F& f) {
    for (; w != 0; w &= w - 1) f(base + static_cast<std::uint32_t>(std::countr_zero(w)));
  }
  std::uint64_t low_ = 0;
  std::vector<std::uint64_t> high_;
};

}  // namespace dimgate
