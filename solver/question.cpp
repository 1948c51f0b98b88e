#include "question.hpp"

#include <algorithm>

namespace dimgate::z3 {

Question::Question(Context& ctx, const Component& component, std::span<const Expr> asked, Tracking tracking,
                   std::uint64_t rlimit, unsigned watchdog_ms)
    : ctx_(ctx), session_(rlimit, watchdog_ms), translator_(session_.context(), ctx) {
  std::vector<Expr> all = component.formulas;
  all.insert(all.end(), asked.begin(), asked.end());
  translator_.number_names(all);
  for (const Expr fact : component.formulas) {
    Z3_ast truth = denote(fact).first;
    if (!failure().empty()) return;
    if (tracking == Tracking::facts) {
      literals_.push_back(session_.add_tracked(truth));
    } else {
      session_.add(truth);
    }
  }
}

void Question::assert_nature() {
  for (; natured_ < translator_.symbols().size(); ++natured_) {
    const Expr s = translator_.symbols()[natured_];
    if (s.sort() == Sort::Int && ctx_.is_size(s))
      session_.add(Z3_mk_ge(session_.context(), translator_.constant_of(s), translator_.integer(0)));
  }
}

Denotation Question::denote(Expr e) {
  const Denotation d = translator_.denote(e);
  assert_nature();
  return d;
}

std::vector<std::size_t> Question::positions(const std::vector<Z3_ast>& literals) const {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < literals_.size(); ++i)
    if (std::find(literals.begin(), literals.end(), literals_[i]) != literals.end()) out.push_back(i);
  return out;
}

std::vector<std::size_t> Question::core() { return positions(session_.core()); }

std::vector<std::size_t> Question::minimal_core() {
  std::vector<std::size_t> kept = core();
  std::size_t needed = 0;  // at the end of `kept`: each shown necessary
  while (needed < kept.size()) {
    const std::size_t i = kept.size() - 1 - needed;
    std::vector<Z3_ast> others;
    for (std::size_t k = 0; k < kept.size(); ++k)
      if (k != i) others.push_back(literals_[kept[k]]);
    if (session_.check(others) == Outcome::unsat) {
      kept = core();
    } else {
      ++needed;
    }
  }
  return kept;
}

std::optional<Values> Question::values() {
  Values out;
  for (const Expr s : translator_.symbols()) {
    Z3_ast c = translator_.constant_of(s);
    switch (s.sort()) {
      case Sort::Int:
        if (auto v = session_.integer(c)) out.emplace_back(s, Value::of(std::move(*v)));
        break;
      case Sort::Bool:
        if (auto v = session_.boolean(c)) out.emplace_back(s, Value::of(*v));
        break;
      case Sort::Float:
        if (auto v = session_.bits(c)) out.emplace_back(s, Value::of_float_bits(*v));
        break;
      case Sort::Enum:
        if (auto v = session_.integer(c)) out.emplace_back(s, Value::of_enum(translator_.name_of(*v)));
        break;
    }
  }
  if (out.size() != translator_.symbols().size()) return std::nullopt;
  return out;
}

}  // namespace dimgate::z3
