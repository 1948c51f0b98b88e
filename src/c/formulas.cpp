// Parsing, printing, proving and simplifying for C. A handle of an expression is valid as long as its context. Checked
// by tests/c/api_test.c.
#include "c/handles.hpp"
#include "dimgate/simplify.hpp"

using namespace dimgate;     // NOLINT: this file is the face
using namespace dimgate::c;  // NOLINT

namespace {

dimgate_error* facts_of(dimgate_context& context, const dimgate_expr* facts, size_t count, Facts& out) {
  if (!given(facts, count)) return missing("facts");
  for (size_t i = 0; i < count; ++i) {
    if (expr(facts[i]).sort() != Sort::Bool)
      return make_error(DIMGATE_INVALID, "fact " + std::to_string(i) + " `" + to_text(context.ctx, expr(facts[i])) +
                                             "` is no formula: a fact must be Bool");
    out.assume(expr(facts[i]));
  }
  return nullptr;
}

std::string text(Context& ctx, Expr e, dimgate_format format) {
  switch (format) {
    case DIMGATE_TEXT:
      return to_text(ctx, e);
    case DIMGATE_PRETTY:
      return to_pretty(ctx, e);
    case DIMGATE_LATEX:
      return to_latex(ctx, e);
    case DIMGATE_MATHML:
      return to_mathml(ctx, e);
    case DIMGATE_SMT2:
      return to_smt2(ctx, e);
    case DIMGATE_PYTHON:
      return to_python(ctx, e);
    case DIMGATE_C:
      return to_c(ctx, e);
    case DIMGATE_JSON:
      return to_json(ctx, e);
    case DIMGATE_FORMAT_MAX:
      break;
  }
  return {};
}

}  // namespace

extern "C" {

dimgate_context* dimgate_context_new(void) {
  try {
    return new dimgate_context;
  } catch (...) {
    return nullptr;
  }
}
void dimgate_context_free(dimgate_context* context) { delete context; }

dimgate_error* dimgate_parse(dimgate_context* context, const char* text, dimgate_expr* out) {
  return guarded([&]() -> dimgate_error* {
    if (context == nullptr || text == nullptr || out == nullptr) return missing("context, text and out");
    const auto e = parse(context->ctx, text);
    if (!e) return make_error(e.error());
    *out = handle(*e);
    return nullptr;
  });
}

dimgate_error* dimgate_print(dimgate_context* context, dimgate_expr e, dimgate_format format, char** out) {
  return guarded([&]() -> dimgate_error* {
    if (context == nullptr || e == nullptr || out == nullptr) return missing("context, expr and out");
    if (static_cast<unsigned>(format) > DIMGATE_JSON)
      return make_error(DIMGATE_INVALID, "unknown format " + std::to_string(static_cast<unsigned>(format)));
    *out = copy(text(context->ctx, expr(e), format));
    return nullptr;
  });
}

dimgate_error* dimgate_prove(dimgate_context* context, const dimgate_expr* facts, size_t fact_count, dimgate_expr claim,
                             dimgate_verdict* out, char** detail) {
  return guarded([&]() -> dimgate_error* {
    if (context == nullptr || claim == nullptr || out == nullptr) return missing("context, claim and out");
    if (expr(claim).sort() != Sort::Bool)
      return make_error(DIMGATE_INVALID, "the claim is no formula: it must be Bool");
    Facts known(context->ctx);
    if (dimgate_error* e = facts_of(*context, facts, fact_count, known)) return e;
    Proof proof = context->prover.prove(known, expr(claim));
    std::string why;
    if (proof.refuted()) {
      proof = with_small_values(known, expr(claim), std::move(proof));
      for (const auto& [symbol, value] : proof.counterexample)
        why += (why.empty() ? "" : ", ") + context->ctx.symbol_name(symbol) + "=" + value.to_string();
    } else if (!proof.proved()) {
      why = proof.reason;
    }
    if (detail != nullptr) *detail = copy(why);
    *out = proof.proved() ? DIMGATE_PROVED : proof.refuted() ? DIMGATE_REFUTED : DIMGATE_UNKNOWN;
    return nullptr;
  });
}

dimgate_error* dimgate_simplify(dimgate_context* context, const dimgate_expr* facts, size_t fact_count,
                                const dimgate_expr* guards, size_t guard_count, dimgate_exprs* out) {
  return guarded([&]() -> dimgate_error* {
    if (context == nullptr || out == nullptr) return missing("context and out");
    if (!given(guards, guard_count)) return missing("guards");
    Facts known(context->ctx);
    if (dimgate_error* e = facts_of(*context, facts, fact_count, known)) return e;
    std::vector<Expr> set;
    for (size_t i = 0; i < guard_count; ++i) {
      set.push_back(expr(guards[i]));
      if (set.back().sort() != Sort::Bool)
        return make_error(DIMGATE_INVALID, "guard " + std::to_string(i) + " is no formula: a guard must be Bool");
    }
    *out = copy(minimise(context->prover, known, set).readable);
    return nullptr;
  });
}
}
