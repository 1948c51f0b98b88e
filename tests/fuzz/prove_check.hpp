// Questions to the native prover built from bytes, each held against enumeration of a box; a failure is shrunk and
// named by a line that reproduces it. Shared by the libFuzzer target and the seeded test.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dimgate/expr.hpp"

namespace dimgate::test {

/// Formulas from a string of bytes; exhausted bytes give leaves, so every string is a question.
class ByteFormulas {
 public:
  ByteFormulas(Context& ctx, std::span<const std::uint8_t> bytes) : ctx_(ctx), bytes_(bytes) {
    for (const char* n : {"a", "b", "x.size()[0]"}) symbols_.push_back(ctx.symbol(n));
  }
  Expr term(int depth);
  Expr formula(int depth);
  Expr fact();
  [[nodiscard]] unsigned below(unsigned n) {
    if (at_ >= bytes_.size()) return 0;
    return bytes_[at_++] % n;
  }

 private:
  Expr constant();
  Context& ctx_;
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
  std::vector<Expr> symbols_;
};

/// What is wrong with the prover's answers about these facts, claim and term; nullopt if nothing.
std::optional<std::string> wrong_answer(Context& ctx, std::span<const Expr> facts, Expr claim, Expr term);

/// Builds a question from bytes and checks it. On a wrong answer: the shrunk question as a command line, and what is
/// wrong.
std::optional<std::string> check_bytes(std::span<const std::uint8_t> bytes);

}  // namespace dimgate::test
