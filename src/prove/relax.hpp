// The linear relaxation of a System: its rows, domains and, for products, the rows that multiplying two known
// inequalities gives (reformulation-linearisation, Sherali & Adams 1990, level 1; McCormick's envelopes are the case of
// two bounds). Only products whose monomials are columns already are added, so the size stays O(bounds * rows), capped.
// Squares are cut where a point needs it (the outer approximation of Kelley 1960, by chords between integers).
// Sound: every integer point of the literals is a point of the relaxation. Tested by tests/prove/native_test.cpp.
#pragma once

#include "prove/system.hpp"

namespace dimgate {

class Relaxation {
 public:
  Relaxation(Context& ctx, System& system, std::uint64_t& steps);
  LinearCore::Status check();
  /// After sat: where x*x is below the square of x, the chord through the integer point and each of its neighbours,
  /// (x - k)*(x - k - 1) >= 0. False: no square is.
  bool cut_squares();
  /// After unsat: premises that suffice.
  [[nodiscard]] Deps core() const;
  [[nodiscard]] const Integer& value(std::uint32_t column) const { return core_.value(column); }
  LinearCore::Optimum minimise(const System::Affine& objective);

 private:
  std::uint32_t tag(const Deps& deps);
  void add_products();
  void add_dominated(std::span<const std::uint32_t> products);

  Context& ctx_;
  System& system_;
  std::uint64_t& steps_;
  LinearCore core_;
  std::vector<Deps> tags_;
};

}  // namespace dimgate
