// File handling of the driver, with the messages users see.
#pragma once

#include <string>

namespace hetc::driver {

/// True when `file` can be compiled: it exists, is a file, is readable and ends in .tla. Else says why on stderr.
bool checkFile(const std::string &file);

/// True when a file could be created at `path`; else says why on stderr. Nothing is left behind.
bool checkWritable(const std::string &path);

/// Writes `text` to `path` as a whole or not at all; to standard output when the path is empty or "-".
bool writeText(const std::string &path, const std::string &text);

std::string absolutePath(const std::string &path);

/// A file in the temporary directory that goes with its object.
class TemporaryFile {
public:
  TemporaryFile(const std::string &prefix, const std::string &suffix);
  TemporaryFile(TemporaryFile &&other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
  TemporaryFile &operator=(TemporaryFile &&) = delete;
  ~TemporaryFile();
  const std::string &path() const { return path_; }

private:
  std::string path_;
};

} // namespace hetc::driver
