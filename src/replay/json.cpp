#include <nlohmann/json.hpp>

#include "dimgate/replay.hpp"

namespace dimgate {

namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace

std::string to_json(const Comparison& comparison, bool details) {
  Json rows = Json::array();
  for (const PolicyRow& r : comparison.rows) {
    Json row = {{"policy", r.policy},
                {"calls", r.calls},
                {"traces", r.traces},
                {"compiles", r.compiles},
                {"shared", r.shared},
                {"hits", r.hits},
                {"hit_rate", r.hit_rate},
                {"fallbacks", r.fallbacks},
                {"rejected", r.rejected},
                {"entries", r.entries},
                {"guards_per_entry", r.guards_per_entry},
                {"bytes", r.bytes},
                {"lookup_ns", r.lookup_ns},
                {"solver_ms", r.solver_ms},
                {"padding_waste", r.padding_waste},
                {"estimated_total_s", or_null(r.estimated_total_s)}};
    if (comparison.limit) row["evictions"] = r.evictions;
    if (!r.error.empty()) row["error"] = r.error;
    if (details) {
      row["break_even"] = !r.estimated_total_s ? Json(nullptr) : r.break_even ? Json(*r.break_even) : Json("never");
      row["longest_stall_s"] = or_null(r.longest_stall_s);
      row["p99_s"] = or_null(r.p99_s);
      row["compiled_at"] = r.compiled_at;
      Json guards = Json::array();
      for (const Policy::Shown& entry : r.shown) guards.push_back(entry.guards);
      row["guards"] = std::move(guards);
    }
    rows.push_back(std::move(row));
  }
  Json out = {{"schema", 1}, {"model", comparison.model}, {"trace", comparison.trace}, {"calls", comparison.calls}};
  if (comparison.limit) out["entry_limit"] = comparison.limit->text();
  out["rows"] = std::move(rows);
  return out.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace dimgate
