// A stack of things still to be printed: nodes and literal text. Every printer is a loop over one, so that depth
// costs heap and not call stack, and appends to one string, so that printing is linear in the tree printed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dimgate/expr.hpp"

namespace dimgate::detail {

/// How tightly a printed node holds together, as Python binds. Negative constants hold like a unary minus.
enum PrintLevel : std::uint32_t {
  kLoosest = 0,
  kChoice = 1,
  kArrow = 2,
  kOr = 3,
  kAnd = 4,
  kNot = 5,
  kCompare = 6,
  kTight = 7,
  kSum = 8,
  kProduct = 9,
  kUnary = 10,
  kPower = 11,
  kAtom = 12,
};
inline constexpr std::uint32_t kLevelMask = 0xff;  // the part of a tag that is a level

class Pieces {
 public:
  struct Piece {
    Expr node;              // null: text
    std::uint32_t tag = 0;  // for a node: what its place asks for (a level, a mode); the printer's own meaning
    std::string_view text;  // must outlive the printing (a literal)
  };

  Pieces& operator<<(std::string_view text) {
    pieces_.push_back({Expr(), 0, text});
    return *this;
  }
  Pieces& node(Expr e, std::uint32_t tag = 0) {
    pieces_.push_back({e, tag, {}});
    return *this;
  }
  /// Call before adding the pieces of one node, in reading order; `close` turns them round for the stack.
  void open() { mark_ = pieces_.size(); }
  void close() {
    for (std::size_t i = mark_, j = pieces_.size(); i + 1 < j; ++i, --j) std::swap(pieces_[i], pieces_[j - 1]);
  }
  [[nodiscard]] bool empty() const { return pieces_.empty(); }
  Piece pop() {
    Piece p = pieces_.back();
    pieces_.pop_back();
    return p;
  }

 private:
  std::vector<Piece> pieces_;
  std::size_t mark_ = 0;
};

/// Runs `visit(pieces, out, node, tag)` (which appends leaf text to `out` or adds pieces) until nothing is left.
template <class Visit>
std::string print_all(Expr e, std::uint32_t tag, Visit&& visit) {
  std::string out;
  Pieces pieces;
  pieces.node(e, tag);
  while (!pieces.empty()) {
    const Pieces::Piece p = pieces.pop();
    if (!p.node) {
      out += p.text;
      continue;
    }
    pieces.open();
    visit(pieces, out, p.node, p.tag);
    pieces.close();
  }
  return out;
}

}  // namespace dimgate::detail
