#include "runtime/bootstrap/cache_file.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

namespace tla::bootstrap {

std::filesystem::path cacheDirectory() {
  for (const auto &[variable, below] :
       {std::pair{"HETC_CACHE_DIR", ""}, {"XDG_CACHE_HOME", "hetc"}, {"HOME", ".cache/hetc"}})
    if (const char *value = std::getenv(variable); value && *value)
      return std::filesystem::path(value) / below;
  return std::filesystem::temp_directory_path() / "hetc";
}

CacheLock::CacheLock(const std::filesystem::path &file) {
  std::error_code error;
  std::filesystem::create_directories(file.parent_path(), error);
  descriptor_ = ::open((file.string() + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  held_ = descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX) == 0;
}

CacheLock::~CacheLock() {
  if (descriptor_ >= 0)
    ::close(descriptor_);
}

bool replaceCacheFile(const std::filesystem::path &file, const std::string &content) {
  const std::string partial = file.string() + ".partial";
  std::ofstream out(partial);
  out << content;
  out.close();
  std::error_code error;
  if (out)
    std::filesystem::rename(partial, file, error);
  const bool replaced = out && !error;
  std::filesystem::remove(partial, error);
  return replaced;
}

} // namespace tla::bootstrap
