// An advisory lock on a file, between processes.
#pragma once

#include <string>

namespace tla {

/// Holds a lock on a file until it is destroyed. The lock is on the file that has this name when it is granted, even
/// when others remove and create the file meanwhile.
class FileLock {
public:
  enum class Wait { Yes, No };
  /// Makes the file; when it may wait, the folder, too, for this user alone. Where that fails, or others may write to
  /// the folder, it is not held: nothing is kept there.
  explicit FileLock(const std::string &path, Wait wait = Wait::Yes);
  FileLock(const FileLock &) = delete;
  FileLock &operator=(const FileLock &) = delete;
  ~FileLock();
  bool held() const { return descriptor_ >= 0; }

private:
  int descriptor_ = -1;
};

} // namespace tla
