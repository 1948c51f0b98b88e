// What dimgate says while it works, by topic: DIMGATE_LOG.
//
// The library never prints: whoever wants lines installs a sink and says which topics. `DIMGATE_LOG=recompiles,+cache`
// switches topics on; `+name` says more of one, `-name` switches it off again; later names win. Tested by tests/policy.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "dimgate/prove.hpp"
#include "dimgate/result.hpp"
#include "dimgate/simplify.hpp"

namespace dimgate {

enum class LogTopic : std::uint8_t {
  guards,              // the guards of each new entry
  recompiles,          // why a frame compiled again: the nearest entry's first failing guard
  recompiles_verbose,  // all failing guards of all entries near
  dynamic,             // a slot that was pinned is free in the new entry
  prove,               // questions to the prover and verdicts
  simplify,            // guards dropped, and what implies them
  cache,               // insert, retire, evict, invalidate
};
inline constexpr std::size_t kLogTopics = 7;
std::string_view to_string(LogTopic topic) noexcept;

/// Which topics are on: 0 off, 1 on, 2 more.
class LogTopics {
 public:
  void set(LogTopic topic, int level) { levels_[static_cast<std::size_t>(topic)] = level; }
  [[nodiscard]] bool on(LogTopic topic) const { return level(topic) > 0; }
  [[nodiscard]] bool more(LogTopic topic) const { return level(topic) > 1; }
  [[nodiscard]] int level(LogTopic topic) const { return levels_[static_cast<std::size_t>(topic)]; }
  [[nodiscard]] bool any() const;

 private:
  std::array<int, kLogTopics> levels_{};
};

/// The value of DIMGATE_LOG. Unknown names are an error that lists the valid ones.
Result<LogTopics> parse_log_topics(std::string_view text);

/// Gets whole lines, without their line breaks. Called from any thread that logs.
class LogSink {
 public:
  virtual ~LogSink() = default;
  virtual void line(LogTopic topic, std::string_view text) = 0;
};

/// What logs: a sink and what it wants. Null sink: nobody listens.
struct Log {
  std::shared_ptr<LogSink> sink;
  LogTopics topics;
  [[nodiscard]] bool on(LogTopic topic) const { return sink != nullptr && topics.on(topic); }
  [[nodiscard]] bool more(LogTopic topic) const { return sink != nullptr && topics.more(topic); }
  void line(LogTopic topic, std::string_view text) const {
    if (on(topic)) sink->line(topic, text);
  }
};

/// What minimising did (topic simplify): how many guards stay, which went and what implies them; more: the readable
/// form.
void log_minimised(const Log& log, const Context& ctx, std::span<const Expr> guards, const Minimised& result);

/// Logs another prover's answers (topic prove; more: also the facts).
class LoggedProver final : public Prover {
 public:
  LoggedProver(Prover& inner, Log log) : inner_(&inner), log_(std::move(log)) {}
  [[nodiscard]] std::string name() const override { return inner_->name(); }
  [[nodiscard]] bool has_solver() const override { return inner_->has_solver(); }
  Proof prove(const Facts& facts, Expr claim, const Budget& budget = {}) override;
  SatResult satisfiable(const Facts& facts, const Budget& budget = {}) override;
  Bounds bound(const Facts& facts, Expr term, const Budget& budget = {}) override;

 private:
  Prover* inner_;
  Log log_;
};

}  // namespace dimgate
