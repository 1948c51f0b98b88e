// dimgate simplify [-a FACT]... GUARD... or --guards FILE: the minimal equivalent set, in the form people write.
#include "dimgate/simplify.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <ostream>

#include "cli/facts_option.hpp"
#include "cli/output.hpp"
#include "dimgate/import.hpp"

namespace dimgate::cli {

void add_simplify(CLI::App& app, Frame& frame);

namespace {

struct SimplifyArguments {
  std::vector<std::string> facts;
  std::vector<std::string> guards;
  std::string file;
  std::string format = "text";
  bool why = false;
  bool pytorch = false;
};

const std::vector<std::string> kFormats = {"text", "latex", "mathml", "smt2", "python", "c", "json"};

std::vector<Expr> read_guards(Context& ctx, const SimplifyArguments& a) {
  if (!a.file.empty() && !a.guards.empty())
    throw Failure{{"give guards either as arguments or with --guards, not both"}};
  ParseOptions options;
  options.sort = Sort::Bool;
  if (!a.file.empty()) {
    options.file = a.file;
    std::vector<Expr> guards = need(parse_list(ctx, need(read_file(a.file)), options));
    if (guards.empty()) throw Failure{{"no guards; write one formula a line, such as `s0 % 8 == 0`", a.file}};
    return guards;
  }
  if (a.guards.empty()) throw Failure{{"no guards; give formulas or --guards FILE (see `dimgate simplify --help`)"}};
  std::vector<Expr> guards;
  for (std::size_t i = 0; i < a.guards.size(); ++i) {
    try {
      guards.push_back(
          read_formula(ctx, a.guards[i], a.guards.size() == 1 ? "GUARD" : "GUARD " + std::to_string(i + 1)));
    } catch (const Failure&) {
      std::error_code ignored;
      if (!std::filesystem::is_regular_file(a.guards[i], ignored)) throw;
      throw Failure{{"this is a file, not a formula; give it with --guards", a.guards[i]}};
    }
  }
  return guards;
}

// Strides are no sizes, but PyTorch's are never negative.
void assume_strides(Facts& facts) {
  Context& ctx = facts.context();
  for (std::uint32_t i = 0; i < ctx.symbol_count(); ++i) {
    const Expr s = ctx.symbol_at(i);
    const std::string& name = ctx.symbol_name(s);
    if (s.sort() == Sort::Int && name.find(".stride()[") != std::string::npos)
      facts.assume(ctx.make(Op::Ge, {s, ctx.integer(0)}), Standing::checked, "PyTorch's strides are not negative");
  }
}

Expr conjunction(Context& ctx, const std::vector<Expr>& parts) {
  if (parts.empty()) return ctx.boolean(true);
  return parts.size() == 1 ? parts[0] : ctx.make(Op::And, parts);
}

// A function of the slots, complete with its helpers.
void print_c(std::ostream& out, Context& ctx, Expr whole) {
  out << c_prelude() << "\n/* 1: holds, 0: does not, DG_UNDEFINED, DG_OVERFLOW */\nstatic inline int guard(";
  const char* separator = "";
  for (const Expr s : symbols_of(ctx, whole)) {
    const char* type = s.sort() == Sort::Bool ? "int " : s.sort() == Sort::Float ? "uint64_t " : "int64_t ";
    out << separator << type << c_identifier(ctx.symbol_name(s));
    separator = ", ";
  }
  if (*separator == '\0') out << "void";
  out << ") {\n  return " << to_c(ctx, whole) << ";\n}\n";
}

void print_set(std::ostream& out, Context& ctx, const std::vector<Expr>& set, const std::string& format) {
  const Expr whole = conjunction(ctx, set);
  if (format == "c") return print_c(out, ctx, whole);
  if (format == "smt2") {
    out << to_smt2_script(ctx, whole);
    return;
  }
  if (format == "json") {
    out << to_json(ctx, whole) << '\n';
    return;
  }
  const auto spell = [&](Expr e) {
    return format == "latex"    ? to_latex(ctx, e)
           : format == "mathml" ? to_mathml(ctx, e)
           : format == "python" ? to_python(ctx, e)
                                : to_pretty(ctx, e);
  };
  if (set.empty()) out << spell(whole) << '\n';
  for (const Expr e : set) out << spell(e) << '\n';
}

void print_why(std::ostream& out, Context& ctx, const std::vector<Expr>& guards, const Facts& facts,
               const Minimised& m) {
  for (const DroppedGuard& d : m.dropped) {
    out << "# " << to_pretty(ctx, guards[d.guard]) << "\n#   implied by ";
    const char* separator = "";
    for (const std::size_t g : d.implied_by) {
      out << separator << '`' << to_pretty(ctx, guards[g]) << '`';
      separator = ", ";
    }
    for (const FactId f : d.facts) {
      out << separator << "the fact `" << to_pretty(ctx, facts[f].formula) << '`';
      separator = ", ";
    }
    if (*separator == '\0') out << "nothing but the meaning of its operators and sizes";
    out << " (" << d.obligation.stage << ")\n";
  }
}

void print_json(Frame& frame, Context& ctx, const std::vector<Expr>& guards, const Facts& facts, const Minimised& m) {
  Json dropped = Json::array();
  for (const DroppedGuard& d : m.dropped)
    dropped.push_back({{"guard", d.guard},
                       {"text", dimgate::to_text(ctx, guards[d.guard])},
                       {"implied_by", d.implied_by},
                       {"facts", to_json(facts, d.facts)},
                       {"stage", d.obligation.stage}});
  Json readable = Json::array();
  for (const Expr e : m.readable) readable.push_back(dimgate::to_text(ctx, e));
  Json obligations = Json::array();
  for (const Obligation& o : m.obligations)
    obligations.push_back(
        {{"claim", o.claim_text}, {"verdict", to_string(o.verdict)}, {"stage", o.stage}, {"note", o.note}});
  const Json out{{"schema", 1},
                 {"command", "simplify"},
                 {"guards", guards.size()},
                 {"contradictory", m.contradictory},
                 {"kept", m.kept},
                 {"dropped", std::move(dropped)},
                 {"readable", std::move(readable)},
                 {"obligations", std::move(obligations)}};
  frame.out << out.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
}

void simplify_command(Frame& frame, const SimplifyArguments& a) {
  Context ctx;
  Facts facts(ctx);
  read_facts(facts, a.facts);
  const std::vector<Expr> guards = read_guards(ctx, a);
  if (a.pytorch) assume_strides(facts);
  if (facts.size() > 0) need_consistent(frame, facts);
  const Minimised m = minimise(frame.prover(), facts, guards);
  log_minimised(frame.log, ctx, guards, m);
  if (m.contradictory) frame.exit = kNo;
  if (frame.json) return print_json(frame, ctx, guards, facts, m);
  print_set(frame.out, ctx, m.readable, a.format);
  if (a.why) print_why(a.format == "text" ? frame.out : frame.talk, ctx, guards, facts, m);
  if (m.contradictory) {
    frame.talk << "no values satisfy";
    const char* separator = " ";
    for (const std::size_t g : m.kept) {
      frame.talk << separator << '`' << to_pretty(ctx, guards[g]) << '`';
      separator = ", ";
    }
    frame.talk << '\n';
    return;
  }
  frame.talk << guards.size() << (guards.size() == 1 ? " guard, " : " guards, ") << m.kept.size() << " kept, "
             << m.dropped.size() << " implied; written as " << m.readable.size() << '\n';
}

}  // namespace

void add_simplify(CLI::App& app, Frame& frame) {
  auto a = std::make_shared<SimplifyArguments>();
  CLI::App* command = frame.command(app, "simplify", "The minimal equivalent of a guard set, as people write it");
  add_facts_option(*command, a->facts);
  command->add_option("GUARD", a->guards, "Formulas; together they are the guard set");
  command->add_option("--guards", a->file, "One formula a line; `#` begins a comment")->type_name("FILE");
  command->add_flag("--why", a->why, "Say for each dropped guard what implies it");
  command->add_flag("--pytorch", a->pytorch, "The guards are PyTorch's: take it as a fact that strides are >= 0");
  command->add_option("--format", a->format, "How the set is written")
      ->type_name("text|latex|mathml|smt2|python|c|json")
      ->check(CLI::IsMember(kFormats));
  command->callback([a, &frame] { simplify_command(frame, *a); });
}

}  // namespace dimgate::cli
