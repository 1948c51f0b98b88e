/* dimgate for C and whatever calls C: formulas, tracing, guard programs, caches. C11; C++ may include it too.
 *
 * Handles are opaque. What `..._new`, `..._compile` and out parameters give belongs to the caller, who frees it with
 * the function named after it (NULL is fine); formulas belong to their context. Every call that can fail returns NULL
 * where it went well, else an error that the caller frees; out parameters are then untouched. Nothing throws or exits
 * across this face, and nothing is printed.
 *
 * Threads: a context, what came of it (formulas, tracers) and a layout belong to one thread at a time. Programs may be
 * checked, and a cache looked up, by any number of threads at once, each with its own snapshot and reader.
 *
 * Version: DIMGATE_C_ABI counts up where something that was here changes; functions and enum values are only added
 * without that. Structs that the caller makes begin with their size, so that they may grow. Enums that the caller gives
 * end in a `..._MAX`, no value of theirs: so any int is one of the type, and what is unknown is refused.
 *
 * Library: dimgate::c (CMake), dimgate-c (pkg-config). Tested by tests/c (compiled as C11) and tests/consumers. */
#ifndef DIMGATE_C_DIMGATE_H
#define DIMGATE_C_DIMGATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DIMGATE_C_ABI 1

/** The ABI of the library that was linked; compare with DIMGATE_C_ABI. */
uint32_t dimgate_c_abi(void);
/** "0.1.0". */
const char* dimgate_version(void);

/* ---- errors, strings ---------------------------------------------------------------------------- */

typedef enum dimgate_code {
  DIMGATE_INVALID = 1, /* bad input: text that does not parse, a sort that does not fit, an argument that is NULL */
  DIMGATE_SHAPE = 2,   /* while tracing: eager execution would fail on these inputs as well */
  DIMGATE_TRACE = 3,   /* while tracing: a fact is missing, or declarations contradict each other */
  DIMGATE_LIMIT = 4,   /* refused by a limit */
  DIMGATE_NO_MEMORY = 5,
  DIMGATE_INTERNAL = 6
} dimgate_code;

typedef struct dimgate_error dimgate_error;
dimgate_code dimgate_error_code(const dimgate_error* error);
/** One line for a person, with the place where there is one. Lives as long as the error. */
const char* dimgate_error_message(const dimgate_error* error);
void dimgate_error_free(dimgate_error* error);

/** Frees a string that was given through an out parameter. */
void dimgate_string_free(char* string);

/* ---- formulas ----------------------------------------------------------------------------------- */

typedef struct dimgate_context dimgate_context;
/** A formula or term of one context; compared with == it is the same node. */
typedef const struct dimgate_node* dimgate_expr;

dimgate_context* dimgate_context_new(void); /* NULL: no memory */
void dimgate_context_free(dimgate_context* context);

/** Reads Python's and PyTorch's spelling. */
dimgate_error* dimgate_parse(dimgate_context* context, const char* text, dimgate_expr* out);

typedef enum dimgate_format {
  DIMGATE_TEXT,
  DIMGATE_PRETTY,
  DIMGATE_LATEX,
  DIMGATE_MATHML,
  DIMGATE_SMT2,
  DIMGATE_PYTHON,
  DIMGATE_C,
  DIMGATE_JSON,
  DIMGATE_FORMAT_MAX = 0x7fffffff
} dimgate_format;
dimgate_error* dimgate_print(dimgate_context* context, dimgate_expr expr, dimgate_format format, char** out);

typedef enum dimgate_verdict { DIMGATE_PROVED, DIMGATE_REFUTED, DIMGATE_UNKNOWN } dimgate_verdict;
/** Is the claim true wherever all facts are? `detail` (may be NULL) gets the counterexample as "s0=4, s1=2", or why it
 * is not known, or "". By the native prover. */
dimgate_error* dimgate_prove(dimgate_context* context, const dimgate_expr* facts, size_t fact_count, dimgate_expr claim,
                             dimgate_verdict* out, char** detail);

/** An array of formulas with its length; freed by dimgate_exprs_free. */
typedef struct dimgate_exprs {
  dimgate_expr* items;
  size_t count;
} dimgate_exprs;
void dimgate_exprs_free(dimgate_exprs* exprs);

/** The minimal set with the same truth as the guards under the facts, in readable form. */
dimgate_error* dimgate_simplify(dimgate_context* context, const dimgate_expr* facts, size_t fact_count,
                                const dimgate_expr* guards, size_t guard_count, dimgate_exprs* out);

/* ---- tracing ------------------------------------------------------------------------------------ */

/** Runs a front end's shape code once, symbolically, and keeps its path condition. Dies before its context. */
typedef struct dimgate_tracer dimgate_tracer;
dimgate_error* dimgate_tracer_new(dimgate_context* context, dimgate_tracer** out);
void dimgate_tracer_free(dimgate_tracer* tracer);

/** A size (>= 0) or any integer, by the name of its slot; `hint`: the value it has in this call, NULL: unbacked. */
dimgate_error* dimgate_size(dimgate_tracer* tracer, const char* name, const int64_t* hint, dimgate_expr* out);
dimgate_error* dimgate_integer(dimgate_tracer* tracer, const char* name, const int64_t* hint, dimgate_expr* out);
dimgate_error* dimgate_constant(dimgate_tracer* tracer, int64_t value, dimgate_expr* out);

typedef enum dimgate_op {
  DIMGATE_ADD,
  DIMGATE_SUB,
  DIMGATE_MUL,
  DIMGATE_FLOOR_DIV, /* a divisor that is not known to be != 0 is guarded */
  DIMGATE_MOD,
  DIMGATE_CEIL_DIV,
  DIMGATE_MIN,
  DIMGATE_MAX,
  DIMGATE_EQ,
  DIMGATE_NE,
  DIMGATE_LT,
  DIMGATE_LE,
  DIMGATE_GT,
  DIMGATE_GE,
  DIMGATE_AND, /* of truth values: one formula, one decision */
  DIMGATE_OR,
  DIMGATE_OP_MAX = 0x7fffffff
} dimgate_op;
dimgate_error* dimgate_apply(dimgate_tracer* tracer, dimgate_op op, dimgate_expr a, dimgate_expr b, dimgate_expr* out);
dimgate_error* dimgate_not(dimgate_tracer* tracer, dimgate_expr a, dimgate_expr* out);

/** Where the front end's own code is; strings are copied. NULL where a place is asked for: unknown. */
typedef struct dimgate_place {
  const char* file;
  unsigned line;
  const char* function;
} dimgate_place;

/** A fact, before the trace; part of the frame's precondition. */
dimgate_error* dimgate_declare(dimgate_tracer* tracer, dimgate_expr fact);
/** Which branch does the program take? Known from facts and earlier decisions, or a guard. */
dimgate_error* dimgate_decide(dimgate_tracer* tracer, dimgate_expr condition, const dimgate_place* place, bool* out);
/** The number, with the guard that it is that. */
dimgate_error* dimgate_to_int(dimgate_tracer* tracer, dimgate_expr term, const dimgate_place* place, int64_t* out);
/** Must hold for the code to be right; a DIMGATE_SHAPE error with `message` where it does not. */
dimgate_error* dimgate_require(dimgate_tracer* tracer, dimgate_expr condition, const char* message,
                               const dimgate_place* place);

/** Guards so far, in order; run-time asserts are not among them. */
dimgate_error* dimgate_tracer_guards(dimgate_tracer* tracer, dimgate_exprs* out);
/** "file:line in function: reason" of guard `index` of that list. */
dimgate_error* dimgate_tracer_guard_origin(dimgate_tracer* tracer, size_t index, char** out);
/** What must hold before a result is published, decided on values that no input shows. */
dimgate_error* dimgate_tracer_asserts(dimgate_tracer* tracer, dimgate_exprs* out);

/* ---- layouts, snapshots ------------------------------------------------------------------------- */

typedef enum dimgate_sort {
  DIMGATE_INT,
  DIMGATE_BOOL,
  DIMGATE_FLOAT,
  DIMGATE_NAME,
  DIMGATE_SORT_MAX = 0x7fffffff
} dimgate_sort;
/** Slots by name, fixed before programs are compiled; more may be appended later. */
typedef struct dimgate_layout dimgate_layout;
#define DIMGATE_NO_SLOT UINT32_MAX
dimgate_layout* dimgate_layout_new(void); /* NULL: no memory */
void dimgate_layout_free(dimgate_layout* layout);
dimgate_error* dimgate_layout_add(dimgate_layout* layout, const char* name, dimgate_sort sort, uint32_t* out);
/** Rank, dtype, device, sizes, strides and offset of a tensor. */
dimgate_error* dimgate_layout_add_tensor(dimgate_layout* layout, const char* base, uint32_t rank);
/** By any spelling; DIMGATE_NO_SLOT if there is none. */
uint32_t dimgate_layout_find(const dimgate_layout* layout, const char* name);
size_t dimgate_layout_size(const dimgate_layout* layout);
/** The number a name has in slots of sort DIMGATE_NAME. */
dimgate_error* dimgate_layout_intern(dimgate_layout* layout, const char* name, int64_t* out);

/** One call's values; reused from call to call. Dies before its layout. */
typedef struct dimgate_snapshot dimgate_snapshot;
dimgate_error* dimgate_snapshot_new(const dimgate_layout* layout, dimgate_snapshot** out);
void dimgate_snapshot_free(dimgate_snapshot* snapshot);
/** All slots absent. */
void dimgate_snapshot_clear(dimgate_snapshot* snapshot);
/** A slot that the snapshot has not is ignored: it stays absent, and what needs it fails closed. */
void dimgate_snapshot_set(dimgate_snapshot* snapshot, uint32_t slot, int64_t value);
void dimgate_snapshot_set_float(dimgate_snapshot* snapshot, uint32_t slot, double value);
void dimgate_snapshot_unset(dimgate_snapshot* snapshot, uint32_t slot);
/** The slots of tensor `base` from a DLTensor of DLPack (struct of version 0.x and 1.x), in place. */
dimgate_error* dimgate_snapshot_dlpack(dimgate_snapshot* snapshot, const char* base, const void* dl_tensor);

/* ---- programs ----------------------------------------------------------------------------------- */

/** A compiled guard set: machine code where that can be had. Refers to no context. */
typedef struct dimgate_program dimgate_program;
#define DIMGATE_PASS (-1)
dimgate_error* dimgate_compile(dimgate_context* context, const dimgate_expr* guards, size_t guard_count,
                               const dimgate_layout* layout, dimgate_program** out);
void dimgate_program_free(dimgate_program* program);
/** DIMGATE_PASS, or the index of a guard that is not true. Allocates nothing. */
int32_t dimgate_check(const dimgate_program* program, const dimgate_snapshot* snapshot);
/** The same over slot values and presence bits (bit i % 64 of word i / 64) that the caller keeps. */
int32_t dimgate_check_raw(const dimgate_program* program, const int64_t* values, const uint64_t* present, size_t slots);
/** All guards that are not true: writes at most `room` indices, returns how many there are. */
size_t dimgate_failing(const dimgate_program* program, const dimgate_snapshot* snapshot, uint32_t* out, size_t room);
bool dimgate_program_is_native(const dimgate_program* program);
size_t dimgate_program_bytes(const dimgate_program* program);
/** The guards as a C11 function `int NAME(const int64_t *slots)` that needs no library. */
dimgate_error* dimgate_emit_c(const dimgate_program* program, const char* name, char** out);

/* ---- caches ------------------------------------------------------------------------------------- */

typedef enum dimgate_outcome {
  DIMGATE_HIT,
  DIMGATE_COMPILED,
  DIMGATE_SHARED,
  DIMGATE_FALLBACK,
  DIMGATE_REJECTED,
  DIMGATE_ERROR
} dimgate_outcome;

/** What a miss handler may answer. */
typedef enum dimgate_answer {
  DIMGATE_ANSWER_COMPILED, /* a new artifact was built: insert the entry */
  DIMGATE_ANSWER_SHARED,   /* traced, but the artifact was there: insert the entry */
  DIMGATE_ANSWER_REJECT,   /* tracing raised a shape error; these inputs are not traced again */
  DIMGATE_ANSWER_FALLBACK, /* run eagerly this time */
  DIMGATE_ANSWER_FAILED,
  DIMGATE_ANSWER_MAX = 0x7fffffff
} dimgate_answer;

/** The entry that a handler wants in. The program is copied, the strings too. */
typedef struct dimgate_new_entry {
  size_t struct_size; /* set before the handler is called */
  const dimgate_program* program;
  void* payload;      /* what lookups give; released when its last entry is gone */
  const char* label;  /* may be NULL */
  const char* reason; /* of a rejection or failure; may be NULL */
} dimgate_new_entry;

typedef struct dimgate_callbacks {
  size_t struct_size;
  void* user;
  /** Called by one thread at a time per cache, with the slot values that missed. */
  dimgate_answer (*miss)(void* user, const int64_t* values, const uint64_t* present, size_t slots,
                         dimgate_new_entry* entry);
  /** May be NULL. Called once for each payload that came with an entry (also one that was refused), by whatever thread
   * lets it go last. */
  void (*release)(void* user, void* payload);
} dimgate_callbacks;

typedef struct dimgate_cache_options {
  size_t struct_size;
  size_t max_entries; /* 0: no limit */
  size_t max_bytes;   /* 0: no limit */
  bool evict;         /* at a limit: the least useful entry goes; else calls fall back */
} dimgate_cache_options;

typedef struct dimgate_statistics {
  size_t struct_size; /* set by the caller */
  uint64_t hits, misses, compiles, recompiles, shared, fallbacks, rejected, errors, evictions;
} dimgate_statistics;

typedef struct dimgate_cache dimgate_cache;
/** `options` may be NULL. The callbacks' user data outlives the cache. */
dimgate_error* dimgate_cache_new(const dimgate_callbacks* callbacks, const dimgate_cache_options* options,
                                 dimgate_cache** out);
void dimgate_cache_free(dimgate_cache* cache); /* after its readers */
/** Checked before any entry; a call that fails it falls back. Set before use; copied. */
dimgate_error* dimgate_cache_set_precondition(dimgate_cache* cache, const dimgate_program* program);
size_t dimgate_cache_size(const dimgate_cache* cache);
/** Takes out all entries that demand `slot == value`; returns how many. */
size_t dimgate_cache_invalidate(dimgate_cache* cache, uint32_t slot, int64_t value, const char* reason);
void dimgate_cache_statistics(const dimgate_cache* cache, dimgate_statistics* out);

/** One thread's access to one cache. */
typedef struct dimgate_reader dimgate_reader;
dimgate_error* dimgate_reader_new(dimgate_cache* cache, dimgate_reader** out);
void dimgate_reader_free(dimgate_reader* reader);
/** `payload` gets what the entry that serves carries, else NULL; valid until the reader's next lookup, `dimgate_done`
 * or end. A hit takes no lock and allocates nothing. */
dimgate_outcome dimgate_lookup(dimgate_reader* reader, const dimgate_snapshot* snapshot, void** payload);
/** Why not, after a rejection, an error or a fallback; "" if nothing was said. Until the next lookup. */
const char* dimgate_reason(const dimgate_reader* reader);
/** Lets go of what the last lookup gave. */
void dimgate_done(dimgate_reader* reader);

#ifdef __cplusplus
}
#endif

#endif
