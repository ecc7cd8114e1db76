#include "tests/fuzz/readers/mutation.hpp"

#include <algorithm>
#include <cctype>

namespace fuzz::readers {

namespace {

constexpr std::size_t maxBytes = 1 << 18;

/// Where numbers end: of C++, of files, of floating point.
const std::vector<std::string> numbers = {
    "0",          "1",       "-1",          "2",          "7",          "255",
    "256",        "65536",   "16777216",    "2147483647", "2147483648", "-2147483648",
    "4294967295", "1e308",   "-2147483649", "4294967296", "4294967297", "9223372036854775807",
    "1e309",      "1e-320",  "nan",         "-nan",       "inf",        "9223372036854775808",
    "-inf",       "0.5",     "-0.0",        "1.",         ".5",         "-9223372036854775808",
    "1e",         "0x10",    "007",         "1e5",        "+3",         "18446744073709551616",
    "3000000000", "1000000", "1d400",       "--1",        "+-1",        "99999999999999999999999999999999"};

bool isWordByte(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool isNumberByte(char c) { return std::isdigit(static_cast<unsigned char>(c)) || c == '.'; }

/// One text, changed step by step.
class Mutator {
public:
  Mutator(const Reader &reader, Random &random) : reader_(reader), random_(random), text_(random.pick(reader.seeds)) {}

  std::string mutated() {
    for (unsigned steps = 1 + random_.below(1u << random_.below(4)); steps-- > 0;)
      change();
    if (text_.size() > maxBytes)
      text_.resize(maxBytes);
    return std::move(text_);
  }

private:
  void change() {
    switch (random_.below(16)) {
    case 0:
      return flipBit();
    case 1:
      return replace(place(), std::min<std::size_t>(1, text_.size()), std::string(1, anyByte()));
    case 2:
      return replace(place(), 0, std::string(1 + random_.below(4), anyByte()));
    case 3:
      return erase();
    case 4:
      return replace(place(), 0, piece(text_));
    case 5:
      return repeat();
    case 6:
      return splice();
    case 7:
      return replace(place(), 0, random_.pick(reader_.tokens));
    case 8:
      return replaceRun(isWordByte, random_.pick(reader_.tokens));
    case 9:
    case 10:
    case 11:
      return replaceRun(isNumberByte, random_.chance(80) ? random_.pick(numbers) : std::to_string(random_.below(100)));
    case 12:
      return text_.resize(place());
    case 13:
      return nest();
    default:
      return changeLines();
    }
  }

  std::size_t place() { return random_.below(static_cast<unsigned>(text_.size() + 1)); }
  char anyByte() {
    return random_.chance(50) ? random_.one({'\0', '\n', '\r', ' ', '\t', '\\', '"', '\'',   '(',    ')',
                                             '{',  '[',  '-',  '+', ':',  ',',  '=', '\x7f', '\x80', '\xff'})
                              : static_cast<char>(random_.below(256));
  }
  /// Short ones are the more likely.
  std::size_t length(std::size_t most) {
    return std::min<std::size_t>(most, 1 + random_.below(1u << random_.below(9)));
  }
  std::string piece(const std::string &from) {
    const std::size_t begin = random_.below(static_cast<unsigned>(from.size() + 1));
    return from.substr(begin, length(from.size() - begin));
  }
  void replace(std::size_t at, std::size_t count, const std::string &by) {
    at = std::min(at, text_.size() - std::min(count, text_.size()));
    text_.replace(at, count, by);
  }

  void flipBit() {
    if (!text_.empty())
      text_[random_.below(static_cast<unsigned>(text_.size()))] ^= static_cast<char>(1 << random_.below(8));
  }
  void erase() {
    const std::size_t at = place();
    text_.erase(at, length(text_.size() - at));
  }
  /// Nested deep, or very long.
  void repeat() {
    const std::string unit = random_.chance(50) ? random_.pick(reader_.tokens) : piece(text_).substr(0, 12);
    std::string many;
    for (unsigned times = 1u << random_.below(17); times-- > 0 && many.size() < maxBytes / 2;)
      many += unit;
    replace(place(), 0, many);
  }
  /// A word or a few bytes in brackets in brackets.
  void nest() {
    const auto &[open, close] =
        random_.one<std::pair<const char *, const char *>>({{"(", ")"}, {"[", "]"}, {"{", "}"}, {"{\"a\":", "}"}});
    const std::size_t at = place();
    std::size_t end = at + length(text_.size() - at);
    if (random_.chance(70)) // to the end of the word
      end = std::min(
          static_cast<std::size_t>(std::find_if_not(text_.begin() + at, text_.end(), isWordByte) - text_.begin()),
          text_.size());
    std::string inside = text_.substr(at, end - at), before, behind;
    for (unsigned times = 1u << random_.below(17); times-- > 0 && before.size() < maxBytes / 2;) {
      before += open;
      behind += close;
    }
    text_.replace(at, end - at, before + inside + behind);
  }
  void splice() {
    const std::string &other = random_.pick(reader_.seeds);
    const std::size_t from = random_.below(static_cast<unsigned>(other.size() + 1));
    text_ = text_.substr(0, place()) + other.substr(from);
  }

  /// The run of such bytes from some place on.
  template <typename Is> void replaceRun(Is is, const std::string &by) {
    const auto from = text_.begin() + static_cast<std::ptrdiff_t>(place());
    auto begin = std::find_if(from, text_.end(), is);
    if (begin == text_.end())
      begin = std::find_if(text_.begin(), text_.end(), is);
    while (begin != text_.begin() && begin != text_.end() && is(begin[-1]))
      --begin;
    const auto end = std::find_if_not(begin, text_.end(), is);
    text_.replace(begin, end, by);
  }

  /// One line erased, doubled, or exchanged with another.
  void changeLines() {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text_.size(); at += lines.back().size())
      lines.push_back(text_.substr(at, std::min(text_.find('\n', at), text_.size() - 1) + 1 - at));
    if (lines.empty())
      return;
    const auto line = [&] { return random_.below(static_cast<unsigned>(lines.size())); };
    const auto one = lines.begin() + line();
    switch (random_.below(3)) {
    case 0:
      lines.erase(one);
      break;
    case 1: {
      const std::string copy = *one;
      lines.insert(lines.begin() + line(), copy);
      break;
    }
    default:
      std::swap(*one, lines[line()]);
    }
    text_.clear();
    for (const std::string &each : lines)
      text_ += each;
  }

  const Reader &reader_;
  Random &random_;
  std::string text_;
};

} // namespace

std::string inputOf(const Reader &reader, std::uint64_t seed, std::uint64_t number) {
  if (number < reader.seeds.size())
    return reader.seeds[number];
  Random random(seed * 0x9E3779B97F4A7C15u + number);
  return Mutator(reader, random).mutated();
}

} // namespace fuzz::readers
