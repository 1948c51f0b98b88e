#include "expr/sorts.hpp"

#include <numeric>
#include <utility>

namespace dimgate::detail {
namespace {

std::string_view noun(Sort s) {
  switch (s) {
    case Sort::Int:
      return "an Int";
    case Sort::Bool:
      return "a Bool";
    case Sort::Float:
      return "a Float";
    case Sort::Enum:
      return "an Enum";
  }
  return "";
}

constexpr std::uint32_t kNowhere = 0xffffffffU;

// Where a class got its sort.
struct Evidence {
  std::optional<Sort> sort;
  std::uint32_t node = kNowhere;  // the operator, constant or use; kNowhere: declared in the Context
};

class Inference {
 public:
  Inference(const Syntax& s, std::span<const std::string_view> texts, SortFault& fault)
      : s_(s),
        texts_(texts),
        fault_(fault),
        parent_(s.nodes.size() + s.symbols.size()),
        known_(parent_.size()),
        identity_(parent_.size(), false) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }

  void declare(std::uint32_t symbol, Sort sort) { known_[symbol_class(symbol)] = {sort, kNowhere}; }

  bool node(std::uint32_t n) {
    const SyntaxNode& e = s_.nodes[n];
    if (!classify(n, e)) return false;
    return (!e.integer || want(n, Sort::Int, n)) && (!e.formula || want(n, Sort::Bool, n));
  }

  bool classify(std::uint32_t n, const SyntaxNode& e) {
    switch (e.op) {
      case Op::IntConst:
        return learn(n, Sort::Int, n);
      case Op::BoolConst:
        return learn(n, Sort::Bool, n);
      case Op::FloatConst:
        return learn(n, Sort::Float, n);
      case Op::EnumConst:
        return learn(n, Sort::Enum, n);
      case Op::Symbol:
        parent_[n] = symbol_class(e.payload);
        return true;
      default:
        break;
    }
    const OpInfo& row = info(e.op);
    switch (row.args) {
      case ArgSorts::ints:
        return operands(n, Sort::Int) && learn(n, row.result, n);
      case ArgSorts::bools:
        return operands(n, Sort::Bool) && learn(n, row.result, n);
      case ArgSorts::floats:
        return operands(n, Sort::Float) && learn(n, row.result, n);
      case ArgSorts::same:
        return same(n, 0) && learn(n, row.result, n);
      case ArgSorts::condition_then_same: {
        if (!want(child(n, 0), Sort::Bool, n) || !same(n, 1)) return false;
        parent_[find(n)] = find(child(n, 1));
        return true;
      }
      case ArgSorts::none:
        break;
    }
    return true;
  }

  bool root(std::uint32_t n, Sort wanted) {
    const std::uint32_t c = find(n);
    if (!known_[c].sort) {
      known_[c] = {wanted, n};
      return true;
    }
    if (*known_[c].sort == wanted) return true;
    const bool formula = wanted == Sort::Bool;
    fault_ = {s_.nodes[n].text, s_.nodes[n].at,
              "expected " +
                  std::string(formula               ? "a formula (Bool)"
                              : wanted == Sort::Int ? "a term (Int)"
                                                    : noun(wanted)) +
                  ", found " + std::string(noun(*known_[c].sort))};
    return false;
  }

  [[nodiscard]] Sort of_symbol(std::uint32_t symbol) {
    const std::uint32_t c = find(symbol_class(symbol));
    return known_[c].sort.value_or(identity_[c] ? Sort::Enum : Sort::Int);
  }

 private:
  [[nodiscard]] std::uint32_t symbol_class(std::uint32_t symbol) const {
    return static_cast<std::uint32_t>(s_.nodes.size()) + symbol;
  }
  [[nodiscard]] std::uint32_t child(std::uint32_t n, std::uint32_t i) const {
    return s_.children[s_.nodes[n].first + i];
  }

  std::uint32_t find(std::uint32_t c) {
    while (parent_[c] != c) {
      parent_[c] = parent_[parent_[c]];
      c = parent_[c];
    }
    return c;
  }

  bool operands(std::uint32_t n, Sort sort) {
    for (std::uint32_t i = 0; i < s_.nodes[n].count; ++i)
      if (!want(child(n, i), sort, n)) return false;
    return true;
  }

  bool same(std::uint32_t n, std::uint32_t from) {
    for (std::uint32_t i = from; i < s_.nodes[n].count; ++i) {
      if (s_.nodes[n].identity) identity_[find(child(n, i))] = true;
      if (i > from && !unite(n, child(n, from), child(n, i))) return false;
    }
    return true;
  }

  // The class of n has `sort`, told by node `by`.
  bool learn(std::uint32_t n, Sort sort, std::uint32_t by) {
    known_[find(n)] = {sort, by};
    return true;
  }

  // Operator `by` needs operand n to have `sort`.
  bool want(std::uint32_t n, Sort sort, std::uint32_t by) {
    Evidence& e = known_[find(n)];
    if (!e.sort) {
      e = {sort, by};
      return true;
    }
    if (*e.sort == sort) return true;
    const SyntaxNode& operand = s_.nodes[n];
    const std::string op = shown(operator_text(by));
    if (operand.op == Op::Symbol) {
      conflict(n, sort, by, e);
    } else {
      fault_ = {
          operand.text, operand.at,
          op + " needs " + std::string(noun(sort)) + ", found " + what(n) + ", which is " + std::string(noun(*e.sort))};
    }
    const SyntaxNode& at = s_.nodes[by];
    const std::string_view spelled = operator_text(by);
    if (sort == Sort::Bool && (spelled == "&" || spelled == "|") && *e.sort == Sort::Int)
      fault_.message += ": " + op + " is logical and binds tighter than '==', as in Python: write (a == b) " +
                        std::string(spelled) + " (c == d)";
    else if (at.op == Op::Not && spelled == "~" && *e.sort == Sort::Int)
      fault_.message += ": '~' is logical not";
    return false;
  }

  // A symbol used with two sorts. The second use is where the fault is.
  void conflict(std::uint32_t symbol, Sort sort, std::uint32_t by, const Evidence& before) {
    const SyntaxNode& use = s_.nodes[symbol];
    const std::string name = shown(s_.symbols[use.payload].name);
    fault_ = {use.text, use.at, name + " is " + std::string(noun(sort)) + " here (" + shown(operator_text(by)) + ")"};
    told_elsewhere(before);
  }
  void told_elsewhere(const Evidence& e) {
    if (e.node == kNowhere) {
      fault_.message += " but was declared " + std::string(noun(*e.sort));
      return;
    }
    fault_.message += " but " + std::string(noun(*e.sort)) + " at {} (" + shown(operator_text(e.node)) + ")";
    fault_.has_other = true;
    fault_.other_text = s_.nodes[e.node].text;
    fault_.other_at = s_.nodes[e.node].at;
  }

  bool unite(std::uint32_t by, std::uint32_t left, std::uint32_t right) {
    const std::uint32_t a = find(left), b = find(right);
    if (a == b) return true;
    const Evidence ea = known_[a], eb = known_[b];
    if (ea.sort && eb.sort && *ea.sort != *eb.sort) {
      const std::string op = shown(operator_text(by));
      const SyntaxNode& r = s_.nodes[right];
      if (r.op == Op::Symbol || s_.nodes[left].op == Op::Symbol) {
        // Name the symbol; the other side told it what it should be here.
        const bool is_right = r.op == Op::Symbol;
        const SyntaxNode& symbol = is_right ? r : s_.nodes[left];
        const Evidence& mine = is_right ? eb : ea;
        const Evidence& other = is_right ? ea : eb;
        fault_ = {symbol.text, symbol.at,
                  shown(s_.symbols[symbol.payload].name) + " is " + std::string(noun(*other.sort)) + " here (" + op +
                      " " + what(is_right ? left : right) + ")"};
        told_elsewhere(mine);
      } else {
        fault_ = {s_.nodes[by].text, s_.nodes[by].at,
                  op + " needs operands of one sort, found " + what(left) + ", which is " +
                      std::string(noun(*ea.sort)) + ", and " + what(right) + ", which is " +
                      std::string(noun(*eb.sort))};
      }
      return false;
    }
    parent_[b] = a;
    if (!ea.sort) known_[a] = eb;
    identity_[a] = identity_[a] || identity_[b];
    return true;
  }

  // How the operator or leaf was written.
  [[nodiscard]] std::string_view operator_text(std::uint32_t n) const {
    const std::string_view text = texts_[s_.nodes[n].text].substr(s_.nodes[n].at);
    TextFault fault;
    const std::size_t length = token_length(text);
    return text.substr(0, length);
  }
  [[nodiscard]] std::string what(std::uint32_t n) const {
    const SyntaxNode& e = s_.nodes[n];
    if (e.op == Op::Symbol) return shown(s_.symbols[e.payload].name);
    return shown(operator_text(n));
  }
  static std::size_t token_length(std::string_view text) {
    const auto word = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
             static_cast<unsigned char>(c) >= 0x80;
    };
    if (text.empty()) return 0;
    if (text[0] == '\'' || text[0] == '"') {
      const std::size_t close = text.find(text[0], 1);
      return close == std::string_view::npos ? text.size() : close + 1;
    }
    if (text[0] == '-' && text.size() > 1 && text[1] >= '0' && text[1] <= '9') return 1 + token_length(text.substr(1));
    std::size_t i = 0;
    if (word(text[0]) && static_cast<unsigned char>(text[0]) < 0x80) {
      while (i < text.size() && word(text[i])) ++i;
      return i;
    }
    constexpr std::string_view kTwo[] = {"**", "//", "==", "!=", "<=", ">=", "<<", ">>"};
    for (const std::string_view two : kTwo)
      if (text.substr(0, 2) == two) return 2;
    return static_cast<unsigned char>(text[0]) >= 0x80 ? 3 : 1;
  }

  const Syntax& s_;
  std::span<const std::string_view> texts_;
  SortFault& fault_;
  std::vector<std::uint32_t> parent_;
  std::vector<Evidence> known_;
  std::vector<char> identity_;
};

}  // namespace

bool infer_sorts(const Syntax& syntax, std::span<const std::string_view> texts,
                 std::span<const std::optional<Sort>> declared, std::span<const std::optional<Sort>> wanted,
                 std::vector<Sort>& sorts, SortFault& fault) {
  Inference inference(syntax, texts, fault);
  for (std::uint32_t i = 0; i < declared.size(); ++i)
    if (declared[i]) inference.declare(i, *declared[i]);
  for (std::uint32_t n = 0; n < syntax.nodes.size(); ++n)
    if (!inference.node(n)) return false;
  for (const Syntax::Root& r : syntax.roots)
    if (wanted[r.text] && !inference.root(r.node, *wanted[r.text])) return false;
  sorts.clear();
  for (std::uint32_t i = 0; i < syntax.symbols.size(); ++i) sorts.push_back(inference.of_symbol(i));
  return true;
}

}  // namespace dimgate::detail
