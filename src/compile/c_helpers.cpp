#include "compile/c_helpers.hpp"

#include <array>
#include <string_view>

namespace dimgate::lowering {
namespace {

struct Helper {
  std::string_view name;
  std::string_view calls;  // names of helpers, separated by spaces
  std::string_view text;
};

// Each after those it calls. `dg_wide` is two's complement in 32-bit limbs, wide enough for any value of the program.
constexpr std::array kHelpers{
    Helper{"dg_double", "", R"(static double dg_double(int64_t bits) {
  double d;
  memcpy(&d, &bits, sizeof d);
  return d;
}
)"},
    Helper{"dg_residue", "", R"(/* x modulo k > 0, in [0, k) */
static int64_t dg_residue(int64_t x, int64_t k) {
  int64_t m = x % k;
  return m < 0 ? m + k : m;
}
)"},
    Helper{"dg_member", "", R"(/* v is one of n ascending values */
static int dg_member(int64_t v, const int64_t* values, uint32_t n) {
  uint32_t lo = 0, hi = n;
  while (lo < hi) {
    uint32_t mid = lo + (hi - lo) / 2;
    if (values[mid] < v) lo = mid + 1; else hi = mid;
  }
  return lo < n && values[lo] == v;
}
)"},
    Helper{"dg_slots_differ", "", R"(static int dg_slots_differ(const int64_t* s, const uint32_t* list, uint32_t n) {
  uint32_t i, j;
  for (i = 1; i < n; ++i)
    for (j = 0; j < i; ++j)
      if (s[list[i]] == s[list[j]]) return 0;
  return 1;
}
)"},
    Helper{"dg_distinct", "", R"(static int dg_distinct(const int64_t* v, uint32_t n) {
  uint32_t i, j;
  for (i = 1; i < n; ++i)
    for (j = 0; j < i; ++j)
      if (v[i] == v[j]) return 0;
  return 1;
}
)"},
    Helper{"dg_add", "", R"(/* These return 0 where int64 does not hold the result. */
static int dg_add(int64_t* r, int64_t a, int64_t b) {
#if defined(__GNUC__)
  return !__builtin_add_overflow(a, b, r);
#else
  if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b) return 0;
  *r = a + b;
  return 1;
#endif
}
)"},
    Helper{"dg_sub", "", R"(static int dg_sub(int64_t* r, int64_t a, int64_t b) {
#if defined(__GNUC__)
  return !__builtin_sub_overflow(a, b, r);
#else
  if (b < 0 ? a > INT64_MAX + b : a < INT64_MIN + b) return 0;
  *r = a - b;
  return 1;
#endif
}
)"},
    Helper{"dg_mul", "", R"(static int dg_mul(int64_t* r, int64_t a, int64_t b) {
#if defined(__GNUC__)
  return !__builtin_mul_overflow(a, b, r);
#else
  if (a != 0 && b != 0) {
    if ((a == -1 && b == INT64_MIN) || (b == -1 && a == INT64_MIN)) return 0;
    if (b != -1 && a != -1 &&
        ((a > 0) == (b > 0) ? (a > 0 ? a > INT64_MAX / b : a < INT64_MAX / b)
                            : (a > 0 ? b < INT64_MIN / a : a < INT64_MIN / b))) return 0;
  }
  *r = a * b;
  return 1;
#endif
}
)"},
    Helper{"dg_div", "", R"(/* floor division, b != 0 */
static int dg_div(int64_t* r, int64_t a, int64_t b) {
  int64_t q;
  if (b == -1) {
    if (a == INT64_MIN) return 0;
    *r = -a;
    return 1;
  }
  q = a / b;
  *r = q - (q * b != a && (a < 0) != (b < 0));
  return 1;
}
)"},
    Helper{"dg_mod", "", R"(static int dg_mod(int64_t* r, int64_t a, int64_t b) {
  int64_t m = b == -1 ? 0 : a % b;
  *r = m != 0 && (m < 0) != (b < 0) ? m + b : m;
  return 1;
}
)"},
    Helper{"dg_ceildiv", "", R"(static int dg_ceildiv(int64_t* r, int64_t a, int64_t b) {
  int64_t q;
  if (b == -1) {
    if (a == INT64_MIN) return 0;
    *r = -a;
    return 1;
  }
  q = a / b;
  *r = q + (q * b != a && (a < 0) == (b < 0));
  return 1;
}
)"},
    Helper{"dg_set", "", R"(static void dg_set(dg_wide* r, int64_t v) {
  int i;
  r->v[0] = (uint32_t)((uint64_t)v & 0xffffffffu);
  r->v[1] = (uint32_t)((uint64_t)v >> 32);
  for (i = 2; i < dg_limbs; ++i) r->v[i] = v < 0 ? 0xffffffffu : 0u;
}
)"},
    Helper{"dg_low", "", R"(/* the value, where int64 holds it */
static int64_t dg_low(const dg_wide* a) {
  uint64_t u = (uint64_t)a->v[1] << 32 | a->v[0];
  return u <= (uint64_t)INT64_MAX ? (int64_t)u : -(int64_t)(~u) - 1;
}
)"},
    Helper{"dg_compare", "", R"(/* <0, 0, >0 */
static int dg_compare(const dg_wide* a, const dg_wide* b) {
  int i, an = (int)(a->v[dg_limbs - 1] >> 31), bn = (int)(b->v[dg_limbs - 1] >> 31);
  if (an != bn) return bn - an;
  for (i = dg_limbs - 1; i >= 0; --i)
    if (a->v[i] != b->v[i]) return a->v[i] < b->v[i] ? -1 : 1;
  return 0;
}
)"},
    Helper{"dg_compare_small", "dg_set dg_compare", R"(static int dg_compare_small(const dg_wide* a, int64_t v) {
  dg_wide b;
  dg_set(&b, v);
  return dg_compare(a, &b);
}
)"},
    Helper{"dg_is_small", "dg_compare_small", R"(static int dg_is_small(const dg_wide* a) {
  return dg_compare_small(a, INT64_MIN) >= 0 && dg_compare_small(a, INT64_MAX) <= 0;
}
)"},
    Helper{"dg_wide_neg", "", R"(static void dg_wide_neg(dg_wide* a) {
  uint64_t carry = 1;
  int i;
  for (i = 0; i < dg_limbs; ++i) {
    carry += (uint64_t)(~a->v[i] & 0xffffffffu);
    a->v[i] = (uint32_t)carry;
    carry >>= 32;
  }
}
)"},
    Helper{"dg_big", "dg_set dg_wide_neg",
           R"(static void dg_big(dg_wide* r, const uint32_t* limbs, int n, int negative) {
  int i;
  dg_set(r, 0);
  for (i = 0; i < n && i < dg_limbs; ++i) r->v[i] = limbs[i];
  if (negative) dg_wide_neg(r);
}
)"},
    Helper{"dg_wide_add", "", R"(static void dg_wide_add(dg_wide* r, const dg_wide* a, const dg_wide* b) {
  uint64_t carry = 0;
  int i;
  for (i = 0; i < dg_limbs; ++i) {
    carry += (uint64_t)a->v[i] + b->v[i];
    r->v[i] = (uint32_t)carry;
    carry >>= 32;
  }
}
)"},
    Helper{"dg_wide_sub", "dg_wide_neg dg_wide_add",
           R"(static void dg_wide_sub(dg_wide* r, const dg_wide* a, const dg_wide* b) {
  dg_wide n = *b;
  dg_wide_neg(&n);
  dg_wide_add(r, a, &n);
}
)"},
    Helper{"dg_wide_mul", "", R"(static void dg_wide_mul(dg_wide* r, const dg_wide* a, const dg_wide* b) {
  dg_wide out;
  int i, j;
  for (i = 0; i < dg_limbs; ++i) out.v[i] = 0;
  for (i = 0; i < dg_limbs; ++i) {
    uint64_t carry = 0;
    for (j = 0; i + j < dg_limbs; ++j) {
      carry += (uint64_t)a->v[i] * b->v[j] + out.v[i + j];
      out.v[i + j] = (uint32_t)carry;
      carry >>= 32;
    }
  }
  *r = out;
}
)"},
    Helper{"dg_divide", "dg_wide_neg",
           R"(/* truncated quotient and remainder of magnitudes and signs, b != 0, bit by bit */
static void dg_divide(dg_wide* q, dg_wide* m, const dg_wide* a, const dg_wide* b) {
  dg_wide x = *a, y = *b;
  int xn = (int)(x.v[dg_limbs - 1] >> 31), yn = (int)(y.v[dg_limbs - 1] >> 31), i, k;
  if (xn) dg_wide_neg(&x);
  if (yn) dg_wide_neg(&y);
  for (i = 0; i < dg_limbs; ++i) q->v[i] = m->v[i] = 0;
  for (k = dg_limbs * 32 - 1; k >= 0; --k) {
    uint32_t in = x.v[k / 32] >> (k % 32) & 1u;
    int less = 0;
    for (i = 0; i < dg_limbs; ++i) {
      uint32_t out = m->v[i] >> 31;
      m->v[i] = m->v[i] << 1 | in;
      in = out;
    }
    for (i = dg_limbs - 1; i >= 0; --i)
      if (m->v[i] != y.v[i]) {
        less = m->v[i] < y.v[i];
        break;
      }
    if (!less) {
      uint64_t borrow = 0;
      for (i = 0; i < dg_limbs; ++i) {
        uint64_t d = (uint64_t)m->v[i] - y.v[i] - borrow;
        m->v[i] = (uint32_t)d;
        borrow = d >> 63;
      }
      q->v[k / 32] |= 1u << (k % 32);
    }
  }
  if (xn != yn) dg_wide_neg(q);
  if (xn) dg_wide_neg(m);
}
)"},
    Helper{"dg_is_zero", "", R"(static int dg_is_zero(const dg_wide* a) {
  int i;
  for (i = 0; i < dg_limbs; ++i)
    if (a->v[i] != 0) return 0;
  return 1;
}
)"},
    Helper{"dg_wide_div", "dg_divide dg_is_zero dg_set dg_wide_add",
           R"(static void dg_wide_div(dg_wide* r, const dg_wide* a, const dg_wide* b) {
  dg_wide q, m, one;
  int differ = (a->v[dg_limbs - 1] >> 31) != (b->v[dg_limbs - 1] >> 31);
  dg_divide(&q, &m, a, b);
  dg_set(&one, -1);
  if (differ && !dg_is_zero(&m)) dg_wide_add(&q, &q, &one);
  *r = q;
}
)"},
    Helper{"dg_wide_mod", "dg_divide dg_is_zero dg_wide_add",
           R"(static void dg_wide_mod(dg_wide* r, const dg_wide* a, const dg_wide* b) {
  dg_wide q, m, k = *b;
  int differ = (a->v[dg_limbs - 1] >> 31) != (b->v[dg_limbs - 1] >> 31);
  dg_divide(&q, &m, a, b);
  if (differ && !dg_is_zero(&m)) dg_wide_add(&m, &m, &k);
  *r = m;
}
)"},
    Helper{"dg_wide_ceildiv", "dg_divide dg_is_zero dg_set dg_wide_add",
           R"(static void dg_wide_ceildiv(dg_wide* r, const dg_wide* a, const dg_wide* b) {
  dg_wide q, m, one;
  int differ = (a->v[dg_limbs - 1] >> 31) != (b->v[dg_limbs - 1] >> 31);
  dg_divide(&q, &m, a, b);
  dg_set(&one, 1);
  if (!differ && !dg_is_zero(&m)) dg_wide_add(&q, &q, &one);
  *r = q;
}
)"},
    Helper{"dg_wide_distinct", "dg_compare", R"(static int dg_wide_distinct(const dg_wide* v, uint32_t n) {
  uint32_t i, j;
  for (i = 1; i < n; ++i)
    for (j = 0; j < i; ++j)
      if (dg_compare(&v[i], &v[j]) == 0) return 0;
  return 1;
}
)"},
};

}  // namespace

std::string c_helpers(const std::set<std::string>& names) {
  std::set<std::string, std::less<>> wanted(names.begin(), names.end());
  // Callers come after what they call, so one pass backwards finds everything.
  for (std::size_t k = kHelpers.size(); k-- > 0;) {
    if (!wanted.contains(kHelpers[k].name)) continue;
    std::string_view calls = kHelpers[k].calls;
    while (!calls.empty()) {
      const std::size_t end = calls.find(' ');
      wanted.emplace(calls.substr(0, end));
      calls = end == std::string_view::npos ? std::string_view{} : calls.substr(end + 1);
    }
  }
  std::string out;
  for (const Helper& h : kHelpers)
    if (wanted.contains(h.name)) out += std::string(h.text) + "\n";
  return out;
}

}  // namespace dimgate::lowering
