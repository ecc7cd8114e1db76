#include "runtime/host/files/output_file.hpp"

#include "dsl/base/text.hpp"

#include <tla/runtime/error.hpp>

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <mutex>
#include <set>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <utility>

namespace tla::host {
namespace {

bool statusOf(const std::string &path, struct stat &status) {
  return (path == standardOutput ? ::fstat(STDOUT_FILENO, &status) : ::stat(path.c_str(), &status)) == 0;
}

bool same(const struct stat &a, const struct stat &b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino && !S_ISCHR(a.st_mode);
}

/// The descriptor of standard output or standard error when it is the file at `path`, or -1.
int standardDescriptor(const std::string &path) {
  if (path == standardOutput)
    return STDOUT_FILENO;
  struct stat there {
  }, mine{};
  if (statusOf(path, there))
    for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO})
      if (::fstat(descriptor, &mine) == 0 && same(there, mine))
        return descriptor;
  return -1;
}

/// The path behind links, also when nothing is there yet.
std::string followLinks(const std::string &path) {
  constexpr int mostLinks = 40; // as Linux
  std::error_code error;
  std::filesystem::path target = path;
  for (int link = 0; link < mostLinks && std::filesystem::is_symlink(target, error); ++link)
    target = target.parent_path() / std::filesystem::read_symlink(target, error);
  const auto folder = std::filesystem::canonical(target.has_parent_path() ? target.parent_path() : ".", error);
  return error ? target : folder / target.filename();
}

std::string temporaryName(const std::string &target) { return target + "." + std::to_string(::getpid()) + ".tmp"; }

/// A new file, never one that is there or that a link leads to.
int createTemporary(const std::string &temporary) {
  ::unlink(temporary.c_str()); // of a killed process with our number
  return ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

struct Closing {
  int descriptor;
  ~Closing() { ::close(descriptor); }
};

/// The temporary files of this process's outputs. The mutex guards the names, and is held for that only: whoever is
/// stuck in a write does not hold it.
class Temporaries {
public:
  void add(const std::string &path) {
    const std::lock_guard lock(mutex_);
    paths_.insert(path);
  }
  void remove(const std::string &path) {
    const std::lock_guard lock(mutex_);
    paths_.erase(path);
  }
  void unlinkAll() {
    const std::lock_guard lock(mutex_);
    for (const std::string &path : paths_)
      ::unlink(path.c_str());
  }

private:
  std::mutex mutex_;
  std::set<std::string> paths_;
};
Temporaries &temporaries() {
  static Temporaries all;
  return all;
}

std::string shownName(const std::string &path) { return path == standardOutput ? "standard output" : path; }

/// True when something is there; throws when it can take no output.
bool requireFitting(const std::string &path, const std::string &option, struct stat &status) {
  if (!statusOf(path, status)) {
    if (errno != ENOENT)
      throw UsageError(option + ": cannot write " + path + ": " + systemMessage());
    return false;
  }
  if (S_ISDIR(status.st_mode))
    throw UsageError(option + ": " + path + " is a directory");
  if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode) && !S_ISCHR(status.st_mode))
    throw UsageError(option + ": " + path + " is neither a regular file nor a pipe nor a character device");
  if (::access(path.c_str(), W_OK) != 0)
    throw UsageError(option + ": cannot write " + path + ": " + systemMessage());
  return true;
}

void requireSpace(int descriptor, const std::string &path, const std::string &option, double bytes) {
  struct statvfs space {};
  if (::fstatvfs(descriptor, &space) != 0)
    return;
  const double available = static_cast<double>(space.f_bavail) * static_cast<double>(space.f_frsize);
  if (bytes > available)
    throw UsageError(option + ": " + path + " needs " + formatBytes(bytes) + ", " + formatBytes(available) +
                     " available on its file system");
}
} // namespace

bool isStandardOutput(const std::string &path) { return standardDescriptor(path) == STDOUT_FILENO; }

bool isOwnFile(const std::string &path) {
  struct stat status {};
  return standardDescriptor(path) < 0 && (!statusOf(path, status) || S_ISREG(status.st_mode));
}

bool sameFile(const std::string &a, const std::string &b) {
  struct stat first {
  }, second{};
  const bool firstIsThere = statusOf(a, first), secondIsThere = statusOf(b, second);
  if (firstIsThere && secondIsThere)
    return same(first, second);
  return !firstIsThere && !secondIsThere && followLinks(a) == followLinks(b);
}

OutputFile::OutputFile(const std::string &path) : path_(path) {
  const int descriptor = open();
  if (descriptor < 0) {
    temporaries().remove(temporary_);
    fail(temporary_.empty() ? "write" : "create");
  }
  file_ = ::fdopen(descriptor, "wb");
  if (!file_) {
    ::close(descriptor);
    fail("create");
  }
}

int OutputFile::open() {
  if (const int standard = standardDescriptor(path_); standard >= 0) {
    std::fflush(standard == STDOUT_FILENO ? stdout : stderr);
    if ((::fcntl(standard, F_GETFL) & O_ACCMODE) == O_RDONLY) { // what fillStandardDescriptors() leaves, for one
      errno = EBADF;
      return -1;
    }
    return ::fcntl(standard, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  }
  struct stat status {};
  const bool isThere = statusOf(path_, status);
  target_ = followLinks(path_);
  // A path in /proc/self/fd may lead to a file that has lost its name.
  if (isThere && (!S_ISREG(status.st_mode) || !sameFile(path_, target_)))
    return ::open(path_.c_str(), O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC);
  temporary_ = temporaryName(target_);
  temporaries().add(temporary_);
  const int descriptor = createTemporary(temporary_);
  if (descriptor >= 0 && isThere)
    ::fchmod(descriptor, status.st_mode & 07777); // best effort
  return descriptor;
}

OutputFile::~OutputFile() {
  if (file_)
    std::fclose(file_);
  if (!temporary_.empty()) {
    ::unlink(temporary_.c_str());
    temporaries().remove(temporary_);
  }
}

void removeTemporaryFiles() { temporaries().unlinkAll(); }

void OutputFile::write(const void *data, std::size_t size) {
  if (size && std::fwrite(data, 1, size, file_) != size) // an empty matrix has no address
    fail("write");
}

void OutputFile::commit() {
  std::FILE *const file = std::exchange(file_, nullptr);
  if (std::fclose(file) != 0)
    fail("write");
  if (!temporary_.empty() && std::rename(temporary_.c_str(), target_.c_str()) != 0)
    fail("write");
  if (!temporary_.empty())
    temporaries().remove(std::exchange(temporary_, ""));
}

void OutputFile::extend(std::size_t bytes) {
  if (std::fflush(file_) != 0 || ::ftruncate(::fileno(file_), static_cast<off_t>(bytes)) != 0)
    fail("write");
}

void OutputFile::fail(const char *what) const {
  throw Error(std::string("cannot ") + what + " " + shownName(path_) + ": " + systemMessage());
}

void printOut(std::string_view text) {
  OutputFile file(standardOutput);
  file.write(text);
  file.commit();
}

void requireWritable(const std::string &path, const std::string &option, double bytes) {
  if (standardDescriptor(path) >= 0)
    return;
  struct stat status {};
  if (requireFitting(path, option, status) && !S_ISREG(status.st_mode))
    return;
  const std::string temporary = temporaryName(followLinks(path));
  const int descriptor = createTemporary(temporary);
  if (descriptor < 0)
    throw UsageError(option + ": cannot write " + path + ": " + systemMessage());
  const Closing closing{descriptor};
  ::unlink(temporary.c_str());
  requireSpace(descriptor, path, option, bytes);
}

void fillStandardDescriptors() {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor)
    if (::fcntl(descriptor, F_GETFD) < 0) [[maybe_unused]]
      const int opened = ::open("/dev/null", O_RDONLY); // the lowest free number: this one
}

} // namespace tla::host
