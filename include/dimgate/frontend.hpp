// FrontEnd: from a trace callback and a build callback to the entries of a guarded cache.
//
// On a miss it traces the call on symbols hinted with the call's values, minimises the path condition, builds (or finds
// by fingerprint) the artifact and answers with an entry. What a front end would have to remember is done here:
//   - rank and dtype of a tensor that the trace asked for are guards of the entry;
//   - facts that the guards were minimised under (sizes are >= 0, whatever was declared) are part of the entry's
//     program unless its guards imply them; a call that breaks a declared fact runs the fallback, untraced once an
//     entry knows the fact;
//   - run-time asserts and facts about unbacked symbols are no lookup guards: they stand with the entry, and whoever
//     runs it asks `RuntimeAsserts::broken` before results are published;
//   - a shape error rejects the call, a call the layout cannot hold falls back, everything else is an error.
// One FrontEnd serves one cache; the Prover outlives it. A miss costs what tracing, minimising and building cost.
// Tested by tests/frontend.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dimgate/cache.hpp"
#include "dimgate/prove.hpp"
#include "dimgate/result.hpp"
#include "dimgate/simplify.hpp"
#include "dimgate/trace.hpp"
#include "dimgate/world.hpp"

namespace dimgate {

/// One call traced on symbols, and all that came of it. Owns its Context: freed as a whole.
class TracedCall {
 public:
  /// Without slots: the body makes its symbols with the tracer.
  explicit TracedCall(Prover& prover) : tracer(context, prover) {}
  /// The layout and the values outlive it.
  TracedCall(Prover& prover, const Layout& layout, SnapshotView inputs)
      : tracer(context, prover), layout_(&layout), inputs_(inputs) {}
  TracedCall(const TracedCall&) = delete;
  TracedCall& operator=(const TracedCall&) = delete;

  Context context;
  Tracer tracer;
  TraceOutcome outcome;

  /// Traces `body`: what it throws becomes `outcome`.
  const TraceOutcome& run(const std::function<void()>& body) { return outcome = tracer.run(body); }

  // ---- slots, while tracing: a slot the call does not have ends the trace as `outside` -------------------------
  /// The symbol of an integer slot, hinted with its value; a slot that counts something is a size.
  SymInt integer(std::string_view slot);
  /// A tensor of the program, by its slots: rank and dtype as they are (both guarded), sizes as symbols.
  SymTensor tensor(std::string_view base);
  /// The value of a slot as it is, guarded.
  std::int64_t constant(std::string_view slot);
  std::string name(std::string_view slot);
  void output(const SymTensor& t) { tracer.output(t); }

  // ---- afterwards ------------------------------------------------------------------------------------------------
  /// Guards on slots taken as they are.
  [[nodiscard]] std::span<const Expr> fixed() const noexcept { return fixed_; }
  /// The recorded lookup guards (run-time asserts left out), and their formulas.
  [[nodiscard]] std::vector<const Guard*> lookup() const;
  [[nodiscard]] std::vector<Expr> recorded() const;
  [[nodiscard]] Minimised minimal(const SimplifyOptions& options = {});
  /// Intrinsic and checked facts over slots of the layout that the guards do not imply.
  [[nodiscard]] std::vector<Expr> facts_beside(const Layout& layout, std::span<const Expr> guards);
  /// An entry under `guards` and the facts they were minimised under, with its run-time asserts. Errors: `compile`'s.
  [[nodiscard]] Result<NewEntry> entry(const Layout& layout, std::span<const Expr> guards, ArtifactRef artifact,
                                       std::string label, const std::shared_ptr<Jit>& jit = nullptr);
  /// The answer where the trace did not succeed.
  [[nodiscard]] MissAnswer failure() const;

 private:
  SlotIndex present(std::string_view slot) const;
  void fix(SlotIndex slot, Expr value);
  std::vector<Expr> lookup_facts(const Layout& layout, std::span<const Expr> guards);
  Result<std::shared_ptr<const RuntimeAsserts>> asserts(const Layout& layout);
  const Layout* layout_ = nullptr;
  SnapshotView inputs_;
  std::vector<Expr> fixed_;
};

/// What a front end built of a trace.
struct Built {
  std::shared_ptr<const void> payload;
  std::size_t bytes = 0;
  EntryCosts costs = {};
};

struct FrontEndOptions {
  bool share = true;   // a trace whose fingerprint is known, and still in the cache, builds nothing
  bool merge = false;  // entries of equal fingerprint and slot binding become one, under the simplest equal guard
  std::shared_ptr<Jit> jit = nullptr;
  std::string label = "entry";  // entries are called `label#1`, ...
  /// Told what minimising did.
  std::function<void(const Context&, std::span<const Expr> recorded, const Minimised&)> on_minimised = {};
};

class FrontEnd final : public MissHandler {
 public:
  /// Runs the front end's shape code; throws ShapeError where eager execution would fail.
  using Trace = std::function<void(TracedCall&)>;
  /// Makes the artifact of a trace; the fingerprint's symbols are its slots, in order. An error fails the call.
  using Build = std::function<Result<Built>(TracedCall&, const Fingerprint&)>;

  /// Without `build` artifacts are empty.
  FrontEnd(Layout layout, Prover& prover, Trace trace, Build build = {}, FrontEndOptions options = {});
  MissAnswer miss(const Miss& miss) override;

  [[nodiscard]] const Layout& layout() const noexcept { return layout_; }
  /// How often the trace callback ran.
  [[nodiscard]] std::uint64_t traces() const noexcept { return traces_; }
  /// An entry for people, conjunct by conjunct.
  struct Shown {
    std::vector<std::string> guards;
    std::string fingerprint;   // empty: never shared
    std::uint64_t joined = 1;  // traces whose entries became this one
  };
  /// Of those entries that are this front end's, oldest first.
  [[nodiscard]] std::vector<Shown> show(const EntrySet& entries) const;

 private:
  struct Kept {
    std::string label;    // names its entry in the cache
    std::string binding;  // fingerprint, fixed guards and the symbols' names: what may be joined
    Shown shown;
  };
  Result<std::vector<Expr>> joined(TracedCall& call, std::vector<Expr> guards, const EntrySet& entries, Kept& kept,
                                   NewEntry& entry, std::vector<std::size_t>& replaced);
  void forget_evicted(const EntrySet& entries);

  Layout layout_;
  Prover* prover_;
  Trace trace_;
  Build build_;
  FrontEndOptions options_;
  std::vector<Kept> kept_;
  std::map<std::string, std::weak_ptr<const Artifact>> artifacts_;  // by fingerprint
  std::uint64_t traces_ = 0, labels_ = 0;
};

/// Some entry of a cache has the artifact: it was not evicted.
bool holds_artifact(const EntrySet& entries, const ArtifactRef& artifact);

}  // namespace dimgate
