#include <doctest/doctest.h>

#include <array>
#include <map>

#include "dimgate/lazy_snapshot.hpp"

using namespace dimgate;

namespace {
/// Answers from a map and notes the order of the questions.
struct Script final : SlotSource {
  std::map<SlotIndex, std::int64_t> values;
  std::vector<SlotIndex> asked;
  bool read(SlotIndex slot, std::int64_t& raw) noexcept override {
    asked.push_back(slot);
    const auto it = values.find(slot);
    if (it == values.end()) return false;
    raw = it->second;
    return true;
  }
};
}  // namespace

TEST_CASE("a slot is read at most once, its edges before it, and never past an absent one") {
  Layout layout;
  const SlotIndex type = layout.add("type(x)");
  layout.add_tensor("x", 3);
  const SlotIndex rank = layout.find("x.dim()"), size0 = layout.find("x.size()[0]"), size2 = layout.find("x.size()[2]");
  const SlotIndex other = layout.add("n");
  layout[size0].read_cost = 2;
  Script source;
  source.values = {{type, 1}, {rank, 2}, {size0, 7}, {size2, 9}};
  LazySnapshot lazy(layout);
  lazy.begin(source);
  CHECK(lazy.fetch(size0));
  CHECK(source.asked == std::vector<SlotIndex>{type, rank, size0});
  CHECK(lazy.raw(size0) == 7);
  CHECK(lazy.fetch(size0));
  CHECK(!lazy.fetch(size2));  // rank 2: not readable, whatever the source would say
  CHECK(!lazy.fetch(other));
  CHECK(!lazy.fetch(other));  // "there is none" is remembered
  CHECK(source.asked == std::vector<SlotIndex>{type, rank, size0, other});
  CHECK(lazy.reads() == 4);
  CHECK(lazy.read_cost() == 5);
  CHECK(!lazy.view().has(size2));
  CHECK(!lazy.fetch(9999));

  source.asked.clear();
  source.values.erase(type);
  lazy.begin(source);
  CHECK(!lazy.view().has(size0));
  CHECK(!lazy.fetch(size0));
  CHECK(source.asked == std::vector<SlotIndex>{type});
}

TEST_CASE("edges that form a cycle are not readable") {
  Layout layout;
  const SlotIndex a = layout.add("a"), b = layout.add("b");
  layout[a].edge = b;
  layout[b].edge = a;
  Script source;
  source.values = {{a, 1}, {b, 1}};
  LazySnapshot lazy(layout);
  lazy.begin(source);
  CHECK(!lazy.fetch(a));
  CHECK(!lazy.fetch(b));
}

TEST_CASE("DLPack tensors as a source agree with the reader that fills a snapshot") {
  Layout layout;
  layout.add_tensor("x", 4);
  layout.add_tensor("y", 2);
  std::array<std::int64_t, 3> shape{5, 0, 7};
  std::array<std::int64_t, 2> small{2, 3}, strides{-4, 1};
  DlpackTensor x{nullptr, {2, 1}, 3, {2, 16, 1}, shape.data(), nullptr, 6};
  DlpackTensor y{nullptr, {1, 0}, 2, {0, 64, 1}, small.data(), strides.data(), 3};  // offset inside an element
  Snapshot whole(layout.size());
  DlpackReader(layout, "x").read(x, whole);
  DlpackReader(layout, "y").read(y, whole);
  const std::array<std::string_view, 2> bases{"x", "y"};
  DlpackSource source(layout, bases);
  source.bind(0, &x);
  source.bind(1, &y);
  LazySnapshot lazy(layout);
  lazy.begin(source);
  for (SlotIndex i = 0; i < layout.size(); ++i) {
    CAPTURE(layout[i].name);
    REQUIRE(lazy.fetch(i) == whole.has(i));
    if (whole.has(i)) CHECK(lazy.raw(i) == whole.raw(i));
  }
  source.bind(1, nullptr);
  lazy.begin(source);
  CHECK(!lazy.fetch(layout.find("y.dtype")));
}
