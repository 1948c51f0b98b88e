// Errors for C: no exception leaves the library; each function returns null or an error that the caller frees. Checked
// by tests/c/api_test.c.
#include "c/handles.hpp"

namespace dimgate::c {

dimgate_error* make_error(dimgate_code code, std::string message) noexcept {
  static dimgate_error no_memory{DIMGATE_NO_MEMORY, "out of memory"};
  dimgate_error* e = new (std::nothrow) dimgate_error{code, {}};
  if (e == nullptr) return &no_memory;
  e->message = std::move(message);
  return e;
}

char* copy(const std::string& s) {
  auto* out = static_cast<char*>(std::malloc(s.size() + 1));
  if (out == nullptr) throw std::bad_alloc();
  std::memcpy(out, s.c_str(), s.size() + 1);
  return out;
}

dimgate_exprs copy(const std::vector<Expr>& from) {
  dimgate_exprs out{nullptr, from.size()};
  out.items = static_cast<dimgate_expr*>(std::malloc((from.size() + 1) * sizeof(dimgate_expr)));
  if (out.items == nullptr) throw std::bad_alloc();
  for (std::size_t i = 0; i < from.size(); ++i) out.items[i] = handle(from[i]);
  return out;
}

bool given(const dimgate_expr* list, std::size_t count) noexcept {
  if (list == nullptr) return count == 0;
  for (std::size_t i = 0; i < count; ++i)
    if (list[i] == nullptr) return false;
  return true;
}

}  // namespace dimgate::c

extern "C" {

uint32_t dimgate_c_abi(void) { return DIMGATE_C_ABI; }
const char* dimgate_version(void) { return DIMGATE_VERSION; }

dimgate_code dimgate_error_code(const dimgate_error* error) { return error->code; }
const char* dimgate_error_message(const dimgate_error* error) { return error->message.c_str(); }
void dimgate_error_free(dimgate_error* error) {
  if (error != nullptr && error->code != DIMGATE_NO_MEMORY) delete error;
}
void dimgate_string_free(char* string) { std::free(string); }
void dimgate_exprs_free(dimgate_exprs* exprs) {
  if (exprs == nullptr) return;
  std::free(exprs->items);
  *exprs = {nullptr, 0};
}
}
