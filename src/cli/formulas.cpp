// dimgate_formulas DIR: writes DIR/MODEL.md for every built-in model: the guards each trace recorded with their lines,
// what became of them and why, the entries before and after merging, as text and as LaTeX.
//
// Only the native prover is asked, so that the pages are the same whatever Z3 is installed. `./dev docs` runs it and CI
// fails when the committed pages differ.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "cli/frame.hpp"
#include "cli/traced_model.hpp"
#include "models.hpp"
#include "report/source_line.hpp"

namespace dimgate::cli {

namespace {

/// Text inside a table cell.
std::string cell(std::string s) {
  for (std::size_t i = 0; (i = s.find('|', i)) != std::string::npos; i += 2) s.insert(i, 1, '\\');
  return s;
}

std::string code(const std::string& s) { return "`" + cell(s) + "`"; }
/// GitHub reads `$`…`$` as LaTeX without touching underscores.
std::string math(const Context& ctx, Expr e) {
  std::string latex = to_latex(ctx, e);
  for (std::size_t k = 0; (k = latex.find('|', k)) != std::string::npos;) latex.replace(k, 1, "\\vert ");
  return "$`" + latex + "`$";
}

/// The part of the entry's guard that says it now, where the words differ: proved to imply it.
std::string written_as(TracedModel& traced, std::size_t guard) {
  Context& ctx = traced.context;
  const Expr e = traced.lookup()[guard]->formula;
  const std::vector<Expr> mine = symbols_of(ctx, e);
  Facts facts = traced.tracer.facts();
  std::string text;
  for (const Expr part : traced.minimal.readable) {
    if (to_text(ctx, part) == to_text(ctx, e)) return {};
    const std::vector<Expr> other = symbols_of(ctx, part);
    if (std::none_of(other.begin(), other.end(),
                     [&](Expr s) { return std::find(mine.begin(), mine.end(), s) != mine.end(); }))
      continue;
    facts.assume(part, Standing::checked);
    text += (text.empty() ? "" : ", ") + code(to_text(ctx, part));
  }
  const Proof proof = traced.tracer.prover().prove(facts, e);
  return proof.proved() ? "; said by " + text + " (" + proof.stage + ")" : std::string();
}

std::string why(TracedModel& traced, std::size_t guard) {
  for (const DroppedGuard& d : traced.minimal.dropped) {
    if (d.guard != guard) continue;
    std::string by;
    for (const std::size_t g : d.implied_by) by += (by.empty() ? "implied by " : ", ") + std::to_string(g + 1);
    if (by.empty()) by = "implied by the facts";
    return by + " (" + d.obligation.stage + ")";
  }
  return "kept: nothing else implies it" + written_as(traced, guard);
}

/// The traces' entries, and what merging makes of them.
struct Merged {
  Context ctx;
  std::vector<MergeEntry> entries;
  MergeResult result;
};

void merge_traces(Prover& prover, std::vector<std::unique_ptr<TracedModel>>& traces, Merged& merged) {
  Context& ctx = merged.ctx;
  Facts facts(ctx);
  for (const auto& t : traces) {
    if (merged.entries.empty())
      for (const Fact& f : t->tracer.facts().all())
        facts.assume(transfer(ctx, t->context, f.formula), f.standing, f.origin);
    MergeEntry e;
    e.guard = transfer(ctx, t->context, t->guard());
    e.fingerprint = t->tracer.fingerprint().bytes;
    e.label = "trace " + std::to_string(merged.entries.size() + 1);
    e.age = merged.entries.size();
    merged.entries.push_back(std::move(e));
  }
  merged.result = merge(prover, facts, merged.entries);
}

/// "alone", or with which other traces it became one entry.
std::string in_cache(const Merged& merged, std::size_t trace) {
  for (const MergeResult::Out& e : merged.result.entries) {
    if (std::find(e.from.begin(), e.from.end(), trace) == e.from.end()) continue;
    if (e.from.size() == 1) return "an entry of its own: no other trace has its program";
    std::string others;
    for (const std::size_t i : e.from)
      if (i != trace) others += (others.empty() ? "" : ", ") + std::to_string(i + 1);
    return "joined with trace " + others + ", whose program is the same, under " + code(to_text(merged.ctx, e.guard));
  }
  return "retired: another entry serves its calls";
}

/// What a page is written with.
struct Page {
  std::ostream& out;
  report::SourceLines& sources;
  Merged merged;
};

std::string source(Page& page, const Guard& g) {
  const std::string line = page.sources.line(g.where);
  return line.empty() ? std::string() : code(line);
}

void write_trace(Page& page, TracedModel& traced, std::size_t number, const std::vector<std::int64_t>& values) {
  std::ostream& out = page.out;
  Context& ctx = traced.context;
  const TraceStatistics& s = traced.tracer.statistics();
  out << "## Trace " << number << ": " << values_text(*traced.model, values) << "\n\n";
  out << s.decisions << " decisions: " << s.repeated << " met before, " << s.known
      << " implied by facts and earlier guards, " << s.recorded << " recorded.\n\n";
  if (!traced.lookup().empty()) {
    out << "| # | recorded guard | | where | line | why it exists | what became of it "
           "|\n|---|---|---|---|---|---|---|\n";
    for (std::size_t i = 0; i < traced.lookup().size(); ++i) {
      const Guard& g = *traced.lookup()[i];
      out << "| " << i + 1 << " | " << code(to_text(ctx, g.formula)) << " | " << math(ctx, g.formula) << " | ["
          << g.where.file << ':' << g.where.line << "](../../" << g.where.file << "#L" << g.where.line << ") | "
          << source(page, g) << " | " << cell(g.reason) << " | " << why(traced, i) << " |\n";
    }
    out << '\n';
  }
  for (const Guard& g : traced.tracer.guards().all())
    if (g.runtime_assert) out << "Run-time assert: " << code(to_text(ctx, g.formula)) << "\n\n";
  out << "Guard of the entry: " << code(traced.guard_text()) << ". In the cache: " << in_cache(page.merged, number - 1)
      << ".\n\n";
  if (!traced.lookup().empty()) out << "```math\n" << to_latex(ctx, traced.guard()) << "\n```\n\n";
  if (!traced.minimal.obligations.empty()) {
    out << "Proved for the readable form:\n\n";
    for (const Obligation& o : traced.minimal.obligations)
      out << "- " << code(o.claim_text) << ": " << to_string(o.verdict) << " (" << o.stage << ")\n";
    out << '\n';
  }
  out << "Results: ";
  const ShapeProgram& program = traced.tracer.program();
  for (std::size_t i = 0; i < program.outputs().size(); ++i) {
    Shape shape;
    for (const Expr d : program.value(program.outputs()[i]).dims) shape.emplace_back(traced.tracer, d);
    out << (i == 0 ? "" : ", ") << code(to_string(shape));
  }
  out << ".\n\n";
}

std::string_view name_of(MergeStep::Kind kind) {
  switch (kind) {
    case MergeStep::Kind::joined:
      return "joined";
    case MergeStep::Kind::retired:
      return "retired";
    case MergeStep::Kind::freed:
      return "freed";
    case MergeStep::Kind::kept:
      return "kept";
  }
  return "";
}

void write_merge(std::ostream& out, const Merged& all) {
  const Context& ctx = all.ctx;
  const std::vector<MergeEntry>& entries = all.entries;
  const MergeResult& merged = all.result;
  out << "## Entries\n\nBefore merging (traces of equal fingerprint share an artifact):\n\n| entry | artifact | guard "
         "|\n|---|---|---|\n";
  std::vector<std::string> artifacts;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    std::size_t a = 0;
    while (a < artifacts.size() && artifacts[a] != entries[i].fingerprint) ++a;
    if (a == artifacts.size()) artifacts.push_back(entries[i].fingerprint);
    out << "| " << i + 1 << " | " << static_cast<char>('A' + a) << " | " << code(to_text(ctx, entries[i].guard))
        << " |\n";
  }
  out << "\nAfter merging, at least " << merged.lower_bound
      << " needed (distinct artifacts):\n\n| from | guard | |\n|---|---|---|\n";
  for (const MergeResult::Out& e : merged.entries) {
    std::string from;
    for (const std::size_t i : e.from) from += (from.empty() ? "" : ", ") + std::to_string(i + 1);
    out << "| " << from << " | " << code(to_text(ctx, e.guard)) << " | " << math(ctx, e.guard) << " |\n";
  }
  out << '\n';
  for (const MergeStep& s : merged.steps) {
    if (s.kind == MergeStep::Kind::kept) continue;
    std::string which;
    for (const std::size_t i : s.entries) which += (which.empty() ? "" : ", ") + std::to_string(i + 1);
    out << "- " << which << ' ' << name_of(s.kind) << ": " << s.reason << '\n';
    for (const Obligation& o : s.obligations)
      out << "  - " << code(o.claim_text) << ": " << to_string(o.verdict) << " (" << o.stage << ")\n";
  }
}

std::string page_of(const Model& model, Prover& prover, report::SourceLines& sources) {
  std::ostringstream out;
  out << "# " << model.name() << "\n\n<!-- Written by `./dev docs`: do not edit. -->\n\n" << model.summary() << ".\n\n";
  out << "| dim | read from | meaning |\n|---|---|---|\n";
  for (const ModelDim& d : model.dims()) out << "| " << d.name << " | `" << d.source << "` | " << d.meaning << " |\n";
  out << "\nEach dim is a size, so it is >= 0; nothing else is assumed.";
  for (const std::string& f : model.facts()) out << " Declared: " << code(f) << '.';
  out << "\n\n";
  std::vector<std::unique_ptr<TracedModel>> traces;
  for (const std::vector<std::int64_t>& values : model.examples()) {
    traces.push_back(std::make_unique<TracedModel>(model, prover));
    traces.back()->trace(values, {});
    if (!traces.back()->outcome.ok())
      throw Failure{{std::string(model.name()) + " at " + values_text(model, values) + ": " +
                     traces.back()->outcome.error.to_string()}};
  }
  Page page{out, sources, {}};
  merge_traces(prover, traces, page.merged);
  for (std::size_t i = 0; i < traces.size(); ++i) write_trace(page, *traces[i], i + 1, model.examples()[i]);
  write_merge(out, page.merged);
  return out.str();
}

int write_pages(const std::filesystem::path& directory) {
  ModelRegistry registry;
  models::register_models(registry);
  NativeProver prover;
  report::SourceLines sources((directory / ".." / "..").string());
  std::vector<std::pair<std::string, std::string>> pages;
  std::ostringstream index;
  index << "# The guards of the built-in models\n\n<!-- Written by `./dev docs`: do not edit. -->\n\n";
  for (const Model* m : registry.all()) {
    pages.emplace_back(std::string(m->name()) + ".md", page_of(*m, prover, sources));
    index << "- [" << m->name() << "](" << m->name() << ".md): " << m->summary() << '\n';
  }
  pages.emplace_back("README.md", index.str());
  std::filesystem::create_directories(directory);
  for (const auto& [name, text] : pages) {
    std::ofstream file(directory / name, std::ios::binary);
    file << text;
    if (!file.flush()) throw Failure{{"cannot write " + (directory / name).string()}, kBadInput};
  }
  return kFine;
}

}  // namespace

}  // namespace dimgate::cli

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: dimgate_formulas DIRECTORY\n";
    return dimgate::cli::kBadInput;
  }
  try {
    return dimgate::cli::write_pages(argv[1]);
  } catch (const dimgate::cli::Failure& f) {
    std::cerr << "dimgate_formulas: " << f.error.to_string() << '\n';
    return f.code;
  } catch (const std::exception& e) {
    std::cerr << "dimgate_formulas: " << e.what() << '\n';
    return dimgate::cli::kInternal;
  }
}
