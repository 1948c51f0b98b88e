// Every kind of guard: its words, where it holds, where it fails and what is said then, and that what is missing fails.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>

#include "dimgate/compile_tree.hpp"
#include "dimgate/guard_builder.hpp"
#include "dimgate/guard_kinds.hpp"
#include "dimgate/guard_text.hpp"
#include "guard/worlds.hpp"

using namespace dimgate;
using namespace dimgate::testing;
using Strings = std::vector<std::string>;
using Sizes = std::vector<std::optional<std::int64_t>>;

namespace {

using Change = std::function<void(World&)>;

struct Case {
  Guard guard;
  const char* says;
  GuardKind kind;
  Change breaks;
  const char* text;  // of the failure
  Change removes;    // leaves a slot out; null: the slot is always there
  const char* whole = "";
};

/// The verdict of every engine at the world; they must agree.
bool holds(Context& ctx, const WorldLayout& layout, const Guard& g, const World& w) {
  const Snapshot at = observe(layout, w);
  const bool reference = value_at(ctx, g.formula, layout.layout(), at).is_true();
  const auto program = compile(ctx, std::span(&g.formula, 1), layout.layout());
  REQUIRE(program.ok());
  CHECK((program->check(at) == kPass) == reference);
  const auto tree = compile_tree(ctx, std::span(&g.formula, 1), layout.layout());
  REQUIRE(tree.ok());
  WorldReader reader(layout);
  reader.bind(w);
  LazySnapshot lazy(layout.layout());
  lazy.begin(reader);
  CHECK((tree->check(lazy) == kPass) == reference);
  return reference;
}

void drop(World& w, std::string_view name) {
  std::erase_if(w.arguments, [&](const NamedValue& v) { return v.name == name; });
}
Change without(std::string name) {
  return [name](World& w) { drop(w, name); };
}
Change on_x(std::function<void(TensorDescription&)> f) {
  return [f](World& w) { f(tensor_of(w, "x")); };
}

}  // namespace

TEST_CASE("every kind: words, verdicts, failure texts, and missing slots fail closed") {
  Context ctx;
  World good = world();
  WorldLayout layout;
  {
    // Slots of what the broken worlds have besides.
    World more = good;
    tensor_of(more, "x").sizes = {4, 5, 6};
    more.arguments.push_back({"z", WorldValue::of(tensor({2}))});
    tensor_of(more, "y").storage = "s1";
    argument(more, "d") = WorldValue::dict({{"c", WorldValue::none()}});
    argument(more, "self") = WorldValue::object("Net", {{"extra", WorldValue::none()}});
    layout.extend(good);
    layout.extend(more);
  }
  const std::string x = "L['x']", y = "L['y']";
  const Strings xy{x, y}, halves{"torch.float16", "torch.float32"}, keys{"'a'", "'b'"}, words{"fast", "slow"},
      modes{"Counter"};
  const Sizes s23{2, 3}, strides{3, 1};
  const std::vector<std::vector<std::int64_t>> accepted{{2, 3}, {2, 4}, {2, 5}};
  const std::vector<std::int64_t> numbers{4, 5};
  const auto grad = [](bool GlobalState::* flag) { return [flag](World& w) { w.state.*flag = !(w.state.*flag); }; };

  const std::vector<Case> cases{
      {guards::shape(ctx, x, s23), "shape of x is (2, 3)", GuardKind::shape, on_x([](auto& t) { t.sizes = {4, 5}; }),
       "tensor 'x' size mismatch at index 0. expected 2, actual 4", on_x([](auto& t) { t.sizes = {2}; }),
       "shape guard failed on x: expected (2, 3), got (4, 5)"},
      {guards::shape_in(ctx, x, accepted), "shape of x is one of (2, 3), (2, 4), (2, 5)", GuardKind::shape,
       on_x([](auto& t) { t.sizes = {2, 6}; }), nullptr, without("x")},
      {guards::rank(ctx, x, 2), "rank of x is 2", GuardKind::rank, on_x([](auto& t) { t.sizes = {2, 3, 1}; }),
       "tensor 'x' rank mismatch. expected 2, actual 3", without("x")},
      {guards::stride(ctx, x, strides), "strides of x is (3, 1)", GuardKind::stride,
       on_x([](auto& t) { t.strides = {1, 2}; }), "tensor 'x' stride mismatch at index 0. expected 3, actual 1",
       without("x"), "stride guard failed on x: expected (3, 1), got (1, 2)"},
      {guards::contiguous(ctx, x, 2), "x is contiguous", GuardKind::contiguity,
       on_x([](auto& t) { t.strides = {1, 2}; }), nullptr, without("x")},
      {guards::storage_offset(ctx, x, 0), "storage offset of x is 0", GuardKind::storage_offset,
       on_x([](auto& t) { t.storage_offset = 1; }), "x.storage_offset(): expected 0, actual 1", without("x")},
      {guards::aligned(ctx, x, 8), "storage offset of x is a multiple of 8", GuardKind::storage_offset,
       on_x([](auto& t) { t.storage_offset = 12; }), nullptr, without("x")},
      {guards::dtype(ctx, x, "torch.float32"), "dtype of x is torch.float32", GuardKind::dtype,
       on_x([](auto& t) { t.dtype = "torch.float16"; }), "tensor 'x' dtype mismatch. expected Float, actual Half",
       without("x")},
      {guards::dtype_in(ctx, x, halves), "dtype of x is one of torch.float16, torch.float32", GuardKind::dtype,
       on_x([](auto& t) { t.dtype = "torch.int64"; }), nullptr, without("x")},
      {guards::device(ctx, x, "cuda:0"), "x is on cuda:0", GuardKind::device,
       on_x([](auto& t) { t.device = "cuda:1"; }),
       "tensor 'x' Tensor device index mismatch. Expected device index to be 0, actual 1", without("x")},
      {guards::device(ctx, x, "cuda:0"), "x is on cuda:0", GuardKind::device, on_x([](auto& t) { t.device = "cpu"; }),
       "tensor 'x' device mismatch. expected cuda:0, actual cpu", without("x")},
      {guards::device_type(ctx, x, "cuda"), "x is on a cuda device", GuardKind::device,
       on_x([](auto& t) { t.device = "cpu"; }), "x.device.type: expected 'cuda', actual 'cpu'", without("x")},
      {guards::requires_grad(ctx, x, false), "x does not require grad", GuardKind::requires_grad,
       on_x([](auto& t) { t.requires_grad = true; }), "tensor 'x' requires_grad mismatch. expected requires_grad=0",
       without("x")},
      {guards::layout(ctx, x, "torch.strided"), "layout of x is torch.strided", GuardKind::layout,
       on_x([](auto& t) { t.layout = "torch.sparse_coo"; }),
       "x.layout: expected torch.strided, actual torch.sparse_coo", without("x")},
      {guards::storage(ctx, x, "s1"), "x lies in s1", GuardKind::storage, on_x([](auto& t) { t.storage = "s2"; }),
       "storage(L['x']): expected 's1', actual 's2'", without("x")},
      {guards::storage_bytes_at_least(ctx, x, 24), "storage of x has at least 24 bytes", GuardKind::storage,
       on_x([](auto& t) { t.storage_bytes = 8; }), nullptr, on_x([](auto& t) { t.storage_bytes.reset(); })},
      {guards::no_aliasing(ctx, xy), "x, y share no storage", GuardKind::aliasing,
       [](World& w) { tensor_of(w, "y").storage = "s1"; },
       "Duplicate tensor found where not expected! x should not alias to anything, but is aliased to y", without("y")},
      {guards::distinct_objects(ctx, xy), "x, y are different objects", GuardKind::aliasing,
       [](World& w) { argument(w, "y").identity = "x 1"; },
       "Duplicate tensor found where not expected! x should not alias to anything, but is aliased to y",
       [](World& w) { argument(w, "y").identity.clear(); }},
      {guards::no_overlap(ctx, x, y), "x and y do not overlap", GuardKind::overlap,
       [](World& w) { tensor_of(w, "y").storage = "s1"; }, "___overlap(L['x'], L['y']): expected False, actual True",
       without("y")},
      {guards::ranges_apart(ctx, x, 2, y, 2), "the ranges of x and y are apart", GuardKind::overlap, nullptr, nullptr,
       without("y")},
      {guards::data_at_most(ctx, x, "max", 8), "x.max() is at most 8", GuardKind::data,
       on_x([](auto& t) { t.data = {{"max", 9}}; }), nullptr, on_x([](auto& t) { t.data.clear(); })},
      {guards::data_equals(ctx, x, "max", 7), "x.max() is 7", GuardKind::data,
       on_x([](auto& t) { t.data = {{"max", 9}}; }), "x.max(): expected 7, actual 9",
       on_x([](auto& t) { t.data.clear(); })},
      {guards::type(ctx, x, "Tensor"), "type of x is Tensor", GuardKind::type,
       [](World& w) { argument(w, "x").type = "Parameter"; },
       "expected type of 'x' to be a tensor type, ' but found <class 'Parameter'>", without("x")},
      {guards::type(ctx, "L['n']", "int"), "type of n is int", GuardKind::type,
       [](World& w) { argument(w, "n") = WorldValue::of(1.5); }, "expected type of 'n' to be int, actual float",
       without("n")},
      {guards::identity(ctx, "L['self']", "net 1"), "self is net 1", GuardKind::identity,
       [](World& w) { argument(w, "self").identity = "net 2"; }, "id(L['self']): expected 'net 1', actual 'net 2'",
       [](World& w) { argument(w, "self").identity.clear(); }},
      {guards::is_none(ctx, "L['none']"), "none is None", GuardKind::type,
       [](World& w) { argument(w, "none") = WorldValue::of(true); },
       "expected type of 'none' to be NoneType, actual bool", without("none")},
      {guards::is_not_none(ctx, x), "x is not None", GuardKind::type,
       [](World& w) { argument(w, "x") = WorldValue::none(); }, nullptr, without("x")},
      {guards::equals(ctx, "L['n']", std::int64_t{5}), "n is 5", GuardKind::value,
       [](World& w) { argument(w, "n").integer = 6; }, "n: expected 5, actual 6",
       [](World& w) { argument(w, "n").integer.reset(); }},
      {guards::equals(ctx, "L['flag']", true), "flag is True", GuardKind::value,
       [](World& w) { argument(w, "flag").boolean = false; }, "flag: expected True, actual False", without("flag")},
      {guards::equals_text(ctx, "L['mode']", "fast"), "mode is 'fast'", GuardKind::value,
       [](World& w) { argument(w, "mode").text = "None"; }, "mode: expected 'fast', actual 'None'", without("mode")},
      {guards::same_float(ctx, "L['lr']", -0.0), "lr is -0.0, bit for bit", GuardKind::value,
       [](World& w) { argument(w, "lr").floating = 0.0; }, "lr: expected -0.0, actual 0.0", without("lr")},
      {guards::same_float(ctx, "L['bad']", std::numeric_limits<double>::quiet_NaN()), "bad is nan, bit for bit",
       GuardKind::value, [](World& w) { argument(w, "bad").floating = 1.0; }, "bad: expected nan, actual 1.0",
       without("bad")},
      {guards::is_nan(ctx, "L['lr']", false), "lr is not a NaN", GuardKind::value,
       [](World& w) { argument(w, "lr").floating = std::numeric_limits<double>::quiet_NaN(); }, nullptr, without("lr")},
      {guards::one_of(ctx, "L['n']", numbers), "n is one of {4, 5}", GuardKind::membership,
       [](World& w) { argument(w, "n").integer = 6; }, nullptr, without("n")},
      {guards::one_of(ctx, "L['mode']", words), "mode is one of {'fast', 'slow'}", GuardKind::membership,
       [](World& w) { argument(w, "mode").text = "off"; }, nullptr, without("mode")},
      {guards::length(ctx, "L['xs']", 2), "length of xs is 2", GuardKind::length,
       [](World& w) { argument(w, "xs").items.pop_back(); }, "len(L['xs']): expected 2, actual 1", without("xs")},
      {guards::length_at_least(ctx, "L['xs']", 2), "length of xs is at least 2", GuardKind::length,
       [](World& w) { argument(w, "xs").items.pop_back(); }, nullptr, without("xs")},
      {guards::has_key(ctx, "L['d']", "'a'"), "d has the key 'a'", GuardKind::keys,
       [](World& w) { argument(w, "d") = WorldValue::dict({}); },
       "___dict_contains('a', L['d']): expected True, actual False", without("d")},
      {guards::lacks_key(ctx, "L['d']", "'c'"), "d has no key 'c'", GuardKind::keys,
       [](World& w) { argument(w, "d") = WorldValue::dict({{"c", WorldValue::none()}}); },
       "___dict_contains('c', L['d']): expected False, actual True", without("d")},
      {guards::key_order(ctx, "L['d']", keys), "keys of d are ['a', 'b'] in this order", GuardKind::key_order,
       [](World& w) { std::swap(argument(w, "d").names[0], argument(w, "d").names[1]); },
       "list(L['d'].keys()): expected ['a', 'b'], actual ['b', 'a']", without("d")},
      {guards::version(ctx, "L['d']", 4), "d has not changed since version 4", GuardKind::version,
       [](World& w) { argument(w, "d").version = 5; }, "___dict_version(L['d']): expected 4, actual 5",
       [](World& w) { argument(w, "d").version.reset(); }},
      {guards::has_attribute(ctx, "L['self']", "step"), "self has the attribute step", GuardKind::attribute,
       [](World& w) { argument(w, "self") = WorldValue::object("Net", {}); },
       "hasattr(L['self'], 'step'): expected True, actual False", without("self")},
      {guards::lacks_attribute(ctx, "L['self']", "extra"), "self has no attribute extra", GuardKind::attribute,
       [](World& w) { argument(w, "self") = WorldValue::object("Net", {{"extra", WorldValue::none()}}); },
       "hasattr(L['self'], 'extra'): expected False, actual True", without("self")},
      {guards::code(ctx, "train_step"), "the code is train_step", GuardKind::code,
       [](World& w) { w.code = "eval_step"; }, "frame.code: expected 'train_step', actual 'eval_step'", nullptr},
      {guards::caller(ctx, "loop"), "called from loop", GuardKind::caller, [](World& w) { w.caller = "script"; },
       "frame.caller: expected 'loop', actual 'script'", nullptr},
      {guards::flag(ctx, "grad_mode", true), "grad_mode is on", GuardKind::grad_mode, grad(&GlobalState::grad_mode),
       "GLOBAL_STATE changed: grad_mode (expected True, actual False)", nullptr},
      {guards::flag(ctx, "inference_mode", false), "inference_mode is off", GuardKind::inference_mode,
       grad(&GlobalState::inference_mode), "inference_mode: expected False, actual True", nullptr},
      {guards::flag(ctx, "autocast_cache", true), "autocast_cache is on", GuardKind::autocast,
       grad(&GlobalState::autocast_cache), "GLOBAL_STATE changed: autocast_cache_enabled (expected True, actual False)",
       nullptr},
      {guards::flag(ctx, "autocast['cuda']", true), "autocast['cuda'] is on", GuardKind::autocast,
       [](World& w) { w.state.autocast[0].enabled = false; },
       "GLOBAL_STATE changed: autocast(cuda)_enabled (expected True, actual False)", nullptr},
      {guards::setting(ctx, "autocast['cuda'].dtype", "torch.bfloat16"), "autocast['cuda'].dtype is torch.bfloat16",
       GuardKind::autocast, [](World& w) { w.state.autocast[0].dtype = "torch.float16"; },
       "GLOBAL_STATE changed: autocast(cuda)_dtype (expected torch.bfloat16, actual torch.float16)",
       [](World& w) { w.state.autocast.clear(); }},
      {guards::flag(ctx, "deterministic", false), "deterministic is off", GuardKind::deterministic,
       grad(&GlobalState::deterministic),
       "GLOBAL_STATE changed: deterministic_algorithms (expected False, actual True)", nullptr},
      {guards::flag(ctx, "deterministic_warn_only", false), "deterministic_warn_only is off", GuardKind::deterministic,
       grad(&GlobalState::deterministic_warn_only),
       "GLOBAL_STATE changed: deterministic_algorithms_warn_only (expected False, actual True)", nullptr},
      {guards::setting(ctx, "default_dtype", "torch.float32"), "default_dtype is torch.float32",
       GuardKind::default_dtype, [](World& w) { w.state.default_dtype = "torch.float64"; },
       "GLOBAL_STATE changed: default_dtype (expected torch.float32, actual torch.float64)", nullptr},
      {guards::setting(ctx, "default_device", "cpu"), "default_device is cpu", GuardKind::default_device,
       [](World& w) { w.state.default_device = "cuda:0"; }, "default_device: expected 'cpu', actual 'cuda:0'", nullptr},
      {guards::threads(ctx, 1), "there are 1 threads", GuardKind::threads, [](World& w) { w.state.threads = 8; },
       "GLOBAL_STATE changed: num_threads (expected 1, actual 8)", nullptr},
      {guards::flag(ctx, "allow_tf32", false), "allow_tf32 is off", GuardKind::precision,
       grad(&GlobalState::tf32_matmul), "GLOBAL_STATE changed: allow_tf32 (expected False, actual True)", nullptr},
      {guards::flag(ctx, "allow_tf32_cudnn", true), "allow_tf32_cudnn is on", GuardKind::precision,
       grad(&GlobalState::tf32_cudnn), "allow_tf32_cudnn: expected True, actual False", nullptr},
      {guards::flag(ctx, "allow_fp16_reduce", true), "allow_fp16_reduce is on", GuardKind::precision,
       grad(&GlobalState::fp16_reduction), "GLOBAL_STATE changed: allow_fp16_reduce (expected True, actual False)",
       nullptr},
      {guards::flag(ctx, "allow_bf16_reduce", true), "allow_bf16_reduce is on", GuardKind::precision,
       grad(&GlobalState::bf16_reduction), "GLOBAL_STATE changed: allow_bf16_reduce (expected True, actual False)",
       nullptr},
      {guards::function_modes(ctx, modes), "the stack of function modes is ['Counter']", GuardKind::function_modes,
       [](World& w) { w.state.function_modes.clear(); }, "function_modes: expected ['Counter'], actual []", nullptr},
      {guards::environment(ctx, "DEBUG", "1"), "environment variable DEBUG is '1'", GuardKind::environment,
       [](World& w) { w.environment[0].second = "2"; }, "environ['DEBUG']: expected '1', actual '2'",
       [](World& w) { w.environment.clear(); }},
      {guards::environment_unset(ctx, "TRACE"), "environment variable TRACE is not set", GuardKind::environment,
       [](World& w) { w.environment[1].second = "on"; },
       "___dict_contains('TRACE', environ): expected False, actual True", [](World& w) { w.environment.clear(); }},
  };
  World apart = good;  // the one relation that the first world does not satisfy
  // Every kind there is has a case here, but for those of the next test, and `flag`, which is for flags of front ends.
  std::string missing;
  for (unsigned k = 0; k <= static_cast<unsigned>(GuardKind::version); ++k)
    if (std::ranges::none_of(cases, [&](const Case& c) { return c.kind == static_cast<GuardKind>(k); }))
      missing += std::string(to_string(static_cast<GuardKind>(k))) + " ";
  CHECK(missing == "closure module_global flag ");
  for (const Case& c : cases) {
    CAPTURE(c.guard.reason);
    CHECK(c.guard.reason == c.says);
    CHECK(c.guard.kind == c.kind);
    if (c.guard.reason == "the ranges of x and y are apart") {
      CHECK(!holds(ctx, layout, c.guard, good));  // both start at 0
      tensor_of(apart, "y").storage_offset = 6;
      CHECK(holds(ctx, layout, c.guard, apart));
      tensor_of(apart, "y").strides = {-1, 1};  // conservative
      CHECK(!holds(ctx, layout, c.guard, apart));
    } else {
      CHECK(holds(ctx, layout, c.guard, good));
      CHECK(explain_failure(ctx, c.guard, layout.layout(), observe(layout, good)).text.empty());
    }
    if (c.breaks) {
      World bad = good;
      c.breaks(bad);
      CHECK(!holds(ctx, layout, c.guard, bad));
      const GuardFailure f = explain_failure(ctx, c.guard, layout.layout(), observe(layout, bad));
      if (c.text != nullptr)
        CHECK(f.text == c.text);
      else
        CHECK(f.text.find(": false, actual ") != std::string::npos);
      CHECK(f.whole == c.whole);
      CHECK(!f.undefined);
    }
    if (c.removes) {
      World less = good;
      c.removes(less);
      CHECK(!holds(ctx, layout, c.guard, less));
      const GuardFailure f = explain_failure(ctx, c.guard, layout.layout(), observe(layout, less));
      CHECK(f.undefined);
      CHECK((f.text.find("missing") != std::string::npos));
      // Neither does the negation hold: what is missing is not false either.
      Guard negated = c.guard;
      negated.formula = ctx.make(Op::Not, {c.guard.formula});
      if (!c.guard.formula.is(Op::And)) CHECK(!holds(ctx, layout, negated, less));
    }
  }
}

TEST_CASE("closure cells, module globals and attributes are guarded under their own kinds, from what was used") {
  Context ctx;
  const World w = world();
  WorldLayout layout;
  layout.extend(w);
  GuardBuilder builder(ctx, layout, observe(layout, w));
  for (const char* path : {"C['scale']", "G['DEBUG']", "L['self'].step"}) REQUIRE(builder.used(path).ok());
  const Result<GuardSet> set = builder.build();
  REQUIRE(set.ok());
  std::string kinds;
  for (const Guard& g : set->all()) kinds += std::string(to_string(g.kind)) + " ";
  CHECK(kinds == "type closure type module_global type attribute type attribute ");
  World changed = w;
  changed.closure[0].value.floating = 3;
  changed.module_globals[0].value.boolean = true;
  argument(changed, "self").items[0].integer = 4;
  std::string said;
  for (const Guard& g : set->all()) {
    CHECK(holds(ctx, layout, g, w));
    said += explain_failure(ctx, g, layout.layout(), observe(layout, changed)).text + "|";
  }
  CHECK(said ==
        "|C['scale']: expected 2.0, actual 3.0||G['DEBUG']: expected False, actual True||||"
        "self.step: expected 3, actual 4|");
  World gone = w;
  gone.closure.clear();
  gone.module_globals.clear();
  argument(gone, "self") = WorldValue::object("Net", {});
  for (const std::size_t g : {1U, 3U, 7U}) CHECK(!holds(ctx, layout, (*set)[g], gone));
}

TEST_CASE("alignment by zero is undefined, so it never holds; nor does its negation") {
  Context ctx;
  World w = world();
  WorldLayout layout;
  layout.extend(w);
  Guard g = guards::aligned(ctx, "L['x']", 0);
  CHECK(!holds(ctx, layout, g, w));
  const GuardFailure f = explain_failure(ctx, g, layout.layout(), observe(layout, w));
  CHECK(f.undefined);
  CHECK(f.text == "L['x'].storage_offset() % 0 == 0: undefined, actual x.storage_offset() = 0");
  g.formula = ctx.make(Op::Not, {g.formula});
  CHECK(!holds(ctx, layout, g, w));
}

TEST_CASE("contiguity is PyTorch's: sizes of 1 have any stride, an empty tensor is contiguous, scalars are") {
  Context ctx;
  World w = world();
  tensor_of(w, "x").sizes = {2, 1, 3};
  WorldLayout layout;
  layout.extend(w);
  const Guard g = guards::contiguous(ctx, "L['x']", 3);
  const auto with = [&](std::vector<std::int64_t> sizes, std::vector<std::int64_t> strides) {
    World v = w;
    tensor_of(v, "x").sizes = std::move(sizes);
    tensor_of(v, "x").strides = std::move(strides);
    return holds(ctx, layout, g, v);
  };
  CHECK(with({2, 1, 3}, {3, 77, 1}));
  CHECK(!with({2, 2, 3}, {6, 77, 1}));
  CHECK(with({2, 0, 3}, {5, 77, 9}));
  CHECK(!with({2, 3}, {3, 1}));  // of another rank
  const Guard scalar = guards::contiguous(ctx, "L['y']", 0);
  World v = w;
  tensor_of(v, "y").sizes = {};
  CHECK(holds(ctx, layout, scalar, v));
}

TEST_CASE("paths are shown as people name them") {
  CHECK(guards::display("L['x']") == "x");
  CHECK(guards::display("L['d']['k'].size()[0]") == "d['k'].size()[0]");
  CHECK(guards::display("G['x']") == "G['x']");
  CHECK(guards::display("L['x") == "L['x");
  CHECK(guards::display("") == "");
}
