// The functions that to_python's text calls. Tests: tests/expr/python_test.cpp.
#include "dimgate/expr.hpp"

namespace dimgate {

std::string_view python_prelude() {
  return R"(import struct as _dg_struct


def _dg_and(*parts):
    undefined = None
    for part in parts:
        try:
            if not part():
                return False
        except ZeroDivisionError as error:
            undefined = error
    if undefined is not None:
        raise undefined
    return True


def _dg_or(*parts):
    undefined = None
    for part in parts:
        try:
            if part():
                return True
        except ZeroDivisionError as error:
            undefined = error
    if undefined is not None:
        raise undefined
    return False


def _dg_distinct(values):
    return all(values[i] != values[j] for i in range(len(values)) for j in range(i))


def _dg_in(value, values):
    return any(value == other for other in values)


def _dg_isnan(value):
    return value != value


def _dg_bits(value):
    return _dg_struct.unpack('<Q', _dg_struct.pack('<d', value))[0]


def _dg_float(bits):
    return _dg_struct.unpack('<d', _dg_struct.pack('<Q', bits))[0]
)";
}

}  // namespace dimgate
