// The number that ends a loop: the only element that control may look at.
#pragma once

#include <tla/matrix.hpp>

namespace tla {

namespace detail {
/// The switch is the thread's, as the author's program, which is called as plain C++, has no parameter for it.
inline thread_local bool comparesNothing = false;
} // namespace detail

/// While it lives, no comparison of a Value holds on this thread: loops that end early run to their end.
class EndlessValues {
public:
  EndlessValues() { detail::comparesNothing = true; }
  EndlessValues(const EndlessValues &) = delete;
  EndlessValues &operator=(const EndlessValues &) = delete;
  ~EndlessValues() { detail::comparesNothing = before_; }

private:
  bool before_ = detail::comparesNothing;
};

/// The value that an element had when it was asked for. It can be compared, and nothing else.
template <typename T> class Value {
public:
  explicit Value(T value) : value_(value) {}

  friend bool operator<(Value a, T b) { return !detail::comparesNothing && a.value_ < b; }
  friend bool operator<=(Value a, T b) { return !detail::comparesNothing && a.value_ <= b; }
  friend bool operator>(Value a, T b) { return !detail::comparesNothing && a.value_ > b; }
  friend bool operator>=(Value a, T b) { return !detail::comparesNothing && a.value_ >= b; }
  friend bool operator==(Value a, T b) { return !detail::comparesNothing && a.value_ == b; }
  friend bool operator!=(Value a, T b) { return !detail::comparesNothing && a.value_ != b; }

private:
  T value_;
};

/// The first element of a matrix or workspace, for `if (tla::value(r) < tolerance) break;` directly in the body of an
/// outermost loop: there the program waits for its tasks, on all nodes, and all of them decide alike.
template <typename T, Shape shape> Value<T> value(const detail::TileMatrix<T, shape> &A) {
  return Value<T>(A(0, 0)(0, 0));
}

} // namespace tla
