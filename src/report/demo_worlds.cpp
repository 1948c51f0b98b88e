// Worlds and texts of the demo's scenes. Checked by tests/report/demo_test.cpp.
#include "report/demo_worlds.hpp"

#include "dimgate/guard_text.hpp"

namespace dimgate::report {

TensorDescription tensor(std::vector<std::int64_t> sizes, std::string device) {
  TensorDescription t;
  t.sizes = std::move(sizes);
  t.device = std::move(device);
  return t;
}

World world_of(TensorDescription x) {
  World w;
  w.code = "forward";
  w.caller = "training loop";
  w.arguments = {{"x", WorldValue::of(std::move(x))},
                 {"batch", WorldValue::dict({{"ids", WorldValue::of(std::int64_t{1})}})}};
  return w;
}

std::string sizes_text(const TensorDescription& x) {
  std::string out = "(";
  for (std::size_t i = 0; i < x.sizes.size(); ++i) out += (i == 0 ? "" : ", ") + std::to_string(x.sizes[i]);
  return out + ")";
}
std::string shape_text(const TensorDescription& x) { return sizes_text(x) + " " + x.device; }

std::string percent(const CacheStatistics& s) {
  const std::uint64_t parts = (s.hits * 20000 / s.calls() + 1) / 2;  // hundredths, rounded
  const std::string cents = std::to_string(parts % 100);
  return std::to_string(parts / 100) + "." + (cents.size() < 2 ? "0" : "") + cents;
}

std::string reads_text(Context& ctx, const Guard& g, const Layout& layout, SnapshotView at) {
  std::string out;
  for (const Expr s : symbols_of(ctx, g.formula)) {
    const Value v = value_at(ctx, s, layout, at);
    out += (out.empty() ? "" : ", ") + ctx.symbol_name(s) + " = " + (v.is_undefined() ? "missing" : v.to_string());
  }
  return out;
}

}  // namespace dimgate::report
