// What generated code needs where an algorithm calls itself. Only generated code includes this header.
#pragma once

#include <functional>

namespace tla::runtime {

/// The most calls that may be inside one another: far more than halves of anything. A stack that has no room for so
/// many holds fewer.
inline constexpr int mostNestedCalls = 1000;

/// The calls of one program's algorithms that last, all by one thread.
struct Nesting {
  Nesting(); ///< takes the stack of the calling thread to begin here

  int calls = 0;
  const char *const begin; ///< a place in the frame of the function that made it
  const long mostBytes;    ///< the most bytes of stack from there on
};

/// Throws UsageError: "recursive.tla:12: more than 1000 calls of halve are inside one another: ...".
[[noreturn]] void failNesting(int calls, const char *place, const char *algorithm);

/// A call while it lasts; stands in the frame of the function that is called.
class NestedCall {
public:
  NestedCall(Nesting &nesting, const char *place, const char *algorithm) : nesting_(nesting) {
    const long bytes = nesting.begin - reinterpret_cast<const char *>(this); // stacks grow down
    if (nesting.calls == mostNestedCalls || bytes > nesting.mostBytes) [[unlikely]]
      failNesting(nesting.calls, place, algorithm);
    ++nesting.calls;
  }
  ~NestedCall() { --nesting_.calls; }
  NestedCall(const NestedCall &) = delete;
  NestedCall &operator=(const NestedCall &) = delete;

private:
  Nesting &nesting_;
};

} // namespace tla::runtime
