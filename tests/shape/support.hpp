// What the tests of shape functions share.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "dimgate/shape.hpp"
#include "trace/support.hpp"

namespace dimgate::testing {

/// A tracer with a prover that knows only what is written down, and tensors by their shapes.
struct Bench {
  Context ctx;
  IgnorantProver prover;
  Tracer t{ctx, prover};
  int inputs = 0;
  SymTensor operator()(Shape s, std::string dtype = "float32") {
    return t.input("x" + std::to_string(inputs++), std::move(s), std::move(dtype));
  }
};

inline std::string text(const SymTensor& x) { return to_string(x.shape()); }
inline std::string text(const std::vector<SymTensor>& parts) {
  std::string out;
  for (const SymTensor& p : parts) out += (out.empty() ? "" : " ") + text(p);
  return out;
}

/// The message of the ShapeError that f throws; "" if it throws none.
inline std::string refusal(const std::function<void()>& f) {
  try {
    f();
  } catch (const ShapeError& e) {
    return e.what();
  }
  return "";
}

/// The shape that f gives, or "refused".
inline std::string outcome(const std::function<SymTensor()>& f) {
  try {
    return text(f());
  } catch (const ShapeError&) {
    return "refused";
  }
}

/// The refusal holds every part.
inline bool refuses(const std::function<void()>& f, std::initializer_list<std::string_view> parts) {
  const std::string message = refusal(f);
  if (message.empty()) return false;
  for (const std::string_view p : parts)
    if (message.find(p) == std::string::npos) {
      MESSAGE("`" << std::string(p) << "` is not in: " << message);
      return false;
    }
  return true;
}

}  // namespace dimgate::testing
