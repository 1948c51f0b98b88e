// What the C handles are, and how exceptions become errors.
#pragma once

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "dimgate/c/dimgate.h"
#include "dimgate/cache.hpp"
#include "dimgate/expr.hpp"
#include "dimgate/prove.hpp"
#include "dimgate/trace.hpp"
#include "dimgate/world.hpp"

struct dimgate_error {
  dimgate_code code;
  std::string message;
};

struct dimgate_context {
  dimgate::Context ctx;
  dimgate::NativeProver prover;
  std::shared_ptr<dimgate::Jit> jit = dimgate::Jit::create();
};

struct dimgate_tracer {
  explicit dimgate_tracer(dimgate_context& context) : tracer(context.ctx, context.prover) {}
  dimgate::Tracer tracer;
};

struct dimgate_layout {
  dimgate::Layout layout;
};

struct dimgate_snapshot {
  const dimgate_layout* layout;
  dimgate::Snapshot values;
  std::vector<std::pair<std::string, dimgate::DlpackReader>> readers;  // by tensor
};

struct dimgate_program {
  dimgate::Program program;
};

namespace dimgate::c {

/// Null only where not even the error fits into memory: then it is the one error that is never freed.
dimgate_error* make_error(dimgate_code code, std::string message) noexcept;
inline dimgate_error* make_error(const Error& e, dimgate_code code = DIMGATE_INVALID) noexcept {
  return make_error(code, e.to_string());
}
inline dimgate_error* missing(const char* what) noexcept {
  return make_error(DIMGATE_INVALID, std::string(what) + " must not be NULL");
}
/// Copies for the caller, who frees with dimgate_string_free.
char* copy(const std::string& s);
/// Formulas for the caller.
dimgate_exprs copy(const std::vector<Expr>& from);

inline Expr expr(dimgate_expr e) noexcept { return Expr(reinterpret_cast<const detail::Node*>(e)); }
inline dimgate_expr handle(Expr e) noexcept { return reinterpret_cast<dimgate_expr>(e.node()); }
bool given(const dimgate_expr* list, std::size_t count) noexcept;

/// Runs `body`, which returns an error or null; what it throws becomes one.
template <class F>
dimgate_error* guarded(F body) noexcept {
  try {
    return body();
  } catch (const ShapeError& e) {
    return make_error(DIMGATE_SHAPE, e.what());
  } catch (const TraceError& e) {
    return make_error(DIMGATE_TRACE, e.what());
  } catch (const std::bad_alloc&) {
    return make_error(DIMGATE_NO_MEMORY, "out of memory");
  } catch (const std::exception& e) {
    return make_error(DIMGATE_INTERNAL, e.what());
  } catch (...) {
    return make_error(DIMGATE_INTERNAL, "unknown exception");
  }
}

}  // namespace dimgate::c
