#include "expr/symbol_names.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/ascii.hpp"

namespace dimgate {

namespace {

// `prefix` + `open` + digits + `close` at the very end of the name.
bool ends_with_index(std::string_view name, std::string_view open, char close) {
  if (name.empty() || name.back() != close) return false;
  std::size_t i = name.size() - 1;
  while (i > 0 && is_digit(name[i - 1])) --i;
  return i != name.size() - 1 && name.substr(0, i).ends_with(open) && i > open.size();
}

}  // namespace

bool is_size_name(std::string_view name) {
  if (ends_with_index(name, ".size()[", ']') || ends_with_index(name, ".shape[", ']') ||
      ends_with_index(name, ".size(", ')'))
    return true;
  for (const std::string_view tail : {".dim()", ".ndim", ".numel()", ".storage_offset()"})
    if (name.size() > tail.size() && name.ends_with(tail)) return true;
  return name.starts_with("len(") && name.ends_with(")");
}

int natural_compare(std::string_view a, std::string_view b) {
  if (!a.empty() && !b.empty() && a[0] != b[0] && !(is_digit(a[0]) && is_digit(b[0])))
    return static_cast<unsigned char>(a[0]) < static_cast<unsigned char>(b[0]) ? -1 : 1;
  // What is the same in front decides nothing, but the number that the first difference lies in starts before it.
  const std::size_t shorter = std::min(a.size(), b.size());
  std::size_t i = 0;
  for (std::uint64_t x, y; i + sizeof x <= shorter; i += sizeof x) {
    std::memcpy(&x, a.data() + i, sizeof x);
    std::memcpy(&y, b.data() + i, sizeof y);
    if (x != y) break;
  }
  while (i < shorter && a[i] == b[i]) ++i;
  while (i > 0 && is_digit(a[i - 1])) --i;
  std::size_t j = i;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      std::size_t p = i, q = j;
      while (p < a.size() && a[p] == '0') ++p;
      while (q < b.size() && b[q] == '0') ++q;
      const std::size_t pa = p, qb = q;
      while (p < a.size() && is_digit(a[p])) ++p;
      while (q < b.size() && is_digit(b[q])) ++q;
      if (p - pa != q - qb) return p - pa < q - qb ? -1 : 1;
      if (const int c = a.substr(pa, p - pa).compare(b.substr(qb, q - qb)); c != 0) return c;
      i = p, j = q;
      continue;
    }
    if (a[i] != b[j]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]) ? -1 : 1;
    ++i, ++j;
  }
  if (i < a.size()) return 1;
  if (j < b.size()) return -1;
  return a.compare(b);  // only leading zeros differ
}

}  // namespace dimgate
