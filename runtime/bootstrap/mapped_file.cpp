#include "runtime/bootstrap/mapped_file.hpp"

#include "runtime/bootstrap/text.hpp"

#include <tla/runtime/error.hpp>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <utility>

namespace tla::bootstrap {
namespace {
std::string errorText() { return lowerCase(std::strerror(errno)); }

struct Descriptor {
  int fd;
  ~Descriptor() { ::close(fd); }
};

std::string temporaryName(const std::string &path) { return path + "." + std::to_string(::getpid()) + ".tmp"; }

void requireRegularOrNew(const std::string &path, const std::string &option) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0)
    return;
  if (S_ISDIR(status.st_mode))
    throw UsageError(option + ": " + path + " is a directory");
  if (!S_ISREG(status.st_mode))
    throw UsageError(option + ": " + path + " is not a regular file");
  if (::access(path.c_str(), W_OK) != 0)
    throw UsageError(option + ": cannot write " + path + ": " + errorText());
}
} // namespace

MappedFile::MappedFile(const std::string &path) : path_(path) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.fd < 0)
    throw UsageError("cannot read " + path + ": " + errorText());
  struct stat status {};
  if (::fstat(file.fd, &status) != 0)
    throw UsageError("cannot read " + path + ": " + errorText());
  if (S_ISDIR(status.st_mode))
    throw UsageError("cannot read " + path + ": it is a directory");
  if (!S_ISREG(status.st_mode))
    throw UsageError("cannot read " + path + ": not a regular file");
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ == 0)
    throw UsageError("cannot read " + path + ": the file is empty");
  void *const address = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.fd, 0);
  if (address == MAP_FAILED)
    throw UsageError("cannot read " + path + ": " + errorText());
  data_ = static_cast<const char *>(address);
}

MappedFile::~MappedFile() { ::munmap(const_cast<char *>(data_), size_); }

AtomicFile::AtomicFile(const std::string &path)
    : path_(path), temporary_(temporaryName(path)), file_(std::fopen(temporary_.c_str(), "wbe")) {
  if (!file_)
    fail("create");
}

AtomicFile::~AtomicFile() {
  if (file_)
    std::fclose(file_);
  if (!temporary_.empty())
    ::unlink(temporary_.c_str());
}

void AtomicFile::write(const void *data, std::size_t size) {
  if (std::fwrite(data, 1, size, file_) != size)
    fail("write");
}

void AtomicFile::commit() {
  std::FILE *const file = std::exchange(file_, nullptr);
  if (std::fclose(file) != 0 || std::rename(temporary_.c_str(), path_.c_str()) != 0)
    fail("write");
  temporary_.clear();
}

void AtomicFile::fail(const char *what) const {
  throw Error(std::string("cannot ") + what + " " + path_ + ": " + errorText());
}

void requireWritable(const std::string &path, const std::string &option, double bytes) {
  requireRegularOrNew(path, option);
  const std::string temporary = temporaryName(path);
  const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0)
    throw UsageError(option + ": cannot write " + path + ": " + errorText());
  const Descriptor file{fd};
  ::unlink(temporary.c_str());
  struct statvfs space {};
  if (::fstatvfs(fd, &space) != 0)
    return;
  const double available = static_cast<double>(space.f_bavail) * static_cast<double>(space.f_frsize);
  if (bytes > available)
    throw UsageError(option + ": " + path + " needs " + formatBytes(bytes) + ", " + formatBytes(available) +
                     " available on its file system");
}

} // namespace tla::bootstrap
