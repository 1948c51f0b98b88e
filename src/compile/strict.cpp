#include <bit>
#include <mutex>

#include "dimgate/strict_compile.hpp"
#include "expr/reference.hpp"

namespace dimgate {
namespace {

/// The guards once more, with where their symbols' values are.
class Judge {
 public:
  Judge(const Context& from, std::span<const Expr> guards, const Layout& layout)
      : layout_(layout), guards_(transferred(ctx_, from, guards)), reference_(ctx_, guards_) {
    std::vector<bool> seen;
    for (const Expr g : guards_)
      for (const Expr s : symbols_of(ctx_, g)) {
        if (s.index() >= seen.size()) seen.resize(s.index() + 1);
        if (!seen[s.index()]) symbols_.emplace_back(s, layout_.find(ctx_.symbol_name(s)));
        seen[s.index()] = true;
      }
  }

  std::vector<std::uint32_t> failing(SnapshotView at) {
    const std::scoped_lock lock(mutex_);
    assignment_.clear();
    for (const auto& [symbol, slot] : symbols_)
      if (at.has(slot)) set(symbol, slot, at.raw(slot));
    std::vector<std::uint32_t> out;
    const std::vector<Value> values = reference_.all(assignment_);
    for (std::uint32_t g = 0; g < values.size(); ++g)
      if (!values[g].is_true()) out.push_back(g);
    return out;
  }

  std::string describe(SnapshotView at) {
    const std::scoped_lock lock(mutex_);
    std::string out = "at " + to_string(layout_, at);
    for (std::size_t g = 0; g < guards_.size(); ++g)
      out += "\n  guard " + std::to_string(g) + ": " + to_text(ctx_, guards_[g]);
    return out;
  }

 private:
  static std::vector<Expr> transferred(Context& to, const Context& from, std::span<const Expr> guards) {
    std::vector<Expr> out;
    for (const Expr g : guards) out.push_back(transfer(to, from, g));
    return out;
  }
  void set(Expr symbol, SlotIndex slot, std::int64_t raw) {
    switch (layout_[slot].sort) {
      case SlotSort::integer:
        return assignment_.set(symbol, Value::of(raw));
      case SlotSort::boolean:
        if (raw == 0 || raw == 1) assignment_.set(symbol, Value::of(raw == 1));
        return;
      case SlotSort::floating:
        return assignment_.set(symbol, Value::of_float_bits(static_cast<std::uint64_t>(raw)));
      case SlotSort::name:
        return assignment_.set(symbol, Value::of_enum(layout_.names().name(raw)));
    }
  }

  std::mutex mutex_;
  Context ctx_;
  Layout layout_;
  std::vector<Expr> guards_;
  std::vector<std::pair<Expr, SlotIndex>> symbols_;
  ReferenceEvaluator reference_;
  Assignment assignment_;
};

}  // namespace

Result<Program> compile_strict(Context& ctx, std::span<const Expr> guards, const Layout& layout,
                               const CompileOptions& options, OnDifference on_difference) {
  const auto program = compile(ctx, guards, layout, options);
  if (!program) return program.error();
  const auto judge = std::make_shared<Judge>(ctx, guards, layout);
  return strict(*program, options.jit,
                {[judge](SnapshotView at) { return judge->failing(at); },
                 [judge](SnapshotView at) { return judge->describe(at); }},
                std::move(on_difference));
}

}  // namespace dimgate
