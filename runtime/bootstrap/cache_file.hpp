// Files in hetc's cache directory that several processes and threads share.
#pragma once

#include <filesystem>
#include <string>

namespace tla::bootstrap {

/// $HETC_CACHE_DIR, or hetc in $XDG_CACHE_HOME, or ~/.cache/hetc. It need not be there.
std::filesystem::path cacheDirectory();

/// One writer at a time, threads as well as processes, from reading to renaming: nobody's entry is lost. Makes the
/// file's folder. Where nothing can be written it is not held, and nobody waits.
class CacheLock {
public:
  /// Waits for whoever holds the lock of this file.
  explicit CacheLock(const std::filesystem::path &file);
  CacheLock(const CacheLock &) = delete;
  CacheLock &operator=(const CacheLock &) = delete;
  ~CacheLock();
  bool held() const { return held_; }

private:
  int descriptor_ = -1;
  bool held_ = false;
};

/// The file appears whole or not at all; the caller holds its lock. False: it could not be written.
bool replaceCacheFile(const std::filesystem::path &file, const std::string &content);

} // namespace tla::bootstrap
