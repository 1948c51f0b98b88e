// dimgate compare MODEL TRACE: one row a policy, from real calls; compare --world TRACE: the same on whole worlds.
#include <CLI/CLI.hpp>
#include <ostream>

#include "cli/compare_run.hpp"
#include "dimgate/world_compare.hpp"

namespace dimgate::cli {

void add_compare(CLI::App& app, Frame& frame);

namespace {

struct CompareCommandArguments {
  CompareArguments run;
  std::string world;
  bool details = false;
};

/// A trace of whole worlds needs no model: its header says what the front end uses.
void compare_worlds_command(Frame& frame, const CompareCommandArguments& args, bool policies_given) {
  if (!args.run.model.empty())
    throw Failure{{"compare --world TRACE takes no model and no other trace ('" + args.run.model + "' is too many)"}};
  const auto policies = need(parse_policies(
      policies_given ? std::string_view(args.run.policies) : default_policies(CallKind::worlds), CallKind::worlds));
  WorldCompareOptions options;
  if (args.run.first) {
    if (*args.run.first < 1)
      throw Failure{{"--first " + std::to_string(*args.run.first) + ": expected a number of calls, 1 or more"}};
    options.first = static_cast<std::size_t>(*args.run.first);
  }
  const WorldComparison comparison = need(compare_worlds(args.world, policies, options));
  frame.out << (frame.json ? to_json(comparison) : to_text(comparison));
}

}  // namespace

void add_compare(CLI::App& app, Frame& frame) {
  auto args = std::make_shared<CompareCommandArguments>();
  CLI::App* sub = frame.command(app, "compare", "What each compile policy costs on a trace of calls");
  sub->add_option("model", args->run.model, "A built-in model: `dimgate trace --list`");
  sub->add_option("trace", args->run.trace, "CSV with a header, or JSON Lines: one call a row");
  add_compare_options(*sub, args->run);
  auto* world = sub->add_option("--world", args->world,
                                "Instead of MODEL and TRACE: a trace of whole worlds (docs/world-traces.md); policies "
                                "are eager, strict, static, auto_dynamic:N or :inf, symbolic")
                    ->type_name("TRACE");
  sub->add_flag("--details", args->details,
                "With --json: also guards, compile calls, break-even, longest stall and p99");
  sub->callback([&frame, args, sub, world] {
    for (const char* other : {"--bind", "--batch", "--assume", "--cost", "--entries"})
      if (world->count() > 0 && sub->get_option(other)->count() > 0)
        throw Failure{{"compare --world TRACE takes no " + std::string(other) + ": its header says what is traced"}};
    if (world->count() > 0) return compare_worlds_command(frame, *args, sub->get_option("--policies")->count() > 0);
    if (args->run.model.empty() || args->run.trace.empty())
      throw Failure{{std::string(args->run.model.empty() ? "model" : "trace") +
                     " is required: compare MODEL TRACE, or compare --world TRACE (see `dimgate compare --help`)"}};
    const Comparison comparison = run_compare(frame, args->run).comparison;
    frame.out << (frame.json ? to_json(comparison, args->details) : to_text(comparison));
  });
}

}  // namespace dimgate::cli
