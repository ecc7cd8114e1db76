// C++ text to machine code, in this process: Clang as a library. Also turns objects into executables and shared
// libraries through the system's linker.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hetc::codegen {

struct CompileOptions {
  std::vector<std::string> compilerArguments; ///< -I, -D and the like
  bool optimize = true;                       ///< -O2, else -O0
  bool native = false;                        ///< -march=native: for files that hold kernels' bodies
};

enum class OutputKind { LlvmText, Object };

struct Compiled {
  std::string bytes; ///< the object file, or the text
  /// Files that were read, absolute.
  std::set<std::string> dependencies;
  /// Places where an included file was searched and was not: one that appears there changes the result. Absolute.
  std::set<std::string> absent;
};

/// Compiles C++ `text`, which diagnostics call `name`. Returns nullopt after an error was shown; where that is one of
/// the text itself and not of a file that it includes, `line`, if given, is where (from 1), else 0.
std::optional<Compiled> compileText(const std::string &text, const std::string &name, OutputKind kind,
                                    const CompileOptions &options, unsigned *line = nullptr);
/// Compiles a C++ file; nullopt after an error was shown.
std::optional<Compiled> compileFile(const std::string &file, const CompileOptions &options);

/// What compiles: "clang 19.1.7".
std::string compilerName();

/// The processor that `native` code is for: name and features.
std::string nativeProcessor();

enum class LinkKind { Executable, SharedLibrary };

struct LinkOutcome {
  bool ok = false;
  std::string messages; ///< what the linker said, lines
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

} // namespace hetc::codegen
