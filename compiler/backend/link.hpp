// Object files to executables and shared libraries, through the system's linker, which Clang's driver finds.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace hetc::backend {

enum class LinkKind { Executable, SharedLibrary };

struct LinkOutcome {
  bool ok = false;
  std::string messages; ///< the linker's messages, lines
  /// Files that were linked in, absolute: where libraries were given, those that a name has led to. Without objects of
  /// the caller's, the system's shared libraries, which are found when the result runs, and the compiler's own.
  std::set<std::string> read = {};
};

struct LinkInputs {
  std::vector<std::string> objects;        ///< object files, archives
  std::vector<std::string> libraries = {}; ///< names as behind -l, or paths, which have a '/'
};

/// Links them with libtla. Shared libraries that are paths are found there when the result runs.
LinkOutcome link(const LinkInputs &inputs, LinkKind kind, const std::string &output);

} // namespace hetc::backend
