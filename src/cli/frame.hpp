// The frame every `dimgate COMMAND` stands in: streams, the options all commands share, provers, exit codes, errors.
//
// A command is one file commands/NAME.cpp that defines `void add_NAME(CLI::App&, Frame&)`; its name stands in the list
// of src/cli/CMakeLists.txt, which is also the order of the help. Data goes to `out`, talk to `talk`. Bad input is
// thrown as Failure and becomes one line on `talk`; nothing may be half-written before it. Tested by tests/cli.
#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "dimgate/log.hpp"
#include "dimgate/prove.hpp"
#include "dimgate/result.hpp"

namespace CLI {
class App;
}

namespace dimgate::cli {

enum Exit : int { kFine = 0, kNo = 1, kBadInput = 2, kInternal = 3, kUnknown = 4 };

/// Ends a command: one line for a person (place and remedy) and the exit code.
struct Failure {
  Error error;
  Exit code = kBadInput;
};

class Frame {
 public:
  Frame(std::ostream& data, std::ostream& messages);
  ~Frame();
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

  std::ostream& out;   // data
  std::ostream& talk;  // everything else
  bool json = false;   // --json
  bool no_z3 = false;  // --no-z3
  int exit = kFine;    // set by the command that ran
  Log log;             // DIMGATE_LOG; lines go to `talk`

  /// A subcommand with --json and --no-z3.
  CLI::App* command(CLI::App& app, const std::string& name, const std::string& help);
  /// Native, then Z3 unless --no-z3 (or built without it). Made on first use.
  Prover& prover();

 private:
  struct Provers;
  std::unique_ptr<Provers> provers_;
};

/// Unwraps or throws Failure.
template <class T>
T need(Result<T> result) {
  if (!result) throw Failure{result.error()};
  return std::move(result).value();
}

/// Runs `dimgate ARGS...` and returns its exit code. Never throws, never exits.
int run(const std::vector<std::string>& args, std::ostream& out, std::ostream& talk);

}  // namespace dimgate::cli
