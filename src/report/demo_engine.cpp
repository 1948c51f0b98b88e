// The engine behind the demo's scenes: on a miss it builds guards from what was used. Checked by
// tests/report/demo_test.cpp.
#include "report/demo_engine.hpp"

#include "dimgate/compile.hpp"
#include "dimgate/guard_builder.hpp"
#include "dimgate/guard_text.hpp"

namespace dimgate::report {

namespace {

CacheOptions limited(std::size_t limit) {
  CacheOptions options;
  options.max_entries = limit;
  return options;
}

}  // namespace

DemoEngine::DemoEngine(std::vector<std::string> uses, std::set<std::string> symbolic, std::size_t limit)
    : uses_(std::move(uses)), symbolic_(std::move(symbolic)), cache_(*this, limited(limit)), reader_(cache_) {}

MissAnswer DemoEngine::miss(const Miss& miss) {
  const Layout& slots = layout_.layout();
  for (auto kept = kept_.rbegin(); kept != kept_.rend(); ++kept)
    for (const Guard& g : kept->guards.all()) {
      const GuardFailure failure = explain_failure(ctx_, g, slots, miss.inputs);
      if (failure.text.empty()) continue;
      failed_.emplace_back(kept->label, failure.whole.empty() ? failure.text : failure.whole);
      break;
    }
  BuilderOptions how;
  how.symbolic = [&](SlotIndex s) { return symbolic_.count(std::string(slots[s].name)) != 0; };
  GuardBuilder builder(ctx_, layout_, miss.inputs, how);
  for (const std::string& name : uses_)
    if (const Status used = builder.used(name); !used) return MissAnswer::fail(used.error().message);
  Result<GuardSet> set = builder.build();
  if (!set) return MissAnswer::fail(set.error().message);
  NewEntry entry;
  std::vector<Expr> formulas;
  for (const Guard& g : set->all()) {
    formulas.push_back(g.formula);
    entry.guard_texts.push_back(to_text(ctx_, g.formula));
  }
  auto program = compile(ctx_, formulas, slots);
  if (!program) return MissAnswer::fail(program.error().message);
  entry.program = std::move(*program);
  entry.label = label_;
  entry.artifact = std::make_shared<Artifact>();
  kept_.push_back({label_, std::move(*set)});
  return MissAnswer::compile(std::move(entry));
}

DemoEngine::Call DemoEngine::call(const World& world, const std::string& label) {
  label_ = label;
  failed_.clear();
  layout_.extend(world);
  Call out;
  {
    const Cache::Answer answer = reader_.lookup(observe(layout_, world));
    out.outcome = answer.outcome();
    out.entry = answer.entry() == nullptr ? answer.reason() : answer.entry()->label;
  }
  out.failed = failed_;
  for (const EntryRef& e : cache_.entries()->entries) out.entries.emplace_back(e->label, e->guard_texts);
  return out;
}

}  // namespace dimgate::report
