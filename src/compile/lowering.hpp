// Formulas to bytecode.
//
// Two ways to lower a Bool term: as a *branch* (code that falls through exactly where the term has the wanted truth
// value, or jumps exactly there), or as a *value* (a register that holds 0, 1, 2). Branches serve the usual connectives
// and skip what need not be evaluated; values serve whatever occurs more than once, is strict in its operands, or is
// not a comparison. Every node is lowered once: nodes with more than one parent are computed as values before the first
// jump that could skip them, so code is linear in the DAG.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compile/magnitude.hpp"
#include "compile/node_table.hpp"
#include "dimgate/compile.hpp"
#include "program/draft.hpp"

namespace dimgate::lowering {

inline constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

using detail::Code;
using detail::Draft;
using detail::Instr;
using detail::kNoReg;
using detail::Reg;

/// Where a lowered term is.
struct Value {
  bool is_imm = false;
  std::int64_t imm = 0;  // is_imm: the integer, or the raw bits of a name or float
  Reg reg = kNoReg;
  Reg defined = kNoReg;  // Int, Float, Enum: definedness; kNoReg: always defined where its slots are
  bool partial = false;  // Bool: may be undefined although its slots are there
  Magnitude magnitude;   // Int: bound of the absolute value
};

/// Whether a jump is taken where the term has the wanted truth value, or where it has not.
enum class Sense : std::uint8_t { jump_if, jump_unless };

/// A comparison of one slot with constants, as data: S[slot] in [lo, lo + width], or not.
struct SlotRange {
  SlotIndex slot = 0;
  std::int64_t lo = 0;
  std::uint64_t width = 0;
  bool outside = false;
};
/// S[slot] == residue (mod modulus), or not.
struct SlotCongruence {
  SlotIndex slot = 0;
  std::uint64_t modulus = 1, residue = 0;
  bool differs = false;
};

/// A comparison of two slots: `code` is one of Code::PairsEq ... PairsLe.
struct SlotPair {
  Code code = Code::PairsEq;
  const Node* left = nullptr;
  const Node* right = nullptr;
};

/// Guards become tests: conjuncts, each once.
struct Test {
  const Node* node = nullptr;
  bool polarity = true;
  std::uint32_t guard = 0;          // the first that asks for it
  std::vector<std::uint32_t> more;  // others, ascending
};

class Lowering {
 public:
  Lowering(Context& ctx, const Layout& layout, const CompileOptions& options)
      : ctx_(ctx), layout_(layout), options_(options) {}
  Result<Program> run(std::span<const Expr> guards);

 private:
  // tests.cpp: from guards to tests, and what is known of each node before lowering
  void split(std::span<const Expr> guards);
  bool analyse();
  bool place_symbol(const Node* symbol, NodeInfo& info);
  void find_levels();

  // patterns.cpp: tests on one slot
  std::optional<SlotRange> as_range(const Node* n, bool polarity) const;
  std::optional<SlotCongruence> as_congruence(const Node* n, bool polarity) const;
  std::optional<SlotPair> as_pair(const Node* n, bool polarity) const;

  // branches.cpp
  void branch(const Node* root, bool polarity, Sense sense, Label target);
  void atom(const Node* n, bool polarity, Sense sense, Label target);
  bool slot_atom(const Node* n, bool polarity, Sense sense, Label target);
  void compare_atom(const Node* n, bool polarity, Sense sense, Label target);
  void hoist(const Node* root);
  void leave_where_undefined(const Node* atom, Label target);
  bool is_connective(const Node* n) const;
  bool is_cheap_atom(const Node* n) const;

  // values.cpp; arithmetic.cpp for Int, truths.cpp for Bool
  Value value(const Node* root);
  Value build(const Node* n);
  Value operand(const Node* n);
  Value build_sum(const Node* n);
  Value build_product(const Node* n);
  Value build_division(const Node* n);
  Value build_extreme(const Node* n);
  Value build_power(const Node* n);
  Value build_choice(const Node* n);
  Value build_comparison(const Node* n);
  Value build_distinct(const Node* n);
  Value build_member(const Node* n);
  Value build_connective(const Node* n);
  Value binary(Code code, const Value& a, const Value& b, Magnitude magnitude);
  Reg in_register(const Value& v);
  Reg both(Reg defined_a, Reg defined_b);
  Value masked(Reg truth, Reg defined, bool partial);
  Value constant(std::int64_t v);
  Value truth_constant(int t);

  // phases.cpp: order and runs; lowering.cpp: the rest
  void lower_tests();
  void finish();
  bool is_unconditional(const Instr& at) const;
  Reg fresh() { return next_reg_++; }
  Instr& emit(Code code, std::uint32_t a = 0, std::uint32_t b = 0, std::uint32_t c = 0, std::int64_t imm = 0,
              std::uint16_t x = 0) {
    return out_.code.emplace_back(Instr{code, x, a, b, c, imm});
  }
  void jump(Code if_code, Sense sense, Label target, std::uint32_t b = 0, std::uint32_t c = 0, std::int64_t imm = 0,
            std::uint16_t x = 0);
  Label new_label() {
    labels_.push_back(0);
    return static_cast<Label>(labels_.size() - 1);
  }
  void bind(Label l) { labels_[l] = static_cast<std::uint32_t>(out_.code.size()); }
  SlotIndex slot_of(const Node* symbol);  // and notes that the phase reads it
  void note(SlotIndex s) {
    const std::uint64_t bit = std::uint64_t{1} << (s % 64);
    if ((needed_[s / 64] & bit) != 0) return;
    needed_[s / 64] |= bit;
    if (phase_[s / 64] == 0) phase_words_.push_back(s / 64);
    phase_[s / 64] |= bit;
  }
  void open_phase();
  void open_general() { loads_at_ = out_.code.size(); }
  void close_phase();
  void shift_labels(std::size_t from, int by);
  void note_pair(const SlotPair& pair, std::uint32_t test);
  const NodeInfo& info_of(const Node* n) const { return info_.at(n); }
  bool is_kept(const Node* n) const { return info_.at(n).value != kNone; }
  Value keep(const Node* n, Value v) {
    info_.at(n).value = static_cast<std::uint32_t>(values_.size());
    values_.push_back(v);
    return v;
  }
  /// Loads inside code that a jump may skip are good for one atom.
  Value keep_for_atom(const Node* n, Value v) {
    NodeInfo& info = info_.at(n);
    info.leaf() = static_cast<std::uint32_t>(values_.size());
    info.leaf_atom() = atom_;
    values_.push_back(v);
    return v;
  }
  void refuse(std::string message) {
    if (!error_) error_ = Error{std::move(message)};
  }
  SlotIndex find_slot(const Node* symbol);
  std::string describe_guard(std::uint32_t guard) const;

  // Stacks of the walks, kept: a walk that starts inside another uses what lies above.
  struct BranchTask {
    const Node* node;  // null: bind the label
    bool polarity;
    Sense sense;
    Label target;
  };
  struct HoistItem {
    const Node* node;
    bool direct;
  };
  std::vector<BranchTask> branch_stack_;
  std::vector<HoistItem> hoist_stack_;
  std::vector<const Node*> leave_stack_;
  std::vector<std::pair<const Node*, std::uint32_t>> walk_stack_;  // node, next child

  Context& ctx_;
  const Layout& layout_;
  const CompileOptions& options_;
  std::span<const Expr> guards_;
  std::vector<Test> tests_;
  NodeTable info_;
  std::vector<const Node*> post_order_;

  Draft out_;
  std::vector<Value> values_;
  std::uint32_t atom_ = 0;  // counts atoms: see NodeInfo::leaf
  bool conditional_ = false;
  bool edges_ = false;       // some slot that is read has an edge
  SlotIndex next_slot_ = 0;  // behind the furthest one found: see find_slot
  std::vector<std::uint32_t> labels_;
  std::vector<Label> fail_labels_;  // by test
  Reg next_reg_ = 0;
  Magnitude largest_;
  std::vector<std::uint64_t> needed_;       // slots that are read, as bits
  std::vector<std::uint64_t> phase_;        // those first read in this phase ...
  std::vector<std::uint32_t> phase_words_;  // ... and the words with some
  std::size_t phase_at_ = 0;                // its `Need`
  std::size_t loads_at_ = 0;                // where its loads go: behind the runs
  std::vector<detail::RegisterLoad> phase_loads_;
  std::optional<Error> error_;
};

}  // namespace dimgate::lowering
