#include "explain/values.hpp"

#include <charconv>

#include "dimgate/import.hpp"
#include "dimgate/replay.hpp"
#include "import/guard_comment.hpp"
#include "import/log_text.hpp"

namespace dimgate::explain {

namespace {

constexpr std::size_t kCalls = 1024;  // of one function
constexpr std::size_t kDims = 24;
constexpr std::size_t kSlots = 256;  // of one call
constexpr std::size_t kSymbols = 1024;
constexpr std::size_t kLongestSource = 512;
constexpr std::size_t kDecisions = 64;

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool name_part(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// The decisions of the log as a shape program.
class LoggedProgram final : public Model {
 public:
  LoggedProgram(const std::vector<std::string>& dims, const std::set<std::string>& decisions) : decisions_(&decisions) {
    for (const std::string& dim : dims) dims_.push_back({dim, dim, "seen in the log", {}});
  }
  [[nodiscard]] std::string_view name() const override { return "the logged function"; }
  [[nodiscard]] std::string_view summary() const override { return "what a log shows of a function"; }
  [[nodiscard]] std::span<const ModelDim> dims() const override { return dims_; }
  void trace(Tracer& tracer, std::span<const SymInt> dims) const override {
    const SymTensor x = tracer.input("values", Shape(dims.begin(), dims.end()));
    std::string branches;
    for (const std::string& text : *decisions_) {
      const auto formula = tracer.formula(text);
      if (!formula) continue;  // reads what the log shows no value of
      branches += tracer.decide(*formula, "decision in the log") ? '1' : '0';
    }
    tracer.bake({"branches", {}, branches});
    tracer.output(tracer.record("body", {}, std::span(&x, 1), x.shape(), x.dtype()));
  }

 private:
  std::vector<ModelDim> dims_;
  const std::set<std::string>* decisions_;
};

}  // namespace

std::string plain_source(std::string_view source) {
  if (!source.starts_with("L['")) return std::string(source);
  const std::size_t end = source.find("']", 3);
  if (end == std::string_view::npos) return std::string(source);
  return std::string(source.substr(3, end - 3)) + std::string(source.substr(end + 2));
}

std::string slot_of(const Cause& cause) {
  if (cause.source.size() > kLongestSource) return {};
  switch (cause.kind) {
    case CauseKind::tensor_size:
      return plain_source(cause.source) + ".size()[" + std::to_string(cause.index) + "]";
    case CauseKind::tensor_stride:
      return plain_source(cause.source) + ".stride()[" + std::to_string(cause.index) + "]";
    case CauseKind::shape_guard:
    case CauseKind::shape_guard_duck:
      if (cause.source.empty() || logs::has(cause.expected, ".stride()[")) return {};
      return plain_source(cause.source) + ".size()[" + std::to_string(cause.index) + "]";
    case CauseKind::int_value:
    case CauseKind::shape_guard_int:
      return plain_source(cause.source);
    default:
      return {};
  }
}

SeenValues::Values& SeenValues::at(std::string_view compile) {
  const auto found = index_.find(compile);
  if (found != index_.end()) return calls_[found->second];
  if (calls_.size() >= kCalls) {
    nowhere_.clear();
    return nowhere_;
  }
  index_.emplace(std::string(compile), calls_.size());
  ids_.emplace_back(compile);
  return calls_.emplace_back();
}

void SeenValues::new_run() {
  index_.clear();
  symbols_.clear();
}

std::vector<SeenCall> SeenValues::calls(std::size_t most) const {
  std::vector<SeenCall> out;
  for (std::size_t i = 0; i < calls_.size() && out.size() < most; ++i)
    if (!calls_[i].empty()) out.push_back({ids_[i], {calls_[i].begin(), calls_[i].end()}});
  return out;
}

std::optional<std::int64_t> SeenValues::value(std::string_view compile, const std::string& slot) const {
  const auto call = index_.find(compile);
  if (call == index_.end()) return std::nullopt;
  const Values& values = calls_[call->second];
  const auto found = values.find(slot);
  return found == values.end() ? std::nullopt : std::optional(found->second);
}

void SeenValues::decision(std::string text) {
  if (decisions_.size() < kDecisions && text.size() < 400) decisions_.insert(std::move(text));
}

void SeenValues::add(std::string_view id, const Recompile& recompile) {
  // Logs without compile ids: each recompile is a call of its own, after the first compile.
  const bool first = calls_.empty();
  const std::string compile = id.empty() ? "#" + std::to_string(++unnamed_) : std::string(id);
  for (const FailedGuard& reason : recompile.reasons) {
    const Cause& cause = reason.cause;
    const std::string slot = slot_of(cause);
    if (slot.empty()) continue;
    if (cause.kind == CauseKind::shape_guard || cause.kind == CauseKind::shape_guard_int) {
      std::string_view text = cause.expected;
      text = text.substr(0, text.find("; "));
      if (logs::has(reason.text, "0/1 specialization") && text.starts_with("2 <= ")) text.remove_prefix(5);
      if (!reason.branch && recompile.system == "PyTorch" && logs::has(reason.text, " (_"))
        continue;  // the framework's
      if (text.find_first_of("<=>") != std::string_view::npos || logs::has(text, "Eq(") || logs::has(text, "Ne("))
        decision(std::string(text));
      continue;
    }
    if (cause.kind == CauseKind::shape_guard_duck) continue;
    const auto expected = number(cause.expected);
    if (expected && reason.entry.find('/') != std::string::npos)
      at(reason.entry).try_emplace(slot, *expected);
    else if (expected && (first || calls_.size() == 1))
      at("#0").try_emplace(slot, *expected);
    if (const auto actual = number(cause.actual)) {
      Values& values = at(compile);
      if (values.size() < kSlots || values.count(slot) != 0) values[slot] = *actual;
    }
  }
  at(compile);
}

void SeenValues::add(std::string_view compile, const SymbolCreated& symbol) {
  const std::string source = plain_source(symbol.source);
  if (source.size() > kLongestSource) return;
  if (symbols_.size() < kSymbols) symbols_[std::string(compile) + " " + symbol.symbol] = source;
  if (const auto value = number(symbol.value))
    if (Values& values = at(compile); values.size() < kSlots) values.try_emplace(source, *value);
}

void SeenValues::add(std::string_view compile, const GuardAdded& guard) {
  if (guard.runtime_assert || !guard.branch) return;
  std::string text;  // with sources in place of symbols
  for (std::size_t i = 0; i < guard.expr.size();) {
    std::size_t end = i;
    while (end < guard.expr.size() && name_part(guard.expr[end])) ++end;
    if (end == i) {
      text += guard.expr[i++];
      continue;
    }
    const std::string word = guard.expr.substr(i, end - i);
    const auto found = symbols_.find(std::string(compile) + " " + word);
    text += found == symbols_.end() ? word : found->second;
    i = end;
  }
  decision(std::move(text));
}

std::optional<SeenValues::Left> SeenValues::replay(const std::set<std::string>& wanted, Prover& prover) const {
  std::vector<std::string> dims;
  Values last;
  for (const Values& call : calls_)
    for (const auto& [slot, value] : call)
      if (wanted.count(slot) != 0 && last.try_emplace(slot, value).second && dims.size() < kDims) dims.push_back(slot);
  if (dims.empty()) return std::nullopt;
  std::vector<std::int64_t> values;
  std::vector<std::uint32_t> lines;
  for (const Values& call : calls_) {
    for (const std::string& dim : dims) {
      if (const auto found = call.find(dim); found != call.end()) last[dim] = found->second;
      if (last[dim] < 0) return std::nullopt;
      values.push_back(last[dim]);
    }
    lines.push_back(static_cast<std::uint32_t>(lines.size() + 1));
  }
  const Calls calls(dims, std::move(values), std::move(lines), std::vector<bool>(dims.size()));
  const LoggedProgram program(dims, decisions_);
  ReplayOptions options;
  options.measure_lookup = false;
  const auto policies = parse_policies("symbolic");
  if (!policies) return std::nullopt;
  const auto compared = compare(program, calls, *policies, prover, "log", options);
  if (!compared || compared->rows.empty()) return std::nullopt;
  return Left{compared->rows[0].compiles, calls.size(), decisions_.size()};
}

}  // namespace dimgate::explain
