// Policies: what to compile when a call misses, as MissHandlers of a Cache.
//
// A policy is written as text: `eager`, `static`, `pow2`, `bucket:N`, `pad_to:N`, `whitelist`, `auto_dynamic:N`,
// `symbolic`, `symbolic+merge`; the padding ones may name the dims they pad: `pow2(L)`, `bucket(H,W):32`.
//   eager           never compiles.
//   static          one compile for each new shape, as XLA.
//   pow2, bucket:N  every free dim is rounded up (to a power of two, to a multiple of N; 0 stays 0), then as static.
//   pad_to:N        every free dim is padded to N; a longer call falls back.
//   whitelist       the symbolic artifact under exactly the set of shapes seen so far: a new shape costs a trace and
//                   widens the set, and builds nothing where the fingerprint is known.
//   auto_dynamic:N  PyTorch's rule (auto_dynamic.cpp states it); N entries at most, `inf` without limit, plain is 8.
//   symbolic        traces with symbols; an entry is the path condition of its trace; equal fingerprints share.
//   symbolic+merge  and entries with equal fingerprints are joined into one.
//   strict          for whole worlds alone (world_compare.hpp): everything as seen, used or not.
// A dim is free if it is not bound to a constant. Tested by tests/policy.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dimgate/cache.hpp"
#include "dimgate/frontend.hpp"
#include "dimgate/log.hpp"
#include "dimgate/model.hpp"
#include "dimgate/prove.hpp"
#include "dimgate/result.hpp"
#include "dimgate/world.hpp"

namespace dimgate {

/// A policy as written.
struct PolicySpec {
  enum class Kind : std::uint8_t {
    eager,
    exact,
    pow2,
    bucket,
    pad_to,
    whitelist,
    auto_dynamic,
    symbolic,
    strict
  } kind = Kind::eager;
  std::string text;               // as the user wrote it
  std::int64_t number = 0;        // bucket, pad_to: N; auto_dynamic, strict: the limit of entries, 0 for none
  std::vector<std::string> dims;  // padding: only these; empty: all free ones
  bool merge = false;             // symbolic+merge
  [[nodiscard]] bool pads() const noexcept {
    return kind == Kind::pow2 || kind == Kind::bucket || kind == Kind::pad_to;
  }
};
/// What calls are: the dims of a model's inputs, or whole worlds, which have no dims to pad and no fingerprints to
/// merge.
enum class CallKind : std::uint8_t { dims, worlds };
/// The error lists the policies there are for such calls.
Result<PolicySpec> parse_policy(std::string_view text, CallKind calls = CallKind::dims);
/// A comma-separated list (commas inside parentheses do not separate). Twice the same is an error.
Result<std::vector<PolicySpec>> parse_policies(std::string_view text, CallKind calls = CallKind::dims);
/// What `compare` shows unless told otherwise.
std::string_view default_policies(CallKind calls = CallKind::dims) noexcept;

/// The program that a policy compiles, and what is known of its calls.
struct Subject {
  const Model* model = nullptr;
  std::vector<bool> free;          // for each dim of the model: not bound to a constant
  std::vector<std::string> facts;  // over the dims; the caller checks them before every lookup
  Prover* prover = nullptr;        // outlives the policy
  Log log;                         // topic simplify

  /// Slot i is dim i.
  [[nodiscard]] Layout layout() const;
};

/// A MissHandler with a way to say what it holds.
class Policy : public MissHandler {
 public:
  /// The shape that runs when `call` comes (slot i: dim i): padded, or as it is. False: this call falls back.
  virtual bool shape(std::span<const std::int64_t> call, std::span<std::int64_t> run) const;
  /// How often the model's shape program was traced.
  [[nodiscard]] std::uint64_t traces() const noexcept { return traces_; }
  using Shown = FrontEnd::Shown;  // an entry for people
  /// What the entries are. Sets of shapes (whitelist) count as one entry for each artifact; entries of policies that
  /// imitate others are as they were recorded.
  [[nodiscard]] virtual std::vector<Shown> show(const EntrySet& entries) const;

 protected:
  std::uint64_t traces_ = 0;
};

/// Errors: a dim that the model does not have.
Result<std::unique_ptr<Policy>> make_policy(const PolicySpec& spec, const Subject& subject);

/// The facts as a program over the subject's layout (the frame's precondition). Errors: facts that do not read, that
/// name other symbols than the dims, or that contradict each other (those that do are listed).
Result<Program> compile_facts(const Subject& subject);

/// Asks what eager execution would say to a shape: it raises (the text), or it runs. Remembers every shape.
class EagerCheck {
 public:
  explicit EagerCheck(const Subject& subject) : subject_(&subject) {}
  /// nullptr: it runs.
  const std::string* error(std::span<const std::int64_t> call);

 private:
  using Shape = std::vector<std::int64_t>;
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::span<const std::int64_t> shape) const noexcept;
  };
  struct Equal {
    using is_transparent = void;
    bool operator()(std::span<const std::int64_t> a, std::span<const std::int64_t> b) const noexcept {
      return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }
  };
  const Subject* subject_;
  std::unordered_map<Shape, std::string, Hash, Equal> seen_;  // empty text: it runs
};

// ---- cost ------------------------------------------------------------------------------------

/// `--cost C=2.5,R=0.004,E=0.02,static.R=0.003`: seconds for a compile (C), a compiled run (R; where padded, times
/// padded/real elements) and an eager run (E); C and R for one policy where given. Suffixes s, ms, us, ns.
struct Costs {
  std::optional<double> compile, run, eager;
  std::map<std::string, double, std::less<>> compile_of, run_of;  // by policy text

  [[nodiscard]] std::optional<double> compile_for(std::string_view policy) const;
  [[nodiscard]] std::optional<double> run_for(std::string_view policy) const;
};
Result<Costs> parse_costs(std::string_view text);

// ---- a bounded cache ---------------------------------------------------------------------------

/// How many entries the cache of a policy may hold, and what happens to a call that needs one more.
struct EntryLimit {
  enum class Full : std::uint8_t {
    fallback,   // it runs eagerly, as with TorchDynamo's recompile limit
    fifo,       // the oldest entry goes
    lru,        // the least recently hit one
    frequency,  // the one with the fewest hits, those before an eviction counted too
    benefit,    // the one that saves least (eviction.hpp), by the costs given
    bypass,     // the same, and calls that come too rarely run eagerly instead
  } full = Full::fallback;
  std::size_t entries = 0;

  /// Sets the limit of one cache; it has an Eviction of its own.
  void apply(const Costs& costs, std::string_view policy, CacheOptions& options) const;
  /// `N:lru`, as it is read.
  [[nodiscard]] std::string text() const;
};
/// `N` or `N:fallback|fifo|lru|frequency|benefit|bypass`, N >= 1.
Result<EntryLimit> parse_entry_limit(std::string_view text);

}  // namespace dimgate
