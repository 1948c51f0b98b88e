// A captured program as a C function of loops: sizes are computed from the slots at run time, so one function serves
// every shape its guard admits.
#pragma once

#include <string>
#include <vector>

#include "dimgate/trace.hpp"

namespace frontend {

/// int run(const int64_t* slots, const float* const* inputs, const float* const* parameters, float** outputs)
/// The k-th slot is the k-th of `symbols`. Outputs are malloc'ed. 0: fine; 1: a size is not representable; 2: an
/// operator that this front end does not know would have stopped `emit` already.
std::string emit(dimgate::Context& ctx, const dimgate::ShapeProgram& program,
                 const std::vector<dimgate::Expr>& symbols);
/// Names of the parameters in the order in which `run` wants them.
std::vector<std::string> parameters_of(const dimgate::ShapeProgram& program);

}  // namespace frontend
