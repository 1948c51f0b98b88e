// Caches for C: the handler calls back into C with a miss, and takes its answer over. Checked by tests/c/api_test.c.
#include "c/handles.hpp"

using namespace dimgate;     // NOLINT: this file is the face
using namespace dimgate::c;  // NOLINT

namespace {

/// Asks the callback. What it throws (it may be written in C++) is a failure of the handler.
class Handler final : public MissHandler {
 public:
  explicit Handler(const dimgate_callbacks& callbacks) : callbacks_(callbacks) {}

  MissAnswer miss(const Miss& miss) override {
    dimgate_new_entry entry{};
    entry.struct_size = sizeof entry;
    const dimgate_answer answer =
        callbacks_.miss(callbacks_.user, miss.inputs.values, miss.inputs.present, miss.inputs.size, &entry);
    const std::string reason = entry.reason != nullptr ? entry.reason : "";
    switch (answer) {
      case DIMGATE_ANSWER_COMPILED:
      case DIMGATE_ANSWER_SHARED: {
        if (entry.program == nullptr) return MissAnswer::fail("the miss callback gave an entry without a program");
        NewEntry made;
        made.program = entry.program->program;
        made.label = entry.label != nullptr ? entry.label : "";
        auto artifact = std::make_shared<Artifact>();
        artifact->label = made.label;
        const auto release = callbacks_.release;
        void* const user = callbacks_.user;
        artifact->payload = std::shared_ptr<const void>(entry.payload, [release, user](const void* payload) {
          if (release != nullptr) release(user, const_cast<void*>(payload));
        });
        made.artifact = std::move(artifact);
        return answer == DIMGATE_ANSWER_COMPILED ? MissAnswer::compile(std::move(made))
                                                 : MissAnswer::share(std::move(made));
      }
      case DIMGATE_ANSWER_REJECT:
        return MissAnswer::reject(reason);
      case DIMGATE_ANSWER_FALLBACK:
        return MissAnswer::fall_back(reason);
      case DIMGATE_ANSWER_MAX:
        break;
      case DIMGATE_ANSWER_FAILED:
        return MissAnswer::fail(reason);
    }
    return MissAnswer::fail("the miss callback gave an unknown answer");
  }

 private:
  dimgate_callbacks callbacks_;
};

}  // namespace

struct dimgate_cache {
  dimgate_cache(const dimgate_callbacks& callbacks, const CacheOptions& options)
      : handler(callbacks), cache(handler, options) {}
  Handler handler;
  Cache cache;
};

struct dimgate_reader {
  explicit dimgate_reader(Cache& cache) : reader(cache) {}
  CacheReader reader;
  Cache::Answer answer;
  std::string failure;
};

extern "C" {

dimgate_error* dimgate_cache_new(const dimgate_callbacks* callbacks, const dimgate_cache_options* options,
                                 dimgate_cache** out) {
  return guarded([&]() -> dimgate_error* {
    if (callbacks == nullptr || callbacks->miss == nullptr || out == nullptr)
      return missing("callbacks, their miss, and out");
    if (callbacks->struct_size < sizeof *callbacks || (options != nullptr && options->struct_size < sizeof *options))
      return make_error(DIMGATE_INVALID, "struct_size is not set: it must be sizeof the struct");
    CacheOptions made;
    if (options != nullptr) {
      if (options->max_entries != 0) made.max_entries = options->max_entries;
      if (options->max_bytes != 0) made.max_bytes = options->max_bytes;
      made.on_limit = options->evict ? OnLimit::evict : OnLimit::fallback;
    }
    *out = new dimgate_cache(*callbacks, made);
    return nullptr;
  });
}
void dimgate_cache_free(dimgate_cache* cache) { delete cache; }

dimgate_error* dimgate_cache_set_precondition(dimgate_cache* cache, const dimgate_program* program) {
  return guarded([&]() -> dimgate_error* {
    if (cache == nullptr || program == nullptr) return missing("cache and program");
    cache->cache.set_precondition(program->program);
    return nullptr;
  });
}

size_t dimgate_cache_size(const dimgate_cache* cache) { return cache->cache.entries()->entries.size(); }

size_t dimgate_cache_invalidate(dimgate_cache* cache, uint32_t slot, int64_t value, const char* reason) {
  try {
    return cache->cache.invalidate_pinned(slot, value, reason != nullptr ? reason : "");
  } catch (...) {
    return 0;
  }
}

void dimgate_cache_statistics(const dimgate_cache* cache, dimgate_statistics* out) {
  const CacheStatistics s = cache->cache.statistics();
  const size_t size = out->struct_size;
  const dimgate_statistics full{size,     s.hits,      s.misses,   s.compiles, s.recompiles,
                                s.shared, s.fallbacks, s.rejected, s.errors,   s.evictions};
  std::memcpy(out, &full, size < sizeof full ? size : sizeof full);
}

dimgate_error* dimgate_reader_new(dimgate_cache* cache, dimgate_reader** out) {
  return guarded([&]() -> dimgate_error* {
    if (cache == nullptr || out == nullptr) return missing("cache and out");
    *out = new dimgate_reader(cache->cache);
    return nullptr;
  });
}
void dimgate_reader_free(dimgate_reader* reader) { delete reader; }

dimgate_outcome dimgate_lookup(dimgate_reader* reader, const dimgate_snapshot* snapshot, void** payload) {
  void* found = nullptr;
  dimgate_outcome outcome = DIMGATE_ERROR;
  try {
    reader->failure.clear();
    reader->answer = {};
    reader->answer = reader->reader.lookup(snapshot->values.view());
    if (const Entry* e = reader->answer.entry(); e != nullptr && e->artifact)
      found = const_cast<void*>(e->artifact->payload.get());
    static constexpr dimgate_outcome kOutcomes[] = {DIMGATE_HIT,      DIMGATE_COMPILED, DIMGATE_SHARED,
                                                    DIMGATE_FALLBACK, DIMGATE_REJECTED, DIMGATE_ERROR};
    outcome = kOutcomes[static_cast<std::size_t>(reader->answer.outcome())];
  } catch (const std::exception& e) {
    try {
      reader->failure = e.what();
    } catch (...) {
      found = nullptr;
    }
  } catch (...) {
    found = nullptr;
  }
  if (payload != nullptr) *payload = found;
  return outcome;
}

const char* dimgate_reason(const dimgate_reader* reader) {
  return reader->failure.empty() ? reader->answer.reason().c_str() : reader->failure.c_str();
}
void dimgate_done(dimgate_reader* reader) { reader->answer = {}; }
}
