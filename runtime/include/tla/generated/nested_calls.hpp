// What generated code needs where an algorithm calls itself. Only generated code includes this header.
#pragma once

#include <functional>

namespace tla::runtime {

/// The most calls that may be inside one another: far more than halves of anything, and few enough for a thread's
/// stack.
inline constexpr int mostNestedCalls = 4000;

/// Throws UsageError: "recursive.tla:12: more than 4000 calls of halve are inside one another: ...".
[[noreturn]] void failNesting(const char *place, const char *algorithm);

/// A call while it lasts. `calls` are those of the algorithms of one program that last, by one thread.
class NestedCall {
public:
  NestedCall(int &calls, const char *place, const char *algorithm) : calls_(calls) {
    if (calls_ == mostNestedCalls) [[unlikely]]
      failNesting(place, algorithm);
    ++calls_;
  }
  ~NestedCall() { --calls_; }
  NestedCall(const NestedCall &) = delete;
  NestedCall &operator=(const NestedCall &) = delete;

private:
  int &calls_;
};

} // namespace tla::runtime
