// Device code to machine code in process, by NVRTC.
#pragma once

#include "kernels/tuning/cuda/library.hpp"

#include <variant>

namespace hetc::tuning::cuda {

struct SourceFile {
  std::string name, text;
};

/// The resources of a kernel as ptxas reports them.
struct Resources {
  int registers = 0;   ///< registers of 32 bits, per thread
  int stackBytes = 0;  ///< per thread
  int spillBytes = 0;  ///< bytes of loads or of stores, whichever is more
  int sharedBytes = 0; ///< static, per block
};

struct Cubin {
  std::string image; ///< an ELF file, as cuModuleLoadData takes it
  Resources resources;
  double seconds = 0; ///< time of the compilation
};

struct CompileError {
  std::string log;
};

/// Reads the report of `ptxas -v` on one kernel. Throws Error if it does not hold the numbers.
Resources readResources(const std::string &log);

/// The content of a variable of a cubin that has its value at compile time. Throws Error if there is none.
std::string variableOf(const std::string &cubin, const std::string &name);

class NvrtcCompiler {
public:
  /// Throws Error where there is no NVRTC.
  NvrtcCompiler();

  /// "13.0".
  std::string version() const;
  /// Compiles a source with one kernel for an architecture like "sm_90". The headers are what it can include. The
  /// standard is C++20. One call at a time.
  std::variant<Cubin, CompileError> compile(const std::string &source, const std::vector<SourceFile> &headers,
                                            const std::string &architecture) const;

private:
  using Program = struct ProgramOfNvrtc *;
  void check(int status, const char *call) const;

  Library library_;
  // As nvrtc.h declares them; nvrtcResult is an int.
  const char *(*getErrorString_)(int);
  int (*version_)(int *, int *);
  int (*createProgram_)(Program *, const char *, const char *, int, const char *const *, const char *const *);
  int (*destroyProgram_)(Program *);
  int (*compileProgram_)(Program, int, const char *const *);
  int (*getLogSize_)(Program, std::size_t *);
  int (*getLog_)(Program, char *);
  int (*getCubinSize_)(Program, std::size_t *);
  int (*getCubin_)(Program, char *);
};

} // namespace hetc::tuning::cuda
