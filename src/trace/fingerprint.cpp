// Fingerprints: the program as bytes that depend on no name and no place.
//
// Symbols are renamed `$000000`, `$000001`, … by first use and every term is rebuilt canonically in a Context of its
// own, because the canonical order of a sum looks at names: B*L and Z*A must come out the same. Inputs are numbered by
// first use as well; parameters keep their names, which identify their data. Terms are written as a DAG: a node the
// first time, its number from then on, so the bytes stay linear however much is shared.
#include <cassert>
#include <cstdio>
#include <optional>
#include <unordered_map>

#include "dimgate/shape_program.hpp"

namespace dimgate {

namespace {

class Writer {
 public:
  explicit Writer(const Context& from) : from_(from) {}

  void number(std::uint64_t v) {
    while (v >= 0x80) {
      bytes_ += static_cast<char>(v | 0x80U);
      v >>= 7U;
    }
    bytes_ += static_cast<char>(v);
  }
  void text(std::string_view s) {
    number(s.size());
    bytes_ += s;
  }
  void tag(char c) { bytes_ += c; }
  void term(Expr e) { write(rename(e)); }
  void numbers(const std::vector<SymInt>& list) {
    number(list.size());
    for (const SymInt& s : list) {
      if (s.is_const())
        write(to_.integer(s.constant()));
      else
        term(s.term());
    }
  }
  std::string take_bytes() { return std::move(bytes_); }
  std::vector<Expr> take_symbols() { return std::move(symbols_); }

 private:
  /// e in `to_`, symbols renamed by first use, canonical.
  Expr rename(Expr e) {
    std::vector<std::pair<Expr, bool>> stack{{e, false}};  // second: operands are done
    std::vector<Expr> args;
    while (!stack.empty()) {
      const auto [n, ready] = stack.back();
      if (renamed_.contains(n.node())) {
        stack.pop_back();
        continue;
      }
      if (!ready && n.size() != 0) {
        stack.back().second = true;
        for (std::size_t i = n.size(); i-- > 0;) stack.emplace_back(n[i], false);
        continue;
      }
      stack.pop_back();
      args.clear();
      for (std::size_t i = 0; i < n.size(); ++i) args.push_back(renamed_.at(n[i].node()));
      renamed_.emplace(n.node(), copy(n, args));
    }
    return renamed_.at(e.node());
  }

  Expr copy(Expr n, std::span<const Expr> args) {
    switch (n.op()) {
      case Op::IntConst:
        return to_.integer(n.integer());
      case Op::BoolConst:
        return to_.boolean(n.is_true());
      case Op::FloatConst:
        return to_.float_bits(n.float_bits());
      case Op::EnumConst:
        return to_.enumeration(from_.enum_name(n));
      case Op::Symbol: {
        char name[32];
        std::snprintf(name, sizeof name, "$%06zu", symbols_.size());
        symbols_.push_back(n);
        return to_.symbol(name, n.sort());
      }
      default:
        return to_.canonical(to_.make(n.op(), args));
    }
  }

  /// The node's number; nodes not met yet are written first, operands before what uses them.
  void write(Expr e) {
    std::vector<std::pair<Expr, bool>> stack{{e, false}};
    while (!stack.empty()) {
      const auto [n, ready] = stack.back();
      if (written_.contains(n.node())) {
        stack.pop_back();
        continue;
      }
      if (!ready && n.size() != 0) {
        stack.back().second = true;
        for (std::size_t i = n.size(); i-- > 0;) stack.emplace_back(n[i], false);
        continue;
      }
      stack.pop_back();
      tag('t');
      number(static_cast<std::uint64_t>(n.op()));
      switch (n.op()) {
        case Op::IntConst:
          text(n.integer().to_string());
          break;
        case Op::BoolConst:
          number(n.is_true() ? 1 : 0);
          break;
        case Op::FloatConst:
          number(n.float_bits());
          break;
        case Op::EnumConst:
          text(to_.enum_name(n));
          break;
        case Op::Symbol:
          text(to_.symbol_name(n));
          break;
        default:
          number(n.size());
          for (std::size_t i = 0; i < n.size(); ++i) number(written_.at(n[i].node()));
      }
      written_.emplace(n.node(), written_.size());
    }
    tag('r');
    number(written_.at(e.node()));
  }

  const Context& from_;
  Context to_;
  std::string bytes_;
  std::vector<Expr> symbols_;
  std::unordered_map<const detail::Node*, Expr> renamed_;
  std::unordered_map<const detail::Node*, std::uint64_t> written_;
};

/// Writes nodes in order, each input before the first node that reads it.
class ProgramWriter {
 public:
  ProgramWriter(const ShapeProgram& program, const Context& ctx)
      : program_(program), out_(ctx), ordinal_(program.values().size()) {}

  Fingerprint run() {
    out_.text("dimgate-program-1");
    for (const ProgramNode& n : program_.nodes())
      if (!is_leaf(n)) node(n);
    for (const ValueId v : program_.outputs()) need(v);
    out_.tag('O');
    out_.number(program_.outputs().size());
    for (const ValueId v : program_.outputs()) out_.number(*ordinal_[v]);
    out_.tag('C');
    attributes(program_.baked());
    Fingerprint f;
    f.bytes = out_.take_bytes();
    f.symbols = out_.take_symbols();
    return f;
  }

 private:
  static bool is_leaf(const ProgramNode& n) { return n.op == "input" || n.op == "parameter"; }

  void value(ValueId id) {
    const ProgramValue& v = program_.value(id);
    ordinal_[id] = next_++;
    out_.text(v.dtype);
    if (v.scalar) {
      out_.tag('s');
      out_.term(v.scalar);
      return;
    }
    out_.tag('d');
    out_.number(v.dims.size());
    for (const Expr d : v.dims) out_.term(d);
  }

  void need(ValueId id) {
    if (ordinal_[id]) return;
    const ProgramNode& leaf = program_.nodes()[program_.value(id).node];
    assert(is_leaf(leaf) && "a node reads a value that no earlier node made");
    out_.tag(leaf.op == "input" ? 'I' : 'P');
    if (leaf.op == "parameter") out_.text(leaf.name);
    value(id);
  }

  void attributes(std::span<const Attribute> list) {
    out_.number(list.size());
    for (const Attribute& a : list) {
      out_.text(a.name);
      out_.text(a.text);
      out_.numbers(a.numbers);
    }
  }

  void node(const ProgramNode& n) {
    for (const ValueId v : n.operands) need(v);
    out_.tag('N');
    out_.text(n.op);
    attributes(n.attributes);
    out_.number(n.operands.size());
    for (const ValueId v : n.operands) out_.number(*ordinal_[v]);
    out_.number(n.results.size());
    for (const ValueId v : n.results) value(v);
  }

  const ShapeProgram& program_;
  Writer out_;
  std::vector<std::optional<std::uint64_t>> ordinal_;
  std::uint64_t next_ = 0;
};

}  // namespace

Fingerprint ShapeProgram::fingerprint(Context& ctx) const { return ProgramWriter(*this, ctx).run(); }

}  // namespace dimgate
