// The same operators while capturing: each is a shape function of dimgate, which records the node and checks the sizes.
#pragma once

#include "dimgate/shape.hpp"

namespace frontend {

using dimgate::SymInt;
using dimgate::SymTensor;
using Place = std::source_location;

inline SymTensor linear(const SymTensor& x, const SymTensor& w, const SymTensor& b, Place at = Place::current()) {
  return dimgate::shape::linear(x, w, b, at);
}
inline SymTensor relu(const SymTensor& x, Place at = Place::current()) { return dimgate::shape::relu(x, at); }
inline SymTensor add(const SymTensor& a, const SymTensor& b, Place at = Place::current()) {
  return dimgate::shape::add(a, b, at);
}
inline SymTensor mean(const SymTensor& x, int dim, Place at = Place::current()) {
  return dimgate::shape::reduce("mean", x, {dim}, true, at);
}
inline SymTensor reshape(const SymTensor& x, const dimgate::Shape& sizes, Place at = Place::current()) {
  return dimgate::shape::reshape(x, sizes, at);
}
inline SymTensor pad_rows(const SymTensor& x, const SymInt& after, Place at = Place::current()) {
  return dimgate::shape::pad(x, {0, 0, 0, after}, dimgate::shape::PadMode::constant, at);
}
inline SymTensor first_rows(const SymTensor& x, const SymInt& count, Place at = Place::current()) {
  return dimgate::shape::slice(x, 0, std::nullopt, count, 1, at);
}
inline SymTensor join_rows(const SymTensor& a, const SymTensor& b, Place at = Place::current()) {
  return dimgate::shape::cat({a, b}, 0, at);
}

}  // namespace frontend
