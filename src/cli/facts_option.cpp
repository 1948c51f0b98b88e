// Reads facts and questions into one Context: all texts are parsed before any sort is fixed, so that a symbol's sort
// comes from all its uses; errors name the text they are in. Checked by tests/cli/prove_test.cpp.
#include "cli/facts_option.hpp"

#include <CLI/CLI.hpp>

namespace dimgate::cli {

namespace {

// Undoes the space that Frame puts before a formula that starts with a minus sign.
std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

}  // namespace

void add_facts_option(CLI::App& command, std::vector<std::string>& texts) {
  command.add_option("-a,--assume", texts, "A fact taken to be true (repeatable)")
      ->type_name("FACT")
      ->allow_extra_args(false);
}

std::vector<Expr> read_question(Facts& facts, const std::vector<std::string>& fact_texts,
                                const std::vector<Asked>& asked) {
  std::vector<FormulaText> texts;
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < fact_texts.size(); ++i) {
    labels.push_back(fact_texts.size() == 1 ? "FACT" : "FACT " + std::to_string(i + 1));
    texts.push_back({trimmed(fact_texts[i]), {.file = labels.back(), .sort = Sort::Bool}});
  }
  for (const Asked& a : asked)
    texts.push_back({trimmed(a.text), {.file = a.label, .first_line = a.line, .sort = a.sort}});
  const std::vector<Expr> all = need(parse_together(facts.context(), texts));
  for (std::size_t i = 0; i < labels.size(); ++i) facts.assume(all[i], Standing::checked, labels[i]);
  return {all.begin() + static_cast<std::ptrdiff_t>(labels.size()), all.end()};
}

Expr read_formula(Context& ctx, const std::string& text, const std::string& label) {
  return need(parse(ctx, trimmed(text), {.file = label, .sort = Sort::Bool}));
}

void read_facts(Facts& facts, const std::vector<std::string>& texts) { read_question(facts, texts, {}); }

void need_consistent(Frame& frame, const Facts& facts) {
  const SatResult answer = frame.prover().satisfiable(facts);
  if (answer.verdict != Verdict::refuted) return;
  std::string core;
  for (const FactId id : answer.core)
    core += (core.empty() ? "`" : ", `") + to_text(facts.context(), facts[id].formula) + '`';
  throw Failure{{"contradictory facts: " + core + "; drop one of them"}};
}

}  // namespace dimgate::cli
