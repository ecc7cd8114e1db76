#include "runtime/distribution/distribution.hpp"

#include "dsl/base/nearest.hpp"
#include "runtime/distribution/generalized.hpp"
#include "runtime/distribution/table_file.hpp"
#include "runtime/distribution/weighted.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <numeric>
#include <string_view>

namespace tla {

namespace {
constexpr std::string_view names[] = {"2dbc", "g2dbc", "row", "col", "sbc", "weighted", "file"};

std::string unknownName(std::string_view name) {
  const std::string near = nearest(name, names);
  return "unknown distribution '" + std::string(name) + "'; " +
         (near.empty() ? std::string(distributionForms) : "did you mean '" + near + "'?");
}

/// The numbers of one description. A mistake is a UsageError that names it.
class Numbers {
public:
  explicit Numbers(const std::string &text) : text_(text) {}

  /// `word` as a number from `least`, 0 or 1, to maxPeriod; `what` it counts.
  int read(std::string_view word, const std::string &what, int least = 1) const {
    long number = 0;
    const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), number);
    const std::string quoted = "'" + std::string(word) + "'";
    if (word.empty())
      fail("the number of " + what + " is missing");
    if (status == std::errc::invalid_argument || end != word.data() + word.size())
      fail(quoted + " is not a number of " + what);
    if (word[0] == '-' || (number < least && status == std::errc()))
      fail(quoted + ": the number of " + what + " must be at least " + std::to_string(least));
    if (status == std::errc::result_out_of_range || number > static_cast<long>(Distribution::maxPeriod))
      fail(quoted + " is too large a number of " + what);
    return static_cast<int>(number);
  }
  [[noreturn]] void fail(const std::string &message) const {
    throw UsageError("distribution '" + text_ + "': " + message);
  }

private:
  const std::string &text_;
};

/// The most square P x Q with P <= Q; no Distribution, which would take memory for what is only a hint.
std::string squareGrid(int nodes) {
  int P = 1;
  for (int divisor = 2; divisor * divisor <= nodes; ++divisor)
    if (nodes % divisor == 0)
      P = divisor;
  return std::to_string(P) + "x" + std::to_string(nodes / P);
}

/// The options that may follow a grid, each behind a comma.
struct GridOptions {
  int v = 1;
  std::optional<Distribution::Round> reflected;
};

void parseOption(std::string_view option, GridOptions &options, const Numbers &numbers) {
  constexpr std::string_view reflected = "reflected=";
  if (option.starts_with("v=")) {
    options.v = numbers.read(option.substr(2), "tile rows that stand together");
  } else if (option == reflected.substr(0, reflected.size() - 1)) {
    options.reflected.emplace();
  } else if (option.starts_with(reflected)) {
    const std::string_view round = option.substr(reflected.size());
    const auto colon = std::min(round.find(':'), round.size());
    if (colon == round.size())
      numbers.fail("reflected=ROWS:COLUMNS says how many rows and columns of tiles the first round is short of");
    options.reflected = {numbers.read(round.substr(0, colon), "missing rows", 0),
                         numbers.read(round.substr(std::min(colon + 1, round.size())), "missing columns", 0)};
  } else {
    numbers.fail("unknown option '" + std::string(option) +
                 "'; reflected deals there and back, v=V, of 2dbc, has V tile rows that stand together, and copies=C, "
                 "the last one, has the nodes C times");
  }
}

/// Parses ",option,option".
GridOptions parseOptions(std::string_view text, const Numbers &numbers) {
  GridOptions options;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = std::min(text.find(',', at + 1), text.size());
    parseOption(text.substr(at + 1, next - at - 1), options, numbers);
    at = next;
  }
  return options;
}

/// The largest of the numbers of nodes and of rows and columns of a period, which must not be above maxPeriod.
double largestPart(double P, double Q, const GridOptions &options) {
  const double ways = options.reflected ? 2 : 1;
  return std::max({ways * P * options.v, ways * Q, P * Q});
}

/// "PxQ" and options.
Distribution parseGrid(std::string_view grid, const Numbers &numbers) {
  const std::size_t end = std::min(grid.find(','), grid.size());
  const GridOptions options = parseOptions(grid.substr(end), numbers);
  grid = grid.substr(0, end);
  const auto x = grid.find('x');
  if (x == grid.npos) {
    const int nodes = numbers.read(grid, "nodes");
    numbers.fail("2dbc has P rows and Q columns of nodes, PxQ: for " + std::to_string(nodes) +
                 " nodes 2dbc:" + squareGrid(nodes));
  }
  const int P = numbers.read(grid.substr(0, x), "rows of nodes");
  const int Q = numbers.read(x == grid.npos ? grid : grid.substr(x + 1), "columns of nodes");
  if (largestPart(P, Q, options) > double(Distribution::maxPeriod))
    numbers.fail("more than " + std::to_string(Distribution::maxPeriod) + " nodes, or rows or columns of a period");
  return options.reflected ? Distribution::reflected(P, Q, *options.reflected, options.v)
                           : Distribution::blockCyclic(P, Q, options.v);
}

/// "P" and options.
Distribution parseGeneralized(std::string_view text, const Numbers &numbers) {
  const std::size_t end = std::min(text.find(','), text.size());
  const int nodes = numbers.read(text.substr(0, end), "nodes");
  if (nodes > mostGeneralizedNodes)
    numbers.fail("g2dbc has at most " + std::to_string(mostGeneralizedNodes) + " nodes");
  const GridOptions options = parseOptions(text.substr(end), numbers);
  if (options.v > 1)
    numbers.fail("g2dbc has no tile rows that stand together");
  return generalizedBlockCyclic(nodes, options.reflected);
}

Distribution parseSymmetric(std::string_view count, const Numbers &numbers) {
  const int nodes = numbers.read(count, "nodes");
  if (nodes > Distribution::maxSymmetricNodes)
    numbers.fail("sbc has at most " + std::to_string(Distribution::maxSymmetricNodes) + " nodes");
  const auto [below, above] = Distribution::symmetricSizes(nodes);
  if (below != above)
    numbers.fail("sbc has no form for " + std::to_string(nodes) + " nodes; the nearest are " + std::to_string(below) +
                 " and " + std::to_string(above));
  return Distribution::symmetricBlockCyclic(nodes).value();
}

Distribution parseLine(std::string_view name, std::string_view count, const Numbers &numbers) {
  const int nodes = numbers.read(count, "nodes");
  return name == "row" ? Distribution::blockCyclic(nodes, 1) : Distribution::blockCyclic(1, nodes);
}

/// Nodes that stand once.
Distribution parseOneCopy(const std::string &text) {
  const auto colon = text.find(':');
  const std::string name = text.substr(0, colon);
  if (text.empty())
    throw UsageError("no distribution is named; " + std::string(distributionForms));
  if (std::find(std::begin(names), std::end(names), name) == std::end(names))
    throw UsageError(unknownName(name));
  const std::string rest = colon == text.npos ? "" : text.substr(colon + 1);
  if (rest.empty())
    throw UsageError("distribution '" + text + "' is incomplete; " + std::string(distributionForms));
  if (name == "file")
    return readTableFile(rest, text);
  const Numbers numbers(text);
  if (name == "weighted")
    try {
      return parseWeighted(rest);
    } catch (const UsageError &error) {
      numbers.fail(error.what());
    }
  return name == "2dbc"    ? parseGrid(rest, numbers)
         : name == "g2dbc" ? parseGeneralized(rest, numbers)
         : name == "sbc"   ? parseSymmetric(rest, numbers)
                           : parseLine(name, rest, numbers);
}

constexpr std::string_view copiesOption = ",copies=";

/// `copies` of a grid, as `text` says.
Distribution replicate(const Distribution &grid, std::string_view copies, const std::string &text) {
  const Numbers numbers(text);
  if (copies.find(',') != copies.npos)
    numbers.fail("copies=C comes last, behind the other options");
  const int count = numbers.read(copies, "copies");
  const double period = double(grid.columns()) * count * grid.rows();
  if (std::max(period, double(count) * grid.nodes()) > double(maxFileEntries))
    numbers.fail(std::to_string(count) + " copies of " + std::to_string(grid.nodes()) +
                 " nodes are too many: the period would have more than " + std::to_string(maxFileEntries) + " tiles");
  return Distribution::replicated(grid, count);
}
} // namespace

Distribution parseDistribution(const std::string &text) {
  const auto option = text.rfind(copiesOption);
  return option == text.npos ? parseOneCopy(text)
                             : replicate(parseOneCopy(text.substr(0, option)),
                                         std::string_view(text).substr(option + copiesOption.size()), text);
}

} // namespace tla
