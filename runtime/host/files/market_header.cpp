#include "dsl/base/streams.hpp"
#include "dsl/base/text.hpp"
#include "runtime/host/files/line_scanner.hpp"
#include "runtime/host/files/market.hpp"
#include "runtime/host/files/printable.hpp"

#include <climits>
#include <utility>

namespace tla::host {
namespace {

template <typename Enum, std::size_t count>
Enum bannerWord(const std::string &word, const char *what, const std::pair<const char *, Enum> (&known)[count],
                const std::string &path) {
  std::vector<std::string> names;
  for (const auto &[name, value] : known) {
    if (word == name)
      return value;
    names.push_back(name);
  }
  throw UsageError(path + ":1: " + what + " '" + printable(word) + "' is not supported; supported are " +
                   alternatives(names));
}

void parseBanner(std::string_view line, MarketHeader &header, const std::string &path) {
  TextReader words(lowerCase(line));
  std::string banner, object, form, field, symmetry, extra;
  if (!(words >> banner >> object >> form >> field >> symmetry) || banner != marketBanner || words >> extra)
    throw UsageError(path + ":1: expected '%%MatrixMarket matrix FORMAT FIELD SYMMETRY'");
  if (object != "matrix")
    throw UsageError(path + ":1: holds a " + printable(object) + ", not a matrix");
  using F = MarketFormat;
  header.format = bannerWord<F>(form, "format", {{"coordinate", F::Coordinate}, {"array", F::Array}}, path);
  using E = MarketField;
  header.field = bannerWord<E>(field, "field",
                               {{"real", E::Real},
                                {"double", E::Real},
                                {"integer", E::Integer},
                                {"complex", E::Complex},
                                {"pattern", E::Pattern}},
                               path);
  using S = MarketSymmetry;
  header.symmetry = bannerWord<S>(symmetry, "symmetry",
                                  {{"general", S::General},
                                   {"symmetric", S::Symmetric},
                                   {"hermitian", S::Hermitian},
                                   {"skew-symmetric", S::SkewSymmetric}},
                                  path);
  if (header.format == F::Array && header.field == E::Pattern)
    throw UsageError(path + ":1: a pattern cannot be an array");
}

/// How many elements an array file lists.
long arrayEntries(const MarketHeader &header) {
  switch (header.symmetry) {
  case MarketSymmetry::General:
    return header.rows * header.columns;
  case MarketSymmetry::SkewSymmetric:
    return header.rows * (header.rows - 1) / 2;
  default:
    return header.rows * (header.rows + 1) / 2;
  }
}

void parseSizes(LineScanner &scanner, MarketHeader &header) {
  const bool coordinate = header.format == MarketFormat::Coordinate;
  long sizes[3] = {};
  scanner.numbers(sizes, coordinate ? 3 : 2, nullptr, coordinate ? 3 : 2);
  header.rows = sizes[0];
  header.columns = sizes[1];
  if (header.rows < 0 || header.columns < 0 || sizes[2] < 0)
    scanner.fail("a size is negative");
  if (header.rows > INT_MAX || header.columns > INT_MAX)
    scanner.fail("more than 2^31 - 1 rows or columns");
  if (header.symmetry != MarketSymmetry::General && header.rows != header.columns)
    scanner.fail("a symmetric matrix cannot be " + std::to_string(header.rows) + " x " +
                 std::to_string(header.columns));
  header.entries = coordinate ? sizes[2] : arrayEntries(header);
}
} // namespace

std::size_t marketBannerAt(std::string_view bytes) {
  constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
  std::size_t at = bytes.starts_with(byteOrderMark) ? byteOrderMark.size() : 0;
  while (at < bytes.size() && (bytes[at] == ' ' || bytes[at] == '\t'))
    ++at;
  return lowerCase(bytes.substr(at, marketBanner.size())) == marketBanner ? at : std::string_view::npos;
}

MarketHeader parseMarketHeader(std::string_view bytes, const std::string &path) {
  MarketHeader header;
  const std::size_t begin = marketBannerAt(bytes), newline = bytes.find('\n');
  parseBanner(begin == std::string_view::npos ? std::string_view() : trim(bytes.substr(begin, newline - begin)), header,
              path);
  LineScanner scanner(bytes, newline == std::string_view::npos ? bytes.size() : newline + 1, 1, path);
  if (!scanner.nextLine())
    throw UsageError(path + ":" + std::to_string(scanner.number()) + ": the file ends before the line of sizes");
  parseSizes(scanner, header);
  header.offset = static_cast<std::size_t>(scanner.line().data() + scanner.line().size() - bytes.data());
  header.offset = std::min(bytes.size(), bytes.find('\n', header.offset) + std::size_t(1));
  if (header.offset == 0) // no newline after the sizes
    header.offset = bytes.size();
  header.line = scanner.number();
  // An element takes at least two bytes ("1\n"): an absurd count is found before memory is asked for.
  if (static_cast<std::size_t>(header.entries) > (bytes.size() - header.offset + 1) / 2)
    throw UsageError(path + ":" + std::to_string(header.line) + ": announces " + std::to_string(header.entries) +
                     " entries, more than the file can hold");
  return header;
}

} // namespace tla::host
