// How often calls of users' kernels are tried before they run: whether they stay inside the parts of tiles that they
// are given (guarded.hpp).
#pragma once

#include <initializer_list>

namespace tla::runtime {

/// While one lives, this process tries every call, not only the first of each size, which takes three times as long.
class GuardEveryCall {
public:
  GuardEveryCall();
  ~GuardEveryCall();
  GuardEveryCall(const GuardEveryCall &) = delete;
  GuardEveryCall &operator=(const GuardEveryCall &) = delete;
};
bool guardsEveryCall();

/// An argument that is a part of a tile, for messages: all text is static.
struct GuardedPart {
  const char *parameter; ///< "A"
  const char *argument;  ///< "A(i, i).lower()", as the program has it
};

/// Throws Error: "writes element (0, 0) of a tile of which A, which is A(i, i).lower(), has not all ...".
[[noreturn]] void failWriteOutside(const GuardedPart &part, int row, int column);
/// Throws Error: "reads ...". Null: an argument that is no part of a tile.
[[noreturn]] void failReadOutside(std::initializer_list<const GuardedPart *> arguments);
/// Throws Error, where a standard kernel would leave a half: "stays inside A, which is A(i, i).lower(), only if uplo ==
/// Lower && diag == Unit".
[[noreturn]] void failHalf(const GuardedPart &part, const char *condition);

} // namespace tla::runtime
