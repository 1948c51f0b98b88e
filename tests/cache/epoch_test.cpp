#include "cache/epoch.hpp"

#include <doctest/doctest.h>

#include <thread>

using dimgate::detail::EpochDomain;

TEST_CASE("an object is freed when the last reader that could see it has left, not before") {
  EpochDomain d;
  auto* a = d.add();
  auto* b = d.add();
  auto object = std::make_shared<int>(1);
  std::weak_ptr<int> watch = object;
  d.enter(*a);
  d.retire(std::move(object));
  CHECK(!watch.expired());
  d.enter(*b);  // after the object was out of reach: does not hold it
  EpochDomain::leave(*a);
  d.collect();
  CHECK(watch.expired());
  EpochDomain::leave(*b);
  CHECK(d.waiting() == 0);
  d.remove(a);
  d.remove(b);
}

TEST_CASE("without readers an object goes at once") {
  EpochDomain d;
  auto object = std::make_shared<int>(1);
  std::weak_ptr<int> watch = object;
  d.retire(std::move(object));
  CHECK(watch.expired());
}

TEST_CASE("readers never see a freed object") {
  EpochDomain d;
  struct Checked {
    std::uint64_t alive = 0x5afe;
    ~Checked() { alive = 0xdead; }
  };
  std::shared_ptr<const Checked> owner = std::make_shared<Checked>();
  std::atomic<const Checked*> current{owner.get()};
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> bad{0}, reads{0};
  std::atomic<int> started{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      auto* r = d.add();
      std::uint64_t mine = 0;
      ++started;
      while (!stop.load(std::memory_order_relaxed)) {
        d.enter(*r);
        const Checked* c = current.load();
        for (int i = 0; i < 8; ++i)
          if (*const_cast<const volatile std::uint64_t*>(&c->alive) != 0x5afe) bad.fetch_add(1);
        EpochDomain::leave(*r);
        ++mine;
      }
      reads += mine;
      d.remove(r);
    });
  while (started < 4) std::this_thread::yield();
  for (int i = 0; i < 20'000; ++i) {
    auto next = std::make_shared<const Checked>();
    current.store(next.get());
    std::swap(owner, next);
    d.retire(std::move(next));
    if (i % 64 == 0) std::this_thread::yield();
  }
  stop = true;
  for (auto& t : threads) t.join();
  d.collect();
  CHECK(bad == 0);
  CHECK(reads > 0);
  CHECK(d.waiting() == 0);
}
