// Proofs, values and facts as text and as JSON. Checked by tests/cli.
#include "cli/output.hpp"

#include <ostream>

namespace dimgate::cli {

Json to_json(const Integer& value) {
  if (value.bit_length() <= 53) return value.small();
  return value.to_string();
}

Json to_json(const Value& value) {
  switch (value.kind) {
    case Value::Kind::undefined:
      return nullptr;
    case Value::Kind::integer:
      return to_json(value.integer);
    case Value::Kind::boolean:
      return value.is_true();
    case Value::Kind::floating:
      return value.to_string();
    case Value::Kind::enumeration:
      return value.name;
  }
  return nullptr;
}

Json to_json(const Context& ctx, const std::vector<std::pair<Expr, Value>>& values) {
  Json out = Json::object();
  for (const auto& [symbol, value] : values) out[ctx.symbol_name(symbol)] = to_json(value);
  return out;
}

std::string to_text(const Context& ctx, const std::vector<std::pair<Expr, Value>>& values) {
  std::string out;
  for (const auto& [symbol, value] : values)
    out += (out.empty() ? "" : ", ") + ctx.symbol_name(symbol) + " = " + value.to_string();
  return out.empty() ? "any values" : out;
}

Json to_json(const Facts& facts, const std::vector<FactId>& ids) {
  Json out = Json::array();
  for (const FactId id : ids) out.push_back(dimgate::to_text(facts.context(), facts[id].formula));
  return out;
}

std::string to_text(const Facts& facts, const std::vector<FactId>& ids) {
  std::string out;
  for (const FactId id : ids)
    out += (out.empty() ? "`" : ", `") + dimgate::to_text(facts.context(), facts[id].formula) + '`';
  return out;
}

void print_json(Frame& frame, const Json& value) {
  frame.out << value.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
}

void print_proof(Frame& frame, const std::string& command, const Facts& facts, const Proof& proof,
                 const std::optional<Expr>& missing) {
  frame.exit = proof.proved() ? kFine : proof.refuted() ? kNo : kUnknown;
  if (frame.json) {
    Json out{{"schema", 1}, {"command", command}, {"verdict", to_string(proof.verdict)}, {"stage", proof.stage}};
    if (proof.proved()) out["used"] = to_json(facts, proof.used);
    if (proof.refuted()) out["counterexample"] = to_json(facts.context(), proof.counterexample);
    if (proof.verdict == Verdict::unknown) out["reason"] = proof.reason;
    if (missing) out["would_prove"] = dimgate::to_text(facts.context(), *missing);
    print_json(frame, out);
    return;
  }
  frame.out << to_string(proof.verdict);
  if (proof.proved()) {
    frame.out << " (" << proof.stage;
    if (!proof.used.empty()) frame.out << ", from " << to_text(facts, proof.used);
    frame.out << ')';
  }
  if (proof.refuted()) frame.out << ": " << to_text(facts.context(), proof.counterexample);
  if (proof.verdict == Verdict::unknown) frame.out << ": " << proof.reason;
  frame.out << '\n';
  if (missing) frame.talk << "`" << to_pretty(facts.context(), *missing) << "` would prove it\n";
}

}  // namespace dimgate::cli
