// Tracing for C: symbols, operators, decisions and guards through handles. Checked by tests/c/api_test.c.
#include "c/handles.hpp"

using namespace dimgate;     // NOLINT: this file is the face
using namespace dimgate::c;  // NOLINT

namespace {

Location location(const dimgate_place* place) {
  if (place == nullptr) return {};
  return {place->file != nullptr ? place->file : "", place->line, place->function != nullptr ? place->function : ""};
}

dimgate_error* want(dimgate_expr e, Sort sort) {
  if (e == nullptr) return missing("operand");
  if (expr(e).sort() == sort) return nullptr;
  return make_error(DIMGATE_INVALID, "an operand is " + std::string(to_string(expr(e).sort())) + ", it must be " +
                                         std::string(to_string(sort)));
}

dimgate_expr handle_of(Tracer& t, const SymInt& s) { return handle(s.expr(t.context())); }
dimgate_expr handle_of(Tracer& t, const SymBool& p) { return handle(p.expr(t.context())); }

dimgate_error* symbol(dimgate_tracer* tracer, const char* name, const int64_t* hint, bool is_size, dimgate_expr* out) {
  return guarded([&]() -> dimgate_error* {
    if (tracer == nullptr || name == nullptr || out == nullptr) return missing("tracer, name and out");
    Tracer& t = tracer->tracer;
    const std::optional<Integer> h = hint != nullptr ? std::optional<Integer>(*hint) : std::nullopt;
    *out = handle_of(t, is_size ? t.size(name, h) : t.integer(name, h));
    return nullptr;
  });
}

/// Constants too: a SymInt or SymBool of a constant's own.
SymInt integer(Tracer& t, dimgate_expr e) { return {t, expr(e)}; }
SymBool truth(Tracer& t, dimgate_expr e) { return {t, expr(e)}; }

dimgate_expr apply(Tracer& t, dimgate_op op, dimgate_expr a, dimgate_expr b) {
  if (op == DIMGATE_AND) return handle_of(t, sym_and(truth(t, a), truth(t, b)));
  if (op == DIMGATE_OR) return handle_of(t, sym_or(truth(t, a), truth(t, b)));
  const SymInt x = integer(t, a), y = integer(t, b);
  switch (op) {
    case DIMGATE_ADD:
      return handle_of(t, x + y);
    case DIMGATE_SUB:
      return handle_of(t, x - y);
    case DIMGATE_MUL:
      return handle_of(t, x * y);
    case DIMGATE_FLOOR_DIV:
      return handle_of(t, x / y);
    case DIMGATE_MOD:
      return handle_of(t, x % y);
    case DIMGATE_CEIL_DIV:
      return handle_of(t, ceildiv(x, y));
    case DIMGATE_MIN:
      return handle_of(t, min(x, y));
    case DIMGATE_MAX:
      return handle_of(t, max(x, y));
    case DIMGATE_EQ:
      return handle_of(t, x == y);
    case DIMGATE_NE:
      return handle_of(t, x != y);
    case DIMGATE_LT:
      return handle_of(t, x < y);
    case DIMGATE_LE:
      return handle_of(t, x <= y);
    case DIMGATE_GT:
      return handle_of(t, x > y);
    default:
      return handle_of(t, x >= y);
  }
}

dimgate_error* listed(dimgate_tracer* tracer, bool asserts, dimgate_exprs* out) {
  return guarded([&]() -> dimgate_error* {
    if (tracer == nullptr || out == nullptr) return missing("tracer and out");
    std::vector<Expr> list;
    for (const Guard& g : tracer->tracer.guards().all())
      if (g.runtime_assert == asserts) list.push_back(g.formula);
    *out = copy(list);
    return nullptr;
  });
}

}  // namespace

extern "C" {

dimgate_error* dimgate_tracer_new(dimgate_context* context, dimgate_tracer** out) {
  return guarded([&]() -> dimgate_error* {
    if (context == nullptr || out == nullptr) return missing("context and out");
    *out = new dimgate_tracer(*context);
    return nullptr;
  });
}
void dimgate_tracer_free(dimgate_tracer* tracer) { delete tracer; }

dimgate_error* dimgate_size(dimgate_tracer* tracer, const char* name, const int64_t* hint, dimgate_expr* out) {
  return symbol(tracer, name, hint, true, out);
}
dimgate_error* dimgate_integer(dimgate_tracer* tracer, const char* name, const int64_t* hint, dimgate_expr* out) {
  return symbol(tracer, name, hint, false, out);
}
dimgate_error* dimgate_constant(dimgate_tracer* tracer, int64_t value, dimgate_expr* out) {
  return guarded([&]() -> dimgate_error* {
    if (tracer == nullptr || out == nullptr) return missing("tracer and out");
    *out = handle(tracer->tracer.context().integer(value));
    return nullptr;
  });
}

dimgate_error* dimgate_apply(dimgate_tracer* tracer, dimgate_op op, dimgate_expr a, dimgate_expr b, dimgate_expr* out) {
  return guarded([&]() -> dimgate_error* {
    if (tracer == nullptr || out == nullptr) return missing("tracer and out");
    if (static_cast<unsigned>(op) > DIMGATE_OR)
      return make_error(DIMGATE_INVALID, "unknown operator " + std::to_string(static_cast<unsigned>(op)));
    const Sort sort = op >= DIMGATE_AND ? Sort::Bool : Sort::Int;
    for (const dimgate_expr e : {a, b})
      if (dimgate_error* wrong = want(e, sort)) return wrong;
    *out = apply(tracer->tracer, op, a, b);
    return nullptr;
  });
}

dimgate_error* dimgate_not(dimgate_tracer* tracer, dimgate_expr a, dimgate_expr* out) {
  return guarded([&]() -> dimgate_error* {
    if (tracer == nullptr || out == nullptr) return missing("tracer and out");
    if (dimgate_error* wrong = want(a, Sort::Bool)) return wrong;
    *out = handle_of(tracer->tracer, !truth(tracer->tracer, a));
    return nullptr;
  });
}

dimgate_error* dimgate_declare(dimgate_tracer* tracer, dimgate_expr fact) {
  return guarded([&]() -> dimgate_error* {
    if (tracer == nullptr) return missing("tracer");
    if (dimgate_error* wrong = want(fact, Sort::Bool)) return wrong;
    tracer->tracer.declare(truth(tracer->tracer, fact));
    return nullptr;
  });
}

dimgate_error* dimgate_decide(dimgate_tracer* tracer, dimgate_expr condition, const dimgate_place* place, bool* out) {
  return guarded([&]() -> dimgate_error* {
    if (tracer == nullptr || out == nullptr) return missing("tracer and out");
    if (dimgate_error* wrong = want(condition, Sort::Bool)) return wrong;
    const Tracer::Scope scope(tracer->tracer, "", location(place));
    *out = tracer->tracer.decide(truth(tracer->tracer, condition));
    return nullptr;
  });
}

dimgate_error* dimgate_to_int(dimgate_tracer* tracer, dimgate_expr term, const dimgate_place* place, int64_t* out) {
  return guarded([&]() -> dimgate_error* {
    if (tracer == nullptr || out == nullptr) return missing("tracer and out");
    if (dimgate_error* wrong = want(term, Sort::Int)) return wrong;
    const Tracer::Scope scope(tracer->tracer, "", location(place));
    *out = integer(tracer->tracer, term).to_int();
    return nullptr;
  });
}

dimgate_error* dimgate_require(dimgate_tracer* tracer, dimgate_expr condition, const char* message,
                               const dimgate_place* place) {
  return guarded([&]() -> dimgate_error* {
    if (tracer == nullptr || message == nullptr) return missing("tracer and message");
    if (dimgate_error* wrong = want(condition, Sort::Bool)) return wrong;
    const Tracer::Scope scope(tracer->tracer, "", location(place));
    tracer->tracer.require(truth(tracer->tracer, condition), [&] { return std::string(message); });
    return nullptr;
  });
}

dimgate_error* dimgate_tracer_guards(dimgate_tracer* tracer, dimgate_exprs* out) { return listed(tracer, false, out); }
dimgate_error* dimgate_tracer_asserts(dimgate_tracer* tracer, dimgate_exprs* out) { return listed(tracer, true, out); }

dimgate_error* dimgate_tracer_guard_origin(dimgate_tracer* tracer, size_t index, char** out) {
  return guarded([&]() -> dimgate_error* {
    if (tracer == nullptr || out == nullptr) return missing("tracer and out");
    for (const Guard& g : tracer->tracer.guards().all()) {
      if (g.runtime_assert || index-- != 0) continue;
      const std::string where = g.where.to_string();
      *out = copy(where.empty() ? g.reason : g.reason.empty() ? where : where + ": " + g.reason);
      return nullptr;
    }
    return make_error(DIMGATE_INVALID, "the tracer has fewer guards than that");
  });
}
}
