// Reads what to_json writes, with a SAX handler and its own stack, so that depth costs heap only.
// Tests: tests/expr/json_test.cpp.
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "dimgate/expr.hpp"

namespace dimgate {
namespace {

using Json = nlohmann::json;

class Reader : public nlohmann::json_sax<Json> {
 public:
  explicit Reader(Context& ctx) : ctx_(ctx) {}

  bool null() override { return value_error("null"); }
  bool boolean(bool v) override { return value(v ? "true" : "false", 'b'); }
  bool number_integer(number_integer_t v) override { return value(std::to_string(v), 'i'); }
  bool number_unsigned(number_unsigned_t v) override { return value(std::to_string(v), 'i'); }
  bool number_float(number_float_t, const string_t& text) override { return value_error(text); }
  bool string(string_t& v) override { return value(v, 's'); }
  bool binary(binary_t&) override { return fail("unexpected binary data"); }

  bool start_object(std::size_t) override {
    if (!open_.empty() && !open_.back().in_args) return fail("unexpected object: operands belong in \"args\"");
    if (open_.empty() && result_) return fail("expected one formula, found another");
    open_.emplace_back();
    open_.back().first = values_.size();
    return true;
  }
  bool key(string_t& k) override {
    key_ = k;
    if (k == "op" || k == "value" || k == "bits" || k == "name" || k == "sort" || k == "args") return true;
    return fail("unknown key \"" + k + "\": expected op, args, value, bits, name or sort");
  }
  bool start_array(std::size_t) override {
    if (open_.empty() || key_ != "args" || open_.back().in_args)
      return fail("expected an object {\"op\": ...}, found an array");
    open_.back().in_args = true;
    return true;
  }
  bool end_array() override {
    open_.back().in_args = false;
    return true;
  }
  bool end_object() override {
    const Frame f = std::move(open_.back());
    open_.pop_back();
    const std::optional<Expr> e = build(f);
    if (!e) return false;
    values_.resize(f.first);
    if (open_.empty())
      result_ = *e;
    else
      values_.push_back(*e);
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& e) override {
    const std::string what = e.what();
    if (error_.empty()) error_ = what + " (byte " + std::to_string(position) + ")";
    return false;
  }

  [[nodiscard]] Expr result() const { return result_; }
  [[nodiscard]] const std::string& error() const { return error_; }

 private:
  struct Frame {
    std::string op, value, bits, name, sort;
    char value_kind = 0;  // b, i or s
    bool has_name = false, in_args = false;
    std::size_t first = 0;
  };

  bool value(const std::string& text, char kind) {
    if (open_.empty()) return fail("expected an object {\"op\": ...}, found " + text);
    Frame& f = open_.back();
    if (f.in_args) return fail("expected an object {\"op\": ...} in \"args\", found " + text);
    if (key_ == "value") {
      f.value = text;
      f.value_kind = kind;
      return true;
    }
    if (kind != 's') return value_error(text);
    (key_ == "op" ? f.op : key_ == "bits" ? f.bits : key_ == "sort" ? f.sort : f.name) = text;
    f.has_name = f.has_name || key_ == "name";
    return key_ != "args" || fail("expected an array for \"args\", found \"" + text + "\"");
  }
  bool value_error(const std::string& text) {
    return fail("unexpected " + text + (key_.empty() ? "" : " for \"" + key_ + "\""));
  }

  std::optional<Expr> build(const Frame& f) {
    if (f.op == "Int") {
      const auto v = f.value_kind == 'i' || f.value_kind == 's' ? Integer::parse(f.value) : std::nullopt;
      if (v) return ctx_.integer(*v);
      return fail_with("Int needs \"value\": an integer, or its digits in a string");
    }
    if (f.op == "Bool") {
      if (f.value_kind == 'b') return ctx_.boolean(f.value == "true");
      return fail_with("Bool needs \"value\": true or false");
    }
    if (f.op == "Float") {
      std::uint64_t bits = 0;
      const char* end = f.bits.data() + f.bits.size();
      if (f.bits.starts_with("0x") && f.bits.size() > 2 && std::from_chars(f.bits.data() + 2, end, bits, 16).ptr == end)
        return ctx_.float_bits(bits);
      return fail_with("Float needs \"bits\": \"0x\" and up to 16 hexadecimal digits");
    }
    if (f.op == "Enum") return f.has_name ? std::optional(ctx_.enumeration(f.name)) : fail_with("Enum needs \"name\"");
    if (f.op == "Symbol") return symbol(f);
    for (const OpInfo& row : kOps) {
      if (row.name != f.op) continue;
      const std::span<const Expr> args(values_.data() + f.first, values_.size() - f.first);
      if (auto wrong = ctx_.check(row.op, args)) return fail_with(*wrong);
      return ctx_.make(row.op, args);
    }
    return fail_with(f.op.empty() ? "expected \"op\" in the object" : "unknown operator \"" + f.op + "\"");
  }
  std::optional<Expr> symbol(const Frame& f) {
    if (!f.has_name) return fail_with("Symbol needs \"name\"");
    std::optional<Sort> sort;
    for (const Sort s : {Sort::Int, Sort::Bool, Sort::Float, Sort::Enum})
      if (f.sort == to_string(s)) sort = s;
    if (f.sort.empty()) sort = Sort::Int;
    if (!sort) return fail_with("unknown sort \"" + f.sort + "\": expected Int, Bool, Float or Enum");
    if (const Expr known = ctx_.find_symbol(f.name); known && known.sort() != *sort)
      return fail_with("symbol \"" + f.name + "\" is " + std::string(to_string(*sort)) + " here but was declared " +
                       std::string(to_string(known.sort())));
    return ctx_.symbol(f.name, *sort);
  }

  bool fail(std::string message) {
    if (error_.empty()) error_ = std::move(message);
    return false;
  }
  std::optional<Expr> fail_with(std::string message) {
    fail(std::move(message));
    return std::nullopt;
  }

  Context& ctx_;
  std::vector<Frame> open_;
  std::vector<Expr> values_;
  std::string key_, error_;
  Expr result_;
};

}  // namespace

Result<Expr> from_json(Context& ctx, std::string_view text) {
  Reader reader(ctx);
  const bool ok = Json::sax_parse(text.begin(), text.end(), &reader);
  if (ok && reader.result()) return reader.result();
  std::string message = reader.error().empty() ? "expected an object {\"op\": ...}" : reader.error();
  // One line, not too long, whatever names the document has.
  constexpr std::size_t kMost = 300;
  if (message.size() > kMost) message = message.substr(0, kMost) + "...";
  for (char& c : message)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return Error{std::move(message)};
}

}  // namespace dimgate
