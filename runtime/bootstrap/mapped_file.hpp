// Files: read-only mappings for input, write-then-rename for output.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace tla::bootstrap {

/// The bytes of a file, mapped. Throws UsageError: missing, a directory, not readable.
class MappedFile {
public:
  explicit MappedFile(const std::string &path);
  ~MappedFile();
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;

  std::string_view bytes() const { return {data_, size_}; }
  const std::string &path() const { return path_; }

private:
  std::string path_;
  const char *data_ = nullptr;
  std::size_t size_ = 0;
};

/// A file that appears under its name only when it is complete: bytes go to a temporary file in the same folder,
/// commit() renames it. Throws tla::Error when the disk is full or goes away.
class AtomicFile {
public:
  explicit AtomicFile(const std::string &path);
  ~AtomicFile();
  AtomicFile(const AtomicFile &) = delete;
  AtomicFile &operator=(const AtomicFile &) = delete;

  void write(const void *data, std::size_t size);
  void write(std::string_view text) { write(text.data(), text.size()); }
  void commit();

private:
  [[noreturn]] void fail(const char *what) const;
  std::string path_, temporary_;
  std::FILE *file_ = nullptr;
};

/// Finds out before a long run whether AtomicFile will work: throws UsageError when the folder is missing or not
/// writable, when path is a directory, or when the file system has less than `bytes` free.
void requireWritable(const std::string &path, const std::string &option, double bytes);

} // namespace tla::bootstrap
