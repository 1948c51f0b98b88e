#include "prove/linear_store.hpp"

#include <algorithm>

namespace dimgate::linear {
namespace {

// Sorts by variable and adds up repetitions; false if no term is left.
bool collect(std::span<const LinearTerm> terms, std::vector<LinearTerm>& out) {
  out.assign(terms.begin(), terms.end());
  const auto by_variable = [](const LinearTerm& a, const LinearTerm& b) { return a.var < b.var; };
  bool clean = true;
  for (std::size_t i = 0; i < out.size() && clean; ++i)
    clean = !out[i].coefficient.is_zero() && (i == 0 || out[i - 1].var < out[i].var);
  if (clean) return !out.empty();
  std::sort(out.begin(), out.end(), by_variable);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < out.size();) {
    LinearTerm sum = std::move(out[i]);
    for (++i; i < out.size() && out[i].var == sum.var; ++i) sum.coefficient += out[i].coefficient;
    if (!sum.coefficient.is_zero()) out[kept++] = std::move(sum);
  }
  out.resize(kept, LinearTerm{0, 0});
  return kept != 0;
}

Integer content(const std::vector<LinearTerm>& terms) {
  Integer g = abs(terms[0].coefficient);
  for (std::size_t i = 1; i < terms.size() && !g.is_one(); ++i) g = gcd(terms[i].coefficient, g);
  return g;
}

void divide(std::vector<LinearTerm>& terms, const Integer& by) {
  if (by.is_one()) return;
  for (LinearTerm& t : terms) t.coefficient = floor_div(t.coefficient, by);
}

}  // namespace

Integer make_form(std::span<const LinearTerm> terms, std::vector<LinearTerm>& out) {
  if (!collect(terms, out)) return 0;
  Integer g = content(out);
  if (out[0].coefficient.sign() < 0) g = -g;
  divide(out, g);
  return g;
}

Integer make_primitive(std::span<const LinearTerm> terms, std::vector<LinearTerm>& out) {
  if (!collect(terms, out)) return 1;
  Integer g = content(out);
  divide(out, g);
  return g;
}

void Store::clear() {
  variables_ = 0;
  terms_.clear();
  forms_.clear();
  constraints_.clear();
  levels_.clear();
  order_.clear();
  variable_place_.clear();
  table_.clear();
  levels_.push_back({0, 0, 0, 0, std::nullopt, false});
}

void Store::push() {
  seal();
  levels_.push_back({variables_, static_cast<std::uint32_t>(forms_.size()),
                     static_cast<std::uint32_t>(constraints_.size()), static_cast<std::uint32_t>(terms_.size()),
                     std::nullopt, false});
}

void Store::pop() {
  const Level top = levels_.back();
  levels_.pop_back();
  if (!table_.empty()) {
    for (std::size_t i = top.forms; i < forms_.size(); ++i) {
      auto [at, end] = table_.equal_range(forms_[i].hash);
      while (at != end && at->second != i) ++at;
      if (at != end) table_.erase(at);
    }
  }
  variables_ = top.variables;
  variable_place_.resize(variables_);
  forms_.resize(top.forms);
  order_.resize(std::min<std::size_t>(order_.size(), top.forms));
  constraints_.resize(top.constraints, Constraint{0, false, 0, 0});
  terms_.resize(top.terms, LinearTerm{0, 0});
}

std::uint32_t Store::new_variable() {
  levels_.back().sealed = false;
  variable_place_.push_back(0);
  return variables_++;
}

std::optional<std::uint32_t> Store::contradiction() const {
  for (const Level& level : levels_)
    if (level.contradiction) return level.contradiction;
  return std::nullopt;
}

bool Store::same(const Form& f) const {
  if (f.end - f.begin != scratch_.size()) return false;
  for (std::size_t i = 0; i < scratch_.size(); ++i)
    if (terms_[f.begin + i].var != scratch_[i].var || terms_[f.begin + i].coefficient != scratch_[i].coefficient)
      return false;
  return true;
}

// The id of the form in scratch_.
std::uint32_t Store::intern() {
  if (scratch_.size() == 1) return kVariable | scratch_[0].var;
  std::uint64_t hash = scratch_.size();
  for (const LinearTerm& t : scratch_) hash = (hash ^ t.var ^ (t.coefficient.hash() << 20U)) * 0x9e3779b97f4a7c15U;
  if (forms_.size() <= kScan) {
    for (std::size_t i = 0; i < forms_.size(); ++i)
      if (forms_[i].hash == hash && same(forms_[i])) return static_cast<std::uint32_t>(i);
  } else {
    if (table_.empty())
      for (std::size_t i = 0; i < forms_.size(); ++i) table_.emplace(forms_[i].hash, static_cast<std::uint32_t>(i));
    for (auto [at, end] = table_.equal_range(hash); at != end; ++at)
      if (same(forms_[at->second])) return at->second;
  }
  const auto id = static_cast<std::uint32_t>(forms_.size());
  const auto begin = static_cast<std::uint32_t>(terms_.size());
  terms_.insert(terms_.end(), scratch_.begin(), scratch_.end());
  forms_.push_back({begin, static_cast<std::uint32_t>(terms_.size()), hash, 0});
  if (!table_.empty()) table_.emplace(hash, id);
  return id;
}

void Store::add(std::span<const LinearTerm> terms, const Integer& bound, Relation relation, std::uint32_t tag) {
  Level& level = levels_.back();
  level.sealed = false;
  const Integer factor = make_form(terms, scratch_);
  const auto contradict = [&] {
    if (!level.contradiction || *level.contradiction > tag) level.contradiction = tag;
  };
  if (factor.is_zero()) {
    const int s = bound.sign();
    if (relation == Relation::at_least ? s > 0 : relation == Relation::at_most ? s < 0 : s != 0) contradict();
    return;
  }
  if (relation == Relation::equals) {
    const Integer exact = floor_div(bound, factor);
    if (exact * factor != bound) return contradict();
    const std::uint32_t form = intern();
    constraints_.push_back({form, false, tag, exact});
    constraints_.push_back({form, true, tag, exact});
    return;
  }
  // factor * form >= bound, or <=: a negative factor turns it round.
  const bool upper = (relation == Relation::at_most) != (factor.sign() < 0);
  constraints_.push_back({intern(), upper, tag, upper ? floor_div(bound, factor) : ceil_div(bound, factor)});
}

int Store::compare(std::uint32_t a, std::uint32_t b) const {
  const auto s = terms(a), t = terms(b);
  for (std::size_t i = 0; i < s.size() && i < t.size(); ++i) {
    if (s[i].var != t[i].var) return s[i].var < t[i].var ? -1 : 1;
    if (const auto c = s[i].coefficient <=> t[i].coefficient; c != 0) return c < 0 ? -1 : 1;
  }
  return s.size() == t.size() ? 0 : s.size() < t.size() ? -1 : 1;
}

void Store::seal() {
  Level& level = levels_.back();
  if (level.sealed) return;
  level.sealed = true;
  auto place = static_cast<std::uint32_t>(level.variables + level.forms);
  for (std::uint32_t v = level.variables; v < variables_; ++v) variable_place_[v] = place++;
  order_.resize(forms_.size());
  for (std::uint32_t i = level.forms; i < forms_.size(); ++i) order_[i] = i;
  std::sort(order_.begin() + level.forms, order_.end(),
            [this](std::uint32_t a, std::uint32_t b) { return compare(a, b) < 0; });
  for (std::size_t i = level.forms; i < order_.size(); ++i) forms_[order_[i]].place = place++;
}

}  // namespace dimgate::linear
