// One Z3 context with one simple solver, bounded by resource units and a watchdog.
//
// Every question gets a Session of its own, because Z3's search depends on the numbering of its terms, which depends on
// what the context was used for before. A session costs 2 to 4 ms; verdicts are cached by text one level up.
// Terms live until the session dies (a context without reference counting), so there is nothing to release.
// Limits: not thread-safe; Z3 ends the process when memory runs out. Tested through tests/solver.
#pragma once

#include <z3.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dimgate/integer.hpp"
#include "dimgate/solver.hpp"

namespace dimgate::z3 {

enum class Outcome : std::uint8_t { sat, unsat, unknown };

/// A satisfying assignment; valid until the next check of its session.
using Model = Z3_model;

class Session {
 public:
  /// rlimit: Z3's resource units for the whole session, over all its checks.
  Session(std::uint64_t rlimit, unsigned watchdog_ms);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  [[nodiscard]] Z3_context context() const noexcept { return context_; }

  void add(Z3_ast formula) { Z3_solver_assert(context_, solver_, formula); }
  void push() { Z3_solver_push(context_, solver_); }
  void pop() { Z3_solver_pop(context_, solver_, 1); }
  /// Adds `formula` only where the returned literal is assumed in `check`.
  Z3_ast add_tracked(Z3_ast formula);

  Outcome check(const std::vector<Z3_ast>& assumptions = {});
  /// After unknown: "budget", "watchdog" or "solver: ...".
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }
  [[nodiscard]] bool watchdog() const noexcept { return watchdog_; }
  [[nodiscard]] bool exhausted() const noexcept { return spent_ >= rlimit_; }
  /// Resource units used so far.
  [[nodiscard]] std::uint64_t spent() const noexcept { return spent_; }

  /// After unsat: the assumptions of `check` that suffice, in its order.
  std::vector<Z3_ast> core();
  /// After sat.
  [[nodiscard]] Model model() const noexcept { return model_; }
  /// Values in the model; symbols it leaves open get one. nullopt if Z3 gives no numeral.
  std::optional<Integer> integer(Z3_ast term);
  std::optional<bool> boolean(Z3_ast term);
  std::optional<std::uint64_t> bits(Z3_ast term);

 private:
  void set_limits();
  void drop_model();
  Z3_ast value(Z3_ast term);
  std::uint64_t resource_count();

  Z3_context context_ = nullptr;
  Z3_solver solver_ = nullptr;
  Model model_ = nullptr;
  std::uint64_t rlimit_;
  std::uint64_t spent_ = 0;
  unsigned watchdog_ms_;
  unsigned trackers_ = 0;
  bool watchdog_ = false;
  std::string reason_;
};

}  // namespace dimgate::z3
