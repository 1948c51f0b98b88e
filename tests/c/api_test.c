/* The C face, from C11: every group of calls, what fails as a value, and a front end in small that traces on a miss. */
#include <dimgate/c/dimgate.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;
#define CHECK(condition)                                                      \
  do {                                                                        \
    if (!(condition)) {                                                       \
      ++failures;                                                             \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
    }                                                                         \
  } while (0)

/* No error; tells it otherwise. */
static bool fine(dimgate_error* error) {
  if (error == NULL) return true;
  fprintf(stderr, "unexpected: %s\n", dimgate_error_message(error));
  dimgate_error_free(error);
  return false;
}
#define OK(call) CHECK(fine(call))

/* An error of that code whose message contains the text. */
static bool refused(dimgate_error* error, dimgate_code code, const char* text) {
  if (error == NULL) return false;
  const bool as_wanted = dimgate_error_code(error) == code && strstr(dimgate_error_message(error), text) != NULL;
  if (!as_wanted) fprintf(stderr, "got %d: %s\n", (int)dimgate_error_code(error), dimgate_error_message(error));
  dimgate_error_free(error);
  return as_wanted;
}

static dimgate_expr parsed(dimgate_context* ctx, const char* text) {
  dimgate_expr e = NULL;
  OK(dimgate_parse(ctx, text, &e));
  return e;
}

static bool prints(dimgate_context* ctx, dimgate_expr e, dimgate_format format, const char* wanted) {
  char* text = NULL;
  OK(dimgate_print(ctx, e, format, &text));
  const bool same = text != NULL && strcmp(text, wanted) == 0;
  if (!same) fprintf(stderr, "printed %s, wanted %s\n", text != NULL ? text : "nothing", wanted);
  dimgate_string_free(text);
  return same;
}

static void formulas(void) {
  dimgate_context* ctx = dimgate_context_new();
  CHECK(ctx != NULL);
  CHECK(prints(ctx, parsed(ctx, "Eq(Mod(s0, 8), 0)"), DIMGATE_TEXT, "s0 % 8 == 0"));
  CHECK(parsed(ctx, "a + b") == parsed(ctx, "a + b"));
  for (int format = DIMGATE_TEXT; format <= DIMGATE_JSON; ++format) {
    char* text = NULL;
    OK(dimgate_print(ctx, parsed(ctx, "2 <= s0 and s0 % 2 == 0"), (dimgate_format)format, &text));
    CHECK(text != NULL && strstr(text, "0") != NULL && strlen(text) > 8);
    dimgate_string_free(text);
  }
  dimgate_expr e = NULL;
  CHECK(refused(dimgate_parse(ctx, "s0 +* 2", &e), DIMGATE_INVALID, "1:"));
  CHECK(e == NULL);
  CHECK(refused(dimgate_parse(NULL, "s0", &e), DIMGATE_INVALID, "NULL"));
  CHECK(refused(dimgate_print(ctx, parsed(ctx, "s0"), (dimgate_format)99, &(char*){NULL}), DIMGATE_INVALID, "99"));

  const dimgate_expr facts[] = {parsed(ctx, "s0 % 8 == 0"), parsed(ctx, "s0 >= 1")};
  dimgate_verdict verdict = DIMGATE_UNKNOWN;
  char* detail = NULL;
  OK(dimgate_prove(ctx, facts, 2, parsed(ctx, "s0 >= 8"), &verdict, &detail));
  CHECK(verdict == DIMGATE_PROVED);
  CHECK(detail != NULL && detail[0] == '\0');
  dimgate_string_free(detail);
  OK(dimgate_prove(ctx, facts, 2, parsed(ctx, "s0 >= 9"), &verdict, &detail));
  CHECK(verdict == DIMGATE_REFUTED);
  CHECK(strcmp(detail, "s0=8") == 0);
  dimgate_string_free(detail);
  CHECK(refused(dimgate_prove(ctx, facts, 2, parsed(ctx, "s0 + 1"), &verdict, NULL), DIMGATE_INVALID, "Bool"));

  const dimgate_expr guards[] = {parsed(ctx, "2*((H + 1)//2) == H"), parsed(ctx, "H >= 2"), parsed(ctx, "H >= -5")};
  dimgate_exprs minimal = {NULL, 0};
  OK(dimgate_simplify(ctx, NULL, 0, guards, 3, &minimal));
  CHECK(minimal.count == 2);
  CHECK(prints(ctx, minimal.items[0], DIMGATE_TEXT, "H >= 1")); /* of even numbers: the same as >= 2 */
  CHECK(prints(ctx, minimal.items[1], DIMGATE_TEXT, "H % 2 == 0"));
  dimgate_exprs_free(&minimal);
  CHECK(minimal.items == NULL);
  dimgate_context_free(ctx);
}

static void tracing(void) {
  dimgate_context* ctx = dimgate_context_new();
  dimgate_tracer* t = NULL;
  OK(dimgate_tracer_new(ctx, &t));
  const int64_t eight = 8, three = 3;
  dimgate_expr b, l, k, half, two, odd, cond;
  OK(dimgate_size(t, "B", &eight, &b));
  OK(dimgate_size(t, "L", &three, &l));
  OK(dimgate_constant(t, 2, &two));
  OK(dimgate_apply(t, DIMGATE_MOD, b, two, &k));
  OK(dimgate_constant(t, 0, &odd));
  OK(dimgate_apply(t, DIMGATE_EQ, k, odd, &cond));
  OK(dimgate_declare(t, cond));
  OK(dimgate_apply(t, DIMGATE_FLOOR_DIV, b, two, &half));

  const dimgate_place place = {"model.py", 12, "forward"};
  bool taken = false;
  OK(dimgate_decide(t, cond, &place, &taken)); /* declared: known, no guard */
  CHECK(taken);
  OK(dimgate_apply(t, DIMGATE_LT, l, half, &cond));
  OK(dimgate_decide(t, cond, &place, &taken));
  CHECK(taken);
  dimgate_expr other;
  OK(dimgate_not(t, cond, &other));
  OK(dimgate_decide(t, other, &place, &taken)); /* follows from the decision before */
  CHECK(!taken);
  int64_t value = 0;
  OK(dimgate_to_int(t, l, &place, &value));
  CHECK(value == 3);

  dimgate_exprs guards = {NULL, 0};
  OK(dimgate_tracer_guards(t, &guards));
  CHECK(guards.count == 2);
  CHECK(guards.count > 1 && prints(ctx, guards.items[1], DIMGATE_TEXT, "L == 3"));
  dimgate_exprs_free(&guards);
  char* origin = NULL;
  OK(dimgate_tracer_guard_origin(t, 0, &origin));
  CHECK(origin != NULL && strstr(origin, "model.py:12") != NULL);
  dimgate_string_free(origin);
  CHECK(refused(dimgate_tracer_guard_origin(t, 7, &origin), DIMGATE_INVALID, "fewer"));

  OK(dimgate_apply(t, DIMGATE_EQ, b, l, &cond));
  CHECK(refused(dimgate_require(t, cond, "cat: sizes must agree", &place), DIMGATE_SHAPE, "cat: sizes must agree"));
  dimgate_expr u, zero;
  OK(dimgate_size(t, "u", NULL, &u));
  OK(dimgate_constant(t, 0, &zero));
  OK(dimgate_apply(t, DIMGATE_EQ, u, zero, &cond));
  CHECK(refused(dimgate_decide(t, cond, &place, &taken), DIMGATE_TRACE, "u"));
  OK(dimgate_apply(t, DIMGATE_LE, u, b, &cond));
  OK(dimgate_require(t, cond, "too many", &place));
  dimgate_exprs asserts = {NULL, 0};
  OK(dimgate_tracer_asserts(t, &asserts));
  CHECK(asserts.count == 1);
  dimgate_exprs_free(&asserts);
  CHECK(refused(dimgate_apply(t, DIMGATE_ADD, b, cond, &other), DIMGATE_INVALID, "Bool"));
  CHECK(refused(dimgate_apply(t, DIMGATE_FLOOR_DIV, b, zero, &other), DIMGATE_SHAPE, "0"));
  dimgate_tracer_free(t);
  dimgate_context_free(ctx);
}

/* As in dlpack.h. */
typedef struct {
  void* data;
  struct {
    int32_t device_type, device_id;
  } device;
  int32_t ndim;
  struct {
    uint8_t code, bits;
    uint16_t lanes;
  } dtype;
  int64_t *shape, *strides;
  uint64_t byte_offset;
} tensor;

static void programs(void) {
  dimgate_context* ctx = dimgate_context_new();
  dimgate_layout* layout = dimgate_layout_new();
  OK(dimgate_layout_add_tensor(layout, "x", 2));
  uint32_t n = 0, flag = 0, f = 0;
  OK(dimgate_layout_add(layout, "n", DIMGATE_INT, &n));
  OK(dimgate_layout_add(layout, "flag", DIMGATE_BOOL, &flag));
  OK(dimgate_layout_add(layout, "f", DIMGATE_FLOAT, &f));
  CHECK(refused(dimgate_layout_add(layout, "n", DIMGATE_BOOL, NULL), DIMGATE_INVALID, "already"));
  CHECK(dimgate_layout_find(layout, "x.shape[1]") == dimgate_layout_find(layout, "x.size()[1]"));
  CHECK(dimgate_layout_find(layout, "y") == DIMGATE_NO_SLOT);
  int64_t id = -1;
  OK(dimgate_layout_intern(layout, "torch.float32", &id));

  const dimgate_expr guards[] = {parsed(ctx, "x.dim() == 2"),         parsed(ctx, "x.dtype == torch.float32"),
                                 parsed(ctx, "x.size()[1] % 8 == 0"), parsed(ctx, "x.size()[0] * n < 1000"),
                                 parsed(ctx, "flag == True"),         parsed(ctx, "not isnan(f)")};
  dimgate_program* program = NULL;
  OK(dimgate_compile(ctx, guards, 6, layout, &program));
  const dimgate_expr stranger = parsed(ctx, "stranger == 1");
  dimgate_program* none = NULL;
  CHECK(refused(dimgate_compile(ctx, &stranger, 1, layout, &none), DIMGATE_INVALID, "stranger"));
  CHECK(none == NULL);
  dimgate_context_free(ctx); /* programs refer to no context */

  dimgate_snapshot* s = NULL;
  OK(dimgate_snapshot_new(layout, &s));
  int64_t shape[] = {4, 16};
  tensor x = {NULL, {1, 0}, 2, {2, 32, 1}, shape, NULL, 0};
  OK(dimgate_snapshot_dlpack(s, "x", &x));
  dimgate_snapshot_set(s, n, 100);
  dimgate_snapshot_set(s, flag, 1);
  dimgate_snapshot_set_float(s, f, 0.5);
  dimgate_snapshot_set(s, 4711, 1); /* no such slot: nothing happens */
  CHECK(dimgate_check(program, s) == DIMGATE_PASS);
  shape[1] = 17;
  OK(dimgate_snapshot_dlpack(s, "x", &x));
  CHECK(dimgate_check(program, s) == 2);
  dimgate_snapshot_set(s, n, INT64_MAX); /* 4 * n overflows: exact, false */
  uint32_t failing[4] = {0, 0, 0, 0};
  CHECK(dimgate_failing(program, s, failing, 4) == 2);
  CHECK(failing[0] == 2 && failing[1] == 3);
  dimgate_snapshot_unset(s, flag);
  CHECK(dimgate_failing(program, s, failing, 1) == 3);
  dimgate_snapshot_clear(s);
  CHECK(dimgate_check(program, s) != DIMGATE_PASS);
  CHECK(dimgate_program_bytes(program) > 0);
  (void)dimgate_program_is_native(program);
  char* source = NULL;
  OK(dimgate_emit_c(program, "holds", &source));
  CHECK(source != NULL && strstr(source, "int holds(") != NULL);
  dimgate_string_free(source);
  dimgate_snapshot_free(s);
  dimgate_program_free(program);
  dimgate_layout_free(layout);
}

/* A front end whose "compiled code" is a number: it traces `n % 4 == 0 ? vectors : scalars` with n free. */
typedef struct {
  dimgate_layout* layout;
  int traces, released;
} front_end;

static dimgate_answer on_miss(void* user, const int64_t* values, const uint64_t* present, size_t slots,
                              dimgate_new_entry* entry) {
  front_end* me = user;
  ++me->traces;
  if (slots < 1 || (present[0] & 1) == 0) return DIMGATE_ANSWER_FALLBACK;
  if (values[0] < 0) {
    entry->reason = "n is negative";
    return DIMGATE_ANSWER_REJECT;
  }
  dimgate_answer answer = DIMGATE_ANSWER_FAILED;
  dimgate_context* ctx = dimgate_context_new();
  dimgate_tracer* t = NULL;
  dimgate_program* program = NULL;
  dimgate_exprs guards = {NULL, 0};
  dimgate_expr n, four, rest, zero, aligned;
  bool vectors = false;
  if (fine(dimgate_tracer_new(ctx, &t)) && fine(dimgate_size(t, "n", &values[0], &n)) &&
      fine(dimgate_constant(t, 4, &four)) && fine(dimgate_constant(t, 0, &zero)) &&
      fine(dimgate_apply(t, DIMGATE_MOD, n, four, &rest)) && fine(dimgate_apply(t, DIMGATE_EQ, rest, zero, &aligned)) &&
      fine(dimgate_decide(t, aligned, NULL, &vectors)) && fine(dimgate_tracer_guards(t, &guards)) &&
      fine(dimgate_compile(ctx, guards.items, guards.count, me->layout, &program))) {
    int* code = malloc(sizeof *code);
    if (code != NULL) {
      *code = vectors ? 4 : 1;
      entry->payload = code;
      entry->program = program;
      entry->label = vectors ? "vectors" : "scalars";
      answer = DIMGATE_ANSWER_COMPILED;
    }
  }
  /* The program is copied when this returns, so it must live until then: kept by the front end. */
  static dimgate_program* kept = NULL;
  dimgate_program_free(kept);
  kept = program;
  dimgate_exprs_free(&guards);
  dimgate_tracer_free(t);
  dimgate_context_free(ctx);
  return answer;
}

static void on_release(void* user, void* payload) {
  ++((front_end*)user)->released;
  free(payload);
}

static void caches(void) {
  front_end me = {dimgate_layout_new(), 0, 0};
  uint32_t n = 0;
  OK(dimgate_layout_add(me.layout, "n", DIMGATE_INT, &n));
  const dimgate_callbacks callbacks = {sizeof callbacks, &me, on_miss, on_release};
  dimgate_cache* cache = NULL;
  CHECK(refused(dimgate_cache_new(NULL, NULL, &cache), DIMGATE_INVALID, "callbacks"));
  const dimgate_callbacks unsized = {0, &me, on_miss, NULL};
  CHECK(refused(dimgate_cache_new(&unsized, NULL, &cache), DIMGATE_INVALID, "struct_size"));
  const dimgate_cache_options options = {sizeof options, 8, 0, true};
  OK(dimgate_cache_new(&callbacks, &options, &cache));
  dimgate_reader* reader = NULL;
  OK(dimgate_reader_new(cache, &reader));
  dimgate_snapshot* s = NULL;
  OK(dimgate_snapshot_new(me.layout, &s));
  void* payload = NULL;
  int compiled = 0, hits = 0, right = 0;
  for (int64_t k = 0; k < 100; ++k) {
    dimgate_snapshot_set(s, n, k);
    const dimgate_outcome outcome = dimgate_lookup(reader, s, &payload);
    compiled += outcome == DIMGATE_COMPILED;
    hits += outcome == DIMGATE_HIT;
    right += payload != NULL && *(int*)payload == (k % 4 == 0 ? 4 : 1);
  }
  CHECK(compiled == 2);
  CHECK(hits == 98);
  CHECK(right == 100);
  CHECK(dimgate_cache_size(cache) == 2);
  dimgate_snapshot_set(s, n, -3);
  CHECK(dimgate_lookup(reader, s, &payload) == DIMGATE_HIT); /* -3 % 4 is 1: the scalars' guard holds */
  dimgate_snapshot_clear(s);
  CHECK(dimgate_lookup(reader, s, &payload) == DIMGATE_FALLBACK);
  CHECK(payload == NULL);

  dimgate_statistics st;
  st.struct_size = sizeof st;
  dimgate_cache_statistics(cache, &st);
  CHECK(st.hits == 99 && st.compiles == 2 && st.recompiles == 1 && st.fallbacks == 1);
  CHECK(me.traces == 3);
  CHECK(me.released == 0);
  dimgate_snapshot_free(s);
  dimgate_reader_free(reader);
  dimgate_cache_free(cache);
  CHECK(me.released == 2);
  dimgate_layout_free(me.layout);
}

static dimgate_answer reject_all(void* user, const int64_t* values, const uint64_t* present, size_t slots,
                                 dimgate_new_entry* entry) {
  (void)values, (void)present, (void)slots;
  ++*(int*)user;
  entry->reason = "matmul: inner sizes differ";
  return DIMGATE_ANSWER_REJECT;
}

static void rejections(void) {
  dimgate_layout* layout = dimgate_layout_new();
  uint32_t n = 0;
  OK(dimgate_layout_add(layout, "n", DIMGATE_INT, &n));
  int asked = 0;
  const dimgate_callbacks callbacks = {sizeof callbacks, &asked, reject_all, NULL};
  dimgate_cache* cache = NULL;
  dimgate_reader* reader = NULL;
  dimgate_snapshot* s = NULL;
  OK(dimgate_cache_new(&callbacks, NULL, &cache));
  OK(dimgate_reader_new(cache, &reader));
  OK(dimgate_snapshot_new(layout, &s));
  dimgate_snapshot_set(s, n, 5);
  for (int k = 0; k < 3; ++k) {
    CHECK(dimgate_lookup(reader, s, NULL) == DIMGATE_REJECTED);
    CHECK(strcmp(dimgate_reason(reader), "matmul: inner sizes differ") == 0);
  }
  CHECK(asked == 1); /* remembered */
  dimgate_done(reader);
  dimgate_snapshot_free(s);
  dimgate_reader_free(reader);
  dimgate_cache_free(cache);
  dimgate_layout_free(layout);
}

int main(void) {
  CHECK(dimgate_c_abi() == DIMGATE_C_ABI);
  CHECK(strlen(dimgate_version()) >= 5);
  dimgate_error_free(NULL);
  dimgate_context_free(NULL);
  formulas();
  tracing();
  programs();
  caches();
  rejections();
  if (failures == 0) puts("all as it should be");
  return failures == 0 ? 0 : 1;
}
