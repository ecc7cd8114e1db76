#include "runtime/host/files/npy.hpp"
#include "runtime/host/files/printable.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <utility>

namespace tla::host {
namespace {

/// A Python dictionary of the form that numpy writes, {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }, and
/// as freely as Python reads it: any white space, '3L' of Python 2, a type without a byte order, which is this
/// machine's.
class HeaderParser {
public:
  HeaderParser(std::string_view bytes, std::size_t begin, std::size_t end, const std::string &path)
      : bytes_(bytes.substr(0, end)), position_(begin), path_(path) {}

  void parse(NpyHeader &header) {
    expect('{');
    while (!accept('}')) {
      const std::size_t start = position_;
      const std::string key = quoted();
      expect(':');
      if (key == "descr")
        once(seenDescr_, key, start), parseDescr(header);
      else if (key == "fortran_order")
        once(seenOrder_, key, start), header.fortranOrder = boolean();
      else if (key == "shape")
        once(seenShape_, key, start), header.shape = tuple();
      else
        fail(start, "unknown key '" + printable(key) + "' in the header");
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skipSpace();
    if (position_ != bytes_.size())
      fail(position_, "text after the header's dictionary");
    if (!seenDescr_ || !seenOrder_ || !seenShape_)
      fail(position_, std::string("the header has no '") +
                          (!seenDescr_   ? "descr"
                           : !seenOrder_ ? "fortran_order"
                                         : "shape") +
                          "'");
  }

private:
  [[noreturn]] void fail(std::size_t at, const std::string &what) const {
    throw UsageError(path_ + ": byte " + std::to_string(at) + ": " + what);
  }
  void once(bool &seen, const std::string &key, std::size_t at) const {
    if (std::exchange(seen, true))
      fail(at, "key '" + key + "' appears twice in the header");
  }
  void skipSpace() {
    while (position_ < bytes_.size() && isSpace(bytes_[position_]))
      ++position_;
  }
  static bool isSpace(char c) { return c == ' ' || ('\t' <= c && c <= '\r'); }
  bool accept(char c) {
    skipSpace();
    if (position_ >= bytes_.size() || bytes_[position_] != c)
      return false;
    ++position_;
    return true;
  }
  void expect(char c) {
    if (!accept(c))
      fail(position_, std::string("expected '") + c + "' in the header");
  }
  std::string quoted() {
    skipSpace();
    const char quote = position_ < bytes_.size() ? bytes_[position_] : '\0';
    if (quote != '\'' && quote != '"')
      fail(position_, "expected a quoted word in the header");
    const std::size_t end = bytes_.find(quote, position_ + 1);
    if (end == std::string_view::npos)
      fail(position_, "a quoted word does not end");
    const std::string word(bytes_.substr(position_ + 1, end - position_ - 1));
    position_ = end + 1;
    return word;
  }
  bool boolean() {
    skipSpace();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (bytes_.substr(position_).starts_with(word)) {
        position_ += word.size();
        return value;
      }
    }
    fail(position_, "expected True or False");
  }
  std::vector<long> tuple() {
    std::vector<long> values;
    expect('(');
    while (!accept(')')) {
      skipSpace();
      long value = 0;
      const auto [end, error] = std::from_chars(bytes_.data() + position_, bytes_.data() + bytes_.size(), value);
      if (error != std::errc{} || value < 0)
        fail(position_, "expected a size in the shape");
      position_ = static_cast<std::size_t>(end - bytes_.data());
      if (position_ < bytes_.size() && bytes_[position_] == 'L')
        ++position_;
      values.push_back(value);
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return values;
  }
  void parseDescr(NpyHeader &header) {
    skipSpace();
    const std::size_t start = position_;
    if (position_ < bytes_.size() && bytes_[position_] == '[')
      fail(start, "holds records; supported are " + std::string(supported));
    const std::string descr = quoted();
    constexpr std::string_view types[] = {"f4", "f8", "c8", "c16", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"};
    const bool isOrdered = !descr.empty() && std::string_view("<>=|").find(descr[0]) != std::string_view::npos;
    const std::string type = descr.substr(isOrdered ? 1 : 0);
    if (std::ranges::find(types, type) == std::end(types))
      fail(start, "holds elements of type '" + printable(descr) + "'; supported are " + std::string(supported));
    header.kind = type[0];
    header.itemBytes = std::stoi(type.substr(1));
    header.swapped = descr[0] == (std::endian::native == std::endian::little ? '>' : '<');
  }

  static constexpr std::string_view supported = "f4, f8, c8, c16 and integers";

  std::string_view bytes_;
  std::size_t position_;
  const std::string &path_;
  bool seenDescr_ = false, seenOrder_ = false, seenShape_ = false;
};

std::size_t littleEndian(std::string_view bytes) {
  std::size_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}
} // namespace

NpyHeader parseNpyHeader(std::string_view bytes, const std::string &path) {
  constexpr std::size_t versionAt = 6, lengthAt = 8;
  if (bytes.size() < lengthAt + 2)
    throw UsageError(path + ": byte " + std::to_string(bytes.size()) + ": the file ends inside the header");
  const int major = bytes[versionAt], minor = bytes[versionAt + 1];
  if (major < 1 || major > 3 || minor != 0)
    throw UsageError(path + ": byte 6: format version " + std::to_string(major) + "." + std::to_string(minor) +
                     "; supported are 1.0, 2.0 and 3.0");
  const std::size_t lengthBytes = major == 1 ? 2 : 4, begin = lengthAt + lengthBytes;
  const std::size_t length = littleEndian(bytes.substr(lengthAt, lengthBytes));
  if (bytes.size() < begin || bytes.size() - begin < length)
    throw UsageError(path + ": byte " + std::to_string(bytes.size()) + ": the file ends inside the header");
  NpyHeader header;
  HeaderParser(bytes, begin, begin + length, path).parse(header);
  header.dataOffset = begin + length;
  return header;
}

} // namespace tla::host
