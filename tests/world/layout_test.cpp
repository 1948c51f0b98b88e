#include <doctest/doctest.h>

#include <stdexcept>
#include <thread>
#include <vector>

#include "dimgate/world.hpp"

using namespace dimgate;

TEST_CASE("edges lead from size to rank to type, whatever the order of adding") {
  Layout a;
  const SlotIndex size = a.add("x.size()[0]");
  CHECK(a[size].edge == kNoSlot);
  const SlotIndex type = a.add("type(x)");
  CHECK(a[size].edge == type);
  const SlotIndex rank = a.add("x.dim()");
  CHECK(a[size].edge == rank);
  CHECK(a[rank].edge == type);
  CHECK(a.depth(size) == 2);
  const SlotIndex other = a.add("y.size()[0]");
  CHECK(a[other].edge == kNoSlot);
  const SlotIndex dtype = a.add("x.dtype");
  CHECK(a[dtype].edge == type);
  CHECK(a[dtype].sort == SlotSort::name);
  CHECK(a[size].at_least == 0);
  CHECK(!a[a.add("x.stride()[0]")].at_least);

  Layout b;
  b.add("x.dim()");
  b.add("x.stride()[1]");
  b.add("type(x)");  // the stride keeps its nearer gate
  CHECK(b[b.find("x.stride()[1]")].edge == b.find("x.dim()"));
  CHECK(b[b.find("x.dim()")].edge == b.find("type(x)"));
}

TEST_CASE("a slot is found by source, not by spelling") {
  Layout layout;
  const SlotIndex i = layout.add("x.shape[1]");
  CHECK(layout.add("x.size()[1]") == i);
  CHECK(layout.find("x.size(1)") == i);
  CHECK(layout[i].name == "x.shape[1]");
  CHECK(layout.find("x.size()[2]") == kNoSlot);
  CHECK(layout.add("flag", SlotSort::boolean) == 1);
}

TEST_CASE("an absent slot, and one past the end, is absent") {
  Layout layout;
  for (int i = 0; i < 130; ++i) layout.add("s" + std::to_string(i));
  layout.add("f", SlotSort::floating);
  Snapshot s(layout.size());
  CHECK(!s.has(0));
  CHECK(!s.has(5000));
  s.set(129, -7);
  s.set(64, 3);
  s.set_float(130, -0.0);
  CHECK(s.has(129));
  CHECK(s.raw(129) == -7);
  CHECK(!s.has(128));
  CHECK(to_string(layout, s) == "s64=3, s129=-7, f=-0");
  s.unset(64);
  CHECK(!s.has(64));
  s.clear();
  CHECK(to_string(layout, s).empty());
  CHECK(!SnapshotView{}.has(0));
}

TEST_CASE("names get one id each, from any thread") {
  NameTable names;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&names] {
      for (int i = 0; i < 1000; ++i) names.intern("n" + std::to_string(i));
    });
  for (auto& t : threads) t.join();
  CHECK(names.size() == 1000);
  for (int i = 0; i < 1000; ++i) CHECK(names.name(*names.find("n" + std::to_string(i))) == "n" + std::to_string(i));
  CHECK(!names.find("absent"));
  CHECK(names.name(-1).empty());
  CHECK(names.name(1000).empty());
}

TEST_CASE("the record keeps first uses in order") {
  ReadRecord r;
  for (const SlotIndex i : {5U, 2U, 5U, 9U, 2U}) r.note(i);
  CHECK(std::vector(r.slots().begin(), r.slots().end()) == std::vector<SlotIndex>{5, 2, 9});
  CHECK(r.was_read(9));
  CHECK(!r.was_read(3));
  CHECK(!r.was_read(100));
  r.clear();
  CHECK(!r.was_read(5));
}

TEST_CASE("a slot that is not there is told, not written") {
  Layout layout;
  layout.add_tensor("x", 2);
  Snapshot s(layout.size());
  CHECK_THROWS_WITH_AS(s.set(layout.find("y"), 1),
                       "a snapshot was asked to set kNoSlot: its layout has no slot of the name looked for",
                       std::out_of_range);
  CHECK_THROWS_AS(s.set(static_cast<SlotIndex>(layout.size()), 1), std::out_of_range);
  CHECK_THROWS_AS(Snapshot().set_float(0, 1.0), std::out_of_range);
  s.unset(kNoSlot);
  const std::vector<std::int64_t> sizes{3, 4, 5};
  set_tensor(layout, "x", sizes, "torch.float32", s);
  CHECK(s.raw(layout.find("x.dim()")) == 3);  // as it is, though only two sizes have slots
  CHECK(s.raw(layout.find("x.size()[1]")) == 4);
  set_tensor(layout, "x", std::vector<std::int64_t>{7}, "torch.float32", s);
  CHECK(!s.has(layout.find("x.size()[1]")));
  CHECK_THROWS_AS(set_tensor(layout, "y", sizes, "torch.float32", s), std::out_of_range);
}

TEST_CASE("a slot's mark is that of its source and sort, whatever the layout") {
  Layout a, b, c(a.shared_names());
  a.add("x.size()[0]"), a.add("n"), a.add("d", SlotSort::name);
  b.add("n"), b.add("x.shape[0]"), b.add("d", SlotSort::name);
  c.add("d", SlotSort::name), c.add("n", SlotSort::boolean);
  CHECK(a.mark(0) == b.mark(1));
  CHECK(a.mark(1) == b.mark(0));
  CHECK(a.mark(0) != a.mark(1));
  CHECK(a.mark(2) != b.mark(2));  // names of two tables are different numbers
  CHECK(a.mark(2) == c.mark(0));
  CHECK(a.mark(1) != c.mark(1));
}
