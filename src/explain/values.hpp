// Values a log shows at compiles and failures, and what dimgate's `symbolic` policy makes of them.
//
// A call is a compile; its values are what guards, symbols and failures say of it (`expected 4, actual 5`,
// `create_symbol s0 = 5 for …`). A value that the log does not show is taken from the call before. The program replayed
// takes the decisions that the log shows (`eval s0 <= 512 [guard added]`, failed shape guards) and no others; 0/1
// specialisation and equal sizes by chance are PyTorch's habits, not the program's, and are left out.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "dimgate/explain.hpp"
#include "dimgate/logs.hpp"
#include "dimgate/prove.hpp"

namespace dimgate::explain {

class SeenValues {
 public:
  void add(std::string_view compile, const Recompile& recompile);
  void add(std::string_view compile, const SymbolCreated& symbol);
  void add(std::string_view compile, const GuardAdded& guard);

  /// The program began again: its compile ids do, too.
  void new_run();
  /// The first `most` calls that have values, in order.
  std::vector<SeenCall> calls(std::size_t most) const;

  /// What a compile had in a slot ("x.size()[0]"), if the log shows it.
  [[nodiscard]] std::optional<std::int64_t> value(std::string_view compile, const std::string& slot) const;

  struct Left {
    std::uint64_t compiles = 0;  // of the calls below, under `symbolic`
    std::uint64_t calls = 0;     // replayed
    std::size_t decisions = 0;   // that the program takes
  };
  /// nullopt: no call has a value. `dims`: those to free; the others are left out.
  std::optional<Left> replay(const std::set<std::string>& dims, Prover& prover) const;

 private:
  using Values = std::map<std::string, std::int64_t>;
  Values& at(std::string_view compile);
  void decision(std::string text);

  std::vector<Values> calls_;
  std::vector<std::string> ids_;  // of calls_
  Values nowhere_;                // of calls beyond the cap
  std::uint64_t unnamed_ = 0;     // calls without an id
  std::map<std::string, std::size_t, std::less<>> index_;
  std::map<std::string, std::string> symbols_;  // "0/1 s27" -> source
  std::set<std::string> decisions_;
};

/// The slot of a cause: "x.size()[0]", "x.stride()[1]", "self.step"; empty: it has no number.
std::string slot_of(const Cause& cause);
/// `L['x'].size()[0]` -> `x.size()[0]`.
std::string plain_source(std::string_view source);

}  // namespace dimgate::explain
