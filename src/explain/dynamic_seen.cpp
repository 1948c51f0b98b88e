// Reads the lines in which PyTorch makes symbols and constants; what each form means: dynamic_seen.hpp.
#include "explain/dynamic_seen.hpp"

#include <charconv>
#include <optional>

#include "explain/tensor_guard.hpp"
#include "explain/values.hpp"
#include "import/log_text.hpp"

namespace dimgate::explain {

namespace {

constexpr std::size_t kCompiles = 256;
constexpr std::size_t kSources = 64;
constexpr std::size_t kLongest = 512;

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789.-+e") == std::string_view::npos;
}

/// (source, dim) of "x.size()[0]".
std::optional<std::pair<std::string, int>> size_slot(const std::string& slot) {
  const std::size_t at = slot.rfind(".size()[");
  if (at == std::string::npos || !slot.ends_with("]")) return std::nullopt;
  int dim = -1;
  std::from_chars(slot.data() + at + 8, slot.data() + slot.size(), dim);
  return std::pair(slot.substr(0, at), dim);
}

}  // namespace

DynamicSeen::Compile* DynamicSeen::at(const std::string& id) {
  const auto found = compiles_.find(id);
  if (found != compiles_.end()) return &found->second;
  return !id.empty() && compiles_.size() < kCompiles ? &compiles_[id] : nullptr;
}

void DynamicSeen::add(const std::string& compile, const CompileStart& start) {
  if (Compile* c = start.again ? at(compile) : nullptr) c->logged = true;
}

void DynamicSeen::add(const std::string& compile, const SymbolCreated& symbol) {
  Compile* c = at(compile);
  if (c == nullptr || c->symbols.size() >= kSources || symbol.source.size() > kLongest) return;
  const std::string slot = plain_source(symbol.source);
  c->logged = true;
  c->symbols[symbol.symbol] = slot;
  c->free.insert(slot);
  std::int64_t value = 0;
  const std::string& text = symbol.value;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) c->sizes.try_emplace(slot, value);
}

void DynamicSeen::add(const std::string& compile, const GuardAdded& guard) {
  Compile* c = at(compile);
  if (c == nullptr || !guard.expr.starts_with("Eq(") || !guard.expr.ends_with(")")) return;
  const std::string_view inside = std::string_view(guard.expr).substr(3, guard.expr.size() - 4);
  const std::size_t comma = inside.find(", ");
  if (comma == std::string_view::npos) return;
  std::string_view symbol = inside.substr(0, comma);
  std::string_view value = inside.substr(comma + 2);
  if (is_number(symbol)) std::swap(symbol, value);
  const auto found = c->symbols.find(std::string(symbol));
  if (found != c->symbols.end() && is_number(value))
    c->constant[found->second] = guard.user_line.empty() ? "?" : guard.user_line;
}

void DynamicSeen::add(const std::string& compile, const Replacement& replacement) {
  Compile* c = at(compile);
  if (c == nullptr || !is_number(replacement.by)) return;
  if (const auto found = c->symbols.find(replacement.symbol); found != c->symbols.end())
    c->constant.try_emplace(found->second, "?");
}

void DynamicSeen::add(const std::string& compile, const MarkedDynamic& marked) {
  Compile* c = at(compile);
  if (c != nullptr && c->marked.size() < kSources && marked.source.size() < kLongest)
    c->marked.insert(plain_source(marked.source));
}

void DynamicSeen::add(const std::string& compile, const EntryGuards& guards) {
  Compile* c = at(compile);
  if (c == nullptr) return;
  c->guards = true;
  for (const LoggedGuard& guard : guards.guards) {
    const auto tensor = read_tensor_guard(guard.text);
    if (!tensor || tensor->source.size() > kLongest) continue;
    for (std::size_t i = 0; i < tensor->size.size(); ++i) {
      const std::string slot = tensor->source + ".size()[" + std::to_string(i) + "]";
      if (c->sizes.size() >= 4 * kSources || c->free.size() >= 4 * kSources) return;
      if (tensor->size[i])
        c->sizes[slot] = *tensor->size[i];
      else
        c->free.insert(slot);
    }
  }
}

bool DynamicSeen::logged(const std::set<std::string>& compiles) const {
  for (const auto& [id, c] : compiles_)
    if (c.logged && compiles.count(id) != 0) return true;
  return false;
}

bool DynamicSeen::guards_logged(const std::set<std::string>& compiles) const {
  for (const auto& [id, c] : compiles_)
    if (c.guards && compiles.count(id) != 0) return true;
  return false;
}

std::set<std::pair<std::string, int>> DynamicSeen::moving_sizes(const std::set<std::string>& compiles) const {
  std::set<std::pair<std::string, int>> out;
  std::map<std::string, std::int64_t> first;
  for (const auto& [id, c] : compiles_) {
    if (compiles.count(id) == 0) continue;
    for (const std::string& slot : c.free)
      if (const auto size = size_slot(slot); size && !logs::has(slot, "_parameters[")) out.insert(*size);
    for (const auto& [slot, value] : c.sizes)
      if (first.try_emplace(slot, value).first->second != value && !logs::has(slot, "_parameters["))
        if (const auto size = size_slot(slot)) out.insert(*size);
  }
  return out;
}

std::set<std::string> DynamicSeen::marked(const std::set<std::string>& compiles) const {
  std::set<std::string> out;
  for (const auto& [id, c] : compiles_)
    if (compiles.count(id) != 0) out.insert(c.marked.begin(), c.marked.end());
  return out;
}

bool DynamicSeen::symbolic(const std::string& slot) const {
  for (const auto& [id, c] : compiles_)
    if (c.free.count(slot) != 0) return true;
  return false;
}

std::string DynamicSeen::made_constant(const std::string& slot, bool always) const {
  std::string out;
  for (const auto& [id, c] : compiles_)
    if (always && c.free.count(slot) != 0 && c.constant.count(slot) == 0) return {};
  for (const auto& [id, c] : compiles_)
    if (const auto found = c.constant.find(slot); found != c.constant.end() && (out.empty() || out == "?"))
      out = found->second;
  return out;
}

std::set<std::int64_t> DynamicSeen::values(const std::string& slot, const std::set<std::string>& compiles) const {
  std::set<std::int64_t> out;
  for (const auto& [id, c] : compiles_)
    if (const auto found = c.sizes.find(slot); found != c.sizes.end() && compiles.count(id) != 0)
      out.insert(found->second);
  return out;
}

}  // namespace dimgate::explain
