// From the options of `compare` and `report` to a comparison: the trace is read, columns are bound, policies are made.
// Checked by tests/cli/compare_test.cpp.
#include "cli/compare_run.hpp"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <ostream>

#include "cli/progress.hpp"
#include "dimgate/cache_log.hpp"
#include "models.hpp"
#ifdef DIMGATE_HAS_Z3
#include "dimgate/solver.hpp"
#endif

namespace dimgate::cli {

namespace {

std::string joined(const std::vector<std::string>& pieces) {
  std::string out;
  for (const std::string& piece : pieces) out += (out.empty() ? "" : ",") + piece;
  return out;
}

std::string quoted(const std::string& text) {
  return text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,:=+-") ==
                 std::string::npos
             ? text
             : "'" + text + "'";
}

void add_limit_option(CLI::App& sub, CompareArguments& args) {
  sub.add_option("--entries", args.entries,
                 "Most entries a cache may hold; at the limit calls run eagerly (fallback, as under TorchDynamo's "
                 "limit) or an entry goes: fifo, lru, frequency, benefit (the cost model), bypass (benefit, and rare "
                 "calls run eagerly)")
      ->type_name("N[:FULL]");
}

}  // namespace

void add_compare_options(CLI::App& sub, CompareArguments& args) {
  sub.add_option("--bind", args.binds,
                 "A dim as a formula over the columns: L=ContextTokens, H=height//32*32 (repeatable)")
      ->type_name("NAME=EXPR")
      ->allow_extra_args(false);
  sub.add_option("--batch", args.batch,
                 "Join consecutive rows of one window: TIMESTAMP:1s; then --bind uses count(), max(col), min(col)")
      ->type_name("COLUMN:1s");
  sub.add_option("--first", args.first, "Only the first N calls")->type_name("N");
  sub.add_option("-a,--assume", args.facts,
                 "A fact over the dims that the caller keeps; a call that breaks it falls back (repeatable)")
      ->type_name("FACT")
      ->allow_extra_args(false);
  sub.add_option("--policies", args.policies,
                 "eager, static, pow2, pow2(L), bucket:N, pad_to:N, whitelist, auto_dynamic:N or :inf, symbolic, "
                 "symbolic+merge")
      ->type_name("A,B,...")
      ->capture_default_str();
  sub.add_option("--cost", args.costs,
                 "Seconds of a compile (C), a compiled run (R) and an eager run (E): C=2.5,R=4ms,E=20ms,static.R=3ms")
      ->type_name("C=..,R=..,E=..")
      ->allow_extra_args(false);
  add_limit_option(sub, args);
}

CompareRun run_compare(Frame& frame, const CompareArguments& args) {
  CompareRun run;
  models::register_models(run.registry);
  run.model = need(run.registry.require(args.model));
  const Model& model = *run.model;
  const auto policies = need(parse_policies(args.policies));
  ReplayOptions options;
  if (!args.costs.empty()) options.costs = need(parse_costs(joined(args.costs)));
  if (!args.entries.empty()) options.limit = need(parse_entry_limit(args.entries));
  options.facts = args.facts;
  CallOptions call_options;
  for (const std::string& bind : args.binds) call_options.binds.push_back(need(parse_bind(bind)));
  if (!args.batch.empty()) call_options.batch = need(parse_batch(args.batch));
  if (args.first) {
    if (*args.first < 1)
      throw Failure{{"--first " + std::to_string(*args.first) + ": expected a number of calls, 1 or more"}};
    call_options.first = static_cast<std::size_t>(*args.first);
  }

  const Table table = need(read_table(args.trace));
  need(add_default_binds(model, table, call_options));
  run.calls = need(bind_calls(table, call_options));
  const Calls& calls = *run.calls;

  NativeProver native;
  std::vector<Prover*> order{&native};
#ifdef DIMGATE_HAS_Z3
  const auto z3 = make_z3_prover();
  TimedProver timed(*z3);
  if (!frame.no_z3) {
    order.push_back(&timed);
    options.solver = &timed;
  }
#endif
  ChainProver chain(order);
  LoggedProver logged(chain, frame.log);
  Prover& prover = frame.log.on(LogTopic::prove) ? static_cast<Prover&>(logged) : chain;
  options.log = frame.log;
  LineWriter trace;
  if (const char* directory = std::getenv("DIMGATE_TRACE"); directory != nullptr && *directory != '\0')
    trace = need(open_trace(directory));
  if (trace || frame.log.sink)
    options.observe = [&](const std::string& policy, const Layout& layout) {
      const std::string name = args.model + ", " + policy;
      std::vector<std::shared_ptr<CacheObserver>> all;
      if (frame.log.sink) all.push_back(make_cache_log(frame.log, layout, name));
      if (trace) all.push_back(make_cache_trace(trace, layout, name));
      return observe_all(std::move(all));
    };
  {
    Progress progress(frame.talk);
    options.progress = [&](const std::string& policy, std::size_t done, std::size_t all) {
      progress([&] { return policy + ": " + std::to_string(done) + " of " + std::to_string(all) + " calls"; });
    };
    run.comparison = need(compare(model, calls, policies, prover, args.trace, options));
  }
  return run;
}

std::string typed_compare(const CompareArguments& args) {
  std::string out = "dimgate compare " + quoted(args.model) + " " + quoted(args.trace);
  for (const std::string& bind : args.binds) out += " --bind " + quoted(bind);
  if (!args.batch.empty()) out += " --batch " + quoted(args.batch);
  if (args.first) out += " --first " + std::to_string(*args.first);
  for (const std::string& fact : args.facts) out += " --assume " + quoted(fact);
  if (args.policies != default_policies()) out += " --policies " + quoted(args.policies);
  if (!args.costs.empty()) out += " --cost " + quoted(joined(args.costs));
  if (!args.entries.empty()) out += " --entries " + args.entries;
  return out;
}

}  // namespace dimgate::cli
