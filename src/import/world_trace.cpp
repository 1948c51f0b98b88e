#include "dimgate/world_trace.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "import/world_values.hpp"

namespace dimgate {

using detail::Fields;
using detail::WorldFault;
using detail::WorldJson;

namespace {

constexpr int kMaxDepth = 200;

/// Deepest nesting of brackets outside strings: what a recursive parser would need.
int nesting(std::string_view line) {
  int depth = 0, deepest = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      deepest = std::max(deepest, ++depth);
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return deepest;
}

/// Named values: replaced as a whole.
std::vector<NamedValue> named_values(const WorldJson& json, const std::string& where) {
  if (!json.is_object()) throw WorldFault{where + ": expected an object of values"};
  std::vector<NamedValue> out;
  for (const auto& [name, value] : json.items()) out.push_back({name, detail::world_value(value, where + "." + name)});
  return out;
}

/// Named values that add to or replace those of the same name.
void merge_values(const WorldJson& json, const std::string& where, std::vector<NamedValue>& into) {
  for (NamedValue& v : named_values(json, where)) {
    const auto it = std::ranges::find(into, v.name, &NamedValue::name);
    if (it == into.end())
      into.push_back(std::move(v));
    else
      it->value = std::move(v.value);
  }
}

void read_autocast(const WorldJson& json, GlobalState& state) {
  if (!json.is_object()) throw WorldFault{"state.autocast: expected an object by device"};
  for (const auto& [device, value] : json.items()) {
    auto it = std::ranges::find(state.autocast, device, &Autocast::device);
    if (it == state.autocast.end()) {
      state.autocast.push_back({device});
      it = state.autocast.end() - 1;
    }
    Fields f(value, "state.autocast." + device);
    if (const auto* j = f.find("enabled")) it->enabled = f.flag(*j, "enabled");
    if (const auto* j = f.find("dtype")) {
      const std::string name = f.text(*j, "dtype");
      it->dtype = name.find('.') == std::string::npos ? "torch." + name : name;
    }
    f.done("enabled, dtype");
  }
}

void read_state(const WorldJson& json, GlobalState& s) {
  Fields f(json, "state");
  const std::pair<const char*, bool*> flags[] = {{"grad_mode", &s.grad_mode},
                                                 {"inference_mode", &s.inference_mode},
                                                 {"autocast_cache", &s.autocast_cache},
                                                 {"deterministic", &s.deterministic},
                                                 {"deterministic_warn_only", &s.deterministic_warn_only},
                                                 {"allow_tf32", &s.tf32_matmul},
                                                 {"allow_tf32_cudnn", &s.tf32_cudnn},
                                                 {"allow_fp16_reduce", &s.fp16_reduction},
                                                 {"allow_bf16_reduce", &s.bf16_reduction}};
  for (const auto& [key, flag] : flags)
    if (const auto* j = f.find(key)) *flag = f.flag(*j, key);
  if (const auto* j = f.find("autocast")) read_autocast(*j, s);
  if (const auto* j = f.find("default_dtype")) s.default_dtype = f.text(*j, "default_dtype");
  if (const auto* j = f.find("default_device")) s.default_device = f.text(*j, "default_device");
  if (const auto* j = f.find("num_threads")) s.threads = f.number(*j, "num_threads");
  if (const auto* j = f.find("function_modes")) s.function_modes = f.texts(*j, "function_modes");
  f.done(
      "grad_mode, inference_mode, autocast, autocast_cache, deterministic, deterministic_warn_only, default_dtype, "
      "default_device, num_threads, allow_tf32, allow_tf32_cudnn, allow_fp16_reduce, allow_bf16_reduce, "
      "function_modes");
}

void read_environment(const WorldJson& json, World& world) {
  if (!json.is_object()) throw WorldFault{"env: expected an object of strings, null for a variable that is not set"};
  for (const auto& [name, value] : json.items()) {
    if (!value.is_string() && !value.is_null()) throw WorldFault{"env." + name + ": expected a string, or null"};
    const std::optional<std::string> text = value.is_null() ? std::nullopt : std::optional(value.get<std::string>());
    const auto it =
        std::ranges::find(world.environment, name, &std::pair<std::string, std::optional<std::string>>::first);
    if (it == world.environment.end())
      world.environment.emplace_back(name, text);
    else
      it->second = text;
  }
}

void read_call(const WorldJson& json, World& world) {
  Fields f(json, "call");
  if (const auto* j = f.find("args")) world.arguments = named_values(*j, "args");
  if (const auto* j = f.find("closure")) merge_values(*j, "closure", world.closure);
  if (const auto* j = f.find("globals")) merge_values(*j, "globals", world.module_globals);
  if (const auto* j = f.find("state")) read_state(*j, world.state);
  if (const auto* j = f.find("env")) read_environment(*j, world);
  if (const auto* j = f.find("code")) world.code = f.text(*j, "code");
  if (const auto* j = f.find("caller")) world.caller = f.text(*j, "caller");
  f.done("args, closure, globals, state, env, code, caller");
}

WorldTraceHeader read_header(const WorldJson& json) {
  Fields f(json, "header");
  const auto* version = f.find("dimgate_world");
  if (version == nullptr) f.fault("expected \"dimgate_world\": 1, the version of the format");
  if (const std::int64_t v = f.number(*version, "dimgate_world"); v != 1)
    f.fault("version " + std::to_string(v) + " is not known; this program reads version 1");
  WorldTraceHeader out;
  if (const auto* j = f.find("frame")) out.frame = f.text(*j, "frame");
  if (const auto* j = f.find("uses")) out.uses = f.texts(*j, "uses");
  if (const auto* j = f.find("bakes")) out.bakes = f.texts(*j, "bakes");
  if (const auto* j = f.find("branches")) out.branches = f.texts(*j, "branches");
  f.done("dimgate_world, frame, uses, bakes, branches");
  return out;
}

}  // namespace

struct WorldTraceReader::Impl {
  std::string file;
  std::unique_ptr<std::istream> in;
  unsigned line = 0;
  WorldTraceHeader header;

  [[nodiscard]] Error error(std::string message) const { return {std::move(message), file, line, 0}; }

  /// The next line that is not blank; false at the end.
  Result<bool> json(WorldJson& out) {
    std::string text;
    while (std::getline(*in, text)) {
      ++line;
      if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
      if (nesting(text) > kMaxDepth) return error("more than " + std::to_string(kMaxDepth) + " levels of nesting");
      try {
        out = WorldJson::parse(text);
      } catch (const WorldJson::exception& e) {
        std::string what = e.what();
        if (const std::size_t at = what.find("] "); at != std::string::npos) what = what.substr(at + 2);
        std::ranges::replace(what, '\n', ' ');
        return error("not a JSON object: " + what);
      }
      return true;
    }
    return false;
  }
};

WorldTraceReader::WorldTraceReader(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
WorldTraceReader::~WorldTraceReader() = default;
WorldTraceReader::WorldTraceReader(WorldTraceReader&&) noexcept = default;
WorldTraceReader& WorldTraceReader::operator=(WorldTraceReader&&) noexcept = default;

namespace {

/// Runs `read` and gives its fault a place.
template <class F, class E>
std::optional<Error> guarded(const F& read, const E& error) {
  try {
    read();
    return std::nullopt;
  } catch (const WorldFault& fault) {
    return error(fault.message);
  }
}

}  // namespace

Result<WorldTraceReader> WorldTraceReader::begin(std::unique_ptr<std::istream> in, std::string file) {
  auto impl = std::make_unique<Impl>();
  impl->file = std::move(file);
  impl->in = std::move(in);
  WorldTraceReader out(std::move(impl));
  WorldJson json;
  Result<bool> first = out.impl_->json(json);
  if (!first) return first.error();
  if (!*first) return out.impl_->error("empty world trace: the first line is {\"dimgate_world\": 1, ...}");
  const auto error = guarded([&] { out.impl_->header = read_header(json); },
                             [&](const std::string& m) { return out.impl_->error(m); });
  if (error) return *error;
  return out;
}

Result<WorldTraceReader> WorldTraceReader::from_text(std::string text, std::string file) {
  return begin(std::make_unique<std::istringstream>(std::move(text)), std::move(file));
}

Result<WorldTraceReader> WorldTraceReader::open(const std::string& path) {
  auto in = std::make_unique<std::ifstream>(path, std::ios::binary);
  if (!*in) return Error{"cannot read the file", path};
  return begin(std::move(in), path);
}

const WorldTraceHeader& WorldTraceReader::header() const noexcept { return impl_->header; }
unsigned WorldTraceReader::line() const noexcept { return impl_->line; }
const std::string& WorldTraceReader::file() const noexcept { return impl_->file; }

Result<bool> WorldTraceReader::next(World& world) {
  WorldJson json;
  Result<bool> more = impl_->json(json);
  if (!more || !*more) return more;
  const auto error = guarded([&] { read_call(json, world); }, [&](const std::string& m) { return impl_->error(m); });
  if (error) return *error;
  return true;
}

}  // namespace dimgate
