#include "runtime/distribution/weighted.hpp"

#include "dsl/base/text.hpp"
#include "runtime/distribution/dealing.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tla {
namespace {
constexpr const char *prefix = "weighted:";
constexpr const char *columnsOption = "columns=";
constexpr std::size_t mostNodes = 1024; ///< the best arrangement of so many takes 0.1 s, and grows with the cube

/// A column of nodes.
struct NodeColumn {
  std::vector<int> nodes;
  int weight = 0;
};

/// The nodes, the heaviest first, of equal ones the first.
std::vector<int> byWeight(const std::vector<int> &weights) {
  std::vector<int> order(weights.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return weights[a] > weights[b]; });
  return order;
}

/// In so many columns, or 0: as many as are best. [Beaumont et al. 2001]: in the best arrangement the columns take
/// nodes in the order of their weights. The sum of half perimeters is, for each column, its nodes times its width, and
/// the number of columns. cost[c][i]: the least for the first i nodes in c columns.
std::vector<NodeColumn> arrange(const std::vector<int> &weights, int columns) {
  const std::vector<int> order = byWeight(weights);
  const std::size_t nodes = weights.size(), most = columns ? columns : nodes;
  std::vector<double> before(nodes + 1, 0); // weights of the first i
  for (std::size_t i = 0; i < nodes; ++i)
    before[i + 1] = before[i] + weights[order[i]];
  constexpr double infinite = std::numeric_limits<double>::infinity();
  std::vector<std::vector<double>> cost(most + 1, std::vector<double>(nodes + 1, infinite));
  std::vector<std::vector<std::size_t>> first(most + 1, std::vector<std::size_t>(nodes + 1, 0));
  cost[0][0] = 0;
  for (std::size_t c = 1; c <= most; ++c)
    for (std::size_t end = c; end <= nodes; ++end)
      for (std::size_t begin = c - 1; begin < end; ++begin) {
        const double width = (before[end] - before[begin]) / before[nodes];
        const double with = cost[c - 1][begin] + static_cast<double>(end - begin) * width + 1;
        if (with < cost[c][end] * (1 - 1e-12) || cost[c][end] == infinite) {
          cost[c][end] = with;
          first[c][end] = begin;
        }
      }
  std::size_t best = most;
  for (std::size_t c = 1; c <= most && !columns; ++c)
    if (cost[c][nodes] < cost[best][nodes] * (1 - 1e-12) || (c < best && cost[c][nodes] == cost[best][nodes]))
      best = c;
  std::vector<NodeColumn> result(best);
  for (std::size_t c = best, end = nodes; c > 0; end = first[c--][end])
    for (std::size_t i = first[c][end]; i < end; ++i) {
      result[c - 1].nodes.push_back(order[i]);
      result[c - 1].weight += weights[order[i]];
    }
  return result;
}

/// The nodes of the rows of tiles of a column's period.
std::vector<int> rowsOf(const NodeColumn &column, const std::vector<int> &weights) {
  std::vector<int> own;
  for (const int node : column.nodes)
    own.push_back(weights[node]);
  std::vector<int> rows = dealByWeights(own);
  for (int &row : rows)
    row = column.nodes[row];
  return rows;
}

std::string nameOf(const std::vector<int> &weights, std::size_t columns) {
  std::string name = prefix, separator;
  for (const int weight : weights)
    name += std::exchange(separator, ":") + std::to_string(weight);
  return name + "," + columnsOption + std::to_string(columns);
}

} // namespace

Distribution weightedDistribution(const std::vector<int> &weights, int columns) {
  if (columns > static_cast<int>(weights.size()))
    throw UsageError(std::to_string(columns) + " columns of nodes are more than the " + std::to_string(weights.size()) +
                     " nodes that have weights");
  if (weights.size() > mostNodes)
    throw UsageError(std::to_string(weights.size()) + " nodes have weights; at most " + std::to_string(mostNodes) +
                     " may");
  const std::vector<NodeColumn> arranged = arrange(weights, columns);
  std::vector<int> widths;
  std::vector<std::vector<int>> rows;
  double period = 1;
  for (const NodeColumn &column : arranged) {
    widths.push_back(column.weight);
    rows.push_back(rowsOf(column, weights));
    if (period <= maxFileEntries)
      period = static_cast<double>(std::lcm(static_cast<long>(period), static_cast<long>(rows.back().size())));
  }
  const std::vector<int> order = dealByWeights(widths);
  if (period * static_cast<double>(order.size()) > maxFileEntries)
    throw UsageError(format("weights repeat after more than %d tiles; smaller ones do sooner", maxFileEntries));
  std::vector<int> table;
  for (std::size_t I = 0; I < static_cast<std::size_t>(period); ++I)
    for (const int column : order)
      table.push_back(rows[column][I % rows[column].size()]);
  return Distribution::table(static_cast<int>(period), static_cast<int>(order.size()), std::move(table),
                             nameOf(weights, arranged.size()));
}

Distribution parseWeighted(const std::string &text) {
  const std::size_t comma = std::min(text.find(','), text.size());
  std::vector<int> weights;
  for (std::size_t at = 0; at <= comma;) {
    const std::size_t end = std::min(text.find(':', at), comma);
    const std::string word = text.substr(at, end - at);
    const std::optional<long> weight = parseInteger(word);
    if (!weight || *weight < 1 || *weight > mostWeight)
      throw UsageError("'" + word + "', the weight of node " + std::to_string(weights.size()) +
                       ", must be a whole number from 1 to " + std::to_string(mostWeight));
    weights.push_back(static_cast<int>(*weight));
    at = end + 1;
  }
  const std::string option = text.substr(std::min(comma + 1, text.size()));
  if (comma == text.size())
    return weightedDistribution(weights, 0);
  const std::optional<long> columns =
      option.starts_with(columnsOption) ? parseInteger(option.substr(std::string(columnsOption).size())) : std::nullopt;
  if (!columns || *columns < 1 || *columns > maxFileEntries)
    throw UsageError("'" + option + "' is no option of weights; " + columnsOption +
                     "C says how many columns of nodes there are");
  return weightedDistribution(weights, static_cast<int>(*columns));
}

NodeWeights weightsOf(const Distribution &distribution) {
  NodeWeights result;
  const std::string &name = distribution.name();
  if (!name.starts_with(prefix))
    return result;
  const std::size_t comma = name.find(',');
  for (std::size_t at = std::string(prefix).size(); at < comma; at = std::min(name.find(':', at), comma) + 1)
    result.weights.push_back(std::atoi(name.c_str() + at));
  result.columns = std::atoi(name.c_str() + comma + 1 + std::string(columnsOption).size());
  return result;
}

} // namespace tla
