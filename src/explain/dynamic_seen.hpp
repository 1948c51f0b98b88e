// What PyTorch made symbols, and what it made constants again, compile by compile: `marking L['y'] as dynamic`,
// `create_symbol`, `set_replacement s0 = 7`, `eval Eq(zf69, 0.5)`, sizes in guards. Remedies are checked against it.
// Memory: 256 compiles of a function, 64 sources of each. Tested by tests/explain.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dimgate/logs.hpp"

namespace dimgate::explain {

class DynamicSeen {
 public:
  void add(const std::string& compile, const CompileStart& start);
  void add(const std::string& compile, const SymbolCreated& symbol);
  void add(const std::string& compile, const GuardAdded& guard);
  void add(const std::string& compile, const Replacement& replacement);
  void add(const std::string& compile, const MarkedDynamic& marked);
  void add(const std::string& compile, const EntryGuards& guards);
  void new_run() { compiles_.clear(); }

  /// `TORCH_LOGS=dynamic` was on in one of these compiles.
  [[nodiscard]] bool logged(const std::set<std::string>& compiles) const;
  /// Guards of one of these compiles were logged.
  [[nodiscard]] bool guards_logged(const std::set<std::string>& compiles) const;
  /// The sizes that are symbols in these compiles, or that differ from compile to compile: (source, dim).
  [[nodiscard]] std::set<std::pair<std::string, int>> moving_sizes(const std::set<std::string>& compiles) const;
  /// Sources that automatic dynamic marked in these compiles.
  [[nodiscard]] std::set<std::string> marked(const std::set<std::string>& compiles) const;
  /// True if a compile made `slot` ("x.size()[0]", "scale") a symbol.
  [[nodiscard]] bool symbolic(const std::string& slot) const;
  /// The user's line that made a symbol of `slot` a number again; empty: none did. "?": the log has no line.
  /// `always`: in every compile that had it as a symbol.
  [[nodiscard]] std::string made_constant(const std::string& slot, bool always) const;
  /// Values of a slot that the log shows at these compiles.
  [[nodiscard]] std::set<std::int64_t> values(const std::string& slot, const std::set<std::string>& compiles) const;

 private:
  struct Compile {
    std::map<std::string, std::string> symbols;   // symbol -> slot
    std::map<std::string, std::string> constant;  // slot -> the user's line
    std::map<std::string, std::int64_t> sizes;    // slot -> value
    std::set<std::string> free;                   // slots that are symbols
    std::set<std::string> marked;
    bool logged = false, guards = false;
  };
  Compile* at(const std::string& id);
  std::map<std::string, Compile> compiles_;
};

}  // namespace dimgate::explain
