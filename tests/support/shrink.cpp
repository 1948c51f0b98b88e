#include "support/shrink.hpp"

namespace dimgate::test {

namespace {

// e with one node made smaller, smallest first.
std::vector<Expr> smaller(Context& ctx, Expr e) {
  std::vector<Expr> out;
  if (e.is_int()) {
    const Integer& v = e.integer();
    if (v.is_zero()) return out;
    out.push_back(ctx.integer(0));
    out.push_back(ctx.integer(v.sign() < 0 ? -floor_div(-v, 2) : floor_div(v, 2)));
    out.push_back(ctx.integer(v.sign() < 0 ? v + 1 : v - 1));
    return out;
  }
  if (e.is_const()) return out;
  if (e.sort() == Sort::Int) {
    out.push_back(ctx.integer(0));
    out.push_back(ctx.integer(1));
  }
  if (e.sort() == Sort::Bool) {
    out.push_back(ctx.boolean(true));
    out.push_back(ctx.boolean(false));
  }
  for (std::size_t i = 0; i < e.size(); ++i)
    if (e[i].sort() == e.sort()) out.push_back(e[i]);
  for (std::size_t i = 0; i < e.size(); ++i)
    for (const Expr part : smaller(ctx, e[i])) {
      std::vector<Expr> args;
      for (std::size_t k = 0; k < e.size(); ++k) args.push_back(k == i ? part : e[k]);
      if (!ctx.check(e.op(), args)) out.push_back(ctx.make(e.op(), args));
    }
  return out;
}

std::vector<Question> smaller(Context& ctx, const Question& q) {
  std::vector<Question> out;
  for (std::size_t i = 0; i < q.facts.size(); ++i) {
    Question without = q;
    without.facts.erase(without.facts.begin() + static_cast<std::ptrdiff_t>(i));
    out.push_back(std::move(without));
  }
  for (const Expr e : smaller(ctx, q.asked)) out.push_back({q.facts, e});
  for (std::size_t i = 0; i < q.facts.size(); ++i)
    for (const Expr e : smaller(ctx, q.facts[i])) {
      Question with = q;
      with.facts[i] = e;
      out.push_back(std::move(with));
    }
  return out;
}

}  // namespace

Question shrink(Context& ctx, Question question, const std::function<bool(const Question&)>& fails, int tries) {
  for (bool again = true; again && tries > 0;) {
    again = false;
    for (Question& candidate : smaller(ctx, question)) {
      if (tries-- <= 0) break;
      if (!fails(candidate)) continue;
      question = std::move(candidate);
      again = true;
      break;
    }
  }
  return question;
}

std::string command_line(const Context& ctx, const Question& question, const std::string& command) {
  std::string out = "dimgate " + command;
  for (const Expr fact : question.facts) out += " -a '" + to_text(ctx, fact) + "'";
  return out + " '" + to_text(ctx, question.asked) + "'";
}

}  // namespace dimgate::test
