// Lines of numbers, fast: the inner loop of reading a Matrix Market file.
#pragma once

#include <string>
#include <string_view>
#include <system_error>

namespace tla::host {

/// Walks over the data lines of a file: skips blank lines and comments, knows the line's number. LF and CRLF.
class LineScanner {
public:
  LineScanner(std::string_view bytes, std::size_t offset, long line, const std::string &path)
      : bytes_(bytes), next_(offset), number_(line), path_(path) {}

  /// Moves to the next line that holds data. False at the end of the file.
  bool nextLine();
  /// The whole current line, without its end.
  std::string_view line() const { return line_; }
  long number() const { return number_; }

  /// Reads `expected` numbers that make up the whole current line; throws "path:line: expected 3 numbers, found 2".
  void numbers(double *values, int expected);
  /// The first `indices` of them must be integers and go to `where`.
  void numbers(long *where, int indices, double *values, int expected);

  [[noreturn]] void fail(const std::string &what) const;

private:
  bool readIndex(const char *&at, long &value) const;
  bool readValue(const char *&at, double &value) const;
  bool readFortranExponent(const char *&at, double &value) const;
  static bool taken(std::errc error, std::string_view text, double &value);
  [[noreturn]] void failCount(int expected) const;
  const char *skipBlanks(const char *at) const;
  const char *end() const { return line_.data() + line_.size(); }

  std::string_view bytes_, line_;
  std::size_t next_;
  long number_;
  const std::string &path_;
};

} // namespace tla::host
