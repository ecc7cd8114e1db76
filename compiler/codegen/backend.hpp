// C++ text to machine code, in this process: Clang as a library. Also turns objects into executables and shared
// libraries through the system's linker.
#pragma once

#include <string>
#include <vector>

namespace hetc::codegen {

struct CompileOptions {
  std::vector<std::string> compilerArguments; ///< -I, -D and the like
  bool optimize = true;                       ///< -O2, else -O0
  bool native = false;                        ///< -march=native: for files that hold kernels' bodies
};

enum class OutputKind { LlvmText, Object };

/// Compiles C++ `text`, which diagnostics call `name`, to the file `output`. False after an error was shown.
bool compileText(const std::string &text, const std::string &name, OutputKind kind, const std::string &output,
                 const CompileOptions &options);
/// The same for a file.
bool compileFile(const std::string &file, const std::string &output, const CompileOptions &options);

enum class LinkKind { Executable, SharedLibrary };

/// Links objects with libtla. False after an error was shown.
bool link(const std::vector<std::string> &objects, LinkKind kind, const std::string &output,
          const std::vector<std::string> &linkerArguments = {});

} // namespace hetc::codegen
