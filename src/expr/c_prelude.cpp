// The functions that to_c's text calls. Tests: tests/expr/c_test.cpp.
#include "dimgate/expr.hpp"

namespace dimgate {

std::string_view c_prelude() {
  return R"(#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A truth value is 1, 0, DG_UNDEFINED or DG_OVERFLOW (the exact value needs more than 64 bits). */
#define DG_UNDEFINED (-1)
#define DG_OVERFLOW (-2)

/* An integer, an enum index or the bits of a double; status 0, DG_UNDEFINED or DG_OVERFLOW. */
typedef struct {
  int64_t value;
  int status;
} dg_value;

static inline dg_value dg_of(int64_t v) {
  dg_value r = {v, 0};
  return r;
}
static inline dg_value dg_status(int status) {
  dg_value r = {0, status};
  return r;
}
/* Strict: undefined if any operand is, else overflow if any is. */
static inline int dg_join(int a, int b) {
  return a == DG_UNDEFINED || b == DG_UNDEFINED ? DG_UNDEFINED : a == DG_OVERFLOW || b == DG_OVERFLOW ? DG_OVERFLOW : 0;
}
static inline int dg_join_all(size_t n, const dg_value* v) {
  int status = 0;
  for (size_t i = 0; i < n; ++i) status = dg_join(status, v[i].status);
  return status;
}
static inline dg_value dg_add(size_t n, const dg_value* v) {
  dg_value r = dg_status(dg_join_all(n, v));
  for (size_t i = 0; r.status == 0 && i < n; ++i)
    if (__builtin_add_overflow(r.value, v[i].value, &r.value)) r = dg_status(DG_OVERFLOW);
  return r;
}
static inline dg_value dg_mul(size_t n, const dg_value* v) {
  dg_value r = dg_status(dg_join_all(n, v));
  if (r.status != 0) return r;
  r.value = 1;
  for (size_t i = 0; i < n; ++i)
    if (v[i].value == 0) return dg_of(0);
  for (size_t i = 0; i < n; ++i)
    if (__builtin_mul_overflow(r.value, v[i].value, &r.value)) return dg_status(DG_OVERFLOW);
  return r;
}
static inline dg_value dg_sub(dg_value a, dg_value b) {
  dg_value r = dg_status(dg_join(a.status, b.status));
  if (r.status == 0 && __builtin_sub_overflow(a.value, b.value, &r.value)) return dg_status(DG_OVERFLOW);
  return r;
}
static inline dg_value dg_neg(dg_value a) { return dg_sub(dg_of(0), a); }
static inline dg_value dg_abs(dg_value a) { return a.status == 0 && a.value < 0 ? dg_neg(a) : a; }
static inline dg_value dg_divisor(dg_value a, dg_value b) {
  if (b.status == 0 && b.value == 0) return dg_status(DG_UNDEFINED);
  return dg_status(dg_join(a.status, b.status));
}
static inline dg_value dg_floor_div(dg_value a, dg_value b) {
  dg_value r = dg_divisor(a, b);
  if (r.status != 0) return r;
  if (b.value == -1) return dg_neg(a);
  r.value = a.value / b.value;
  if (a.value % b.value != 0 && (a.value < 0) != (b.value < 0)) r.value -= 1;
  return r;
}
static inline dg_value dg_ceil_div(dg_value a, dg_value b) {
  dg_value r = dg_divisor(a, b);
  if (r.status != 0) return r;
  if (b.value == -1) return dg_neg(a);
  r.value = a.value / b.value;
  if (a.value % b.value != 0 && (a.value < 0) == (b.value < 0)) r.value += 1;
  return r;
}
static inline dg_value dg_mod(dg_value a, dg_value b) {
  dg_value r = dg_divisor(a, b);
  if (r.status != 0) return r;
  r.value = b.value == -1 ? 0 : a.value % b.value;
  if (r.value != 0 && (r.value < 0) != (b.value < 0)) r.value += b.value;
  return r;
}
static inline dg_value dg_pow(dg_value a, dg_value n) {
  dg_value r = dg_status(dg_join(a.status, n.status));
  if (r.status != 0) return r;
  if (a.value == 0 || a.value == 1 || a.value == -1)
    return dg_of(n.value == 0 ? 1 : a.value == -1 ? (n.value % 2 == 0 ? 1 : -1) : a.value);
  r.value = 1;
  for (int64_t i = 0; i < n.value; ++i)
    if (__builtin_mul_overflow(r.value, a.value, &r.value)) return dg_status(DG_OVERFLOW);
  return r;
}
static inline dg_value dg_min(size_t n, const dg_value* v) {
  dg_value r = dg_status(dg_join_all(n, v));
  if (r.status != 0) return r;
  r = v[0];
  for (size_t i = 1; i < n; ++i)
    if (v[i].value < r.value) r = v[i];
  return r;
}
static inline dg_value dg_max(size_t n, const dg_value* v) {
  dg_value r = dg_status(dg_join_all(n, v));
  if (r.status != 0) return r;
  r = v[0];
  for (size_t i = 1; i < n; ++i)
    if (v[i].value > r.value) r = v[i];
  return r;
}
static inline dg_value dg_choose(int c, dg_value a, dg_value b) { return c < 0 ? dg_status(c) : c ? a : b; }
static inline int dg_choose_bool(int c, int a, int b) { return c < 0 ? c : c ? a : b; }

#define DG_COMPARISON(name, test)                    \
  static inline int name(dg_value a, dg_value b) {   \
    const int status = dg_join(a.status, b.status);  \
    return status != 0 ? status : (test);            \
  }
static inline double dg_double(dg_value a) {
  double d;
  memcpy(&d, &a.value, sizeof d);
  return d;
}
DG_COMPARISON(dg_eq, a.value == b.value)
DG_COMPARISON(dg_ne, a.value != b.value)
DG_COMPARISON(dg_lt, a.value < b.value)
DG_COMPARISON(dg_le, a.value <= b.value)
DG_COMPARISON(dg_gt, a.value > b.value)
DG_COMPARISON(dg_ge, a.value >= b.value)
DG_COMPARISON(dg_eq_float, dg_double(a) == dg_double(b))
DG_COMPARISON(dg_ne_float, dg_double(a) != dg_double(b))
static inline int dg_eq_bool(int a, int b) { return a < 0 || b < 0 ? dg_join(a, b) : a == b; }
static inline int dg_ne_bool(int a, int b) { return a < 0 || b < 0 ? dg_join(a, b) : a != b; }
static inline int dg_isnan(dg_value a) { return a.status != 0 ? a.status : dg_double(a) != dg_double(a); }
static inline int dg_divides(dg_value k, dg_value e) {
  const dg_value r = dg_mod(e, k);
  return r.status != 0 ? r.status : r.value == 0;
}

#define DG_SET(distinct, in, type, equal, status_of)                           \
  static inline int distinct(size_t n, const type* v) {                        \
    int status = 0;                                                            \
    for (size_t i = 0; i < n; ++i) status = dg_join(status, status_of(v[i]));  \
    if (status != 0) return status;                                            \
    for (size_t i = 0; i < n; ++i)                                             \
      for (size_t j = 0; j < i; ++j)                                           \
        if (equal(v[i], v[j]) == 1) return 0;                                  \
    return 1;                                                                  \
  }                                                                            \
  static inline int in(size_t n, const type* v) { /* v[0] among the others */  \
    int status = 0;                                                            \
    for (size_t i = 0; i < n; ++i) status = dg_join(status, status_of(v[i]));  \
    if (status != 0) return status;                                            \
    for (size_t i = 1; i < n; ++i)                                             \
      if (equal(v[0], v[i]) == 1) return 1;                                    \
    return 0;                                                                  \
  }
#define DG_STATUS(v) (v).status
#define DG_TRUTH(v) (v)
DG_SET(dg_distinct, dg_in, dg_value, dg_eq, DG_STATUS)
DG_SET(dg_distinct_float, dg_in_float, dg_value, dg_eq_float, DG_STATUS)
DG_SET(dg_distinct_bool, dg_in_bool, int, dg_eq_bool, DG_TRUTH)

/* Strong Kleene: an operand that decides wins; overflow may be either, undefined is neither. */
static inline int dg_decide(size_t n, const int* v, int deciding) {
  int status = 0;
  for (size_t i = 0; i < n; ++i) {
    if (v[i] == deciding) return deciding;
    if (v[i] == DG_OVERFLOW || (v[i] == DG_UNDEFINED && status == 0)) status = v[i];
  }
  return status != 0 ? status : !deciding;
}
static inline int dg_and(size_t n, const int* v) { return dg_decide(n, v, 0); }
static inline int dg_or(size_t n, const int* v) { return dg_decide(n, v, 1); }
static inline int dg_not(int a) { return a < 0 ? a : !a; }
static inline int dg_implies(int a, int b) {
  const int parts[2] = {dg_not(a), b};
  return dg_or(2, parts);
}
)";
}

}  // namespace dimgate
