#include "dsl/base/file_lock.hpp"

#include "dsl/base/cache_folder.hpp"

#include <cerrno>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tla {

namespace {

bool hasName(int descriptor, const std::string &path) {
  struct stat file, named;
  return ::fstat(descriptor, &file) == 0 && ::stat(path.c_str(), &named) == 0 && file.st_dev == named.st_dev &&
         file.st_ino == named.st_ino;
}

int openFile(const std::string &path, FileLock::Wait wait) {
  if (wait == FileLock::Wait::Yes && !makePrivateFolder(std::filesystem::path(path).parent_path()).empty())
    return -1;
  return ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
}

int lockFile(int descriptor, FileLock::Wait wait) {
  int result;
  do
    result = ::flock(descriptor, LOCK_EX | (wait == FileLock::Wait::Yes ? 0 : LOCK_NB));
  while (result != 0 && errno == EINTR);
  return result;
}

} // namespace

FileLock::FileLock(const std::string &path, Wait wait) {
  for (;;) {
    descriptor_ = openFile(path, wait);
    if (descriptor_ < 0)
      return;
    const bool locked = lockFile(descriptor_, wait) == 0;
    if (locked && hasName(descriptor_, path))
      return;
    ::close(std::exchange(descriptor_, -1));
    if (!locked)
      return;
  }
}

FileLock::~FileLock() {
  if (descriptor_ >= 0)
    ::close(descriptor_);
}

} // namespace tla
