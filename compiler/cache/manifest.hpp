// What a cached program was made of, so that a change is seen. A text file, one fact a line:
//
//   program <size> <hash>    the program itself; or "program none": there is none to be made
//   file <hash> <path>       a file that was read
//   absent <path>            a file that would have been read, had it been there
//   remark <text>            what the compiler had to say
#pragma once

#include "compiler/driver/compile.hpp"

#include <llvm/ADT/StringRef.h>

#include <ctime>
#include <optional>
#include <string>
#include <vector>

namespace hetc::cache {

/// The clock of file times.
timespec fileClock();

/// The manifest of a compilation that began at `begin`; `program` is empty where there was none to be made. Empty when
/// it must not be used again: a file changed meanwhile, so what was compiled is not known to be what is there now.
std::optional<std::string> manifestOf(const driver::Result &result, const std::string &program, timespec begin);

struct Manifest {
  bool program = true; ///< there is one
  std::vector<std::string> remarks;
};
/// When everything in the manifest still holds for `program`.
std::optional<Manifest> readManifest(const std::string &manifest, const std::string &program);

} // namespace hetc::cache
