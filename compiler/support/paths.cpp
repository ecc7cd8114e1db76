#include "compiler/support/paths.hpp"

#include "compiler/support/config.hpp"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

namespace hetc::support {

namespace {

struct Paths {
  std::string executable, libraryDir, candidateHeaderDir, spacesDir, puzzlesDir, algorithmsDir;
  std::vector<std::string> headerDirs;
};

Paths &paths() {
  static Paths instance;
  return instance;
}

std::string joined(llvm::StringRef base, llvm::StringRef tail) {
  llvm::SmallString<256> path(base);
  llvm::sys::path::append(path, tail);
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

} // namespace

void setExecutable(const char *argv0, void *mainAddress) {
  setExecutable(llvm::sys::fs::getMainExecutable(argv0, mainAddress));
}

void setExecutable(const std::string &path) {
  Paths &found = paths();
  found.executable = path;
  const std::string prefix = joined(llvm::sys::path::parent_path(found.executable), "..");
  const std::string installed = joined(prefix, "include/hetc");
  found.libraryDir = joined(prefix, config::libraryDirName);
  found.candidateHeaderDir = installed;
  found.spacesDir = joined(prefix, "share/hetc/spaces");
  found.puzzlesDir = joined(prefix, "share/hetc/puzzles");
  found.algorithmsDir = joined(prefix, "share/hetc/algorithms");
  if (llvm::sys::fs::exists(installed + "/tla/tla.hpp")) {
    found.headerDirs = {installed};
    return;
  }
  found.candidateHeaderDir = config::sourceDir;
  found.spacesDir = joined(config::sourceDir, "kernels/tuning/spaces");
  found.puzzlesDir = joined(config::sourceDir, "docs/puzzles");
  found.algorithmsDir = joined(config::sourceDir, "algorithms");
  for (const char *tree : {"dsl/include", "kernels/include", "runtime/include"})
    found.headerDirs.push_back(joined(config::sourceDir, tree));
}

const std::string &executablePath() { return paths().executable; }
const std::vector<std::string> &headerDirs() { return paths().headerDirs; }
const std::string &algorithmsDir() { return paths().algorithmsDir; }
const std::string &libraryDir() { return paths().libraryDir; }
const std::string &candidateHeaderDir() { return paths().candidateHeaderDir; }
const std::string &spacesDir() { return paths().spacesDir; }
const std::string &puzzlesDir() { return paths().puzzlesDir; }

bool isOwnHeader(const std::string &path) {
  for (const std::string &directory : headerDirs())
    if (path.compare(0, directory.size(), directory) == 0)
      return true;
  return false;
}

std::string clangResourceDir() { return config::clangResourceDir; }
std::string clangPath() { return config::clangPath; }

} // namespace hetc::support
