// Expected failures are values: Result<T> holds a T or an Error that says what is wrong,
// where, and what would be right. (std::expected is C++23.)
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace dimgate {

/// What went wrong, in one line for a person. line and column count from 1; 0 means "no place".
struct Error {
  std::string message;
  std::string file = {};
  unsigned line = 0;
  unsigned column = 0;

  /// "file:line:column: message", leaving out what is not known.
  [[nodiscard]] std::string to_string() const {
    std::string out = file;
    if (line != 0) {
      if (!out.empty()) out += ':';
      out += std::to_string(line);
      if (column != 0) out += ':' + std::to_string(column);
    }
    return out.empty() ? message : out + ": " + message;
  }
};

/// A Result was read as what it is not: a mistake of whoever did not ask `ok()`. what() is the error's own text.
class BadResult : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Reading the value of an error, or the error of a value, throws BadResult, in every build.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT
  [[nodiscard]] bool ok() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }
  T& value() & { return need(), *std::get_if<0>(&state_); }
  const T& value() const& { return need(), *std::get_if<0>(&state_); }
  T&& value() && { return need(), std::move(*std::get_if<0>(&state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  [[nodiscard]] const Error& error() const {
    if (ok()) throw BadResult("there is no error: this Result holds a value");
    return *std::get_if<1>(&state_);
  }

 private:
  void need() const {
    if (!ok()) [[unlikely]]
      throw BadResult(std::get_if<1>(&state_)->to_string());
  }
  std::variant<T, Error> state_;
};

/// Success without a value.
struct Ok {};
using Status = Result<Ok>;

}  // namespace dimgate
