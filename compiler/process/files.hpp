// File handling of the driver, with the messages users see.
#pragma once

#include <string>
#include <system_error>
#include <vector>

namespace hetc::process {

/// True when `file` can be compiled: it exists, is a file, is readable and ends in .tla. If not, says on
/// stderr what is wrong.
bool checkFile(const std::string &file);

/// Whether output can be written to `path`, without touching it. If not, says on stderr what is wrong.
bool checkWritable(const std::string &path);

/// True when `output` is none of the files `inputs` (by inode, so links do not deceive). If it is one,
/// says so on stderr.
bool checkNotInput(const std::string &output, const std::vector<std::string> &inputs);

/// Writes `bytes` to `path`, or to standard output when the path is empty or "-". A regular file is replaced as a
/// whole or not at all, behind its symbolic links; into anything else, such as a FIFO, the bytes are written directly.
bool writeFile(const std::string &path, const std::string &bytes);

/// Whether writeFile() writes into what is at `path` (a device, a pipe) rather than replacing a file there.
bool writesDirectly(const std::string &path);

std::string absolutePath(const std::string &path);

/// A file of a new, unique name that goes with its object, and with the process when it is interrupted.
class TemporaryFile {
public:
  /// Makes a file in the temporary directory.
  TemporaryFile(const std::string &prefix, const std::string &suffix);
  /// In the directory of `path` behind its symbolic links, so that it can take that file's place.
  static TemporaryFile beside(const std::string &path);
  TemporaryFile(TemporaryFile &&other) noexcept;
  TemporaryFile &operator=(TemporaryFile &&) = delete;
  ~TemporaryFile();

  /// Whether the file could be created; if not, a message was shown.
  explicit operator bool() const { return !path_.empty(); }
  const std::string &path() const { return path_; }
  bool write(const std::string &bytes) const;
  /// Gives it its final name, `path` behind its symbolic links.
  bool moveTo(const std::string &path);
  /// The file stays.
  std::string release();

private:
  TemporaryFile() = default;
  void adopt(std::error_code error, std::string path, const std::string &purpose);
  std::string path_;
};

} // namespace hetc::process
