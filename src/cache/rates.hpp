// How often each object (an entry, a ghost) is called, under several half-lives, and which half-life fits.
//
// Under half-life h the weight of a call t calls ago is 2^(-t/h); an object's rate is its weights' sum over that of all
// calls. Kept as log2(sum) + last/h, which does not change while nothing happens, so objects compare at any time and
// nothing underflows. Each half-life has a shadow directory of as many objects as the cache holds; it evicts by its own
// rates and earns what its residents save. Not thread-safe. Tested through tests/cache/eviction_test.cpp.
#pragma once

#include <cstdint>
#include <list>
#include <unordered_map>
#include <vector>

namespace dimgate::detail {

class Rates {
 public:
  struct Options {
    std::vector<double> half_lives;
    double memory = 1400;
    std::size_t ghosts = 1024;
    bool bypass = false;
  };
  explicit Rates(Options options);

  /// Objects that fit in.
  void set_capacity(std::size_t objects);
  /// `count` calls of the object, spread over the calls since it was last called, the latest at `last`. `saving`: what
  /// a hit of it saves.
  void called(std::uint64_t object, std::uint64_t count, std::uint64_t last, double saving);
  /// The cache holds it: it is not forgotten.
  void hold(std::uint64_t object, bool held);

  /// log2 of the rate (calls per call) under the half-life in force; -inf if unknown.
  [[nodiscard]] double log_rate(std::uint64_t object, std::uint64_t clock) const;
  [[nodiscard]] double half_life() const { return options_.half_lives[best_]; }
  [[nodiscard]] std::size_t objects() const { return objects_.size(); }

 private:
  static constexpr std::uint32_t kOut = UINT32_MAX;
  struct Object {
    std::uint64_t id = 0;
    std::uint64_t last = 0;
    double log_saving = 0;
    unsigned holds = 0;
    unsigned shadows = 0;              // directories that hold it
    std::vector<double> weight;        // a half-life: log2(sum) + last / h; -inf: never called
    std::vector<std::uint32_t> place;  // in the directory; kOut
    std::list<std::uint64_t>::iterator age;
  };
  struct Shadow {
    std::vector<Object*> residents;
    double saved = 0;  // decayed
  };
  Object& object(std::uint64_t id);
  bool enter(std::size_t k, Object& o);  // false: refused
  void leave(std::size_t k, Object& o);
  [[nodiscard]] Object* least(std::size_t k) const;
  void choose(double saving);
  void forget();

  Options options_;
  std::size_t capacity_ = 1;
  std::size_t best_ = 0;
  std::vector<Shadow> shadows_;
  std::unordered_map<std::uint64_t, Object> objects_;
  std::list<std::uint64_t> ages_;  // longest uncalled first
};

}  // namespace dimgate::detail
