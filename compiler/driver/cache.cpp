#include "compiler/driver/cache.hpp"

#include "compiler/driver/files.hpp"
#include "compiler/support/paths.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Support/xxhash.h>

#include <chrono>
#include <cstdlib>

namespace hetc::driver {

namespace fs = llvm::sys::fs;

namespace {

std::string hashOf(llvm::StringRef content) {
  const llvm::XXH128_hash_t hash = llvm::xxh3_128bits(llvm::arrayRefFromStringRef(content));
  return llvm::utohexstr(hash.high64, true, 16) + llvm::utohexstr(hash.low64, true, 16);
}

/// Empty when the file cannot be read.
std::string hashOfFile(const std::string &path) {
  const auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return buffer ? hashOf((*buffer)->getBuffer()) : "";
}

/// Everything but the files' contents that the program depends on; hetc itself by content.
std::string keyOf(const Request &request) {
  std::string text = hashOfFile(support::executablePath()) + hashOfFile(support::libraryDir() + "/libtla.so");
  const auto add = [&](const std::string &part) { text += part + '\0'; };
  add(absolutePath(request.file));
  add(request.algorithm);
  add(std::string(1, ir::letter(request.type)));
  add(request.optimize ? "optimize" : "");
  for (const std::string &argument : request.compilerArguments)
    add(argument);
  for (const std::string &source : request.kernelSources)
    add(absolutePath(source));
  llvm::SmallString<256> directory; // -I may be relative
  fs::current_path(directory);
  add(request.compilerArguments.empty() ? "" : directory.str().str());
  return hashOf(text);
}

/// True when every file of the manifest still has the content it had.
bool manifestHolds(const std::string &path) {
  const auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return false;
  llvm::SmallVector<llvm::StringRef, 32> lines;
  (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (const llvm::StringRef line : lines) {
    const auto [hash, file] = line.split(' ');
    if (hash != hashOfFile(file.str()))
      return false;
  }
  return !lines.empty();
}

std::string manifestOf(const std::vector<std::string> &files) {
  std::string text;
  for (const std::string &file : files)
    text += hashOfFile(file) + " " + file + "\n";
  return text;
}

/// An advisory lock on a file, held until destruction.
class FileLock {
public:
  explicit FileLock(const std::string &path) {
    if (!fs::openFileForReadWrite(path, descriptor_, fs::CD_OpenAlways, fs::OF_None))
      held_ = !fs::lockFile(descriptor_);
  }
  FileLock(const FileLock &) = delete;
  ~FileLock() {
    if (held_)
      fs::unlockFile(descriptor_);
    if (descriptor_ >= 0) {
      fs::file_t file = fs::convertFDToNativeFile(descriptor_);
      fs::closeFile(file);
    }
  }
  bool held() const { return held_; }

private:
  int descriptor_ = -1;
  bool held_ = false;
};

class Clock {
public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// Without a usable cache: a program in the temporary directory, left to the system's cleaning.
std::optional<CachedProgram> compileUncached(Request request, const Clock &clock) {
  llvm::SmallString<256> path;
  if (fs::createTemporaryFile(llvm::sys::path::stem(request.file), "hetc", path))
    return std::nullopt;
  request.output = path.str().str();
  if (!compile(request).ok) {
    fs::remove(path);
    return std::nullopt;
  }
  return CachedProgram{request.output, false, clock.seconds()};
}

} // namespace

std::string cacheDirectory() {
  if (const char *own = std::getenv("HETC_CACHE_DIR"); own && *own)
    return own;
  llvm::SmallString<256> directory;
  if (!llvm::sys::path::cache_directory(directory))
    llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, directory);
  llvm::sys::path::append(directory, "hetc");
  return directory.str().str();
}

std::optional<CachedProgram> compileCached(Request request, bool fresh) {
  const Clock clock;
  if (!checkFile(request.file))
    return std::nullopt;
  const std::string directory = cacheDirectory() + "/" + keyOf(request);
  const std::error_code failed = fs::create_directories(directory);
  const FileLock lock(directory + "/lock");
  if (failed || !lock.held()) {
    llvm::errs() << "hetc: warning: the cache '" << cacheDirectory() << "' cannot be written; compiling without it\n";
    return compileUncached(std::move(request), clock);
  }
  request.emit = Emit::Executable;
  request.output = directory + "/" + llvm::sys::path::stem(request.file).str();
  const std::string manifest = directory + "/manifest";
  if (!fresh && fs::exists(request.output) && manifestHolds(manifest))
    return CachedProgram{request.output, true, clock.seconds()};
  fs::remove(manifest);
  const Result result = compile(request);
  if (!result.ok)
    return std::nullopt;
  if (!writeText(manifest, manifestOf(result.dependencies)))
    return std::nullopt;
  return CachedProgram{request.output, false, clock.seconds()};
}

} // namespace hetc::driver
