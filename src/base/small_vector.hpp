// A vector whose first N elements live inside it: short lists cost no allocation. Moving one with inline elements moves
// the elements (O(N)); growing moves them to the heap. Elements must be nothrow-movable. Tested by tests/base.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <new>
#include <utility>

namespace dimgate {

template <class T, std::size_t N>
class SmallVector {
 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  SmallVector() noexcept : data_(inline_data()) {}
  SmallVector(std::initializer_list<T> items) : SmallVector() { append(items.begin(), items.end()); }
  SmallVector(const SmallVector& o) : SmallVector() { append(o.begin(), o.end()); }
  SmallVector(SmallVector&& o) noexcept : SmallVector() { take(o); }
  SmallVector& operator=(const SmallVector& o) {
    if (this != &o) {
      clear();
      append(o.begin(), o.end());
    }
    return *this;
  }
  SmallVector& operator=(SmallVector&& o) noexcept {
    if (this != &o) {
      clear();
      release();
      take(o);
    }
    return *this;
  }
  ~SmallVector() {
    clear();
    release();
  }

  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  T* begin() noexcept { return data_; }
  T* end() noexcept { return data_ + size_; }
  const T* begin() const noexcept { return data_; }
  const T* end() const noexcept { return data_ + size_; }
  T& operator[](std::size_t i) noexcept { return data_[i]; }
  const T& operator[](std::size_t i) const noexcept { return data_[i]; }
  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  T& front() noexcept { return data_[0]; }
  T& back() noexcept { return data_[size_ - 1]; }
  const T& back() const noexcept { return data_[size_ - 1]; }

  void push_back(T item) { emplace_back(std::move(item)); }
  template <class... Args>
  T& emplace_back(Args&&... args) {  // the arguments must not live in this vector
    if (size_ == capacity_) grow(capacity_ * 2);
    std::construct_at(data_ + size_, std::forward<Args>(args)...);
    return data_[size_++];
  }
  void pop_back() noexcept { std::destroy_at(data_ + --size_); }
  void clear() noexcept {
    std::destroy_n(data_, size_);
    size_ = 0;
  }
  /// Drops what lies beyond n, or appends empty elements.
  void resize(std::size_t n) {
    reserve(n);
    while (size_ > n) pop_back();
    while (size_ < n) emplace_back();
  }
  void reserve(std::size_t n) {
    if (n > capacity_) grow(n);
  }
  template <class It>
  void append(It first, It last) {
    for (; first != last; ++first) push_back(*first);
  }
  /// Removes every element for which p holds, keeping the order.
  template <class P>
  void remove_if(P p) {
    T* kept = std::remove_if(begin(), end(), p);
    erase_from(kept);
  }
  void erase_from(T* first) noexcept {
    while (end() != first) pop_back();
  }

 private:
  static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
  T* inline_data() noexcept { return reinterpret_cast<T*>(storage_); }
  void grow(std::size_t n) {
    // NOLINTNEXTLINE(bugprone-sizeof-expression): T may be a pointer
    T* bigger = static_cast<T*>(::operator new(n * sizeof(T)));
    std::uninitialized_move_n(data_, size_, bigger);
    std::destroy_n(data_, size_);
    release();
    data_ = bigger;
    capacity_ = static_cast<std::uint32_t>(n);
  }
  void release() noexcept {
    if (data_ != inline_data()) ::operator delete(static_cast<void*>(data_));
    data_ = inline_data();
    capacity_ = N;
  }
  // *this is empty and inline.
  void take(SmallVector& o) noexcept {
    if (o.data_ != o.inline_data()) {
      data_ = std::exchange(o.data_, o.inline_data());
      capacity_ = std::exchange(o.capacity_, static_cast<std::uint32_t>(N));
      size_ = std::exchange(o.size_, 0U);
      return;
    }
    std::uninitialized_move_n(o.data_, o.size_, data_);
    size_ = o.size_;
    o.clear();
  }

  T* data_;
  std::uint32_t size_ = 0, capacity_ = N;
  // NOLINTNEXTLINE(bugprone-sizeof-expression): T may be a pointer
  alignas(T) unsigned char storage_[N * sizeof(T)];
};

}  // namespace dimgate
