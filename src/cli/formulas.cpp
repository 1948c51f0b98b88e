// dimgate_formulas DIR: writes DIR/MODEL.md for every built-in model: the guards each trace recorded with their lines,
// what became of them and why, the entries before and after merging, as text and as LaTeX.
//
// Only the native prover is asked, so that the pages are the same whatever Z3 is installed. `./dev docs` runs it and CI
// fails when the committed pages differ.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "cli/frame.hpp"
#include "cli/traced_model.hpp"
#include "models.hpp"

namespace dimgate::cli {

namespace {

/// Text inside a table cell.
std::string cell(std::string s) {
  for (std::size_t i = 0; (i = s.find('|', i)) != std::string::npos; i += 2) s.insert(i, 1, '\\');
  return s;
}

std::string code(const std::string& s) { return "`" + cell(s) + "`"; }
/// GitHub reads `$`…`$` as LaTeX without touching underscores.
std::string math(Context& ctx, Expr e) {
  std::string latex = to_latex(ctx, e);
  for (std::size_t k = 0; (k = latex.find('|', k)) != std::string::npos;) latex.replace(k, 1, "\\vert ");
  return "$`" + latex + "`$";
}

std::string why(const TracedModel& traced, std::size_t guard) {
  for (const DroppedGuard& d : traced.minimal.dropped) {
    if (d.guard != guard) continue;
    std::string by;
    for (const std::size_t g : d.implied_by) by += (by.empty() ? "implied by " : ", ") + std::to_string(g + 1);
    if (by.empty()) by = "implied by the facts";
    return by + " (" + d.obligation.stage + ")";
  }
  return "kept";
}

void write_trace(std::ostream& out, TracedModel& traced, std::size_t number, const std::vector<std::int64_t>& values) {
  Context& ctx = traced.context;
  const TraceStatistics& s = traced.tracer.statistics();
  out << "## Trace " << number << ": " << values_text(*traced.model, values) << "\n\n";
  out << s.decisions << " decisions: " << s.repeated << " met before, " << s.known
      << " implied by facts and earlier guards, " << s.recorded << " recorded.\n\n";
  if (!traced.lookup.empty()) {
    out << "| # | recorded guard | | where | why it exists | what became of it |\n|---|---|---|---|---|---|\n";
    for (std::size_t i = 0; i < traced.lookup.size(); ++i) {
      const Guard& g = traced.tracer.guards()[traced.lookup[i]];
      out << "| " << i + 1 << " | " << code(to_text(ctx, g.formula)) << " | " << math(ctx, g.formula) << " | ["
          << g.where.file << ':' << g.where.line << "](../../" << g.where.file << "#L" << g.where.line << ") | "
          << cell(g.reason) << " | " << why(traced, i) << " |\n";
    }
    out << '\n';
  }
  for (const Guard& g : traced.tracer.guards().all())
    if (g.runtime_assert) out << "Run-time assert: " << code(to_text(ctx, g.formula)) << "\n\n";
  out << "Guard of the entry: " << code(traced.guard_text()) << "\n\n";
  if (!traced.lookup.empty()) out << "```math\n" << to_latex(ctx, traced.guard()) << "\n```\n\n";
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

void write_merge(std::ostream& out, Prover& prover, std::vector<std::unique_ptr<TracedModel>>& traces) {
  Context ctx;
  Facts facts(ctx);
  std::vector<MergeEntry> entries;
  for (const auto& t : traces) {
    if (entries.empty())
      for (const Fact& f : t->tracer.facts().all())
        facts.assume(transfer(ctx, t->context, f.formula), f.standing, f.origin);
    MergeEntry e;
    e.guard = transfer(ctx, t->context, t->guard());
    e.fingerprint = t->tracer.fingerprint().bytes;
    e.label = "trace " + std::to_string(entries.size() + 1);
    e.age = entries.size();
    entries.push_back(std::move(e));
  }
  const MergeResult merged = merge(prover, facts, entries);
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

std::string page(const Model& model, Prover& prover) {
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
    traces.back()->run(values, {});
    if (!traces.back()->outcome.ok())
      throw Failure{{std::string(model.name()) + " at " + values_text(model, values) + ": " +
                     traces.back()->outcome.error.to_string()}};
    write_trace(out, *traces.back(), traces.size(), values);
  }
  write_merge(out, prover, traces);
  return out.str();
}

int write_pages(const std::filesystem::path& directory) {
  ModelRegistry registry;
  models::register_models(registry);
  NativeProver prover;
  std::vector<std::pair<std::string, std::string>> pages;
  std::ostringstream index;
  index << "# The guards of the built-in models\n\n<!-- Written by `./dev docs`: do not edit. -->\n\n";
  for (const Model* m : registry.all()) {
    pages.emplace_back(std::string(m->name()) + ".md", page(*m, prover));
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
