// Formulas over columns. A call is a batch of rows (of one row without --batch): `count()` is their number, `max(t)`
// and `min(t)` with one operand range over them. Constants and bare columns, which is nearly all of them, skip the
// evaluator.
#include <charconv>
#include <functional>
#include <unordered_map>

#include "dimgate/expr.hpp"
#include "expr/evaluate.hpp"
#include "import/batch.hpp"
#include "import/values.hpp"

namespace dimgate {

namespace {

constexpr std::string_view kCount = "count()";

bool is_name_char(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// A name as long as `count()` (so that places in messages stay right) that is no column.
std::string count_symbol(const Table& table) {
  std::string name = "count__";
  for (char c = 'a'; c <= 'z' && table.find(name); ++c) name.back() = c;
  return name;
}

std::string with_count_symbol(std::string text, const std::string& symbol) {
  for (std::size_t at = 0; (at = text.find(kCount, at)) != std::string::npos; at += kCount.size())
    if (at == 0 || (!is_name_char(text[at - 1]) && text[at - 1] != '.')) text.replace(at, kCount.size(), symbol);
  return text;
}

/// A value taken over the rows of a batch.
struct Aggregate {
  Expr symbol;                // stands for it in the outer formula
  Op op;                      // Max or Min
  Expr inner;                 // over the columns
  std::vector<Expr> columns;  // symbols of `inner`
};

class Formula {
 public:
  static Result<std::unique_ptr<Formula>> make(const Table& table, const Bind& bind, bool batched);
  Result<std::int64_t> evaluate(std::size_t begin, std::size_t end);
  [[nodiscard]] bool is_constant() const { return columns_.empty() && aggregates_.empty() && !count_; }

 private:
  Formula(const Table& table, const Bind& bind) : table_(&table), bind_(&bind), count_name_(count_symbol(table)) {}
  std::optional<Error> resolve(bool batched);
  Expr take_out_aggregates(Expr root);
  [[nodiscard]] Error error(std::string message) const {
    return {"--bind " + bind_->dim + "=" + shown(bind_->formula) + ": " + std::move(message)};
  }
  [[nodiscard]] Error error_at(std::size_t row, std::size_t column, const std::string& message) const {
    return table_->error_at(row, column, message + " (--bind " + bind_->dim + "=" + shown(bind_->formula) + ")");
  }
  Result<Value> read(std::size_t row, Expr symbol);
  Result<Value> aggregate(const Aggregate& a, std::size_t begin, std::size_t end);

  const Table* table_;
  const Bind* bind_;
  std::string count_name_;
  Context ctx_;
  Expr expr_;
  Expr count_;                 // null if not used
  std::vector<Expr> columns_;  // symbols read from the batch's first row
  std::vector<Aggregate> aggregates_;
  std::unordered_map<Expr, std::size_t> column_;  // of a symbol
  Assignment at_;
};

Result<std::unique_ptr<Formula>> Formula::make(const Table& table, const Bind& bind, bool batched) {
  std::unique_ptr<Formula> f(new Formula(table, bind));
  auto parsed = parse(f->ctx_, with_count_symbol(bind.formula, f->count_name_));
  if (!parsed) {
    const Error& e = parsed.error();
    return f->error((e.column != 0 ? "column " + std::to_string(e.column) + ": " : std::string()) + e.message);
  }
  if (parsed->sort() != Sort::Int)
    return f->error("is " + std::string(to_string(parsed->sort())) + "; a dimension needs an integer (Int)");
  f->expr_ = f->take_out_aggregates(*parsed);
  if (auto problem = f->resolve(batched)) return *std::move(problem);
  return f;
}

/// `root` with each one-operand max and min replaced by a symbol. Aggregates do not nest: an inner one is the identity.
Expr Formula::take_out_aggregates(Expr root) {
  struct Frame {
    Expr node;
    std::size_t next;
    std::size_t results;  // size of `done` when the node was entered
  };
  std::unordered_map<Expr, Expr> memo;
  std::vector<Frame> stack{{root, 0, 0}};
  std::vector<Expr> done;
  while (!stack.empty()) {
    Frame& top = stack.back();
    Expr result;
    if (const auto found = memo.find(top.node); found != memo.end()) {
      result = found->second;
    } else if ((top.node.is(Op::Max) || top.node.is(Op::Min)) && top.node.size() == 1) {
      const Expr symbol = ctx_.symbol("aggregate#" + std::to_string(aggregates_.size()));
      aggregates_.push_back({symbol, top.node.op(), top.node[0], symbols_of(ctx_, top.node[0])});
      result = symbol;
    } else if (top.next < top.node.size()) {
      const Expr child = top.node[top.next++];
      stack.push_back({child, 0, done.size()});
      continue;
    } else if (top.node.size() == 0) {
      result = top.node;
    } else {
      result = ctx_.make(top.node.op(), std::span(done).subspan(top.results));
    }
    memo.emplace(top.node, result);
    done.resize(top.results);
    done.push_back(result);
    stack.pop_back();
  }
  return done.front();
}

std::optional<Error> Formula::resolve(bool batched) {
  const auto find_column = [&](Expr symbol) -> std::optional<Error> {
    const std::string& name = ctx_.symbol_name(symbol);
    const auto column = table_->find(name);
    if (!column) {
      Error e = error("no column '" + name + "'; the columns are " + table_->column_list());
      e.file = table_->file();
      return e;
    }
    column_[symbol] = *column;
    return std::nullopt;
  };
  for (const Expr symbol : symbols_of(ctx_, expr_)) {
    bool aggregate = false;
    for (const Aggregate& a : aggregates_) aggregate |= a.symbol == symbol;
    if (aggregate) continue;
    if (ctx_.symbol_name(symbol) == count_name_) {
      count_ = symbol;
      continue;
    }
    if (auto problem = find_column(symbol)) return problem;
    const std::string& name = ctx_.symbol_name(symbol);
    if (batched)
      return error("a batch has many values of '" + name + "'; write max(" + name + "), min(" + name + ") or count()");
    columns_.push_back(symbol);
  }
  for (const Aggregate& a : aggregates_)
    for (const Expr symbol : a.columns) {
      if (ctx_.symbol_name(symbol) == count_name_)
        return error("count() inside max or min; it is the same for the whole batch");
      if (auto problem = find_column(symbol)) return problem;
    }
  return std::nullopt;
}

Result<Value> Formula::read(std::size_t row, Expr symbol) {
  auto value = read_value(*table_, row, column_.at(symbol), symbol.sort());
  if (value) return value;
  Error e = value.error();
  e.message += " (--bind " + bind_->dim + "=" + shown(bind_->formula) + ")";
  return e;
}

Result<Value> Formula::aggregate(const Aggregate& a, std::size_t begin, std::size_t end) {
  Value best = Value::undefined();
  for (std::size_t row = begin; row < end; ++row) {
    Value value;
    if (a.inner.is_symbol()) {
      auto v = read(row, a.inner);
      if (!v) return v.error();
      value = std::move(*v);
    } else {
      for (const Expr symbol : a.columns) {
        auto v = read(row, symbol);
        if (!v) return v.error();
        at_.set(symbol, std::move(*v));
      }
      value = value_at(ctx_, a.inner, at_);
    }
    if (value.is_undefined()) return value;
    if (row == begin || (a.op == Op::Max ? best.integer < value.integer : value.integer < best.integer))
      best = std::move(value);
  }
  return best;
}

Result<std::int64_t> Formula::evaluate(std::size_t begin, std::size_t end) {
  if (expr_.is_symbol() && !columns_.empty()) {
    auto value = read(begin, expr_);
    if (!value) return value.error();
    if (const auto small = value->integer.to_int64()) return *small;
    return error_at(begin, column_.at(expr_),
                    "the value " + shown(value->integer.to_string()) + " does not fit 64 bits");
  }
  if (expr_.is_int() && expr_.integer().is_small()) return expr_.integer().small();
  for (const Expr symbol : columns_) {
    auto v = read(begin, symbol);
    if (!v) return v.error();
    at_.set(symbol, std::move(*v));
  }
  for (const Aggregate& a : aggregates_) {
    auto v = aggregate(a, begin, end);
    if (!v) return v.error();
    at_.set(a.symbol, std::move(*v));
  }
  if (count_) at_.set(count_, Value::of(static_cast<std::int64_t>(end - begin)));
  const Value value = value_at(ctx_, expr_, at_);
  const std::size_t column = !columns_.empty() ? column_.at(columns_.front())
                             : !aggregates_.empty() && !aggregates_.front().columns.empty()
                                 ? column_.at(aggregates_.front().columns.front())
                                 : 0;
  if (value.is_undefined()) return error_at(begin, column, "the value is undefined here (division by zero)");
  if (const auto small = value.integer.to_int64()) return *small;
  return error_at(begin, column, "the value " + shown(value.integer.to_string()) + " does not fit 64 bits");
}

}  // namespace

Result<Bind> parse_bind(std::string_view text) {
  const std::size_t equals = text.find('=');
  std::string_view name = text.substr(0, equals == std::string_view::npos ? 0 : equals);
  while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
  if (name.empty() || equals + 1 == text.size())
    return Error{"--bind " + shown(text) + ": expected NAME=EXPR, such as L=ContextTokens or H=height//32*32"};
  return Bind{std::string(name), std::string(text.substr(equals + 1))};
}

bool can_bind(const Table& table, const std::string& formula, bool batched) {
  return Formula::make(table, Bind{"", formula}, batched).ok();
}

Result<Calls> bind_calls(const Table& table, const CallOptions& options) {
  const std::size_t most = options.first.value_or(static_cast<std::size_t>(-1));
  auto starts = batch_starts(table, options.batch, most);
  if (!starts) return starts.error();
  std::vector<std::string> dims;
  std::vector<std::unique_ptr<Formula>> formulas;
  for (const Bind& bind : options.binds) {
    for (const std::string& earlier : dims)
      if (earlier == bind.dim) return Error{"--bind " + bind.dim + " is given twice"};
    auto formula = Formula::make(table, bind, options.batch.has_value());
    if (!formula) return formula.error();
    dims.push_back(bind.dim);
    formulas.push_back(std::move(*formula));
  }
  const std::size_t calls = starts->size() - 1;
  std::vector<std::int64_t> values(calls * dims.size());
  std::vector<std::uint32_t> lines(calls);
  for (std::size_t call = 0; call < calls; ++call) {
    const std::size_t begin = (*starts)[call], end = (*starts)[call + 1];
    lines[call] = table.line(begin);
    for (std::size_t i = 0; i < formulas.size(); ++i) {
      auto value = formulas[i]->evaluate(begin, end);
      if (!value) return value.error();
      values[call * dims.size() + i] = *value;
    }
  }
  std::vector<bool> constant;
  for (const auto& formula : formulas) constant.push_back(formula->is_constant());
  return Calls(std::move(dims), std::move(values), std::move(lines), std::move(constant));
}

}  // namespace dimgate
