// The values of a world trace. Private to src/import.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "dimgate/described_world.hpp"

namespace dimgate::detail {

using WorldJson = nlohmann::ordered_json;

/// What is wrong, and under which key.
struct WorldFault {
  std::string message;
};

/// Throws WorldFault; `where` names the place: "args.x".
WorldValue world_value(const WorldJson& json, const std::string& where);

/// Fields of one object: each must be known, each is taken once.
class Fields {
 public:
  Fields(const WorldJson& json, std::string where) : json_(json), where_(std::move(where)) {
    if (!json.is_object()) fault("expected an object");
  }
  const WorldJson* find(const char* key) {
    const auto it = json_.find(key);
    if (it == json_.end()) return nullptr;
    ++taken_;
    known_ += (known_.empty() ? "" : " ") + std::string(key);
    return &*it;
  }
  /// Every field that nobody asked for is a mistake.
  void done(const char* expected) const;
  [[noreturn]] void fault(const std::string& message) const { throw WorldFault{where_ + ": " + message}; }
  [[nodiscard]] std::string at(const std::string& key) const { return where_.empty() ? key : where_ + "." + key; }
  bool flag(const WorldJson& j, const std::string& key) const;
  std::int64_t number(const WorldJson& j, const std::string& key) const;
  std::string text(const WorldJson& j, const std::string& key) const;
  std::vector<std::int64_t> numbers(const WorldJson& j, const std::string& key) const;
  std::vector<std::string> texts(const WorldJson& j, const std::string& key) const;

 private:
  const WorldJson& json_;
  std::string where_, known_;
  std::size_t taken_ = 0;
};

}  // namespace dimgate::detail
