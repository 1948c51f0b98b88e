#include <array>
#include <charconv>

#include "dimgate/expr.hpp"
#include "expr/print_pieces.hpp"

namespace dimgate {
namespace {

void append_string(std::string& out, std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      (out += '\\') += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      (((out += "\\u00") += kHex[byte >> 4U]) += kHex[byte & 15U]);
    } else {
      out += c;
    }
  }
  out += '"';
}

std::string hex_bits(std::uint64_t bits) {
  std::array<char, 17> digits{};
  const auto r = std::to_chars(digits.data(), digits.data() + digits.size(), bits, 16);
  const std::string short_form(digits.data(), r.ptr);
  return "0x" + std::string(16 - short_form.size(), '0') + short_form;
}

}  // namespace

std::string to_json(const Context& ctx, Expr root) {
  return detail::print_all(root, 0, [&](detail::Pieces& p, std::string& out, Expr e, std::uint32_t) {
    switch (e.op()) {
      case Op::IntConst: {
        constexpr std::int64_t kExact = 1LL << 53U;  // what every JSON reader keeps exact
        const auto small = e.integer().to_int64();
        const bool number = small && *small >= -kExact && *small <= kExact;
        out += R"({"op": "Int", "value": )";
        out += number ? e.integer().to_string() : "\"" + e.integer().to_string() + "\"";
        out += '}';
        return;
      }
      case Op::BoolConst:
        out += e.is_true() ? R"({"op": "Bool", "value": true})" : R"({"op": "Bool", "value": false})";
        return;
      case Op::FloatConst:
        out += R"({"op": "Float", "bits": ")" + hex_bits(e.float_bits()) + "\"}";
        return;
      case Op::EnumConst:
        out += R"({"op": "Enum", "name": )";
        append_string(out, ctx.enum_name(e));
        out += '}';
        return;
      case Op::Symbol:
        out += R"({"op": "Symbol", "name": )";
        append_string(out, ctx.symbol_name(e));
        out += R"(, "sort": ")" + std::string(to_string(e.sort())) + "\"}";
        return;
      default:
        break;
    }
    p << R"({"op": ")" << info(e.op()).name << R"(", "args": [)";
    for (std::size_t i = 0; i < e.size(); ++i) {
      if (i > 0) p << ", ";
      p.node(e[i]);
    }
    p << "]}";
  });
}

}  // namespace dimgate
