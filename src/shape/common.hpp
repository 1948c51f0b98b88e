// What every shape function needs: the place and name it decides under, how it refuses, how shapes read in messages.
#pragma once

#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dimgate/shape.hpp"

namespace dimgate::shape {

/// One call of a shape function: decisions inside it carry the caller's line and this operator's name.
class Call {
 public:
  Call(Tracer& t, std::string_view op, Place at) : t_(t), at_(at), scope_(t, op, at) {}
  Tracer& tracer() noexcept { return t_; }

  /// Refuses: "op: message".
  [[noreturn]] void fail(const std::string& message) { t_.shape_error(message, at_); }
  /// Ends the trace where eager need not fail.
  [[noreturn]] void give_up(const std::string& message) {
    throw TraceError(std::string(t_.operator_name()) + ": " + message, t_.place(at_));
  }
  void check(bool fine, const std::string& message) {
    if (!fine) fail(message);
  }
  /// A condition that eager checks: known, or a guard, or a refusal.
  void require(const SymBool& p, std::string_view rule, const std::function<std::string()>& message) {
    t_.require(p, message, rule);
  }
  /// a == b, where equal terms cost nothing.
  void require_equal(const SymInt& a, const SymInt& b, std::string_view rule,
                     const std::function<std::string()>& message) {
    if (!a.same_term(b)) require(a == b, rule, message);
  }
  /// True if facts and earlier decisions imply p; no guard.
  [[nodiscard]] bool known(const SymBool& p) { return t_.known(p) == true; }
  bool decide(const SymBool& p, std::string_view reason) { return t_.decide(p, reason); }

  SymTensor record(std::string_view op, std::vector<Attribute> attributes, std::span<const SymTensor> operands,
                   Shape result, std::string dtype) {
    return t_.record(std::string(op), std::move(attributes), operands, std::move(result), std::move(dtype));
  }
  SymTensor record(std::string_view op, std::vector<Attribute> attributes, std::initializer_list<SymTensor> operands,
                   Shape result, std::string dtype) {
    return record(op, std::move(attributes), std::span(operands.begin(), operands.size()), std::move(result),
                  std::move(dtype));
  }

  /// A dim in [-rank, rank) as one in [0, rank).
  int dim(int d, int rank);
  /// The size that broadcasting gives two aligned dims; refuses if there is none.
  SymInt broadcast_size(const SymInt& a, const SymInt& b, const std::function<std::string()>& message);

 private:
  Tracer& t_;
  Place at_;
  Tracer::Scope scope_;
};

/// "(B=1, 4, H=30)": terms with their values under the hints.
std::string describe(const Shape& shape);
std::string describe(const SymInt& s);
/// "operand 0 (1, 4), operand 1 (2, 4)".
std::string describe(std::span<const SymTensor> operands);
/// Of terms that must be equal: a constant, else the one with fewer nodes, else the first.
const SymInt& simpler(const SymInt& a, const SymInt& b);
/// PyTorch's result type of two (on dtypes it does not know: the first).
std::string promote(const std::string& a, const std::string& b);
/// An attribute of plain numbers.
Attribute ints(std::string name, std::span<const int> values);
/// Entry i of a window parameter that may have one value for all dims.
const SymInt& at(const Window& w, std::size_t i);
inline bool is_value(const SymInt& s, std::int64_t v) { return s.is_const() && s.constant() == Integer(v); }

}  // namespace dimgate::shape
