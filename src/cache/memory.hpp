// What a cache remembers of inputs no entry serves: which were rejected (and why), and how often each missed.
//
// Keyed by all slot values. Bounded: the oldest go first. Not thread-safe. Tested through tests/cache.
#pragma once

#include <deque>
#include <string>
#include <unordered_map>

#include "dimgate/world.hpp"

namespace dimgate::detail {

/// The bytes of a snapshot: absent slots differ from present ones.
std::string key_of(SnapshotView at);

template <class Payload>
class Memory {
 public:
  explicit Memory(std::size_t limit) : limit_(limit) {}
  [[nodiscard]] Payload* find(const std::string& key) {
    const auto it = map_.find(key);
    return it == map_.end() ? nullptr : &it->second;
  }
  Payload& at(const std::string& key) {
    const auto [it, fresh] = map_.try_emplace(key);
    if (fresh) {
      ages_.push_back(key);
      while (map_.size() > limit_ && ages_.size() > 1) {
        map_.erase(ages_.front());
        ages_.pop_front();
      }
    }
    return it->second;
  }
  void erase(const std::string& key) {
    if (map_.erase(key) == 0) return;
    std::erase(ages_, key);
  }

 private:
  std::size_t limit_;
  std::unordered_map<std::string, Payload> map_;
  std::deque<std::string> ages_;
};

}  // namespace dimgate::detail
