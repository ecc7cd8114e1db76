#include "runtime/predict/rates/element_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tla::host {
namespace {

/// 1 / (8 sqrt(M)): words for an operation of updates.
double wordsPerUpdate(double memory) { return 1 / (8 * std::sqrt(memory)); }

/// Seconds of a word, with its part of a message that is as long as can be: alpha max(X / M, F / (8 M^(3/2))) is
/// alpha / M times the words of (1).
double secondsPerWord(const Element &element) { return element.beta + element.alpha / element.memory; }

/// The bound on an element's work in a second: words at the price of operations. It falls from `words` alone over
/// (operations, wordsBeside), where all words are those that the operations take anyhow, straight down to the
/// operations alone.
struct Ability {
  double words, operations, wordsBeside;
  /// Words lost for each operation.
  double slope() const { return (words - wordsBeside) / operations; }
};

Ability abilityOf(const Element &element, bool updates) {
  const double perUpdate = updates ? wordsPerUpdate(element.memory) : 0, perWord = secondsPerWord(element);
  const double operations = 1 / (element.gamma + perWord * perUpdate);
  return {1 / perWord, operations, operations * perUpdate};
}

template <typename Figure> double sum(const std::vector<Ability> &abilities, Figure figure) {
  double total = 0;
  for (const Ability &each : abilities)
    total += figure(each);
  return total;
}

/// By how much of the way from words alone to operations each element goes, so that all together are on the line
/// through the origin and (operations, words).
std::vector<double> waysTo(const std::vector<Ability> &abilities, const AlgorithmWork &work) {
  std::vector<std::size_t> order(abilities.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return abilities[a].slope() < abilities[b].slope(); });
  std::vector<double> ways(abilities.size(), 0);
  double operations = 0, words = sum(abilities, [](const Ability &each) { return each.words; });
  for (const std::size_t i : order) {
    const double gain = abilities[i].operations, loss = abilities[i].words - abilities[i].wordsBeside;
    const double excess = words * work.operations - operations * work.words; // > 0: above the line
    if (excess <= 0)
      break;
    ways[i] = std::min(1.0, excess / (gain * work.words + loss * work.operations));
    operations += ways[i] * gain;
    words -= ways[i] * loss;
  }
  return ways;
}

Partition inSeconds(const std::vector<Ability> &abilities, const std::vector<double> &ways, double seconds) {
  Partition partition{.seconds = seconds, .operations = {}, .words = {}};
  for (std::size_t i = 0; i < abilities.size(); ++i) {
    const Ability &each = abilities[i];
    partition.operations.push_back(seconds * ways[i] * each.operations);
    partition.words.push_back(seconds * (each.words - ways[i] * (each.words - each.wordsBeside)));
  }
  return partition;
}

/// The words above what must be moved, spared by all in proportion: a partition has I + O in all.
void shrinkTo(double words, std::vector<double> &parts) {
  const double total = std::accumulate(parts.begin(), parts.end(), 0.0);
  for (double &part : parts)
    part = total > 0 ? part * words / total : 0;
}

} // namespace

double updateWords(double operations, double memory) { return operations * wordsPerUpdate(memory); }

double leastWords(double operations, double words, double memory) {
  return std::max(words, updateWords(operations, memory));
}

double leastMessages(double operations, double words, double memory) {
  return leastWords(operations, words, memory) / memory;
}

double leastWordsOfOwner(double operations, double memory) {
  return std::isinf(memory) ? 0 : std::max(0.0, updateWords(operations, memory) - memory);
}

double xi(const Element &element, double wordsPerOperation) {
  return element.gamma + wordsPerOperation * secondsPerWord(element);
}

double delta(const Element &element) {
  return element.gamma + secondsPerWord(element) * wordsPerUpdate(element.memory);
}

double simultaneousEnd(const std::vector<double> &secondsPerOperation, double operations) {
  double rate = 0;
  for (const double seconds : secondsPerOperation)
    rate += 1 / seconds;
  return operations / rate;
}

std::vector<double> simultaneousShares(const std::vector<double> &secondsPerOperation, double operations) {
  const double end = simultaneousEnd(secondsPerOperation, operations);
  std::vector<double> shares;
  for (const double seconds : secondsPerOperation)
    shares.push_back(end / seconds);
  return shares;
}

Partition fastestPartition(const std::vector<Element> &elements, const AlgorithmWork &work) {
  std::vector<Ability> abilities;
  for (const Element &element : elements)
    abilities.push_back(abilityOf(element, work.updates));
  const std::vector<double> ways = waysTo(abilities, work);
  const Partition one = inSeconds(abilities, ways, 1);
  const double operations = std::accumulate(one.operations.begin(), one.operations.end(), 0.0);
  const double words = std::accumulate(one.words.begin(), one.words.end(), 0.0);
  const double seconds = operations > 0 ? work.operations / operations : words > 0 ? work.words / words : 0;
  Partition partition = inSeconds(abilities, ways, seconds);
  shrinkTo(work.words, partition.words);
  return partition;
}

Partition fastestTransfer(const std::vector<Element> &elements, AlgorithmWork work) {
  work.updates = false;
  return fastestPartition(elements, work);
}

Partition fastestNodes(const std::vector<Element> &nodes, const AlgorithmWork &work) {
  // Of node i within T: T / gamma operations, up to M / wordsPerUpdate, for which it need not move anything; then
  // T + secondsPerWord M over delta.
  struct Bend {
    double seconds, slower; ///< from then on the rate is less by so much
  };
  std::vector<Bend> bends;
  double rate = 0;
  for (const Element &node : nodes) {
    rate += 1 / node.gamma;
    if (work.updates && !std::isinf(node.memory))
      bends.push_back({node.gamma * node.memory / wordsPerUpdate(node.memory), 1 / node.gamma - 1 / delta(node)});
  }
  std::sort(bends.begin(), bends.end(), [](const Bend &a, const Bend &b) { return a.seconds < b.seconds; });
  double seconds = 0, done = 0;
  for (const Bend &bend : bends) {
    const double then = done + rate * (bend.seconds - seconds);
    if (then >= work.operations)
      break;
    done = then;
    seconds = bend.seconds;
    rate -= bend.slower;
  }
  seconds += (work.operations - done) / rate;
  Partition partition{.seconds = seconds, .operations = {}, .words = {}};
  for (const Element &node : nodes) {
    double operations = seconds / node.gamma;
    if (work.updates && leastWordsOfOwner(operations, node.memory) > 0)
      operations = (seconds + secondsPerWord(node) * node.memory) / delta(node);
    partition.operations.push_back(operations);
    partition.words.push_back(work.updates ? leastWordsOfOwner(operations, node.memory) : 0);
  }
  return partition;
}

double secondsOf(const Element &element, double operations, double words, double messages) {
  return element.gamma * operations + element.beta * words + element.alpha * messages;
}

} // namespace tla::host
