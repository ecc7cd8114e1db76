// Where results go: files that appear whole or not at all, devices and pipes, standard output.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace tla::host {

/// The path that stands for standard output.
inline constexpr const char *standardOutput = "-";

/// True for "-", and for every other path of the file or pipe that standard output writes to: /dev/stdout, or the file
/// of a redirection.
bool isStandardOutput(const std::string &path);

/// True when an OutputFile at the path will be a file of its own, which takes its name in the end: not a pipe, a
/// device, or what standard output writes to.
bool isOwnFile(const std::string &path);

/// True when both paths lead to one file, existing or not, through whatever links. Character devices (/dev/null, a
/// terminal) take any number of outputs and are never the same.
bool sameFile(const std::string &a, const std::string &b);

/// An output under way. Throws tla::Error when the disk is full or goes away.
///
/// A regular file appears under its name only when it is complete: bytes go to a temporary file in the same folder,
/// commit() renames it, and a destructor without commit() removes it. Symbolic links are followed and stay; an existing
/// file keeps its permissions. Pipes and character devices are written straight into, and what standard output or
/// standard error write to already is written through these: a rename would take it away from them.
class OutputFile {
public:
  explicit OutputFile(const std::string &path);
  ~OutputFile();
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  void write(const void *data, std::size_t size);
  void write(std::string_view text) { write(text.data(), text.size()); }
  void commit();

  // For writers beside this one, where isOwnFile(path).
  /// Writes out what there is and makes the file so long, with zeros.
  void extend(std::size_t bytes);
  const std::string &temporaryPath() const { return temporary_; }

private:
  int open();
  [[noreturn]] void fail(const char *what) const;
  std::string path_;
  std::string target_, temporary_; ///< paths; empty: there is nothing to rename
  std::FILE *file_ = nullptr;
};

/// Removes the temporary files of outputs under way, before a process ends that does not unwind. Any thread.
void removeTemporaryFiles();

/// The whole text to standard output, after all that was printed there before. Throws tla::Error, also when standard
/// output is closed.
void printOut(std::string_view text);

/// Finds out before a long run whether OutputFile will work: throws UsageError when the folder is missing or not
/// writable, when path is a directory, a block device or a socket, or when the file system has less than `bytes` free.
void requireWritable(const std::string &path, const std::string &option, double bytes);

/// Puts something unwritable in the place of closed standard descriptors, so that no file opened later becomes
/// standard output by its number.
void fillStandardDescriptors();

} // namespace tla::host
