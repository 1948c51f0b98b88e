// dimgate check --guards FILE --inputs FILE: which inputs a guard set accepts, and why not the others.
#include <CLI/CLI.hpp>
#include <ostream>

#include "cli/frame.hpp"
#include "cli/output.hpp"
#include "dimgate/import.hpp"
#include "dimgate/replay.hpp"

namespace dimgate::cli {

namespace {

void print_text(Frame& frame, const Context& ctx, const std::vector<Expr>& guards, const Table& inputs,
                const CheckReport& report) {
  for (const CheckReport::Input& input : report.inputs) {
    frame.out << inputs.file() << ':' << input.line << ": ";
    if (input.failing.empty()) {
      frame.out << "holds\n";
      continue;
    }
    frame.out << "fails\n";
    for (const auto& failing : input.failing) {
      frame.out << "  " << to_pretty(ctx, guards[failing.guard]) << (failing.undefined ? " is undefined" : " is false");
      const char* separator = ": ";
      for (const auto& [name, value] : failing.values) {
        frame.out << separator << name << " = " << value;
        separator = ", ";
      }
      frame.out << '\n';
    }
  }
  frame.out << report.holding << " of " << report.inputs.size() << " inputs hold\n";
}

void print_json(Frame& frame, const Context& ctx, const std::vector<Expr>& guards, const CheckReport& report) {
  Json rows = Json::array();
  for (const CheckReport::Input& input : report.inputs) {
    Json failing = Json::array();
    for (const auto& f : input.failing) {
      Json values = Json::object();
      for (const auto& [name, value] : f.values) values[name] = value;
      failing.push_back({{"guard", f.guard},
                         {"text", to_text(ctx, guards[f.guard])},
                         {"undefined", f.undefined},
                         {"values", values}});
    }
    rows.push_back({{"line", input.line}, {"holds", input.failing.empty()}, {"failing", std::move(failing)}});
  }
  const Json out = {{"schema", 1},
                    {"guards", guards.size()},
                    {"inputs", report.inputs.size()},
                    {"holding", report.holding},
                    {"rows", std::move(rows)}};
  frame.out << out.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
}

void check_command(Frame& frame, const std::string& guards_file, const std::string& inputs_file) {
  Context ctx;
  ParseOptions options;
  options.file = guards_file;
  options.sort = Sort::Bool;
  const std::string text = need(read_file(guards_file));
  const std::vector<Expr> guards = need(parse_list(ctx, text, options));
  if (guards.empty()) throw Failure{{"no guards; write one formula a line, such as `s0 % 8 == 0`", guards_file}};
  const Table inputs = need(read_table(inputs_file));
  const CheckReport report = need(check_inputs(ctx, guards, inputs));
  if (frame.json)
    print_json(frame, ctx, guards, report);
  else
    print_text(frame, ctx, guards, inputs, report);
  frame.exit = report.holding == report.inputs.size() ? kFine : kNo;
}

}  // namespace

void add_check(CLI::App& app, Frame& frame) {
  struct Files {
    std::string guards, inputs;
  };
  auto files = std::make_shared<Files>();
  CLI::App* sub = frame.command(app, "check", "Which inputs a guard set accepts, and why not the others");
  sub->add_option("--guards", files->guards, "One formula a line; `#` begins a comment")->type_name("FILE")->required();
  sub->add_option("--inputs", files->inputs, "CSV or JSON Lines; columns are named as the guards' symbols")
      ->type_name("FILE")
      ->required();
  sub->callback([&frame, files] { check_command(frame, files->guards, files->inputs); });
}

}  // namespace dimgate::cli
