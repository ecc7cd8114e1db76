#include "compiler/process/files.hpp"

#include "compiler/support/temporary_file.hpp"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/Signals.h>
#include <llvm/Support/raw_ostream.h>

#include <filesystem>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

namespace hetc::process {

namespace fs = llvm::sys::fs;

namespace {

bool fail(const std::string &message) {
  llvm::errs() << "hetc: " << message << "\n";
  return false;
}

bool cannotWrite(const std::string &path, const std::error_code &error) {
  return fail("cannot write '" + path + "': " + error.message());
}

bool isStandardOutput(const std::string &path) { return path.empty() || path == "-" || path == "/dev/stdout"; }

/// The file that a chain of symbolic links ends at; it need not exist.
std::string behindLinks(std::string path) {
  std::error_code error;
  for (int links = 0; links < 40 && std::filesystem::is_symlink(path, error); ++links) {
    const std::filesystem::path target = std::filesystem::read_symlink(path, error);
    path = (std::filesystem::path(path).parent_path() / target).string();
  }
  return path;
}

std::string directoryOf(const std::string &path) {
  const std::string directory = llvm::sys::path::parent_path(path).str();
  return directory.empty() ? "." : directory;
}

/// A stream must not be destroyed with an error that no one has cleared: LLVM takes that for fatal.
std::error_code finish(llvm::raw_fd_ostream &out) {
  out.flush();
  const std::error_code error = out.error();
  out.clear_error();
  return error;
}

std::error_code writeTo(const std::string &path, const std::string &bytes, fs::CreationDisposition disposition) {
  std::error_code error;
  llvm::raw_fd_ostream out(path, error, disposition);
  if (error)
    return error;
  out << bytes;
  out.close();
  return finish(out);
}

} // namespace

bool checkFile(const std::string &file) {
  // Generated code includes the file by its path, and C++ has no way to write these there.
  if (absolutePath(file).find_first_of("\"\\\n") != std::string::npos)
    return fail("'" + file + "': a path with a quote, a backslash or a line break cannot be compiled; rename it");
  if (fs::is_directory(file))
    return fail("'" + file + "' is a directory; give a .tla file");
  if (!fs::exists(file))
    return fail("no such file: '" + file + "'");
  if (llvm::sys::path::extension(file) != ".tla")
    return fail("'" + file + "' is not a .tla file");
  if (::access(file.c_str(), R_OK) != 0)
    return fail("cannot read '" + file + "': " + std::generic_category().message(errno));
  return true;
}

bool checkWritable(const std::string &path) {
  if (isStandardOutput(path))
    return true;
  if (fs::is_directory(path))
    return fail("cannot write '" + path + "': it is a directory");
  const std::string target = behindLinks(path);
  if (fs::exists(target) && ::access(target.c_str(), W_OK) != 0)
    return cannotWrite(path, std::error_code(errno, std::generic_category()));
  if (!writesDirectly(path) && ::access(directoryOf(target).c_str(), W_OK | X_OK) != 0)
    return cannotWrite(path, std::error_code(errno, std::generic_category()));
  return true;
}

bool checkNotInput(const std::string &output, const std::vector<std::string> &inputs) {
  if (isStandardOutput(output))
    return true;
  for (const std::string &input : inputs)
    if (fs::equivalent(output, input))
      return fail("'" + output + "' would overwrite '" + input + "', which is an input; give another name");
  return true;
}

bool writesDirectly(const std::string &path) {
  struct stat status;
  if (isStandardOutput(path))
    return true;
  if (::stat(path.c_str(), &status) != 0)
    return false;
  return !S_ISREG(status.st_mode) || llvm::StringRef(path).starts_with("/dev/") ||
         llvm::StringRef(path).starts_with("/proc/");
}

bool writeFile(const std::string &path, const std::string &bytes) {
  if (isStandardOutput(path)) {
    llvm::outs() << bytes;
    const std::error_code error = finish(llvm::outs());
    return !error || fail("cannot write to standard output: " + error.message());
  }
  if (writesDirectly(path)) {
    const std::error_code error = writeTo(path, bytes, fs::CD_OpenExisting);
    return !error || cannotWrite(path, error);
  }
  TemporaryFile partial = TemporaryFile::beside(path);
  if (!partial)
    return false;
  if (const std::error_code error = writeTo(partial.path(), bytes, fs::CD_OpenExisting))
    return cannotWrite(path, error);
  return partial.moveTo(path);
}

std::string absolutePath(const std::string &path) {
  llvm::SmallString<256> absolute(path);
  fs::make_absolute(absolute);
  llvm::sys::path::remove_dots(absolute, /*remove_dot_dot=*/true);
  return absolute.str().str();
}

TemporaryFile::TemporaryFile(const std::string &prefix, const std::string &suffix) {
  const std::string folder = support::temporaryFolder();
  std::string path;
  const std::string dot = suffix.starts_with('.') ? "" : ".";
  const std::error_code error = support::createUniqueFile(folder + "/" + prefix + "-", dot + suffix, path);
  adopt(error, path, support::temporaryPurpose(folder));
}

TemporaryFile TemporaryFile::beside(const std::string &path) {
  std::string unique;
  const std::error_code error = support::createUniqueFile(directoryOf(behindLinks(path)) + "/.hetc-", ".tmp", unique);
  TemporaryFile file;
  file.adopt(error, unique, "'" + path + "'");
  return file;
}

void TemporaryFile::adopt(std::error_code error, std::string path, const std::string &purpose) {
  if (error) {
    fail("cannot create " + purpose + ": " + error.message());
    return;
  }
  path_ = std::move(path);
  llvm::sys::RemoveFileOnSignal(path_);
}

TemporaryFile::TemporaryFile(TemporaryFile &&other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }

TemporaryFile::~TemporaryFile() {
  if (!path_.empty())
    fs::remove(release());
}

bool TemporaryFile::write(const std::string &bytes) const {
  const std::error_code error = writeTo(path_, bytes, fs::CD_OpenExisting);
  return !error || cannotWrite(path_, error);
}

bool TemporaryFile::moveTo(const std::string &path) {
  if (const std::error_code error = fs::rename(path_, behindLinks(path)))
    return cannotWrite(path, error);
  release();
  return true;
}

std::string TemporaryFile::release() {
  llvm::sys::DontRemoveFileOnSignal(path_);
  return std::exchange(path_, {});
}

} // namespace hetc::process
