// Guards against rows of a table. The compiled program decides (whole rows in batches); the reference evaluator
// explains the failures (and decides alone where a value does not fit a slot).
#include <algorithm>
#include <array>
#include <unordered_map>

#include "dimgate/compile.hpp"
#include "dimgate/replay.hpp"
#include "expr/evaluate.hpp"
#include "import/values.hpp"

namespace dimgate {

namespace {

SlotSort slot_sort(Sort sort) {
  switch (sort) {
    case Sort::Bool:
      return SlotSort::boolean;
    case Sort::Float:
      return SlotSort::floating;
    case Sort::Enum:
      return SlotSort::name;
    default:
      return SlotSort::integer;
  }
}

class Checker {
 public:
  Checker(Context& ctx, std::span<const Expr> guards, const Table& inputs)
      : ctx_(ctx), guards_(guards), inputs_(inputs) {}

  Result<CheckReport> run() {
    if (auto problem = resolve()) return *std::move(problem);
    auto program = compile(ctx_, guards_, layout_);
    if (!program) return program.error();
    Snapshot snapshot(layout_.size());
    CheckReport report;
    report.inputs.resize(inputs_.rows());
    std::vector<std::int64_t> values(layout_.size() * kBlock);
    std::vector<const std::int64_t*> columns;
    for (std::size_t s = 0; s < layout_.size(); ++s) columns.push_back(values.data() + s * kBlock);
    std::vector<std::size_t> rows;  // those in the columns
    std::array<std::uint8_t, kBlock> pass{};
    for (std::size_t row = 0; row < inputs_.rows(); ++row) {
      bool fits = true;
      if (auto problem = read(row, snapshot, fits)) return *std::move(problem);
      report.inputs[row].line = inputs_.line(row);
      if (fits && is_whole(snapshot)) {
        for (SlotIndex s = 0; s < layout_.size(); ++s) values[s * kBlock + rows.size()] = snapshot.raw(s);
        rows.push_back(row);
      } else if (!fits || program->check(snapshot) != kPass) {
        explain(report.inputs[row]);
      }
      if (rows.size() < kBlock && row + 1 < inputs_.rows()) continue;
      program->check_batch(columns, rows.size(), pass.data());
      for (std::size_t k = 0; k < rows.size(); ++k) {
        if (pass[k] != 0) continue;
        if (auto problem = read(rows[k], snapshot, fits)) return *std::move(problem);
        explain(report.inputs[rows[k]]);
      }
      rows.clear();
    }
    for (const CheckReport::Input& input : report.inputs) report.holding += input.failing.empty() ? 1 : 0;
    return report;
  }

 private:
  static constexpr std::size_t kBlock = 256;  // rows checked at once

  [[nodiscard]] bool is_whole(const Snapshot& snapshot) const {
    for (SlotIndex s = 0; s < layout_.size(); ++s)
      if (!snapshot.has(s)) return false;
    return true;
  }

  std::optional<Error> resolve() {
    std::unordered_map<Expr, bool> seen;
    for (const Expr guard : guards_) {
      symbols_of_.push_back(symbols_of(ctx_, guard));
      for (const Expr symbol : symbols_of_.back()) {
        if (!seen.emplace(symbol, true).second) continue;
        const std::string& name = ctx_.symbol_name(symbol);
        const auto column = inputs_.find(name);
        if (!column)
          return Error{"no column '" + name + "', which a guard reads; the columns are " + inputs_.column_list(),
                       inputs_.file()};
        layout_.add(name, slot_sort(symbol.sort()));
        symbols_.push_back(symbol);
        columns_.push_back(*column);
      }
    }
    return std::nullopt;
  }

  std::optional<Error> read(std::size_t row, Snapshot& snapshot, bool& fits) {
    snapshot.clear();
    at_.clear();
    for (std::size_t i = 0; i < symbols_.size(); ++i) {
      const auto cell = inputs_.cell(row, columns_[i]);
      if (!cell || (cell->empty() && symbols_[i].sort() != Sort::Enum)) continue;
      auto value = read_value(inputs_, row, columns_[i], symbols_[i].sort());
      if (!value) return value.error();
      const auto slot = static_cast<SlotIndex>(i);
      switch (value->kind) {
        case Value::Kind::integer:
          if (const auto small = value->integer.to_int64()) {
            snapshot.set(slot, *small);
          } else {
            fits = false;
          }
          break;
        case Value::Kind::enumeration:
          snapshot.set_name(slot, layout_.names().intern(value->name));
          break;
        default:
          snapshot.set(slot, static_cast<std::int64_t>(value->bits));
          break;
      }
      at_.set(symbols_[i], std::move(*value));
    }
    return std::nullopt;
  }

  void explain(CheckReport::Input& input) {
    for (std::size_t g = 0; g < guards_.size(); ++g) {
      const Value value = value_at(ctx_, guards_[g], at_);
      if (value.is_true()) continue;
      CheckReport::Failing failing{g, value.is_undefined(), {}};
      for (const Expr symbol : symbols_of_[g]) {
        const Value& seen = at_.get(symbol);
        failing.values.emplace_back(ctx_.symbol_name(symbol), seen.is_undefined() ? "missing" : seen.to_string());
      }
      input.failing.push_back(std::move(failing));
    }
  }

  Context& ctx_;
  std::span<const Expr> guards_;
  const Table& inputs_;
  Layout layout_;
  std::vector<Expr> symbols_;
  std::vector<std::size_t> columns_;
  std::vector<std::vector<Expr>> symbols_of_;  // of each guard
  Assignment at_;
};

}  // namespace

Result<CheckReport> check_inputs(Context& ctx, std::span<const Expr> guards, const Table& inputs) {
  return Checker(ctx, guards, inputs).run();
}

}  // namespace dimgate
