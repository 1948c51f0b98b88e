// dimgate explain LOG...: why it compiled again, and what to change.
#include "dimgate/explain.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ostream>

#include "cli/frame.hpp"
#include "cli/read_logs.hpp"

namespace dimgate::cli {

namespace {

struct ExplainCommandArguments {
  std::vector<std::string> logs, fail_on;
  std::string against, format = "text";
  std::int64_t top = 20;
  bool entries = false;
};

/// Reads logs into an explanation; `row` sees every event as it comes.
Explanation read(Frame& frame, const std::vector<std::string>& logs, bool entries,
                 const std::function<void(const LogEvent&)>& row) {
  Explainer explainer(frame.prover(), {.entries = entries});
  LogReader reader(
      [&](const LogEvent& event) {
        if (row) row(event);
        explainer.add(event);
      },
      {.guards = entries});
  read_logs(frame, logs, reader);
  return explainer.finish(reader.counts());
}

/// True if a cause has the kind asked for: its label, the start of it (`global state`), or the user's word for it.
bool is_kind(const CauseGroup& group, const std::string& asked) {
  return group.cause == asked || group.cause.starts_with(asked + ":") || group.cause.starts_with(asked + " (") ||
         group.kind == asked;
}

/// What kind_of_change() says.
constexpr std::string_view kChanges[] = {"size",
                                         "stride",
                                         "rank",
                                         "dtype",
                                         "device",
                                         "dispatch keys",
                                         "type",
                                         "aliasing",
                                         "requires_grad",
                                         "int",
                                         "float",
                                         "bool",
                                         "string",
                                         "None",
                                         "constant",
                                         "identity",
                                         "closure",
                                         "hook",
                                         "length",
                                         "dict keys",
                                         "range",
                                         "attribute",
                                         "marking",
                                         "weakref",
                                         "backend",
                                         "default device",
                                         "global flag",
                                         "default dtype",
                                         "divisibility",
                                         "relational shape",
                                         "torch function mode",
                                         "broken guard"};

void check_kinds(const std::vector<std::string>& kinds) {
  std::vector<std::string_view> all;
  for (int i = 0; i <= static_cast<int>(CauseKind::unrecognised); ++i)
    all.push_back(to_string(static_cast<CauseKind>(i)));
  for (const std::string_view kind : kChanges)
    if (std::find(all.begin(), all.end(), kind) == all.end()) all.push_back(kind);
  std::string known;
  for (const std::string_view kind : all) known += (known.empty() ? "" : ", ") + std::string(kind);
  for (const std::string& kind : kinds) {
    if (kind.starts_with("global state") || std::find(all.begin(), all.end(), kind) != all.end()) continue;
    std::string message = "--fail-on '";
    message.append(kind).append("': no such kind; there are ").append(known);
    throw Failure{{message}};
  }
}

void explain_command(Frame& frame, const ExplainCommandArguments& args) {
  if (args.format != "text" && args.format != "tsv" && args.format != "json")
    throw Failure{{"--format " + args.format + ": expected text, tsv or json"}};
  if (args.top < 0) throw Failure{{"--top " + std::to_string(args.top) + ": expected a number, 0 for all"}};
  check_kinds(args.fail_on);
  const bool json = frame.json || args.format == "json";
  const auto top = static_cast<std::size_t>(args.top);

  std::function<void(const LogEvent&)> row;
  ChangeFinder finder;
  const bool tsv = args.format == "tsv" && !frame.json;
  if (tsv) {
    if (!args.against.empty()) throw Failure{{"--format tsv goes with one set of logs; leave --against out"}};
    frame.out << tsv_header();
    row = [&](const LogEvent& event) {
      if (const auto cells = row_of(event, finder.add(event))) frame.out << to_tsv(*cells);
    };
  }
  const Explanation before = read(frame, args.logs, args.entries, row);
  const Explanation* judged = &before;
  bool doubted = false;  // AFTER does not show that the changed program ran
  Explanation after;
  if (!args.against.empty()) {
    after = read(frame, {args.against}, false, {});
    if (after.counts.lines > 0 && after.counts.parsed == 0)
      throw Failure{{args.against + ": no line of it is of a log of PyTorch, JAX, TensorFlow or dimgate"}};
    const Against against = compare_explanations(before, after);
    frame.out << (json ? to_json(against) : to_text(against));
    judged = &after;
    doubted = !against.doubts.empty();
  } else if (!tsv) {
    frame.out << (json ? to_json(before, top) : to_text(before, top));
  }
  bool found = args.fail_on.empty() && judged->avoidable();
  if (!args.fail_on.empty()) {
    for (const CauseGroup& group : judged->groups)
      for (const std::string& kind : args.fail_on) found = found || is_kind(group, kind);
  }
  frame.exit = found || doubted ? kNo : kFine;
}

}  // namespace

void add_explain(CLI::App& app, Frame& frame) {
  auto args = std::make_shared<ExplainCommandArguments>();
  CLI::App* sub = frame.command(app, "explain", "PyTorch logs: every recompile, its cause, what would avoid it");
  sub->add_option("logs", args->logs,
                  "TORCH_LOGS text, TORCH_TRACE files or directories; gzip and zstd as they are; - for standard input")
      ->required();
  sub->add_option("--against", args->against, "A log of the changed program: which causes went away, stayed, are new")
      ->type_name("AFTER");
  sub->add_option(
         "--fail-on", args->fail_on,
         "Exit 1 only for this kind of cause: 'tensor size', 'size', 'int value', 'global state', ... (repeatable)")
      ->type_name("KIND")
      ->allow_extra_args(false);
  sub->add_option("--top", args->top, "Show the N dearest causes; 0: all")->type_name("N")->capture_default_str();
  sub->add_option("--format", args->format, "text, json, or tsv: one row an event")
      ->type_name("F")
      ->capture_default_str();
  sub->add_flag("--guards", args->entries, "Also take the guards of entries apart: which are implied by the others");
  sub->callback([&frame, args] { explain_command(frame, *args); });
}

}  // namespace dimgate::cli
