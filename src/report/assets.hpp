// The texts that every page carries: charts (Chart.js), style, scripts. Written by embed.cmake from vendor/ and page/.
#pragma once

#include <string_view>

namespace dimgate::report {

extern const std::string_view kCharts, kStyle, kScript, kEvaluator, kBlocks, kRegions, kDemo;

}  // namespace dimgate::report
