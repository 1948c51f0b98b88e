// Which failed guard tells what changed, with what the log said before.
//
// A call that is compiled again differs from *every* entry. Each entry names only the first of its guards that failed,
// and PyTorch checks first what failed most often, so a guard named first may be about something that the call shares
// with another entry: then it is not what changed. For each guard named, the other entries are asked whether they
// differ from the call in it, as far as the log shows: they name it too; they were compiled for another value, or the
// same; they fail later checks, so they passed this one; their compile failed it as well. The guard that fewest entries
// share with the call, and most differ in, tells what changed; else the order of checks decides (weigh.cpp).
//
// Memory: 4096 functions, 64 entries of each, 128 values an entry. Tested by tests/explain.
#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "dimgate/explain.hpp"
#include "dimgate/expr.hpp"
#include "explain/function_table.hpp"
#include "explain/tensor_guard.hpp"
#include "explain/weigh.hpp"
#include "import/log_text.hpp"

namespace dimgate {

namespace {

using explain::plain_id;
using explain::plain_source;

constexpr std::size_t kFunctions = 4096;
constexpr std::size_t kEntries = 64;
constexpr std::size_t kValues = 128;
constexpr std::size_t kReasons = 64;  // of one recompile that are weighed against each other
constexpr std::size_t kLongest = 512;

/// What a guard looks at, and the value it wants there.
struct Feature {
  std::string key, value;
  bool two_valued = false;  // whoever fails it is on the same side
  bool formula = false;
};

Feature feature_of(const FailedGuard& reason) {
  const Cause& cause = reason.cause;
  const std::string source = plain_source(cause.source).substr(0, kLongest);
  const std::string index = std::to_string(cause.index);
  const std::string text(logs::trimmed(logs::before(std::string_view(reason.text).substr(0, kLongest), "  #")));
  switch (cause.kind) {
    case CauseKind::tensor_size:
      return {source + ".size()[" + index + "]", cause.expected};
    case CauseKind::tensor_stride:
      return {source + ".stride()[" + index + "]", cause.expected};
    case CauseKind::tensor_rank:
    case CauseKind::tensor_dtype:
    case CauseKind::tensor_device:
    case CauseKind::tensor_dispatch_keys:
      return {std::string(to_string(cause.kind)) + " " + source, cause.expected};
    case CauseKind::requires_grad:
      return {"requires_grad " + source, cause.expected, true};
    case CauseKind::none_ness:
      return {"type " + source, cause.expected, cause.expected == "None"};
    case CauseKind::tensor_python_type:
    case CauseKind::python_type:
      return {"type " + source, cause.expected};
    case CauseKind::object_identity:
      return {"id " + source, text};
    case CauseKind::bool_value:
      return {"value " + source, cause.expected, true};
    case CauseKind::int_value:
      return {source, cause.expected};
    case CauseKind::float_value:
      return {source, cause.expected};
    case CauseKind::str_value:
    case CauseKind::constant_value:
    case CauseKind::container_length:
    case CauseKind::dict_keys:
      return {std::string(to_string(cause.kind)) + " " + source, cause.expected};
    case CauseKind::shape_guard:
    case CauseKind::shape_guard_int:
    case CauseKind::shape_guard_duck:
      return {text, text, true, true};
    default:
      return {text, text, true};
  }
}

/// "x" of "x.size()[0]", "self._modules['a'].weight": the argument whose guards hang together.
std::string_view root_of(std::string_view source) {
  if (source.starts_with("L['") || source.starts_with("G['")) return source.substr(0, source.find("']"));
  return source.substr(0, source.find_first_of(".["));
}

bool within(std::string_view inner, std::string_view outer) {
  return !outer.empty() && inner.size() > outer.size() && inner.starts_with(outer) &&
         (inner[outer.size()] == '[' || inner[outer.size()] == '.');
}

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// `x <= 64` for `x > 64`; empty: not a comparison with a plain complement.
std::string complement(const std::string& formula) {
  for (const auto& [one, other] : {std::pair(" > ", " <= "), std::pair(" < ", " >= "), std::pair(" == ", " != ")})
    for (const auto& [from, to] : {std::pair(one, other), std::pair(other, one)}) {
      const std::size_t at = formula.find(from);
      if (at == std::string::npos || formula.find(from, at + 1) != std::string::npos) continue;
      return formula.substr(0, at) + to + formula.substr(at + std::string_view(from).size());
    }
  return {};
}

/// What the log has shown of an entry.
struct Entry {
  std::map<std::string, std::string> values;         // feature -> what it was compiled for
  std::set<std::string> dynamic;                     // slots that are symbols in it
  std::string last;                                  // the guard that it failed on last
  std::set<std::string> named;                       // features that it failed on, so that it checks them
  std::set<std::string> failed_before;               // guards of older entries that the call it was compiled for failed
  std::map<std::string, int, std::less<>> failures;  // root -> how often it failed first

  void value(const std::string& key, std::string_view said) {
    if (!said.empty() && values.size() < kValues) values.try_emplace(key, said.substr(0, kLongest));
  }
};

enum class Differs : std::uint8_t { yes, no, unknown };

class Function {
 public:
  void add(const std::string& id, const SymbolCreated& symbol) {
    Entry* entry = at(id);
    if (entry == nullptr || symbol.source.size() > kLongest) return;
    const std::string slot = plain_source(symbol.source);
    entry->value(slot, symbol.value);
    if (entry->dynamic.size() < kValues) entry->dynamic.insert(slot);
  }

  void add(const std::string& id, const EntryGuards& guards) {
    Entry* entry = at(id);
    if (entry == nullptr) return;
    for (const LoggedGuard& guard : guards.guards) {
      const auto tensor = explain::read_tensor_guard(guard.text);
      if (!tensor) continue;
      for (std::size_t i = 0; i < tensor->size.size(); ++i) {
        const std::string slot = tensor->source + ".size()[" + std::to_string(i) + "]";
        if (tensor->size[i])
          entry->value(slot, std::to_string(*tensor->size[i]));
        else if (entry->dynamic.size() < kValues)
          entry->dynamic.insert(slot);
      }
    }
  }

  const FailedGuard* add(const std::string& id, const Recompile& recompile) {
    if (entries_.count(id) != 0 && !id.empty() && seen_.count(id) != 0) {
      entries_.clear();  // the program began again
      seen_.clear();
    }
    if (seen_.size() < kEntries) seen_.insert(id);
    const FailedGuard* best = find(recompile);
    learn(id, recompile);
    return best;
  }

 private:
  Entry* at(const std::string& id) {
    if (id.empty()) return nullptr;
    const auto found = entries_.find(id);
    if (found != entries_.end()) return &found->second;
    return entries_.size() < kEntries ? &entries_[id] : nullptr;
  }
  [[nodiscard]] const Entry* entry(const std::string& id) const {
    const auto found = entries_.find(id);
    return found == entries_.end() ? nullptr : &found->second;
  }

  /// Whether the call passes in `other` the check that `reason` is about: `now` is what `other` failed on instead.
  static bool passed(const Entry& other, const Feature& asked, const FailedGuard& reason, const FailedGuard& now) {
    const Cause& a = reason.cause;
    const Cause& b = now.cause;
    if (explain::depth_of(b.kind) < explain::depth_of(a.kind)) return false;
    if (a.kind == CauseKind::global_state) return explain::depth_of(b.kind) > explain::depth_of(a.kind);
    if (explain::depth_of(b.kind) > explain::depth_of(a.kind) && explain::depth_of(b.kind) >= 50) return true;
    const std::string source_a = plain_source(a.source);
    const std::string source_b = plain_source(b.source);
    if (within(source_b, source_a)) return true;  // what hangs on it is checked after it
    const int step_a = explain::step_in_tensor(a.kind);
    const int step_b = explain::step_in_tensor(b.kind);
    if (source_a == source_b && step_b > 0)
      return step_a == step_b ? a.index < b.index : step_a < step_b;  // step 0: whether it is a tensor at all
    if (other.named.count(asked.key) == 0) return false;              // not known to be checked there
    const auto count = [&](std::string_view root) {
      const auto found = other.failures.find(root);
      return found == other.failures.end() ? 0 : found->second;
    };
    return count(root_of(source_a)) >= count(root_of(source_b));
  }

  /// A formula at the values of an entry; nullopt: they are not known.
  static std::optional<bool> holds(const std::string& formula, const Entry& entry) {
    Context ctx;
    const auto parsed = parse(ctx, formula);
    if (!parsed) return std::nullopt;
    Assignment values;
    for (const Expr symbol : symbols_of(ctx, *parsed)) {
      const auto found = entry.values.find(plain_source(to_text(ctx, symbol)));
      const auto value = found == entry.values.end() ? std::nullopt : number(found->second);
      if (!value) return std::nullopt;
      values.set(symbol, Value::of(*value));
    }
    const Value said = evaluate(ctx, *parsed, values);
    if (said.is_undefined()) return std::nullopt;
    return said.is_true();
  }

  /// Whether the call differs from `other` in what `reason` is about. `said`: what `other` failed on.
  static Differs differs(const FailedGuard& reason, const Feature& asked, const Entry* other,
                         const std::vector<const FailedGuard*>& said) {
    const bool state = reason.cause.kind == CauseKind::global_state;
    for (const FailedGuard* one : said) {
      if (state && one->cause.kind == CauseKind::global_state) {
        const auto& there = one->cause.flags;
        const bool all = std::all_of(reason.cause.flags.begin(), reason.cause.flags.end(), [&](const auto& flag) {
          return std::find(there.begin(), there.end(), flag) != there.end();
        });
        return all ? Differs::yes : Differs::no;
      }
      // A feature that differs between the entries may have a value in common with a third.
      if (const Feature there = feature_of(*one); there.key == asked.key)
        return there.value == asked.value || !reason.cause.actual.empty() ? Differs::yes : Differs::unknown;
    }
    for (const FailedGuard* one : said)
      if (other != nullptr ? passed(*other, asked, reason, *one) : passed({}, asked, reason, *one)) return Differs::no;
    // A tensor that is not there at all: another structure, which an entry that failed elsewhere shares.
    if (reason.cause.kind == CauseKind::none_ness && reason.cause.actual == "None" && !said.empty() &&
        explain::depth_of(said.front()->cause.kind) == explain::depth_of(reason.cause.kind))
      return Differs::no;
    if (other == nullptr) return Differs::unknown;
    if (asked.formula) {
      if (other->named.count(asked.key) != 0) return Differs::yes;  // its own guard: it holds there
      if (other->named.count(complement(asked.key)) != 0) return Differs::no;
      if (const auto there = holds(asked.value, *other)) return *there ? Differs::yes : Differs::no;
      return other->failed_before.count(asked.value) != 0 ? Differs::no : Differs::unknown;
    }
    if (other->dynamic.count(asked.key) != 0) return Differs::no;
    const auto value = other->values.find(asked.key);
    if (value != other->values.end()) {
      if (!reason.cause.actual.empty()) return value->second == reason.cause.actual ? Differs::no : Differs::yes;
      if (value->second == asked.value) return Differs::yes;
      if (asked.two_valued) return Differs::no;
    }
    if (asked.two_valued && other->failed_before.count(feature_text(reason)) != 0) return Differs::no;
    return Differs::unknown;
  }

  /// True if entry `a` was made after `b`: "0/10" after "0/9".
  static bool newer(const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() > b.size() : a > b;
  }

  static std::string feature_text(const FailedGuard& reason) { return reason.text.substr(0, kLongest); }

  /// Sizes and strides vary on their own from call to call.
  static bool varies_freely(CauseKind kind) {
    return kind == CauseKind::tensor_size || kind == CauseKind::tensor_stride;
  }

  /// True if a parameter or buffer, which change with the mode rather than by themselves.
  static bool of_module(const Cause& cause) {
    return cause.kind == CauseKind::tensor_dispatch_keys &&
           (logs::has(cause.source, "_parameters[") || logs::has(cause.source, "_buffers["));
  }

  const FailedGuard* find(const Recompile& recompile) const {
    if (recompile.nearest_first || recompile.reasons.size() < 2) return changed(recompile);
    std::map<std::string, std::vector<const FailedGuard*>> by_entry;
    for (const FailedGuard& reason : recompile.reasons) {
      if (reason.entry.find('/') == std::string::npos) return changed(recompile);
      by_entry[reason.entry].push_back(&reason);
    }
    struct Weighed {
      const FailedGuard* reason;
      int same, different;
      bool varied;  // entries want different values there
      bool again;   // the entry failed on the same before: nothing changed since
    };
    std::optional<Weighed> best;
    const auto better = [](const Weighed& a, const Weighed& b) {
      const int depth_a = explain::depth_of(a.reason->cause.kind);
      const int depth_b = explain::depth_of(b.reason->cause.kind);
      if (std::min(depth_a, depth_b) < 10) return explain::nearer(a.reason->cause, b.reason->cause);  // a dead entry
      if (a.same != b.same) return a.same < b.same;
      if (of_module(a.reason->cause) != of_module(b.reason->cause)) return of_module(b.reason->cause);
      if (a.again != b.again) return b.again;
      if (depth_a != depth_b && std::max(depth_a, depth_b) >= 50) return depth_a > depth_b;
      const bool tensors =
          explain::step_in_tensor(a.reason->cause.kind) > 0 && explain::step_in_tensor(b.reason->cause.kind) > 0;
      if (tensors && varies_freely(a.reason->cause.kind) != varies_freely(b.reason->cause.kind))
        return varies_freely(b.reason->cause.kind);
      if (a.different != b.different) return a.different > b.different;
      if (depth_a >= 50) return newer(a.reason->entry, b.reason->entry);
      if (a.varied != b.varied && explain::step_in_tensor(a.reason->cause.kind) == 0 &&
          explain::step_in_tensor(b.reason->cause.kind) == 0)
        return b.varied;
      return explain::nearer(a.reason->cause, b.reason->cause);
    };
    const std::size_t many = std::min(recompile.reasons.size(), kReasons);
    for (std::size_t i = 0; i < many; ++i) {
      const FailedGuard& reason = recompile.reasons[i];
      const Feature asked = feature_of(reason);
      Weighed one{&reason, of_module(reason.cause) ? 1 : 0, 0, false, false};
      if (explain::depth_of(reason.cause.kind) >= 50) --one.same;  // all but this one passed in its entry
      if (const Entry* of = entry(reason.entry)) one.again = of->last == feature_text(reason);
      for (std::size_t j = 0; j < many && !one.varied; ++j) {
        const Feature there = feature_of(recompile.reasons[j]);
        one.varied = there.key == asked.key && there.value != asked.value;
      }
      std::size_t asked_entries = 0;
      for (const auto& [id, said] : by_entry) {
        if (id == reason.entry || ++asked_entries > kReasons) continue;
        switch (differs(reason, asked, entry(id), said)) {
          case Differs::yes:
            ++one.different;
            break;
          case Differs::no:
            ++one.same;
            break;
          case Differs::unknown:
            break;
        }
      }
      if (!best || better(one, *best)) best = one;
    }
    return best ? best->reason : nullptr;
  }

  void learn(const std::string& id, const Recompile& recompile) {
    std::size_t count = 0;
    for (const FailedGuard& reason : recompile.reasons) {
      if (++count > kReasons) break;
      const Feature feature = feature_of(reason);
      if (Entry* older = at(reason.entry); older != nullptr && reason.entry.find('/') != std::string::npos) {
        if (!feature.formula) older->value(feature.key, feature.value);
        older->last = feature_text(reason);
        if (older->named.size() < kValues) older->named.insert(feature.key);
        if (older->failures.size() < kValues)
          ++older->failures[std::string(root_of(plain_source(reason.cause.source)))];
      }
      Entry* now = recompile.limit_hit ? nullptr : at(id);
      if (now == nullptr) continue;
      if (!feature.formula) now->value(feature.key, reason.cause.actual);
      if (now->failed_before.size() < kValues)
        now->failed_before.insert(feature.formula ? feature.value : feature_text(reason));
    }
  }

  std::map<std::string, Entry> entries_;
  std::set<std::string> seen_;  // compile ids of recompiles
};

}  // namespace

struct ChangeFinder::Impl {
  std::map<std::string, Function> functions;
  Function none;  // of functions beyond the cap

  Function& of(const LogEvent& event) {
    const std::string key = explain::stream_of(event) + " " + std::string(event.frame());
    const auto found = functions.find(key);
    if (found != functions.end()) return found->second;
    if (functions.size() < kFunctions) return functions[key];
    none = {};
    return none;
  }
};

ChangeFinder::ChangeFinder() : impl_(std::make_unique<Impl>()) {}
ChangeFinder::~ChangeFinder() = default;

const FailedGuard* ChangeFinder::add(const LogEvent& event) {
  if (event.compile_id.empty()) {
    const auto* recompile = std::get_if<Recompile>(&event.body);
    return recompile != nullptr ? changed(*recompile) : nullptr;
  }
  if (const auto* recompile = std::get_if<Recompile>(&event.body))
    return impl_->of(event).add(plain_id(event), *recompile);
  if (const auto* symbol = std::get_if<SymbolCreated>(&event.body))
    impl_->of(event).add(plain_id(event), *symbol);
  else if (const auto* guards = std::get_if<EntryGuards>(&event.body))
    impl_->of(event).add(plain_id(event), *guards);
  return nullptr;
}

}  // namespace dimgate
