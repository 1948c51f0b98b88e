// dimgate merge FILE: entries in, fewest equivalent entries out, with the reason for each step.
//
// FILE has one entry a line, either `LABEL<TAB>FINGERPRINT<TAB>GUARD` or a JSON object with the members "label",
// "fingerprint" and "guard"; empty lines and lines that begin with `#` are skipped. Entries are listed oldest first.
// What is printed has the first form, so that it can be read again.
#include <CLI/CLI.hpp>
#include <ostream>

#include "cli/facts_option.hpp"
#include "cli/output.hpp"
#include "dimgate/import.hpp"
#include "dimgate/simplify.hpp"

namespace dimgate::cli {

void add_merge(CLI::App& app, Frame& frame);

namespace {

std::string_view step_name(MergeStep::Kind kind) {
  switch (kind) {
    case MergeStep::Kind::joined:
      return "joined";
    case MergeStep::Kind::retired:
      return "retired";
    case MergeStep::Kind::freed:
      return "freed";
    case MergeStep::Kind::kept:
      break;
  }
  return "kept";
}

Expr read_guard_text(Context& ctx, const std::string& text, const std::string& file, unsigned line, unsigned column) {
  ParseOptions options;
  options.file = file;
  options.first_line = line;
  options.sort = Sort::Bool;
  Result<Expr> e = parse(ctx, text, options);
  if (e.ok()) return *e;
  Error error = e.error();
  if (error.line == line && error.column != 0) error.column += column - 1;
  throw Failure{error};
}

MergeEntry read_line(Context& ctx, const std::string& text, const std::string& file, unsigned line) {
  constexpr const char* kForm =
      "an entry is `LABEL<TAB>FINGERPRINT<TAB>GUARD` or {\"label\": ..., \"fingerprint\": ..., \"guard\": ...}";
  MergeEntry entry;
  entry.age = line;
  if (text.find_first_not_of(" \t") != std::string::npos && text[text.find_first_not_of(" \t")] == '{') {
    const Json object = Json::parse(text, nullptr, false);
    if (object.is_discarded()) throw Failure{{std::string("not a JSON object; ") + kForm, file, line}};
    for (const char* member : {"label", "fingerprint", "guard"})
      if (!object.contains(member) || !object[member].is_string())
        throw Failure{{std::string("the member \"") + member + "\" is missing or no text; " + kForm, file, line}};
    entry.label = object["label"];
    entry.fingerprint = object["fingerprint"];
    entry.guard = read_guard_text(ctx, object["guard"], file, line, 1);
    return entry;
  }
  const std::size_t first = text.find('\t');
  const std::size_t second = first == std::string::npos ? first : text.find('\t', first + 1);
  if (second == std::string::npos) throw Failure{{kForm, file, line}};
  entry.label = text.substr(0, first);
  entry.fingerprint = text.substr(first + 1, second - first - 1);
  entry.guard = read_guard_text(ctx, text.substr(second + 1), file, line, static_cast<unsigned>(second) + 2);
  return entry;
}

std::vector<MergeEntry> read_entries(Context& ctx, const std::string& file) {
  const std::string text = need(read_file(file));
  std::vector<MergeEntry> entries;
  unsigned number = 0;
  for (std::size_t at = 0; at < text.size();) {
    ++number;
    std::size_t end = text.find('\n', at);
    if (end == std::string::npos) end = text.size();
    std::string line = text.substr(at, end - at);
    at = end + 1;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    const std::size_t start = line.find_first_not_of(" \t");
    if (start == std::string::npos || line[start] == '#') continue;
    entries.push_back(read_line(ctx, line, file, number));
  }
  if (entries.empty()) throw Failure{{"no entries; write one a line: LABEL<TAB>FINGERPRINT<TAB>GUARD", file}};
  return entries;
}

std::string label_of(const std::vector<MergeEntry>& entries, const std::vector<std::size_t>& ids) {
  std::string out;
  for (const std::size_t i : ids) out += (out.empty() ? "" : "+") + entries[i].label;
  return out;
}

void print_json(Frame& frame, const Context& ctx, const std::vector<MergeEntry>& entries, const MergeResult& r) {
  Json out_entries = Json::array();
  for (const auto& e : r.entries)
    out_entries.push_back({{"label", label_of(entries, e.from)},
                           {"fingerprint", e.fingerprint},
                           {"guard", dimgate::to_text(ctx, e.guard)},
                           {"from", e.from}});
  Json steps = Json::array();
  for (const MergeStep& s : r.steps) {
    Json obligations = Json::array();
    for (const Obligation& o : s.obligations)
      obligations.push_back(
          {{"claim", o.claim_text}, {"verdict", to_string(o.verdict)}, {"stage", o.stage}, {"note", o.note}});
    steps.push_back({{"step", step_name(s.kind)},
                     {"entries", s.entries},
                     {"reason", s.reason},
                     {"obligations", std::move(obligations)}});
  }
  const Json out{{"schema", 1},
                 {"command", "merge"},
                 {"entries_before", entries.size()},
                 {"lower_bound", r.lower_bound},
                 {"entries", std::move(out_entries)},
                 {"steps", std::move(steps)}};
  frame.out << out.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
}

void merge_command(Frame& frame, const std::string& file, const std::vector<std::string>& fact_texts) {
  Context ctx;
  Facts facts(ctx);
  read_facts(facts, fact_texts);
  const std::vector<MergeEntry> entries = read_entries(ctx, file);
  if (facts.size() > 0) need_consistent(frame, facts);
  const MergeResult r = merge(frame.prover(), facts, entries);
  if (frame.json) return print_json(frame, ctx, entries, r);
  for (const auto& e : r.entries)
    frame.out << label_of(entries, e.from) << '\t' << e.fingerprint << '\t' << dimgate::to_text(ctx, e.guard) << '\n';
  for (const MergeStep& s : r.steps) {
    frame.out << "# " << step_name(s.kind) << ": " << s.reason;
    if (!s.obligations.empty())
      frame.out << " (" << to_string(s.obligations.back().verdict) << ", " << s.obligations.back().stage << ')';
    frame.out << '\n';
  }
  frame.talk << entries.size() << (entries.size() == 1 ? " entry" : " entries") << " in, " << r.entries.size()
             << " out; distinct artifacts: " << r.lower_bound << '\n';
}

}  // namespace

void add_merge(CLI::App& app, Frame& frame) {
  struct Arguments {
    std::string file;
    std::vector<std::string> facts;
  };
  auto a = std::make_shared<Arguments>();
  CLI::App* command = frame.command(app, "merge", "The fewest equivalent entries, with the reason for each step");
  add_facts_option(*command, a->facts);
  command->add_option("FILE", a->file, "One entry a line: LABEL<TAB>FINGERPRINT<TAB>GUARD, or JSON Lines")->required();
  command->callback([a, &frame] { merge_command(frame, a->file, a->facts); });
}

}  // namespace dimgate::cli
