// Every kind of guard as one function: a formula of the guard language over slots, its kind, and what it says in words.
//
// The words are in Guard::reason ("shape of x is (2, 3)"); what is said when it fails is in guard_text.hpp. `x` stands
// for a path: "L['x']", "L['batch']['mask']", "L['self'].weight". The formulas read the slots that WorldLayout names
// (described_world.hpp), so that a front end with other sources builds its own formulas the same way. A guard holds
// only where its formula is true: a missing slot fails it. Table: docs/guards.md. Tested by tests/guard, one case a
// kind.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dimgate/guard.hpp"

namespace dimgate::guards {

using Names = std::span<const std::string>;

// ---- tensors ------------------------------------------------------------------------------------

/// The article's ShapeGuard for one shape; nullopt: that size may be anything.
Guard shape(Context& ctx, std::string_view x, std::span<const std::optional<std::int64_t>> sizes);
/// The article's accepted set: the shape is one of these, rank and all.
Guard shape_in(Context& ctx, std::string_view x, std::span<const std::vector<std::int64_t>> shapes);
Guard rank(Context& ctx, std::string_view x, std::int64_t rank);
Guard stride(Context& ctx, std::string_view x, std::span<const std::optional<std::int64_t>> strides);
/// Row-major without gaps, as PyTorch defines it: sizes of 1 have any stride, and an empty tensor is contiguous.
Guard contiguous(Context& ctx, std::string_view x, std::int64_t rank);
Guard storage_offset(Context& ctx, std::string_view x, std::int64_t offset);
/// storage_offset() is a multiple of `elements`. 0 is undefined: the guard never holds.
Guard aligned(Context& ctx, std::string_view x, std::int64_t elements);
Guard dtype(Context& ctx, std::string_view x, std::string_view name);
Guard dtype_in(Context& ctx, std::string_view x, Names names);
Guard device(Context& ctx, std::string_view x, std::string_view name);       // "cuda:0"
Guard device_type(Context& ctx, std::string_view x, std::string_view name);  // "cuda", any index
Guard requires_grad(Context& ctx, std::string_view x, bool value);
Guard layout(Context& ctx, std::string_view x, std::string_view name);
Guard storage(Context& ctx, std::string_view x, std::string_view identity);
Guard storage_bytes_at_least(Context& ctx, std::string_view x, std::int64_t bytes);

// ---- relations between arguments ----------------------------------------------------------------

/// No two of them share a storage (PyTorch's NO_TENSOR_ALIASING, by storage): n-ary distinct.
Guard no_aliasing(Context& ctx, Names tensors);
Guard same_storage(Context& ctx, std::string_view x, std::string_view y);
/// No two of them are one object; and that two are.
Guard distinct_objects(Context& ctx, Names objects);
Guard same_object(Context& ctx, std::string_view x, std::string_view y);
/// Exact: the slot `___overlap(x, y)` holds what `overlap` (overlap.hpp) says of the two views; where that is unknown
/// the slot is absent and the guard fails.
Guard no_overlap(Context& ctx, std::string_view x, std::string_view y);
Guard overlapping(Context& ctx, std::string_view x, std::string_view y);
/// Conservative, with no slot but sizes, strides and offsets: the ranges of elements the two views span do not meet
/// (views that interleave fail). Not for negative strides: those fail as well.
Guard ranges_apart(Context& ctx, std::string_view x, std::int64_t rank_x, std::string_view y, std::int64_t rank_y);

// ---- values derived from elements (dear: read last) ---------------------------------------------

/// The declared value `x.what()` (say max) is at most k; equal to k.
Guard data_at_most(Context& ctx, std::string_view x, std::string_view what, std::int64_t k);
Guard data_equals(Context& ctx, std::string_view x, std::string_view what, std::int64_t k);

// ---- values, types, objects ---------------------------------------------------------------------

Guard type(Context& ctx, std::string_view x, std::string_view name);
Guard identity(Context& ctx, std::string_view x, std::string_view name);
Guard is_none(Context& ctx, std::string_view x);
Guard is_not_none(Context& ctx, std::string_view x);
Guard equals(Context& ctx, std::string_view x, std::int64_t value);
Guard equals(Context& ctx, std::string_view x, bool value);
Guard equals_text(Context& ctx, std::string_view x, std::string_view value);
/// By bits: nan is nan, 0.0 is not -0.0.
Guard same_float(Context& ctx, std::string_view x, double value);
Guard is_nan(Context& ctx, std::string_view x, bool value);
Guard one_of(Context& ctx, std::string_view x, std::span<const std::int64_t> values);
Guard one_of(Context& ctx, std::string_view x, Names values);

// ---- containers and attributes ------------------------------------------------------------------

Guard length(Context& ctx, std::string_view x, std::int64_t n);
Guard length_at_least(Context& ctx, std::string_view x, std::int64_t n);
/// `key` as Python writes it: `'a'`, `3`.
Guard has_key(Context& ctx, std::string_view d, std::string_view key);
Guard lacks_key(Context& ctx, std::string_view d, std::string_view key);
Guard key_order(Context& ctx, std::string_view d, Names keys);
Guard version(Context& ctx, std::string_view d, std::int64_t n);
Guard has_attribute(Context& ctx, std::string_view o, std::string_view name);
Guard lacks_attribute(Context& ctx, std::string_view o, std::string_view name);

// ---- frame, global state, environment -----------------------------------------------------------

Guard code(Context& ctx, std::string_view identity);
Guard caller(Context& ctx, std::string_view context);
/// A flag by its slot: grad_mode, inference_mode, autocast_cache, autocast['cuda'], deterministic,
/// deterministic_warn_only, allow_tf32, allow_tf32_cudnn, allow_fp16_reduce, allow_bf16_reduce.
Guard flag(Context& ctx, std::string_view slot, bool value);
/// default_dtype, default_device, autocast['cuda'].dtype.
Guard setting(Context& ctx, std::string_view slot, std::string_view value);
Guard threads(Context& ctx, std::int64_t n);
/// The whole stack, outermost first.
Guard function_modes(Context& ctx, Names modes);
Guard environment(Context& ctx, std::string_view variable, std::string_view value);
Guard environment_unset(Context& ctx, std::string_view variable);

/// `x` as messages call it: "L['x']" is x, "L['d']['k']" is d['k'].
std::string display(std::string_view path);

}  // namespace dimgate::guards
