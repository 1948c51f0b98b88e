// Tracer: runs a front end's shape code once, symbolically, and keeps its path condition as guards.
//
// What a decision does, in order:
//   1. known from the facts and the earlier decisions: take it, no guard;
//   2. every symbol in it has a hint: take the hints' branch and record the exact condition of that branch as a guard;
//      undefined at the hints is a ShapeError that names the divisor;
//   3. unbacked (some symbol has no hint): a soft assumption or a default decides, recorded as a *run-time assert*;
//   4. else a TraceError that names the missing fact.
// So the guard set is the path condition of the trace: exactly the inputs that take the same branches. A decision that
// was met before is a table lookup; a new one is one question to the prover over (facts + earlier guards).
//
// Errors are exceptions inside the traced code, because they leave user code from the middle of an expression:
// ShapeError where eager execution would fail as well (the call is *rejected*), TraceError for everything else
// (a missing fact, contradictory declarations). `Tracer::run` turns them into values at the boundary.
//
// One thread at a time. The Context and the Prover outlive the Tracer; SymInts and the program die with the Context.
// Tested by tests/trace.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "dimgate/facts.hpp"
#include "dimgate/guard.hpp"
#include "dimgate/prove.hpp"
#include "dimgate/result.hpp"
#include "dimgate/shape_program.hpp"
#include "dimgate/sym.hpp"

namespace dimgate {

/// Tracing cannot go on: a missing fact, a contradiction in what was declared.
class TraceError : public std::runtime_error {
 public:
  TraceError(const std::string& message, Location where) : std::runtime_error(message), where_(std::move(where)) {}
  [[nodiscard]] const Location& where() const noexcept { return where_; }

 private:
  Location where_;
};

/// Eager execution would fail on these inputs as well: the call is rejected.
class ShapeError : public TraceError {
 public:
  using TraceError::TraceError;
};

/// The values seen break a declared fact, or are none that the front end can hold: no entry is meant to serve the call.
class OutsideError : public TraceError {
 public:
  using TraceError::TraceError;
};

/// How a trace ended.
struct TraceOutcome {
  enum class Kind : std::uint8_t {
    traced,
    rejected,  // eager execution fails as well
    outside,   // the call breaks what was declared: it runs eagerly
    failed,
  } kind = Kind::traced;
  Error error;  // where it was not traced
  [[nodiscard]] bool ok() const noexcept { return kind == Kind::traced; }
};

/// A tensor while tracing: a value of the program with its shape.
class SymTensor {
 public:
  SymTensor() = default;
  SymTensor(Tracer& tracer, ValueId id, Shape shape, std::string dtype)
      : tracer_(&tracer), id_(id), shape_(std::move(shape)), dtype_(std::move(dtype)) {}
  [[nodiscard]] Tracer& tracer() const noexcept { return *tracer_; }
  [[nodiscard]] ValueId id() const noexcept { return id_; }
  [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
  [[nodiscard]] int rank() const noexcept { return static_cast<int>(shape_.size()); }
  /// Negative dims count from the end. Out of range is a ShapeError.
  [[nodiscard]] const SymInt& size(int dim, std::source_location at = std::source_location::current()) const;
  [[nodiscard]] const std::string& dtype() const noexcept { return dtype_; }

 private:
  Tracer* tracer_ = nullptr;
  ValueId id_ = 0;
  Shape shape_;
  std::string dtype_;
};

/// Counts of what decisions did.
struct TraceStatistics {
  std::uint64_t decisions = 0;  // asked
  std::uint64_t repeated = 0;   // answered by lookup
  std::uint64_t known = 0;      // implied by facts and earlier guards
  std::uint64_t recorded = 0;   // became a guard
  std::uint64_t asserts = 0;    // became a run-time assert
};

class Tracer {
 public:
  Tracer(Context& ctx, Prover& prover);
  ~Tracer();
  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;

  [[nodiscard]] Context& context() noexcept { return *ctx_; }
  [[nodiscard]] const Context& context() const noexcept { return *ctx_; }
  [[nodiscard]] Prover& prover() noexcept { return *prover_; }
  /// What was declared, without the guards recorded since.
  [[nodiscard]] const Facts& facts() const noexcept { return declared_; }
  [[nodiscard]] const GuardSet& guards() const noexcept { return guards_; }
  [[nodiscard]] const ShapeProgram& program() const noexcept { return program_; }
  [[nodiscard]] ShapeProgram& program() noexcept { return program_; }
  [[nodiscard]] const TraceStatistics& statistics() const noexcept { return statistics_; }
  [[nodiscard]] Fingerprint fingerprint() { return program_.fingerprint(*ctx_); }

  // ---- symbols ------------------------------------------------------------------------------
  /// A size: `name >= 0` is intrinsic. With a hint it is backed.
  SymInt size(std::string_view name, std::optional<Integer> hint);
  /// Any integer (an int argument).
  SymInt integer(std::string_view name, std::optional<Integer> hint);
  /// A size that no input shows (the count of a data-dependent result): no hint.
  SymInt unbacked_size(std::string_view name) { return size(name, std::nullopt); }
  /// A term or formula over symbols already made, read as text.
  Result<SymInt> term(std::string_view text);
  Result<SymBool> formula(std::string_view text);

  // ---- declarations: facts, before the trace -------------------------------------------------
  /// Throws TraceError, with the core, if the facts contradict each other, OutsideError if the hints break one.
  void declare(const SymBool& fact, Standing standing = Standing::checked, std::string origin = {});
  void declare_range(const SymInt& s, std::optional<Integer> lo, std::optional<Integer> hi,
                     Standing standing = Standing::checked);
  void declare_divisible(const SymInt& s, const Integer& by, Standing standing = Standing::checked);
  void declare_equal(const SymInt& a, const SymInt& b, Standing standing = Standing::checked);
  /// The dim is fixed: from here on it is its value; the fact `s == value` is part of the frame's precondition.
  SymInt declare_static(const SymInt& s, const Integer& value, Standing standing = Standing::checked);
  /// Decides what is neither known nor backed (`u != 0 and u != 1`); each use is recorded as a run-time assert.
  void assume_soft(const SymBool& p);

  // ---- decisions ------------------------------------------------------------------------------
  bool decide(const SymBool& p, std::string_view reason = {});
  bool decide_or(const SymBool& p, bool fallback, std::string_view reason = {});
  /// p must hold for the code to be right: known: nothing; true at the hints: a guard; false there: a ShapeError with
  /// `message`; unbacked: a run-time assert (and a fact from here on).
  void require(const SymBool& p, const std::function<std::string()>& message, std::string_view reason = {});
  std::int64_t to_int(const SymInt& s, std::source_location at, std::string_view reason = {});
  [[nodiscard]] std::optional<bool> known(const SymBool& p);
  [[nodiscard]] std::optional<Integer> hint(const SymInt& s);
  [[nodiscard]] std::optional<bool> hint(const SymBool& p);

  // ---- program --------------------------------------------------------------------------------
  SymTensor input(std::string_view name, Shape shape, std::string dtype = "float32");
  /// An int argument that the artifact reads (its term is a slot of the artifact).
  SymInt input_int(std::string_view name, const SymInt& value);
  /// A tensor that belongs to the artifact (weights, tables). The name identifies its data: asking again for it gives
  /// the same value, and programs that read differently named parameters are different artifacts.
  SymTensor parameter(std::string_view name, Shape shape, std::string dtype = "float32");
  /// Appends an operator with one result.
  SymTensor record(std::string op, std::vector<Attribute> attributes, std::span<const SymTensor> operands, Shape result,
                   std::string dtype);
  /// … with several.
  std::vector<SymTensor> record_many(std::string op, std::vector<Attribute> attributes,
                                     std::span<const SymTensor> operands, std::vector<Shape> results,
                                     std::string dtype);
  void output(const SymTensor& t) { program_.add_output(t.id()); }
  void bake(Attribute constant) { program_.bake(std::move(constant)); }

  // ---- places ---------------------------------------------------------------------------------
  /// While it lives, decisions are attributed to this operator and place instead of the C++ line that asked.
  /// Scopes nest; the outermost place wins (the user's line), the innermost operator names the reason.
  class Scope {
   public:
    Scope(Tracer& tracer, std::string_view op, std::source_location at);
    Scope(Tracer& tracer, std::string_view op, Location at);  // a front end's own place
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Tracer* tracer_;
    std::string saved_op_;
    bool owns_place_;
  };
  /// The place and operator now in force; `at` where no scope is open.
  [[nodiscard]] Location place(std::source_location at) const;
  [[nodiscard]] std::string_view operator_name() const noexcept { return scope_op_; }
  [[noreturn]] void shape_error(const std::string& message, std::source_location at) const;

  /// Runs `body` and turns what it throws into a value.
  TraceOutcome run(const std::function<void()>& body);

 private:
  friend class SymInt;
  friend class SymBool;
  friend struct SymOps;
  struct Impl;

  Context* ctx_;
  Prover* prover_;
  Facts declared_;
  GuardSet guards_;
  ShapeProgram program_;
  TraceStatistics statistics_;
  std::string scope_op_;
  std::optional<Location> scope_place_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dimgate
