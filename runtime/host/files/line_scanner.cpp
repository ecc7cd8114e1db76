#include "runtime/host/files/line_scanner.hpp"

#include "runtime/host/files/printable.hpp"

#include <tla/runtime/error.hpp>

#include <charconv>
#include <cstdlib>
#include <cstring>

namespace tla::host {
namespace {
bool isBlank(char c) { return c == ' ' || c == '\t'; }
} // namespace

bool LineScanner::nextLine() {
  while (next_ < bytes_.size()) {
    const char *const begin = bytes_.data() + next_;
    const std::size_t left = bytes_.size() - next_;
    const void *const newline = std::memchr(begin, '\n', left);
    std::size_t length = newline ? static_cast<std::size_t>(static_cast<const char *>(newline) - begin) : left;
    next_ += length + (newline ? 1 : 0);
    ++number_;
    if (length && begin[length - 1] == '\r')
      --length;
    line_ = {begin, length};
    const char *const first = skipBlanks(begin);
    if (first != end() && *first != '%')
      return true;
  }
  return false;
}

void LineScanner::numbers(double *values, int expected) { numbers(nullptr, 0, values, expected); }

void LineScanner::numbers(long *where, int indices, double *values, int expected) {
  const char *at = line_.data();
  for (int c = 0; c < expected; ++c) {
    at = skipBlanks(at);
    if (at == end())
      failCount(expected);
    const char *const word = at;
    const bool read = c < indices ? readIndex(at, where[c]) : readValue(at, values[c - indices]);
    if (!read || (at != end() && !isBlank(*at))) {
      const char *stop = word;
      while (stop != end() && !isBlank(*stop))
        ++stop;
      fail("'" + printable({word, stop}) + "' is not " + (c < indices ? "an index" : "a number"));
    }
  }
  if (skipBlanks(at) != end())
    failCount(expected);
}

bool LineScanner::readIndex(const char *&at, long &value) const {
  const auto [stop, error] = std::from_chars(at, end(), value);
  at = stop;
  return error == std::errc{};
}

bool LineScanner::readValue(const char *&at, double &value) const {
  const char *const begin = *at == '+' ? at + 1 : at;
  const auto [stop, error] = std::from_chars(begin, end(), value);
  at = stop;
  if (at != end() && (*at == 'd' || *at == 'D') && error == std::errc{}) {
    at = begin;
    return readFortranExponent(at, value);
  }
  return taken(error, {begin, stop}, value);
}

/// A number that no double is near is the one that strtod has for it: 1e-400 is 0, 1e400 infinite.
bool LineScanner::taken(std::errc error, std::string_view text, double &value) {
  if (error == std::errc::result_out_of_range)
    value = std::strtod(std::string(text).c_str(), nullptr);
  return error == std::errc{} || error == std::errc::result_out_of_range;
}

/// 1.5D+03
bool LineScanner::readFortranExponent(const char *&at, double &value) const {
  const char *stop = at;
  while (stop != end() && !isBlank(*stop))
    ++stop;
  std::string word(at, stop);
  for (char &c : word)
    if (c == 'd' || c == 'D')
      c = 'e';
  const auto [last, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  at = stop;
  return last == word.data() + word.size() && taken(error, word, value);
}

const char *LineScanner::skipBlanks(const char *at) const {
  while (at != end() && isBlank(*at))
    ++at;
  return at;
}

void LineScanner::failCount(int expected) const {
  int found = 0;
  for (const char *at = skipBlanks(line_.data()); at != end(); at = skipBlanks(at)) {
    ++found;
    while (at != end() && !isBlank(*at))
      ++at;
  }
  fail("expected " + std::to_string(expected) + (expected == 1 ? " number" : " numbers") + ", found " +
       std::to_string(found));
}

void LineScanner::fail(const std::string &what) const {
  throw UsageError(path_ + ":" + std::to_string(number_) + ": " + what);
}

} // namespace tla::host
