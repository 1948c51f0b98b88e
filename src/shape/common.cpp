// What the shape functions share: broadcasting of two sizes, promotion of dtypes, shapes in messages. Checked by
// tests/shape.
#include "shape/common.hpp"

#include <array>

namespace dimgate::shape {

std::string describe(const SymInt& s) {
  std::string out = s.to_string();
  if (!s.is_const())
    if (const auto h = s.hint()) out += "=" + h->to_string();
  return out;
}

std::string describe(const Shape& shape) {
  std::string out = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) out += (i == 0 ? "" : ", ") + describe(shape[i]);
  return out + (shape.size() == 1 ? ",)" : ")");
}

std::string describe(std::span<const SymTensor> operands) {
  std::string out;
  for (std::size_t i = 0; i < operands.size(); ++i)
    out += (i == 0 ? "operand " : ", operand ") + std::to_string(i) + " " + describe(operands[i].shape());
  return out;
}

const SymInt& simpler(const SymInt& a, const SymInt& b) {
  if (a.is_const()) return a;
  if (b.is_const()) return b;
  return b.term().node()->weight < a.term().node()->weight ? b : a;
}

std::string promote(const std::string& a, const std::string& b) {
  static constexpr std::array<std::string_view, 11> order{
      "bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64"};
  const auto rank = [](std::string_view s) {
    for (std::size_t i = 0; i < order.size(); ++i)
      if (order[i] == s) return static_cast<int>(i);
    return -1;
  };
  const int x = rank(a), y = rank(b);
  if (x < 0 || y < 0 || x == y) return a;
  if ((a == "float16" && b == "bfloat16") || (a == "bfloat16" && b == "float16")) return "float32";
  if ((a == "uint8" && b == "int8") || (a == "int8" && b == "uint8")) return "int16";
  return x < y ? b : a;
}

Attribute ints(std::string name, std::span<const int> values) {
  Attribute a{std::move(name), {}};
  for (const int v : values) a.numbers.emplace_back(v);
  return a;
}

const SymInt& at(const Window& w, std::size_t i) { return w.size() == 1 ? w[0] : w[i]; }

int Call::dim(int d, int rank) {
  const int r = rank == 0 ? 1 : rank;  // a scalar accepts dims 0 and -1
  if (d < -r || d >= r)
    fail("dim " + std::to_string(d) + " is out of range for rank " + std::to_string(rank) + ": it must be in [" +
         std::to_string(-r) + ", " + std::to_string(r - 1) + "]");
  return d < 0 ? d + r : d;
}

SymInt Call::broadcast_size(const SymInt& a, const SymInt& b, const std::function<std::string()>& message) {
  static constexpr std::string_view rule = "sizes must be equal or 1";
  if (a.same_term(b) || is_value(b, 1)) return a;
  if (is_value(a, 1)) return b;
  const auto ha = a.hint(), hb = b.hint();
  if (ha && hb) {
    if (*ha == *hb) return decide(a == b, "broadcasting: equal sizes") ? simpler(a, b) : a;
    if (ha->is_one()) return decide(a == 1, "broadcasting: the size is 1"), b;
    if (hb->is_one()) return decide(b == 1, "broadcasting: the size is 1"), a;
    fail(message());
  }
  // Unbacked: what is known, else equal sizes as a run-time assert.
  if (known(a == 1)) return b;
  if (known(b == 1)) return a;
  require(a == b, rule, message);
  return simpler(a, b);
}

}  // namespace dimgate::shape
