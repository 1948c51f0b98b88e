// A frame with integer inputs and a handler that tests script.
#pragma once

#include <doctest/doctest.h>

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "dimgate/cache.hpp"
#include "dimgate/compile.hpp"

namespace dimgate::testing {

struct Frame {
  Layout layout;
  explicit Frame(std::initializer_list<const char*> names) {
    for (const char* n : names) layout.add(n);
  }
  /// The program of guards in text.
  [[nodiscard]] Program program(const std::vector<std::string>& guards) const {
    Context ctx;
    std::vector<Expr> formulas;
    for (const std::string& g : guards) {
      const auto e = parse(ctx, g);
      REQUIRE_MESSAGE(e.ok(), (e.ok() ? "" : e.error().to_string()));
      formulas.push_back(*e);
    }
    auto p = compile(ctx, formulas, layout);
    REQUIRE_MESSAGE(p.ok(), (p.ok() ? "" : p.error().to_string()));
    return *p;
  }
  [[nodiscard]] NewEntry entry(const std::vector<std::string>& guards) const {
    NewEntry e;
    e.program = program(guards);
    e.guard_texts = guards;
    e.label = guards.empty() ? "true" : guards.front();
    e.artifact = std::make_shared<Artifact>();
    return e;
  }
  [[nodiscard]] Snapshot at(std::initializer_list<std::int64_t> values) const {
    Snapshot s(layout.size());
    SlotIndex i = 0;
    for (const std::int64_t v : values) s.set(i++, v);
    return s;
  }
};

struct Scripted : MissHandler {
  std::function<MissAnswer(const Miss&)> on_miss;
  MissAnswer miss(const Miss& m) override { return on_miss(m); }
};

}  // namespace dimgate::testing
