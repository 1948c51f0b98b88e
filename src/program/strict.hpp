// What answers for a strict program: all engines.
#pragma once

#include "dimgate/strict.hpp"
#include "program/code.hpp"

namespace dimgate::detail {

class StrictCheck {
 public:
  StrictCheck(Program plain, Program native, Reference reference, OnDifference on_difference)
      : plain_(std::move(plain)),
        native_(std::move(native)),
        reference_(std::move(reference)),
        on_difference_(std::move(on_difference)) {}
  [[nodiscard]] std::int32_t check(SnapshotView at) const noexcept;
  /// Rows of columns, each as `check` would see it; pass[row] is 1 or 0.
  void check_rows(std::span<const std::int64_t* const> columns, std::size_t rows, std::uint8_t* pass) const noexcept;

 private:
  [[nodiscard]] bool batch_passes(SnapshotView at) const;

  Program plain_;   // interpreted
  Program native_;  // machine code, where that can be had
  Reference reference_;
  OnDifference on_difference_;
};

}  // namespace dimgate::detail
