// What was written, before sorts are known: a flat list of nodes in which every operand comes before its operator.
//
// The order makes every later pass (sorts, building Exprs) a plain loop. Nodes may share operands (the middle of a
// comparison chain), so this is a DAG. Several texts read together share one Syntax.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dimgate/integer.hpp"
#include "dimgate/op.hpp"

namespace dimgate::detail {

struct SyntaxNode {
  Op op;
  bool identity = false;    // an Eq or Ne written `is`: names rather than integers if nothing else tells
  std::uint32_t text = 0;   // which text
  std::uint32_t at = 0;     // byte offset of the operator or leaf in it
  std::uint32_t first = 0;  // operands: children[first, first + count)
  std::uint32_t count = 0;
  std::uint32_t payload = 0;  // leaf: index into integers, floats, names or symbols; BoolConst: 0 or 1
  std::uint32_t literal = 0;  // FloatConst: its token and one, if it was written in digits
  bool formula = false;       // a symbol that must be a Bool: an opaque atom
  bool integer = false;       // must be an Int, whatever takes it: the operand of a floor
  bool number = false;        // is an Int by how it is written: an arithmetic operator, a choice of such
};

struct Syntax {
  std::vector<SyntaxNode> nodes;
  std::vector<std::uint32_t> children;
  std::vector<Integer> integers;
  std::vector<std::uint64_t> floats;
  std::vector<std::string> names;  // enum constants
  struct SymbolUse {
    std::string name;
    std::uint32_t node;  // first use
  };
  std::vector<SymbolUse> symbols;
  std::unordered_map<std::string, std::uint32_t> symbol_index;
  struct Root {
    std::uint32_t node;
    std::uint32_t text;
  };
  std::vector<Root> roots;
  bool leftovers = false;  // of a translation: nodes that no root needs, or that several share (see keep_needed)

  std::uint32_t add(SyntaxNode node, const std::uint32_t* operands, std::size_t count) {
    node.number = node.op == Op::Ite ? is_number(operands[1]) || is_number(operands[2])
                                     : node.op > Op::Symbol && info(node.op).result == Sort::Int;
    node.first = static_cast<std::uint32_t>(children.size());
    node.count = static_cast<std::uint32_t>(count);
    children.insert(children.end(), operands, operands + count);
    nodes.push_back(node);
    return static_cast<std::uint32_t>(nodes.size() - 1);
  }
  [[nodiscard]] bool is_number(std::uint32_t node) const {
    return nodes[node].number || nodes[node].op == Op::IntConst;
  }
  std::uint32_t add_leaf(Op op, std::uint32_t text, std::uint32_t at, std::uint32_t payload) {
    nodes.push_back({op, false, text, at, 0, 0, payload});
    return static_cast<std::uint32_t>(nodes.size() - 1);
  }
  std::uint32_t add_symbol(std::string name, std::uint32_t text, std::uint32_t at) {
    const auto [it, fresh] = symbol_index.try_emplace(name, static_cast<std::uint32_t>(symbols.size()));
    const std::uint32_t index = it->second;
    const std::uint32_t node = add_leaf(Op::Symbol, text, at, index);
    if (fresh) symbols.push_back({std::move(name), node});
    return node;
  }

  /// Drops nodes and symbols that no root needs: what a translation or an opaque atom left behind. Linear.
  void keep_needed();
};

}  // namespace dimgate::detail
