// dimgate trace MODEL: a model's shape program to guards and output shapes.
#include <CLI/CLI.hpp>
#include <charconv>
#include <iomanip>
#include <ostream>
#include <sstream>

#include "cli/facts_option.hpp"
#include "cli/output.hpp"
#include "cli/traced_model.hpp"
#include "models.hpp"

namespace dimgate::cli {

void add_trace(CLI::App& app, Frame& frame);

namespace {

struct TraceCommandArguments {
  std::string model;
  std::vector<std::string> at, facts;
  bool list = false, program = false;
};

void list_models(Frame& frame, const ModelRegistry& registry) {
  Json models = Json::array();
  for (const Model* m : registry.all()) {
    std::string names;
    Json dims = Json::array();
    for (const ModelDim& d : m->dims()) {
      names += (names.empty() ? "" : ", ") + d.name;
      dims.push_back({{"name", d.name}, {"source", d.source}, {"meaning", d.meaning}});
    }
    models.push_back({{"name", m->name()}, {"summary", m->summary()}, {"dims", dims}});
    if (!frame.json)
      frame.out << std::left << std::setw(14) << m->name() << ' ' << m->summary() << " (" << names << ")\n";
  }
  if (frame.json) frame.out << Json{{"schema", 1}, {"command", "trace"}, {"models", models}}.dump() << '\n';
}

/// The model's example with the values of `--at NAME=VALUE` in their places.
std::vector<std::int64_t> values_at(const Model& model, const std::vector<std::string>& texts) {
  std::vector<std::int64_t> values = model.examples().front();
  const auto dims = model.dims();
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    std::size_t i = 0;
    std::string known;
    for (const ModelDim& d : dims) known += (known.empty() ? "" : ", ") + d.name;
    while (i < dims.size() && dims[i].name != name) ++i;
    if (i == dims.size() || equals == std::string::npos)
      throw Failure{{"--at " + text + ": NAME=VALUE is needed, with NAME one of " + known}};
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + equals + 1, end, values[i]);
    if (error != std::errc() || stop != end || values[i] < 0)
      throw Failure{
          {"--at " + text + ": `" + text.substr(equals + 1) + "` is no size: an integer in [0, 2^63) is needed"}};
  }
  return values;
}

std::string shape_text(TracedModel& traced, const ProgramValue& v) {
  Shape shape;
  for (const Expr d : v.dims) shape.emplace_back(traced.tracer, d);
  return to_string(shape);
}

/// Where each recorded guard went: kept, or what implies it.
std::vector<std::string> fates(const TracedModel& traced) {
  std::vector<std::string> out(traced.lookup().size(), "kept");
  for (const DroppedGuard& d : traced.minimal.dropped) {
    std::string by;
    for (const std::size_t g : d.implied_by) by += (by.empty() ? "" : ", ") + std::to_string(g + 1);
    out[d.guard] = by.empty() ? "implied by the facts" : "implied by " + by;
  }
  return out;
}

void print_text(Frame& frame, TracedModel& traced, const std::vector<std::int64_t>& values, bool program) {
  std::ostream& out = frame.out;
  const Model& model = *traced.model;
  const GuardSet& guards = traced.tracer.guards();
  out << model.name() << ": " << model.summary() << '\n';
  out << "dims:";
  for (const ModelDim& d : model.dims()) out << "  " << d.name << " = " << d.source << " (" << d.meaning << ")";
  const TraceStatistics& s = traced.tracer.statistics();
  out << "\ntraced at " << values_text(model, values) << ": " << s.decisions << " decisions, " << s.repeated
      << " met before, " << s.known << " known, " << s.recorded << " recorded\n";
  const std::vector<std::string> fate = fates(traced);
  for (std::size_t i = 0; i < traced.lookup().size(); ++i) {
    const Guard& g = *traced.lookup()[i];
    out << std::right << std::setw(4) << i + 1 << "  " << to_text(traced.context, g.formula) << "\n      " << g.reason
        << ", " << g.where.to_string() << "; " << fate[i] << '\n';
  }
  for (const Guard& g : guards.all())
    if (g.runtime_assert) out << "  run-time assert: " << to_text(traced.context, g.formula) << '\n';
  out << "guard: " << traced.guard_text() << '\n';
  for (const ValueId v : traced.tracer.program().outputs()) {
    const ProgramValue& value = traced.tracer.program().value(v);
    out << "output: " << value.dtype << ' ' << shape_text(traced, value) << '\n';
  }
  if (program) out << "program:\n" << traced.tracer.program().to_text(traced.context);
}

void print_json(Frame& frame, TracedModel& traced, const std::vector<std::int64_t>& values) {
  Context& ctx = traced.context;
  const std::vector<std::string> fate = fates(traced);
  Json at = Json::object(), guards = Json::array(), asserts = Json::array(), outputs = Json::array(),
       minimal = Json::array();
  for (std::size_t i = 0; i < values.size(); ++i) at[traced.model->dims()[i].name] = values[i];
  for (std::size_t i = 0; i < traced.lookup().size(); ++i) {
    const Guard& g = *traced.lookup()[i];
    guards.push_back({{"formula", to_text(ctx, g.formula)},
                      {"kind", to_string(g.kind)},
                      {"file", g.where.file},
                      {"line", g.where.line},
                      {"reason", g.reason},
                      {"fate", fate[i]}});
  }
  for (const Guard& g : traced.tracer.guards().all())
    if (g.runtime_assert) asserts.push_back(to_text(ctx, g.formula));
  for (const Expr e : traced.minimal.readable) minimal.push_back(to_text(ctx, e));
  const ShapeProgram& program = traced.tracer.program();
  for (const ValueId v : program.outputs()) {
    Json dims = Json::array();
    for (const Expr d : program.value(v).dims) dims.push_back(SymInt(traced.tracer, d).to_string());
    outputs.push_back({{"dtype", program.value(v).dtype}, {"shape", dims}});
  }
  const TraceStatistics& s = traced.tracer.statistics();
  frame.out << Json{{"schema", 1},      {"command", "trace"},       {"model", traced.model->name()},
                    {"at", at},         {"decisions", s.decisions}, {"repeated", s.repeated},
                    {"known", s.known}, {"recorded", guards},       {"asserts", asserts},
                    {"guard", minimal}, {"outputs", outputs}}
                   .dump()
            << '\n';
}

void trace_command(Frame& frame, const TraceCommandArguments& args) {
  ModelRegistry registry;
  models::register_models(registry);
  if (args.list) return list_models(frame, registry);
  if (args.model.empty()) throw Failure{{"trace needs a MODEL; `dimgate trace --list` shows them"}};
  const Model& model = *need(registry.require(args.model));
  const std::vector<std::int64_t> values = values_at(model, args.at);
  TracedModel traced(model, frame.prover());
  traced.trace(values, args.facts);
  if (!traced.outcome.ok()) {
    Error error = traced.outcome.error;
    error.message += std::string(traced.outcome.kind == TraceOutcome::Kind::rejected ? "; rejected" : "; failed") +
                     " at " + values_text(model, values) + " (--at NAME=VALUE gives others)";
    throw Failure{std::move(error)};
  }
  if (frame.json)
    print_json(frame, traced, values);
  else
    print_text(frame, traced, values, args.program);
}

}  // namespace

void add_trace(CLI::App& app, Frame& frame) {
  auto args = std::make_shared<TraceCommandArguments>();
  CLI::App* sub = frame.command(app, "trace", "A model's shape program to guards and output shapes");
  sub->add_option("MODEL", args->model, "A built-in model");
  sub->add_option("--at", args->at,
                  "A dim's value to decide branches with (repeatable); others keep the model's example")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  add_facts_option(*sub, args->facts);
  sub->add_flag("--list", args->list, "The built-in models with their dims");
  sub->add_flag("--program", args->program, "Also the recorded operators with their shapes");
  sub->callback([&frame, args] { trace_command(frame, *args); });
}

}  // namespace dimgate::cli
