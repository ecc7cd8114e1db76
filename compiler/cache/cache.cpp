#include "compiler/cache/cache.hpp"

#include "compiler/backend/compile.hpp"
#include "compiler/cache/eviction.hpp"
#include "compiler/cache/manifest.hpp"
#include "compiler/process/files.hpp"
#include "compiler/support/hash.hpp"
#include "compiler/support/paths.hpp"
#include "dsl/base/cache_folder.hpp"
#include "dsl/base/file_lock.hpp"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <system_error>

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace hetc::cache {

namespace fs = llvm::sys::fs;

namespace {

/// Variables that change what Clang and the linker find.
constexpr const char *searchVariables[] = {"CPATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "COMPILER_PATH"};

/// The parts of a key, told apart: a list is preceded by its length.
class Key {
public:
  void add(const std::string &part) { text_ += std::to_string(part.size()) + ":" + part; }
  void add(const std::vector<std::string> &parts) {
    add(std::to_string(parts.size()));
    for (const std::string &part : parts)
      add(part);
  }
  std::string hash() const { return support::hashOf(text_); }

private:
  std::string text_;
};

/// A distribution is what its table says, wherever that came from.
std::string contentOf(const std::optional<tla::Distribution> &distribution) {
  return distribution ? distribution->name() + " " + distribution->isl() : "";
}

/// The paths that Clang and the linker search by these options and variables. Any of them may be relative, so the
/// working directory belongs to them; without any of them it makes no difference.
std::vector<std::string> searchPathsOf(const driver::Request &request) {
  std::vector<std::string> paths = request.compilerArguments;
  paths.insert(paths.end(), request.kernelSources.begin(), request.kernelSources.end());
  for (const char *variable : searchVariables)
    if (const char *const value = std::getenv(variable); value && *value)
      paths.push_back(std::string(variable) + "=" + value);
  if (paths.empty())
    return {};
  llvm::SmallString<256> directory;
  fs::current_path(directory);
  paths.push_back(directory.str().str());
  return paths;
}

/// Everything but the files' contents that the program depends on; hetc itself by content.
std::string keyOf(const driver::Request &request) {
  Key key;
  key.add(support::hashOfFile(support::executablePath()).value_or(""));
  for (const char *library : {"/libtla.so", "/libtla_predict.so", "/libtla_program.so"})
    key.add(support::hashOfFile(support::libraryDir() + library).value_or(""));
  key.add(backend::nativeProcessor());
  key.add(process::absolutePath(request.file));
  key.add(request.algorithm);
  key.add(std::string(1, ir::letter(request.type)));
  key.add(request.optimize ? "optimize" : "");
  key.add(request.march);
  key.add(request.runOnly ? "run only" : "");
  key.add(std::to_string(request.split));
  key.add(std::to_string(request.copies));
  key.add(request.tasks == driver::Tasks::Octal ? "octal" : "");
  key.add(request.emit == driver::Emit::SharedLibrary ? "shared" : "executable");
  key.add(contentOf(request.distribution));
  key.add(searchPathsOf(request));
  return key.hash();
}

class Clock {
public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// Loops that were refused leave a program that says so.
bool isMade(const driver::Request &request, const driver::Result &result) {
  return !request.onlyNodeLoops || result.nodeLoops || result.loopsRefused;
}

/// Compiles without a usable cache: a program in the temporary directory, left to the system's cleaning.
std::optional<CachedProgram> compileUncached(driver::Request request, const Clock &clock) {
  process::TemporaryFile program(llvm::sys::path::stem(request.file).str(), "hetc");
  request.output = program.path();
  if (!program)
    return std::nullopt;
  const driver::Result result = driver::compile(request);
  if (!result.ok)
    return std::nullopt;
  return CachedProgram{isMade(request, result) ? program.release() : "", false, clock.seconds()};
}

/// The program in the cache with its remarks shown, when it is there and up to date; its name is empty where there was
/// none to be made.
std::optional<std::string> useCached(const driver::Request &request, const std::string &manifest) {
  const auto found = readManifest(manifest, request.output);
  if (!found)
    return std::nullopt;
  if (const std::string why = found->program ? tla::whyNotPrivate(request.output) : ""; !why.empty()) {
    llvm::errs() << "hetc: warning: " << why << "; it is compiled anew\n";
    return std::nullopt;
  }
  touch(manifest);
  if (request.remarks)
    for (const std::string &remark : found->remarks)
      llvm::errs() << remark << "\n";
  return found->program ? request.output : "";
}

/// Empty, or why programs in the folder could not be run: the kernel would refuse them.
std::string whyNotExecutable(const std::string &folder) {
  struct statvfs status;
  const bool refuses = ::statvfs(folder.c_str(), &status) == 0 && (status.f_flag & ST_NOEXEC);
  return refuses ? "its file system is mounted noexec" : "";
}

/// Empty, or why a program would not fit into the folder. Whatever has no room for it fails here, and not in one of the
/// many places that write a part of it.
std::string whyNoRoom(const std::string &folder) {
  constexpr off_t bytes = 1 << 20; // several programs
  const std::string probe = folder + "/room";
  const int descriptor = ::open(probe.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const int error = descriptor < 0 ? errno : ::posix_fallocate(descriptor, 0, bytes);
  if (descriptor >= 0)
    ::close(descriptor);
  ::unlink(probe.c_str());
  return error ? std::generic_category().message(error) : "";
}

/// Makes the folders. Empty, or why there can be no program.
std::string whyNoCache(const std::string &cache, const std::string &directory) {
  std::string problem = tla::makePrivateFolder(cache);
  if (problem.empty())
    problem = tla::makePrivateFolder(directory);
  return problem.empty() ? whyNotExecutable(directory) : problem;
}

std::optional<CachedProgram> compileWithout(const std::string &cache, const std::string &problem,
                                            driver::Request request, const Clock &clock) {
  llvm::errs() << "hetc: warning: the cache '" << cache << "' cannot be used"
               << (problem.empty() ? "" : " (" + problem + ")") << "; compiling without it\n";
  return compileUncached(std::move(request), clock);
}

} // namespace

std::optional<CachedProgram> compileCached(driver::Request request, bool fresh) {
  const Clock clock;
  request.isForHere = true;
  if (request.march.empty())
    request.march = "native";
  if (!process::checkFile(request.file))
    return std::nullopt;
  const std::string cache = tla::programsFolder().string(), directory = cache + "/" + keyOf(request);
  const std::string problem = whyNoCache(cache, directory);
  const tla::FileLock lock(problem.empty() ? directory + "/lock" : "");
  if (!lock.held())
    return compileWithout(cache, problem, std::move(request), clock);
  const bool shared = request.emit == driver::Emit::SharedLibrary;
  request.output = directory + "/" + llvm::sys::path::stem(request.file).str() + (shared ? ".so" : "");
  const std::string manifest = directory + "/manifest";
  if (!fresh)
    if (const auto program = useCached(request, manifest))
      return CachedProgram{*program, true, clock.seconds()};
  fs::remove(manifest);
  if (const std::string full = whyNoRoom(directory); !full.empty())
    return compileWithout(cache, full, std::move(request), clock);
  const timespec begin = fileClock();
  const driver::Result result = driver::compile(request);
  if (!result.ok)
    return std::nullopt;
  const std::string program = isMade(request, result) ? request.output : "";
  if (const auto text = result.loopsFailed ? std::nullopt : manifestOf(result, program, begin))
    process::writeFile(manifest,
                       *text); // else the program is compiled again the next time, and what is wrong is said again
  evictOldPrograms(cache, directory);
  return CachedProgram{program, false, clock.seconds()};
}

} // namespace hetc::cache
