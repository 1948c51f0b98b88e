// Layouts, snapshots and compiled programs for C. Checked by tests/c/api_test.c.
#include <algorithm>
#include <bit>

#include "c/handles.hpp"
#include "dimgate/compile.hpp"

using namespace dimgate;     // NOLINT: this file is the face
using namespace dimgate::c;  // NOLINT

extern "C" {

// ---- layouts, snapshots

dimgate_layout* dimgate_layout_new(void) {
  try {
    return new dimgate_layout;
  } catch (...) {
    return nullptr;
  }
}
void dimgate_layout_free(dimgate_layout* layout) { delete layout; }

dimgate_error* dimgate_layout_add(dimgate_layout* layout, const char* name, dimgate_sort sort, uint32_t* out) {
  return guarded([&]() -> dimgate_error* {
    if (layout == nullptr || name == nullptr) return missing("layout and name");
    if (static_cast<unsigned>(sort) > DIMGATE_NAME)
      return make_error(DIMGATE_INVALID, "unknown sort " + std::to_string(static_cast<unsigned>(sort)));
    static constexpr SlotSort kSorts[] = {SlotSort::integer, SlotSort::boolean, SlotSort::floating, SlotSort::name};
    const SlotSort wanted = kSorts[sort];
    const SlotIndex slot = layout->layout.add(name, wanted);
    if (layout->layout[slot].sort != wanted)
      return make_error(DIMGATE_INVALID, "slot `" + std::string(name) + "` is there already and holds " +
                                             std::string(to_string(layout->layout[slot].sort)));
    if (out != nullptr) *out = slot;
    return nullptr;
  });
}

dimgate_error* dimgate_layout_add_tensor(dimgate_layout* layout, const char* base, uint32_t rank) {
  return guarded([&]() -> dimgate_error* {
    if (layout == nullptr || base == nullptr) return missing("layout and base");
    layout->layout.add_tensor(base, rank);
    return nullptr;
  });
}

uint32_t dimgate_layout_find(const dimgate_layout* layout, const char* name) {
  try {
    return layout != nullptr && name != nullptr ? layout->layout.find(name) : DIMGATE_NO_SLOT;
  } catch (...) {
    return DIMGATE_NO_SLOT;
  }
}
size_t dimgate_layout_size(const dimgate_layout* layout) { return layout != nullptr ? layout->layout.size() : 0; }

dimgate_error* dimgate_layout_intern(dimgate_layout* layout, const char* name, int64_t* out) {
  return guarded([&]() -> dimgate_error* {
    if (layout == nullptr || name == nullptr || out == nullptr) return missing("layout, name and out");
    *out = layout->layout.names().intern(name);
    return nullptr;
  });
}

dimgate_error* dimgate_snapshot_new(const dimgate_layout* layout, dimgate_snapshot** out) {
  return guarded([&]() -> dimgate_error* {
    if (layout == nullptr || out == nullptr) return missing("layout and out");
    *out = new dimgate_snapshot{layout, Snapshot(layout->layout.size()), {}};
    return nullptr;
  });
}
void dimgate_snapshot_free(dimgate_snapshot* snapshot) { delete snapshot; }
void dimgate_snapshot_clear(dimgate_snapshot* snapshot) {
  if (snapshot != nullptr) snapshot->values.clear();
}
void dimgate_snapshot_set(dimgate_snapshot* snapshot, uint32_t slot, int64_t value) {
  if (snapshot != nullptr && slot < snapshot->values.size()) snapshot->values.set(slot, value);
}
void dimgate_snapshot_set_float(dimgate_snapshot* snapshot, uint32_t slot, double value) {
  dimgate_snapshot_set(snapshot, slot, std::bit_cast<int64_t>(value));
}
void dimgate_snapshot_unset(dimgate_snapshot* snapshot, uint32_t slot) {
  if (snapshot != nullptr && slot < snapshot->values.size()) snapshot->values.unset(slot);
}

dimgate_error* dimgate_snapshot_dlpack(dimgate_snapshot* snapshot, const char* base, const void* dl_tensor) {
  return guarded([&]() -> dimgate_error* {
    if (snapshot == nullptr || base == nullptr || dl_tensor == nullptr) return missing("snapshot, base and dl_tensor");
    const Layout& layout = snapshot->layout->layout;
    if (snapshot->values.size() < layout.size()) snapshot->values.resize(layout.size());  // slots were appended
    auto it = std::ranges::find(snapshot->readers, base, [](const auto& r) { return std::string_view(r.first); });
    if (it == snapshot->readers.end())
      it = snapshot->readers.insert(it, {std::string(base), DlpackReader(layout, base)});
    it->second.read(*static_cast<const DlpackTensor*>(dl_tensor), snapshot->values);
    return nullptr;
  });
}

// ---- programs

dimgate_error* dimgate_compile(dimgate_context* context, const dimgate_expr* guards, size_t guard_count,
                               const dimgate_layout* layout, dimgate_program** out) {
  return guarded([&]() -> dimgate_error* {
    if (context == nullptr || layout == nullptr || out == nullptr) return missing("context, layout and out");
    if (!given(guards, guard_count)) return missing("guards");
    std::vector<Expr> set;
    for (size_t i = 0; i < guard_count; ++i) set.push_back(expr(guards[i]));
    auto program = compile(context->ctx, set, layout->layout, {.jit = context->jit});
    if (!program) return make_error(program.error());
    *out = new dimgate_program{std::move(*program)};
    return nullptr;
  });
}
void dimgate_program_free(dimgate_program* program) { delete program; }

int32_t dimgate_check(const dimgate_program* program, const dimgate_snapshot* snapshot) {
  return program->program.check(snapshot->values.view());
}
int32_t dimgate_check_raw(const dimgate_program* program, const int64_t* values, const uint64_t* present,
                          size_t slots) {
  return program->program.check({values, present, slots});
}
size_t dimgate_failing(const dimgate_program* program, const dimgate_snapshot* snapshot, uint32_t* out, size_t room) {
  try {
    const auto failing = program->program.failing(snapshot->values.view());
    if (out != nullptr) std::copy_n(failing.begin(), std::min(room, failing.size()), out);
    return failing.size();
  } catch (...) {  // no memory for the list: at least the first one
    const int32_t guard = program->program.check(snapshot->values.view());
    if (guard != kPass && out != nullptr && room != 0) *out = static_cast<uint32_t>(guard);
    return guard == kPass ? 0 : 1;
  }
}
bool dimgate_program_is_native(const dimgate_program* program) { return program->program.is_native(); }
size_t dimgate_program_bytes(const dimgate_program* program) { return program->program.bytes(); }

dimgate_error* dimgate_emit_c(const dimgate_program* program, const char* name, char** out) {
  return guarded([&]() -> dimgate_error* {
    if (program == nullptr || name == nullptr || out == nullptr) return missing("program, name and out");
    *out = copy(emit_c(program->program, name));
    return nullptr;
  });
}
}
