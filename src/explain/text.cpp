// An explanation for people. Text of the log is data: control characters become '?', long lines are cut.
#include <algorithm>
#include <cstdio>

#include "dimgate/explain.hpp"

namespace dimgate {

namespace {

std::string shown(std::string_view text, std::size_t most = 200) {
  std::string out;
  for (const char c : text) {
    if (out.size() >= most) return out + "...";
    out += static_cast<unsigned char>(c) < 32 || c == 127 ? '?' : c;
  }
  return out;
}

std::string seconds(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value < 1 ? "%.3f s" : "%.1f s", value);
  return text;
}

std::string counted(std::uint64_t count, const char* thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

std::string times(std::uint64_t count) { return count == 1 ? "once" : std::to_string(count) + " times"; }

void group_text(const CauseGroup& group, std::size_t number, std::string& out) {
  out += "\n" + std::to_string(number) + ". " + shown(group.function.empty() ? "(function not named)" : group.function);
  if (!group.place.empty()) out += " (" + shown(group.place) + ")";
  out += ": " + shown(group.cause);
  if (!group.source.empty()) out += " of " + shown(group.source);
  out += ", " + times(group.count) + (group.seconds ? ", " + seconds(*group.seconds) : "") + "\n";
  if (!group.changes.empty()) {
    out += "   what changed   ";
    for (std::size_t i = 0; i < group.changes.size(); ++i) out += (i == 0 ? "" : "; ") + shown(group.changes[i], 120);
    out += '\n';
  }
  if (!group.user_line.empty()) out += "   your line      " + shown(group.user_line) + "\n";
  if (!group.user_place.empty()) out += "   at             " + shown(group.user_place) + "\n";
  if (group.blamed < group.count) out += "   PyTorch named another cause " + times(group.count - group.blamed) + "\n";
  out += "   remedy         " + shown(group.remedy.text, 400) + "\n";
  if (!group.remedy.without_edit.empty()) out += "   without edit   " + shown(group.remedy.without_edit) + "\n";
  if (group.remain)
    out += "   compiles       " + std::to_string(group.compiles) + "; with the remedy at least " +
           std::to_string(*group.remain) + " would remain";
  else
    out += "   compiles       " + std::to_string(group.compiles);
  out += (group.remain_note.empty() ? "" : " (" + group.remain_note + ")") + "\n";
}

void entry_text(const EntryReport& entry, std::string& out) {
  out += "  entry " + shown(entry.compile_id.empty() ? "?" : entry.compile_id) + ": " + std::to_string(entry.guards) +
         " guards, " + std::to_string(entry.formulas) + " formulas, " + std::to_string(entry.kept) +
         " not implied by the others\n";
  for (const auto& implied : entry.implied) {
    out += "    implied: " + shown(implied.guard) + "   by ";
    if (implied.by.empty()) out += "what sizes are";
    for (std::size_t i = 0; i < implied.by.size(); ++i) out += (i == 0 ? "" : " and ") + shown(implied.by[i]);
    out += '\n';
  }
}

/// One compile: what became of it, and why it was needed.
void compile_text(const CompileReport& compile, bool first, std::string& out) {
  std::string line = "    " + shown(compile.compile_id.empty() ? "-" : compile.compile_id);
  line.resize(std::max<std::size_t>(line.size() + 1, 11), ' ');
  std::string what = !compile.cause.empty() ? shown(compile.cause)
                     : first                ? "first compile"
                                            : "compiled: the log does not say why";
  if (!compile.source.empty()) what += " of " + shown(compile.source, 80);
  if (compile.index >= 0 && compile.cause.starts_with("tensor s")) what += " dim " + std::to_string(compile.index);
  if (!compile.expected.empty() && !compile.actual.empty())
    what += ": " + shown(compile.expected, 60) + " -> " + shown(compile.actual, 60);
  else if (!compile.expected.empty())
    what += ", expected " + shown(compile.expected, 80);
  if (compile.outcome == "limit_hit")
    what += " (not compiled: the limit was reached)";
  else if (compile.outcome != "entry")
    what += " (" + shown(compile.outcome) + ")";
  if (compile.seconds) what += ", " + seconds(*compile.seconds);
  if (!compile.user_line.empty()) what += "   | " + shown(compile.user_line, 80);
  if (!compile.user_place.empty()) what += "   " + shown(compile.user_place, 80);
  out += line + what + "\n";
}

void functions_text(const Explanation& e, std::size_t top, std::string& out) {
  constexpr std::size_t kHistory = 16;
  constexpr std::size_t kStages = 5;
  std::size_t shown_count = 0;
  bool first = true;
  const auto told = [](const FunctionReport& f) {
    return f.recompiles != 0 || f.seconds || !f.entries.empty() || f.failed + f.limit_hits != 0;
  };
  for (const FunctionReport& f : e.functions) {
    if (!told(f)) continue;
    if (first) out += "\nfunctions\n";
    first = false;
    if (top != 0 && shown_count++ == top) {
      const auto all = std::count_if(e.functions.begin(), e.functions.end(), told);
      out += "  ... and " + std::to_string(static_cast<std::size_t>(all) - top) + " more (--top 0 shows all)\n";
      break;
    }
    out += "  " + shown(f.function.empty() ? "(not named)" : f.function) +
           (f.place.empty() ? "" : " " + shown(f.place)) + (f.rank.empty() ? "" : " rank " + shown(f.rank)) + ": " +
           std::to_string(f.compiles) + (f.compiles == 1 ? " compile" : " compiles") +
           (f.seconds ? ", " + seconds(*f.seconds) : "");
    if (f.limit_hits > 0) {
      out += ", " + (f.limit.empty() ? std::string("the limit") : shown(f.limit));
      out +=
          (f.limit_number > 0 ? " (" + std::to_string(f.limit_number) + ")" : "") + " reached " + times(f.limit_hits);
    }
    out += '\n';
    for (std::size_t i = 0; i < f.stages.size() && i < kStages; ++i)
      out += (i == 0 ? "    stages: " : ", ") + shown(f.stages[i].first) + " " + seconds(f.stages[i].second);
    if (!f.stages.empty()) out += '\n';
    if (f.recompiles > 0 || f.failed > 0 || f.limit_hits > 0)
      for (std::size_t i = 0; i < f.history.size() && i < kHistory; ++i)
        compile_text(f.history[i], i == 0 || f.history[i].compile_id.ends_with("/0"), out);
    if (const std::uint64_t more = f.history_cut + (f.history.size() > kHistory ? f.history.size() - kHistory : 0);
        more > 0 && f.recompiles > 0)
      out += "    ... and " + std::to_string(more) + " more compiles\n";
    for (const EntryReport& entry : f.entries) entry_text(entry, out);
  }
}

}  // namespace

std::string to_text(const Explanation& e, std::size_t top) {
  std::string out =
      std::to_string(e.counts.lines) + " lines read, " + std::to_string(e.counts.unknown) + " of them unknown";
  if (e.ranks > 1) out += ", " + std::to_string(e.ranks) + " ranks";
  std::uint64_t compiles = 0;
  std::uint64_t recompiles = 0;
  std::uint64_t hits = 0;
  for (const FunctionReport& f : e.functions) {
    compiles += f.compiles;
    recompiles += f.recompiles;
    hits += f.limit_hits;
  }
  out += "\n" + counted(e.functions.size(), "function") + ", " + counted(compiles, "compile") + ", " +
         counted(recompiles, "recompile") + (hits > 0 ? ", limit reached " + times(hits) : "") + "\n";
  std::size_t number = 0;
  for (const CauseGroup& group : e.groups) {
    if (top != 0 && number == top) {
      out += "\n... and " + counted(e.groups.size() - top, "more cause") + " (--top 0 shows all)\n";
      break;
    }
    group_text(group, ++number, out);
  }
  if (e.groups.empty()) out += "\nno recompiles in this log\n";
  const auto list = [&](const char* title, const auto& items) {
    if (items.empty()) return;
    out += std::string("\n") + title + "\n";
    std::size_t told = 0;
    for (const auto& [text, count] : items) {
      if (top != 0 && told++ == top) {
        out += "  ... and " + std::to_string(items.size() - top) + " more (--top 0 shows all)\n";
        break;
      }
      out += "  " + std::to_string(count) + "  " + shown(text, 600) + "\n";
    }
  };
  list("graph breaks", e.graph_breaks);
  list("compiles that failed", e.failures);
  list("also said", e.notes);
  functions_text(e, top, out);
  if (!e.other_retraces.empty()) {
    out += "\nretraces of other systems\n";
    for (const std::string& text : e.other_retraces) out += "  " + shown(text) + "\n";
  }
  if (!e.counts.unknown_kinds.empty() || !e.counts.damage.empty()) {
    out += "\nnot understood\n";
    for (const auto& [kind, what] : e.counts.unknown_kinds)
      out += "  " + std::to_string(what.count) + "  " + shown(kind) + ", first at line " +
             std::to_string(what.first_line) + ": " + shown(what.sample, 100) + "\n";
    for (const auto& [kind, what] : e.counts.damage)
      out += "  " + std::to_string(what.count) + "  " + shown(kind) + ", first at line " +
             std::to_string(what.first_line) + ": " + shown(what.sample, 100) + "\n";
  }
  return out;
}

}  // namespace dimgate
