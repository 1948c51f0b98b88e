#include "expr/smt2_terms.hpp"

#include <algorithm>
#include <functional>

namespace dimgate::detail {

namespace {
std::string let_name(Smt2Terms::Id i) { return "dg!" + std::to_string(i); }
}  // namespace

// Lets for what is used twice, innermost first.
std::string Smt2Terms::print(Id root) const {
  std::vector<std::uint32_t> uses(terms_.size(), 0);
  uses[root] = 1;
  for (Id i = static_cast<Id>(terms_.size()); i-- > 0;)  // operands have smaller ids
    if (uses[i] != 0)
      for (const Id a : terms_[i].args) ++uses[a];
  std::string out;
  std::size_t lets = 0;
  for (Id i = 0; i < root; ++i) {
    if (uses[i] < 2 || terms_[i].args.empty()) continue;
    out += "(let ((" + let_name(i) + " ";
    append(out, i, uses);
    out += ")) ";
    ++lets;
  }
  append(out, root, uses);
  return out.append(lets, ')');
}

void Smt2Terms::append(std::string& out, Id top, const std::vector<std::uint32_t>& uses) const {
  struct Open {
    Id term;
    std::size_t next;
  };
  std::vector<Open> stack;
  const auto enter = [&](Id i) {
    if (terms_[i].args.empty()) {
      out += terms_[i].op;
    } else if (i != top && uses[i] >= 2) {
      out += let_name(i);
    } else {
      (out += '(') += terms_[i].op;
      stack.push_back({i, 0});
    }
  };
  enter(top);
  while (!stack.empty()) {
    Open& o = stack.back();
    if (o.next == terms_[o.term].args.size()) {
      out += ')';
      stack.pop_back();
    } else {
      out += ' ';
      enter(terms_[o.term].args[o.next++]);
    }
  }
}

Smt2Terms::Id Smt2Terms::gather(std::string_view op, std::vector<Id> parts, Id neutral, Id absorbing) {
  std::vector<Id> kept;
  for (const Id p : parts) {
    if (p == absorbing) return absorbing;
    if (p != neutral) kept.push_back(p);
  }
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  if (kept.empty()) return neutral;
  return kept.size() == 1 ? kept[0] : make(op, std::move(kept));
}

Smt2Terms::Id Smt2Terms::intern(std::string op, std::vector<Id> args) {
  std::uint64_t hash = std::hash<std::string>{}(op);
  for (const Id a : args) hash = (hash ^ a) * 0x9E3779B97F4A7C15ULL;
  auto [it, last] = index_.equal_range(hash);
  for (; it != last; ++it)
    if (terms_[it->second].op == op && terms_[it->second].args == args) return it->second;
  terms_.push_back({std::move(op), std::move(args)});
  index_.emplace(hash, static_cast<Id>(terms_.size() - 1));
  return static_cast<Id>(terms_.size() - 1);
}

}  // namespace dimgate::detail
