#include "mini_dynamo.hpp"

#include <algorithm>
#include <iomanip>
#include <ostream>
#include <sstream>

#include "dimgate/compile.hpp"
#include "dimgate/guard_builder.hpp"
#include "dimgate/guard_text.hpp"

namespace dimgate::demo {

namespace {

std::string code_name(const TensorDescription& x, bool symbolic_last) {
  std::string out = "opt_(";
  for (std::size_t i = 0; i < x.sizes.size(); ++i) {
    const bool symbol = symbolic_last && i + 1 == x.sizes.size();
    out += (i > 0 ? ", " : "") + (symbol ? std::string("s0") : std::to_string(x.sizes[i]));
  }
  return out + ")_" + x.device + "_" + x.dtype.substr(x.dtype.find('.') + 1);
}

World world_of(const TensorDescription& x) {
  World w;
  w.arguments = {{"x", WorldValue::of(x)}};
  return w;
}

}  // namespace

struct MiniDynamo::Impl final : MissHandler {
  explicit Impl(MiniOptions o) : options(std::move(o)) {
    CacheOptions limits;
    limits.max_entries = options.slots;
    limits.on_limit = OnLimit::evict;
    cache = std::make_unique<Cache>(*this, limits);
    reader = std::make_unique<CacheReader>(*cache);
  }

  /// A picture of the attributes, as guards; the code is called by them.
  MissAnswer miss(const Miss& miss) override {
    if (!guards.empty()) explain(miss.inputs);
    BuilderOptions how;
    const Layout& slots = layout.layout();
    const std::size_t rank = call.sizes.size();
    how.symbolic = [&](SlotIndex s) {
      const Source& source = slots[s].source;
      return options.symbolic_last && source.property == Property::size && source.index + 1 == rank;
    };
    GuardBuilder builder(ctx, layout, miss.inputs, how);
    for (const std::string& attribute : options.required) {
      if (attribute != "shape") {
        if (Status used = builder.used("L['x']." + attribute); !used) return MissAnswer::fail(used.error().message);
        continue;
      }
      for (std::size_t i = 0; i < rank; ++i)
        if (Status used = builder.used("L['x'].size()[" + std::to_string(i) + "]"); !used)
          return MissAnswer::fail(used.error().message);
    }
    Result<GuardSet> set = builder.build();
    if (!set) return MissAnswer::fail(set.error().message);
    guards = std::move(*set);
    std::vector<Expr> formulas;
    NewEntry entry;
    for (const Guard& g : guards.all()) {
      formulas.push_back(g.formula);
      entry.guard_texts.push_back(g.reason);
    }
    Result<Program> program = compile(ctx, formulas, slots);
    if (!program) return MissAnswer::fail(program.error().message);
    entry.program = std::move(*program);
    entry.label = code_name(call, options.symbolic_last);
    entry.artifact = std::make_shared<Artifact>(Artifact{entry.label, nullptr, 0, entry.label});
    return MissAnswer::compile(std::move(entry));
  }

  void explain(SnapshotView at) {
    for (const Guard& g : guards.all()) {
      const GuardFailure f = explain_failure(ctx, g, layout.layout(), at);
      if (f.text.empty()) continue;
      why = f.whole.empty() ? f.text : f.whole;
      return;
    }
  }

  MiniOptions options;
  Context ctx;
  WorldLayout layout;
  GuardSet guards;  // of the newest entry
  TensorDescription call;
  std::string why;
  std::unique_ptr<Cache> cache;
  std::unique_ptr<CacheReader> reader;
};

MiniDynamo::MiniDynamo(MiniOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
MiniDynamo::~MiniDynamo() = default;
const std::string& MiniDynamo::why() const { return impl_->why; }
CacheStatistics MiniDynamo::statistics() const { return impl_->cache->statistics(); }

std::string MiniDynamo::forward(const TensorDescription& x) {
  impl_->call = x;
  impl_->why.clear();
  const World world = world_of(x);
  impl_->layout.extend(world);
  const Cache::Answer answer = impl_->reader->lookup(observe(impl_->layout, world));
  if (answer.entry() == nullptr) return "ERROR -> " + answer.reason();
  return (answer.outcome() == Outcome::hit ? "CACHE_HIT -> " : "RECOMPILE -> ") + answer.entry()->label;
}

void run_simulation(MiniDynamo& engine, std::span<const TensorDescription> stream, std::ostream& out) {
  for (std::size_t i = 0; i < stream.size(); ++i) out << '[' << i << "] " << engine.forward(stream[i]) << '\n';
  const CacheStatistics s = engine.statistics();
  std::ostringstream rate;
  rate << std::fixed << std::setprecision(2)
       << (s.calls() == 0 ? 0.0 : 100.0 * static_cast<double>(s.hits) / static_cast<double>(s.calls()));
  out << "hit_rate = " << rate.str() << "%\n";
}

namespace {
TensorDescription tensor(std::vector<std::int64_t> sizes, std::string device) {
  TensorDescription t;
  t.sizes = std::move(sizes);
  t.device = std::move(device);
  return t;
}

void say_counts(const CacheStatistics& s, std::ostream& out) {
  const auto many = [](std::uint64_t n, const std::string& what) {
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
  };
  out << many(s.compiles - s.recompiles, "compile") << ", " << many(s.recompiles, "recompile") << ", "
      << many(s.hits, "hit") << "\n\n";
}

bool is(const CacheStatistics& s, std::uint64_t compiles, std::uint64_t recompiles, std::uint64_t hits) {
  return s.compiles == compiles && s.recompiles == recompiles && s.hits == hits;
}
}  // namespace

std::vector<TensorDescription> article_stream() {
  return {tensor({2, 3}, "cuda"), tensor({2, 3}, "cuda"), tensor({2, 4}, "cuda"),
          tensor({2, 4}, "cuda"), tensor({2, 4}, "cpu"),  tensor({2, 4}, "cpu")};
}

bool run_demo(std::ostream& out) {
  bool right = true;
  const std::vector<TensorDescription> six = article_stream();
  {
    out << "MiniDynamo: one slot, the picture is shape, device and dtype\n";
    MiniDynamo engine;
    run_simulation(engine, six, out);
    say_counts(engine.statistics(), out);
    right = right && is(engine.statistics(), 3, 2, 3);
  }
  {
    out << "Why it recompiles\n";
    MiniDynamo engine;
    for (std::size_t i = 0; i < six.size(); ++i) {
      engine.forward(six[i]);
      if (!engine.why().empty()) out << '[' << i << "] " << engine.why() << '\n';
    }
    out << '\n';
  }
  {
    out << "The last size a symbol: a rule in place of remembered shapes\n";
    MiniOptions options;
    options.symbolic_last = true;
    MiniDynamo engine(options);
    run_simulation(engine, six, out);
    say_counts(engine.statistics(), out);
    right = right && is(engine.statistics(), 2, 1, 4);
  }
  const std::vector<TensorDescription> back{tensor({2, 3}, "cuda"), tensor({2, 4}, "cuda"), tensor({2, 3}, "cuda")};
  {
    out << "There and back, one slot\n";
    MiniDynamo engine;
    run_simulation(engine, back, out);
    say_counts(engine.statistics(), out);
    right = right && is(engine.statistics(), 3, 2, 0);
  }
  {
    out << "There and back, a cache\n";
    MiniOptions options;
    options.slots = 50;
    MiniDynamo engine(options);
    run_simulation(engine, back, out);
    say_counts(engine.statistics(), out);
    right = right && is(engine.statistics(), 2, 1, 1);
  }
  return right;
}

}  // namespace dimgate::demo
