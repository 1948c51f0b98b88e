// The decision programs that PyTorch 2.13 was measured on (docs/performance.md): long runs of questions about few
// symbols.
//
// eight:      8 symbols with hints 64 + 8i; decision i takes a = s[i % 8], b = s[(7i + 3) % 8] and asks by i % 5:
//             2a + i < 100000 + i;  (a + i) % 8 == 0;  a*b + i > 3;  (a + b)//2 + i >= 2;  a != b + 1000i + 1.
// thirty_two: 16 tensors of shape (3 + 8i, 7 + 4i), all dims dynamic; the questions without the product, by i % 4.
#pragma once

#include <vector>

#include "dimgate/trace.hpp"

namespace dimgate::test {

inline std::vector<SymInt> eight_symbols(Tracer& t) {
  std::vector<SymInt> s;
  for (int i = 0; i < 8; ++i) s.push_back(t.size("s" + std::to_string(i), Integer(64 + 8 * i)));
  return s;
}

inline std::vector<SymInt> thirty_two_symbols(Tracer& t) {
  std::vector<SymInt> s;
  for (int i = 0; i < 16; ++i) {
    const std::string tensor = "L['x" + std::to_string(i) + "'].size()";
    s.push_back(t.size(tensor + "[0]", Integer(3 + 8 * i)));
    s.push_back(t.size(tensor + "[1]", Integer(7 + 4 * i)));
  }
  return s;
}

/// Decision number i of either program.
inline bool ask(const std::vector<SymInt>& s, std::int64_t i) {
  const std::size_t n = s.size();
  const SymInt& a = s[static_cast<std::size_t>(i) % n];
  const SymInt& b = s[static_cast<std::size_t>(7 * i + 3) % n];
  std::int64_t kind = n == 8 ? i % 5 : i % 4;
  if (n != 8 && kind >= 2) ++kind;  // without the product
  switch (kind) {
    case 0:
      return static_cast<bool>(2 * a + i < 100000 + i);
    case 1:
      return static_cast<bool>((a + i) % 8 == 0);
    case 2:
      return static_cast<bool>(a * b + i > 3);
    case 3:
      return static_cast<bool>((a + b) / 2 + i >= 2);
    default:
      return static_cast<bool>(a != b + 1000 * i + 1);
  }
}

}  // namespace dimgate::test
