#include <nlohmann/json.hpp>
#include <sstream>

#include "dimgate/guard_text.hpp"
#include "dimgate/world_compare.hpp"

namespace dimgate {
namespace {

std::string fixed(double v, int digits) {
  std::ostringstream out;
  out.setf(std::ios::fixed);
  out.precision(digits);
  out << v;
  return out.str();
}

/// Columns as wide as their widest cell; the first to the left, the others to the right unless `left`.
std::string table(const std::vector<std::vector<std::string>>& rows, std::size_t left) {
  std::vector<std::size_t> width;
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i >= width.size()) width.push_back(0);
      width[i] = std::max(width[i], row[i].size());
    }
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string pad(width[i] - row[i].size(), ' ');
      line += (i > 0 ? "  " : "") + (i == 0 || i >= left ? row[i] + pad : pad + row[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

}  // namespace

std::string to_text(const WorldComparison& c) {
  std::string out = (c.frame.empty() ? std::string("frame") : c.frame) + " on " + c.trace + ": " +
                    std::to_string(c.calls) + " calls\n\n";
  std::vector<std::vector<std::string>> rows{{"policy", "compiles", "recompiles", "shared", "hits", "hit rate",
                                              "fallbacks", "entries", "guards/entry", "lookup", "reads/call",
                                              "recorded"}};
  for (const WorldRow& r : c.rows) {
    const auto calls = static_cast<double>(r.calls == 0 ? 1 : r.calls);
    rows.push_back({r.policy, std::to_string(r.compiles), std::to_string(r.recompiles), std::to_string(r.shared),
                    std::to_string(r.hits), fixed(100 * r.hit_rate, 2) + "%", std::to_string(r.fallbacks),
                    std::to_string(r.entries), fixed(r.guards_per_entry, 1), fixed(r.lookup_ns, 0) + " ns",
                    fixed(static_cast<double>(r.reads) / calls, 1),
                    fixed(static_cast<double>(r.recorded_reads) / calls, 1)});
  }
  out += table(rows, SIZE_MAX);
  for (const WorldRow& r : c.rows) {
    if (r.causes.empty()) continue;
    out += "\n" + r.policy + ": why it recompiled (each under every kind that failed in the nearest entry)\n";
    std::vector<std::vector<std::string>> causes{{"  kind", "misses", "alone", "line", "first time"}};
    for (const WorldCause& k : r.causes)
      causes.push_back({"  " + std::string(to_string(k.kind)), std::to_string(k.misses), std::to_string(k.alone),
                        std::to_string(k.line), k.example});
    out += table(causes, 4);
  }
  for (const WorldRow& r : c.rows) {
    if (r.kinds.empty()) continue;
    out += "\n" + r.policy + ": what the guards cost\n";
    std::vector<std::vector<std::string>> kinds{{"  kind", "guards", "evaluations", "failures", "ns each", "ns/call"}};
    for (const WorldKindCost& k : r.kinds)
      kinds.push_back({"  " + std::string(to_string(k.kind)), std::to_string(k.guards), std::to_string(k.evaluations),
                       std::to_string(k.failures), fixed(k.ns_per_evaluation, 1),
                       fixed(k.ns() / static_cast<double>(r.calls == 0 ? 1 : r.calls), 1)});
    out += table(kinds, SIZE_MAX);
  }
  return out;
}

std::string to_json(const WorldComparison& c) {
  using Json = nlohmann::ordered_json;
  Json out{{"schema", 1}, {"trace", c.trace}, {"frame", c.frame}, {"calls", c.calls}, {"rows", Json::array()}};
  for (const WorldRow& r : c.rows) {
    Json causes = Json::array(), kinds = Json::array();
    for (const WorldCause& k : r.causes)
      causes.push_back({{"kind", to_string(k.kind)},
                        {"family", to_string(family(k.kind))},
                        {"misses", k.misses},
                        {"alone", k.alone},
                        {"line", k.line},
                        {"example", k.example}});
    for (const WorldKindCost& k : r.kinds)
      kinds.push_back({{"kind", to_string(k.kind)},
                       {"guards", k.guards},
                       {"evaluations", k.evaluations},
                       {"failures", k.failures},
                       {"ns_per_evaluation", k.ns_per_evaluation}});
    out["rows"].push_back({{"policy", r.policy},
                           {"calls", r.calls},
                           {"traces", r.traces},
                           {"compiles", r.compiles},
                           {"recompiles", r.recompiles},
                           {"shared", r.shared},
                           {"hits", r.hits},
                           {"hit_rate", r.hit_rate},
                           {"fallbacks", r.fallbacks},
                           {"entries", r.entries},
                           {"guards_per_entry", r.guards_per_entry},
                           {"lookup_ns", r.lookup_ns},
                           {"reads", r.reads},
                           {"recorded_reads", r.recorded_reads},
                           {"compiled_at", r.compiled_at},
                           {"causes", causes},
                           {"kinds", kinds}});
  }
  return out.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace dimgate
