#include "cli/facts_option.hpp"

namespace dimgate::cli {

namespace {

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

}  // namespace

void add_facts_option(CLI::App& command, std::vector<std::string>& texts) {
  command.add_option("-a,--assume", texts, "A fact taken to be true (repeatable)")
      ->type_name("FACT")
      ->allow_extra_args(false);
}

Expr read_term(Context& ctx, const std::string& text, const std::string& label) {
  ParseOptions options;
  options.file = label;
  return need(parse(ctx, trimmed(text), options));
}

Expr read_formula(Context& ctx, const std::string& text, const std::string& label) {
  // A lone name has no use that tells its sort: as a formula it is a truth value.
  const Expr e = read_term(ctx, text, label);
  if (e.sort() != Sort::Bool)
    throw Failure{{"`" + trimmed(text) + "` is a term of sort " + std::string(to_string(e.sort())) +
                       "; a formula is needed here, such as `" + trimmed(text) + " >= 1`",
                   label}};
  return e;
}

void read_facts(Facts& facts, const std::vector<std::string>& texts) {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string label = texts.size() == 1 ? "FACT" : "FACT " + std::to_string(i + 1);
    facts.assume(read_formula(facts.context(), texts[i], label), Standing::checked, label);
  }
}

void need_consistent(Frame& frame, const Facts& facts) {
  const SatResult answer = frame.prover().satisfiable(facts);
  if (answer.verdict != Verdict::refuted) return;
  std::string core;
  for (const FactId id : answer.core)
    core += (core.empty() ? "`" : ", `") + to_text(facts.context(), facts[id].formula) + '`';
  throw Failure{{"contradictory facts: " + core + "; drop one of them"}};
}

}  // namespace dimgate::cli
