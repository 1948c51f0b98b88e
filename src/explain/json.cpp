// An explanation as one JSON object of schema 1.
#include <nlohmann/json.hpp>

#include "dimgate/explain.hpp"

namespace dimgate {

namespace {

using Json = nlohmann::ordered_json;

std::string dumped(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

Json of(const CauseGroup& group) {
  Json out{{"function", group.function},   {"place", group.place},
           {"cause", group.cause},         {"source", group.source},
           {"user_line", group.user_line}, {"user_place", group.user_place},
           {"count", group.count},         {"named_by_pytorch", group.blamed}};
  out["seconds"] = group.seconds ? Json(*group.seconds) : Json();
  out["changes"] = group.changes;
  out["remedy"] = group.remedy.text;
  out["avoidable"] = group.remedy.avoidable;
  out["compiles"] = group.compiles;
  out["at_least_remain"] = group.remain ? Json(*group.remain) : Json();
  out["note"] = group.remain_note;
  return out;
}

Json of(const FunctionReport& f) {
  Json out{{"function", f.function},     {"place", f.place},           {"compiles", f.compiles},
           {"recompiles", f.recompiles}, {"limit_hits", f.limit_hits}, {"failed", f.failed}};
  out["seconds"] = f.seconds ? Json(*f.seconds) : Json();
  Json stages = Json::object();
  for (const auto& [name, seconds] : f.stages) stages[name] = seconds;
  out["stages"] = stages;
  Json entries = Json::array();
  for (const EntryReport& entry : f.entries) {
    Json implied = Json::array();
    for (const auto& one : entry.implied) implied.push_back({{"guard", one.guard}, {"by", one.by}});
    entries.push_back({{"compile_id", entry.compile_id},
                       {"guards", entry.guards},
                       {"formulas", entry.formulas},
                       {"kept", entry.kept},
                       {"implied", implied},
                       {"readable", entry.readable},
                       {"not_parsed", entry.not_parsed}});
  }
  out["entries"] = entries;
  return out;
}

Json of(const std::map<std::string, LogCounts::Kind>& kinds) {
  Json out = Json::array();
  for (const auto& [kind, what] : kinds)
    out.push_back({{"kind", kind}, {"count", what.count}, {"first_line", what.first_line}, {"sample", what.sample}});
  return out;
}

Json of(const std::vector<std::pair<std::string, std::uint64_t>>& counts) {
  Json out = Json::array();
  for (const auto& [text, count] : counts) out.push_back({{"text", text}, {"count", count}});
  return out;
}

}  // namespace

std::string to_json(const Explanation& e, std::size_t top) {
  Json out{{"schema", 1}};
  out["lines"] = {{"all", e.counts.lines},
                  {"parsed", e.counts.parsed},
                  {"unknown", e.counts.unknown},
                  {"unknown_kinds", of(e.counts.unknown_kinds)},
                  {"damage", of(e.counts.damage)}};
  out["ranks"] = e.ranks;
  out["avoidable"] = e.avoidable();
  Json groups = Json::array();
  for (const CauseGroup& group : e.groups) {
    if (top != 0 && groups.size() == top) break;
    groups.push_back(of(group));
  }
  out["causes"] = groups;
  Json functions = Json::array();
  for (const FunctionReport& f : e.functions) functions.push_back(of(f));
  out["functions"] = functions;
  out["graph_breaks"] = of(e.graph_breaks);
  out["failures"] = of(e.failures);
  out["other_retraces"] = e.other_retraces;
  return dumped(out);
}

std::string to_json(const Against& against) {
  Json out{{"schema", 1}};
  const auto list = [](const auto& pairs) {
    Json all = Json::array();
    for (const auto& [group, now] : pairs) {
      Json one = of(group);
      one["count_after"] = now;
      all.push_back(one);
    }
    return all;
  };
  out["gone"] = list(against.gone);
  out["stay"] = list(against.changed);
  Json fresh = Json::array();
  for (const CauseGroup& group : against.fresh) fresh.push_back(of(group));
  out["new"] = fresh;
  return dumped(out);
}

}  // namespace dimgate
