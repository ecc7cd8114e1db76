// C++ text to machine code, in this process: Clang as a library. link.hpp makes programs of objects.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hetc::backend {

struct CompileOptions {
  std::vector<std::string> compilerArguments; ///< -I, -D and the like
  bool optimize = true;                       ///< -O2, else -O0
  std::string march;                          ///< the processor that it is for, as -march names it; empty: any
  /// Whether code without loops over elements is optimized, as -Os does: it appends tasks and calls kernels, and takes
  /// LLVM half of the time then. Files and versions of kernels are optimized as they are all the same.
  bool onlyCalls = false;
};

enum class OutputKind { LlvmText, Object };

struct Compiled {
  std::string bytes; ///< the object file, or the text
  /// Files that were read, absolute.
  std::set<std::string> dependencies;
  /// Places where an included file was searched and was not: one that appears there changes the result. Absolute.
  std::set<std::string> absent;
};

/// Code that stands in the object once for each of several processors (detach.hpp).
struct Version {
  std::string march;              ///< processor, as in CompileOptions
  std::string entry;              ///< the constant of the text that the object's own code names
  std::string text;               ///< C++ that defines it
  std::vector<std::string> files; ///< C++ files with functions that the text calls
};

/// Where an error of generated text is.
struct TextError {
  std::string text;  ///< the text; empty: the error is in a file
  unsigned line = 0; ///< line of the error, from 1
};

/// Compiles C++ `text`, which diagnostics call `name`, with those versions of what it leaves to them. Returns nullopt
/// after an error was shown; where that is one of a text itself and not of a file that it includes, `error`, if given,
/// says where.
std::optional<Compiled> compileText(const std::string &text, const std::string &name, OutputKind kind,
                                    const CompileOptions &options, const std::vector<Version> &versions = {},
                                    TextError *error = nullptr);
/// Compiles a C++ file; nullopt after an error was shown.
std::optional<Compiled> compileFile(const std::string &file, const CompileOptions &options);

/// The name of the compiler: "clang 19.1.7".
std::string compilerName();

/// The processor that `native` code is for: name and features.
std::string nativeProcessor();

} // namespace hetc::backend
