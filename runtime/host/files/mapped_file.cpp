#include "runtime/host/files/mapped_file.hpp"

#include "dsl/base/text.hpp"

#include <tla/runtime/error.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tla::host {
namespace {
struct Descriptor {
  int fd;
  ~Descriptor() { ::close(fd); }
};
} // namespace

MappedFile::MappedFile(const std::string &path) : path_(path) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.fd < 0)
    throw UsageError("cannot read " + path + ": " + systemMessage());
  struct stat status {};
  if (::fstat(file.fd, &status) != 0)
    throw UsageError("cannot read " + path + ": " + systemMessage());
  if (S_ISDIR(status.st_mode))
    throw UsageError("cannot read " + path + ": it is a directory");
  if (!S_ISREG(status.st_mode))
    throw UsageError("cannot read " + path + ": not a regular file");
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ == 0)
    throw UsageError("cannot read " + path + ": the file is empty");
  void *const address = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.fd, 0);
  if (address == MAP_FAILED)
    throw UsageError("cannot read " + path + ": " + systemMessage());
  data_ = static_cast<const char *>(address);
}

MappedFile::~MappedFile() { ::munmap(const_cast<char *>(data_), size_); }

} // namespace tla::host
