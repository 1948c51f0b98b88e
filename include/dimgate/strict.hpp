// Strict mode: every check runs every engine - interpreter, machine code, batch, the list of all failing guards - and
// the reference evaluator, and tells of any difference with what reproduces it.
//
// The run time knows no formulas: the reference comes as a callback (`compile_strict` in strict_compile.hpp makes it
// from the guards). Cost: microseconds a check; it allocates and may lock. For tests and for finding out; results are
// those of the program itself. Tested by tests/compile/strict_test.cpp.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dimgate/program.hpp"

namespace dimgate {

/// What decides who is right. Called by any thread that checks.
struct Reference {
  /// Indices of all guards that are not true, ascending.
  std::function<std::vector<std::uint32_t>(SnapshotView)> failing;
  /// The guards and the inputs, for the message.
  std::function<std::string(SnapshotView)> describe;
};

/// Told of a difference, with what reproduces it. If it returns, the check fails unless all engines accept.
using OnDifference = std::function<void(const std::string& reproducer)>;
/// Writes the reproducer to stderr and aborts.
[[noreturn]] void abort_on_difference(const std::string& reproducer);

/// The program in strict mode. `jit` may be null: machine code is compared where the program has it or jit can make it.
Program strict(const Program& program, const std::shared_ptr<Jit>& jit, Reference reference,
               OnDifference on_difference = abort_on_difference);

}  // namespace dimgate
