#include "dsl/base/cache_folder.hpp"

#include "dsl/base/streams.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

namespace tla {

namespace fs = std::filesystem;

namespace {

std::string quoted(const fs::path &path) { return "'" + path.string() + "'"; }

/// Whether only this user can look into the folder.
bool isClosed(const fs::path &folder) {
  struct stat status;
  return ::stat(folder.c_str(), &status) == 0 && status.st_uid == ::geteuid() && (status.st_mode & 077) == 0;
}

std::error_code lastError() { return {errno, std::generic_category()}; }

} // namespace

fs::path cacheFolder() {
  for (const auto &[variable, below] :
       {std::pair{"HETC_CACHE_DIR", ""}, {"XDG_CACHE_HOME", "hetc"}, {"HOME", ".cache/hetc"}})
    if (const char *value = std::getenv(variable); value && *value)
      return std::strlen(below) ? fs::path(value) / below : fs::path(value);
  std::error_code error;
  const fs::path temporary = fs::temp_directory_path(error);
  return (error ? fs::path("/tmp") : temporary) / ("hetc-" + std::to_string(::geteuid()));
}

fs::path programsFolder() {
  const char *const own = std::getenv("HETC_PROGRAMS_DIR");
  return own && *own ? fs::path(own) : cacheFolder();
}

std::string makePrivateFolder(const fs::path &folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    if (const fs::path above = folder.parent_path(); !above.empty() && !fs::exists(above, error))
      makePrivateFolder(above);
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) // EEXIST: another process was faster
      return "cannot make " + quoted(folder) + ": " + lastError().message();
  }
  return whyNotPrivate(folder);
}

std::string whyNotPrivate(const fs::path &path) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0)
    return "cannot read " + quoted(path) + ": " + lastError().message();
  if (status.st_uid != ::geteuid())
    return quoted(path) + " belongs to another user";
  const bool isFolder = S_ISDIR(status.st_mode);
  if ((status.st_mode & 022) == 0 || (!isFolder && isClosed(path.parent_path())))
    return "";
  char mode[8];
  std::snprintf(mode, sizeof mode, "%o", static_cast<unsigned>(status.st_mode & 0777));
  return "others may write to " + quoted(path) + " (mode " + mode + "; chmod go-w makes it yours alone)";
}

namespace {
/// While it lives, a file that becomes larger than the process may write (ulimit -f) fails, and no signal ends the
/// host.
class SizeSignalBlocked {
public:
  SizeSignalBlocked() {
    sigset_t pending;
    sigemptyset(&set_);
    sigaddset(&set_, SIGXFSZ);
    wasPending_ = sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &set_, &before_);
  }
  SizeSignalBlocked(const SizeSignalBlocked &) = delete;
  SizeSignalBlocked &operator=(const SizeSignalBlocked &) = delete;
  ~SizeSignalBlocked() {
    const timespec now{0, 0};
    if (!wasPending_)
      sigtimedwait(&set_, nullptr, &now);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

private:
  sigset_t set_, before_;
  bool wasPending_;
};
} // namespace

std::error_code replaceFile(const fs::path &file, std::string_view content) {
  const SizeSignalBlocked noSignal;
  const fs::path partial = file.string() + ".partial";
  errno = 0;
  FileWriter out(partial, std::ios::binary);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.close();
  std::error_code error = out ? std::error_code() : errno ? lastError() : std::make_error_code(std::errc::io_error);
  if (!error)
    fs::rename(partial, file, error);
  std::error_code ignored;
  fs::remove(partial, ignored);
  return error;
}

} // namespace tla
