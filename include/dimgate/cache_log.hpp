// A cache's observers for people and for tools: DIMGATE_LOG lines, and DIMGATE_TRACE as JSON Lines.
//
// The format of the trace is docs/trace-format.md: one object a line, each with `"v": 1`. Nothing is written unless the
// front end installs them. Tested by tests/policy/miss_test.cpp.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "dimgate/log.hpp"
#include "dimgate/observe.hpp"

namespace dimgate {

/// Lines on the topics guards, recompiles, recompiles_verbose, dynamic and cache. `frame`: what the lines call it.
std::shared_ptr<CacheObserver> make_cache_log(Log log, const Layout& layout, std::string frame);

/// Gets whole lines, without their line breaks; one at a time.
using LineWriter = std::function<void(std::string_view)>;
/// Writes one `frame` object at once, then an object for each change and miss, and what entries served.
std::shared_ptr<CacheObserver> make_cache_trace(LineWriter write, const Layout& layout, std::string frame);
/// Appends lines to DIR/dimgate-N.jsonl, N the first number that is free. Each line is flushed. The directory must be.
Result<LineWriter> open_trace(const std::string& directory);

}  // namespace dimgate
