// Input files, as read-only mappings.
#pragma once

#include <string>
#include <string_view>

namespace tla::host {

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

} // namespace tla::host
