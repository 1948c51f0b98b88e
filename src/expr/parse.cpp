#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "dimgate/expr.hpp"
#include "expr/foreign.hpp"
#include "expr/functions.hpp"
#include "expr/lexer.hpp"
#include "expr/parser.hpp"
#include "expr/sorts.hpp"
#include "expr/syntax.hpp"

namespace dimgate {
namespace {

using detail::Syntax;
using detail::SyntaxNode;

Error error_at(const FormulaText& t, std::uint32_t at, std::string message) {
  Error e{std::move(message), t.options.file, 0, 0};
  detail::locate(t.text, at, t.options.first_line, e.line, e.column);
  return e;
}

std::string place(const FormulaText& t, std::uint32_t at, bool with_file) {
  Error e = error_at(t, at, "");
  std::string out = std::to_string(e.line) + ":" + std::to_string(e.column);
  if (with_file && !e.file.empty()) out = e.file + ":" + out;
  return out;
}

// The first symbol of the syntax that the Context does not have.
std::optional<Error> undeclared(const Context& ctx, const Syntax& syntax, std::span<const FormulaText> texts) {
  for (const Syntax::SymbolUse& use : syntax.symbols) {
    if (ctx.find_symbol(use.name)) continue;
    std::vector<std::string_view> known;
    for (std::uint32_t i = 0; i < ctx.symbol_count(); ++i) known.push_back(ctx.symbol_name(ctx.symbol_at(i)));
    std::string message = "unknown symbol " + detail::shown(use.name);
    if (const auto near = detail::closest(use.name, known)) {
      message += "; did you mean " + detail::shown(known[*near]) + "?";
    } else if (!known.empty() && known.size() <= 8) {
      message += "; declared are";
      for (std::size_t i = 0; i < known.size(); ++i) message += (i == 0 ? " " : ", ") + std::string(known[i]);
    }
    const SyntaxNode& node = syntax.nodes[use.node];
    return error_at(texts[node.text], node.at, std::move(message));
  }
  return std::nullopt;
}

// Exact arithmetic would make `((9**4096)**4096)**4096` a number of 10^11 bits: such towers are refused here. A bound
// on the bits of every term, taking 64 for a symbol.
std::optional<Error> too_large(const Syntax& syntax, std::span<const FormulaText> texts) {
  constexpr std::uint64_t kMost = 1ULL << 24U;
  std::vector<std::uint64_t> bits(syntax.nodes.size(), 64);
  for (std::size_t n = 0; n < syntax.nodes.size(); ++n) {
    const SyntaxNode& e = syntax.nodes[n];
    if (e.op == Op::IntConst) bits[n] = syntax.integers[e.payload].bit_length();
    std::uint64_t sum = 0, most = 0;
    for (std::uint32_t i = 0; i < e.count; ++i) {
      sum += bits[syntax.children[e.first + i]];
      most = std::max(most, bits[syntax.children[e.first + i]]);
    }
    if (e.op == Op::Mul) {
      bits[n] = sum;
    } else if (e.op == Op::Pow) {
      const SyntaxNode& exponent = syntax.nodes[syntax.children[e.first + 1]];
      bits[n] = bits[syntax.children[e.first]] * static_cast<std::uint64_t>(syntax.integers[exponent.payload].small());
      if (bits[n] > kMost)
        return error_at(texts[e.text], e.at, "expected powers of at most 2^24 bits, found a larger one");
    } else if (e.count != 0) {
      bits[n] = most + std::bit_width(e.count);
    }
    bits[n] = std::min<std::uint64_t>(bits[n], 1ULL << 40U);
  }
  return std::nullopt;
}

// Translations use an operand several times (round its term three times): written out as trees, roundings within
// roundings would grow with a power of their depth. What is written as a tree stays below this by itself.
std::optional<Error> too_many(const Syntax& syntax, std::span<const FormulaText> texts) {
  const std::uint64_t most = (1ULL << 20U) + 64 * syntax.nodes.size();
  std::vector<std::uint64_t> weight(syntax.nodes.size(), 1);
  for (std::size_t n = 0; n < syntax.nodes.size(); ++n) {
    const SyntaxNode& e = syntax.nodes[n];
    for (std::uint32_t i = 0; i < e.count; ++i) weight[n] += weight[syntax.children[e.first + i]];
    if (weight[n] > most)
      return error_at(texts[e.text], e.at,
                      "expected translations nested less deep: written out they would be too long");
  }
  return std::nullopt;
}

Result<std::vector<Expr>> build(Context& ctx, const Syntax& syntax, const std::vector<Sort>& sorts,
                                std::span<const FormulaText> texts) {
  std::vector<Expr> made(syntax.nodes.size());
  std::vector<Expr> operands;
  for (std::size_t n = 0; n < syntax.nodes.size(); ++n) {
    const SyntaxNode& e = syntax.nodes[n];
    switch (e.op) {
      case Op::IntConst:
        made[n] = ctx.integer(syntax.integers[e.payload]);
        break;
      case Op::BoolConst:
        made[n] = ctx.boolean(e.payload != 0);
        break;
      case Op::FloatConst:
        made[n] = ctx.float_bits(syntax.floats[e.payload]);
        break;
      case Op::EnumConst:
        made[n] = ctx.enumeration(syntax.names[e.payload]);
        break;
      case Op::Symbol:
        made[n] = ctx.symbol(syntax.symbols[e.payload].name, sorts[e.payload]);
        break;
      default: {
        operands.clear();
        for (std::uint32_t i = 0; i < e.count; ++i) operands.push_back(made[syntax.children[e.first + i]]);
        if (auto wrong = ctx.check(e.op, operands)) return error_at(texts[e.text], e.at, std::move(*wrong));
        made[n] = ctx.make(e.op, operands);
      }
    }
  }
  std::vector<Expr> roots;
  roots.reserve(syntax.roots.size());
  for (const Syntax::Root& r : syntax.roots) roots.push_back(made[r.node]);
  return roots;
}

Result<std::vector<Expr>> read(Context& ctx, std::span<const FormulaText> texts, bool list_mode, bool opaque = false) {
  Syntax syntax;
  for (std::uint32_t t = 0; t < texts.size(); ++t) {
    detail::TokenList tokens;
    detail::TextFault fault;
    if (!detail::lex(texts[t].text, list_mode, tokens, fault) ||
        !detail::parse_tokens(tokens, t, list_mode, opaque, syntax, fault))
      return error_at(texts[t], fault.at, std::move(fault.message));
  }
  if (syntax.leftovers) {
    syntax.keep_needed();
    if (auto grown = too_many(syntax, texts)) return std::move(*grown);
  }
  if (auto tower = too_large(syntax, texts)) return std::move(*tower);
  if (!texts.empty() && texts[0].options.declared_only)
    if (auto missing = undeclared(ctx, syntax, texts)) return std::move(*missing);

  std::vector<std::optional<Sort>> declared, wanted;
  for (const Syntax::SymbolUse& use : syntax.symbols) {
    const Expr known = ctx.find_symbol(use.name);
    declared.push_back(known ? std::optional(known.sort()) : std::nullopt);
  }
  std::vector<std::string_view> views;
  for (const FormulaText& t : texts) {
    wanted.push_back(t.options.sort);
    views.push_back(t.text);
  }
  std::vector<Sort> sorts;
  detail::SortFault fault;
  if (!detail::infer_sorts(syntax, views, declared, wanted, sorts, fault)) {
    if (fault.has_other) {
      const bool far = texts[fault.other_text].options.file != texts[fault.text].options.file;
      const std::size_t hole = fault.message.rfind("{} (");
      fault.message.replace(hole, 2, place(texts[fault.other_text], fault.other_at, far));
    }
    return error_at(texts[fault.text], fault.at, std::move(fault.message));
  }
  return build(ctx, syntax, sorts, texts);
}

}  // namespace

Result<Expr> parse(Context& ctx, std::string_view text, const ParseOptions& options) {
  const std::array<FormulaText, 1> one{{{text, options}}};
  auto all = read(ctx, one, false);
  if (!all) return all.error();
  return all.value()[0];
}

Result<Expr> parse_foreign(Context& ctx, std::string_view text) {
  const std::array<FormulaText, 1> one{{{text, {}}}};
  auto all = read(ctx, one, false, true);
  if (!all) return all.error();
  return all.value()[0];
}

Result<std::vector<Expr>> parse_list(Context& ctx, std::string_view text, const ParseOptions& options) {
  const std::array<FormulaText, 1> one{{{text, options}}};
  return read(ctx, one, true);
}

Result<std::vector<Expr>> parse_together(Context& ctx, std::span<const FormulaText> texts) {
  return read(ctx, texts, false);
}

}  // namespace dimgate
