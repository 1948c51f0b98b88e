// An explanation as one JSON object of schema 1.
#include <nlohmann/json.hpp>

#include "dimgate/explain.hpp"

namespace dimgate {

namespace {

using Json = nlohmann::ordered_json;

std::string dumped(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

Json of(const CauseGroup& group) {
  Json out{{"function", group.function},
           {"place", group.place},
           {"cause", group.cause},
           {"kind", group.kind},
           {"source", group.source},
           {"user_line", group.user_line},
           {"user_place", group.user_place},
           {"count", group.count},
           {"named_by_pytorch", group.blamed},
           {"limit_hits", group.limit_hits}};
  out["seconds"] = group.seconds ? Json(*group.seconds) : Json();
  out["changes"] = group.changes;
  out["remedy"] = group.remedy.text;
  out["without_edit"] = group.remedy.without_edit;
  out["avoidable"] = group.remedy.avoidable;
  out["compiles"] = group.compiles;
  out["at_least_remain"] = group.remain ? Json(*group.remain) : Json();
  out["note"] = group.remain_note;
  return out;
}

Json number_or_null(std::int64_t value) { return value < 0 ? Json() : Json(value); }

Json of(const CompileReport& compile) {
  Json out{{"compile_id", compile.compile_id}, {"line", compile.line}, {"outcome", compile.outcome}};
  out["time"] = compile.time < 0 ? Json() : Json(compile.time);
  out["seconds"] = compile.seconds ? Json(*compile.seconds) : Json();
  out["guards"] = number_or_null(compile.guards);
  out["shape_guards"] = number_or_null(compile.shape_guards);
  if (compile.cause.empty()) return out;
  out["cause"] = compile.cause;
  out["kind"] = compile.kind;
  out["source"] = compile.source;
  if (compile.index >= 0) out["index"] = compile.index;
  out["expected"] = compile.expected;
  out["actual"] = compile.actual;
  out["user_line"] = compile.user_line;
  out["user_place"] = compile.user_place;
  out["pytorch_names"] = compile.named_by_pytorch;
  out["entries_failed"] = compile.entries_failed;
  return out;
}

Json of(const FunctionReport& f) {
  Json out{{"function", f.function},     {"place", f.place},           {"rank", f.rank},    {"compiles", f.compiles},
           {"recompiles", f.recompiles}, {"limit_hits", f.limit_hits}, {"failed", f.failed}};
  out["limit"] = f.limit.empty() ? Json() : Json{{"name", f.limit}, {"number", f.limit_number}};
  out["seconds"] = f.seconds ? Json(*f.seconds) : Json();
  Json history = Json::array();
  for (const CompileReport& compile : f.history) history.push_back(of(compile));
  out["history"] = history;
  out["history_cut"] = f.history_cut;
  Json seen = Json::array();
  for (const SeenCall& call : f.seen) {
    Json values = Json::object();
    for (const auto& [slot, value] : call.values) values[slot] = value;
    seen.push_back({{"compile_id", call.compile_id}, {"values", values}});
  }
  out["seen"] = seen;
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
  out["notes"] = of(e.notes);
  out["other_retraces"] = e.other_retraces;
  return dumped(out);
}

std::string to_json(const Against& against) {
  Json out{{"schema", 1}, {"confirmed", against.doubts.empty()}, {"doubts", against.doubts}};
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
