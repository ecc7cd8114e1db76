// Where hetc finds the things it needs at run time: its headers and libraries (in the build or the installed tree) and
// the compiler's own headers.
#pragma once

#include <string>
#include <vector>

namespace hetc::support {

/// Sets the executable, once, from main: argv[0] and the address of a function in the executable, from which the trees
/// are found.
void setExecutable(const char *argv0, void *mainAddress);
/// Sets the executable for a process that compiles as another executable does: programs in the cache are those of that
/// one.
void setExecutable(const std::string &path);
const std::string &executablePath();

/// Directories of <tla/...> headers.
const std::vector<std::string> &headerDirs();
/// Directory of hetc's own algorithms, which programs anywhere include by their names: #include "posv.tla".
const std::string &algorithmsDir();
/// Directory of libtla.so and the kernel modules.
const std::string &libraryDir();
/// Directory in which kernels/... headers are, which candidates of hetc tune include.
const std::string &candidateHeaderDir();
/// Directory of the search spaces and the sources of their candidates.
const std::string &spacesDir();
/// Directory of the puzzles and their judges.
const std::string &puzzlesDir();
/// Whether the file is a header of hetc itself: the bodies of its kernels are in libtla.so.
bool isOwnHeader(const std::string &path);

/// Clang's builtin headers, and the name under which the driver library believes to run.
std::string clangResourceDir();
std::string clangPath();

} // namespace hetc::support
