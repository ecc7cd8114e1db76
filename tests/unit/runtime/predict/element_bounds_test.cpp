// The equations of [Ballard11] against numbers worked out by hand, and against all other partitions.
#include "runtime/predict/rates/element_bounds.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace tla::host {
namespace {

double sum(const std::vector<double> &parts) { return std::accumulate(parts.begin(), parts.end(), 0.0); }

// A core and a device. M = 64 and 1024 words: 8 sqrt(M) = 64 and 256, 8 M^(3/2) = 4096 and 262144.
const Element core{.gamma = 1, .beta = 8, .alpha = 64, .memory = 64};
const Element device{.gamma = 0.25, .beta = 16, .alpha = 1024, .memory = 1024};

TEST(ElementBounds, WordsAndMessagesAreThoseOfEquations1And2) {
  EXPECT_EQ(leastWords(6400, 10, 64), 100);  // F / (8 sqrt(M))
  EXPECT_EQ(leastWords(6400, 120, 64), 120); // I + O
  EXPECT_EQ(leastMessages(4096 * 3, 10, 64), 3);
  EXPECT_EQ(leastMessages(6400, 640, 64), 10);
  EXPECT_EQ(leastWords(6400, 10, INFINITY), 10);
  EXPECT_EQ(leastWordsOfOwner(6400, 64), 36); // section 2: W >= G / (8 sqrt(M)) - M
  EXPECT_EQ(leastWordsOfOwner(640, 64), 0);
}

TEST(ElementBounds, OperationsTakeWhatEquations6And9Say) {
  EXPECT_EQ(xi(core, 0.5), 1 + 0.5 * 8 + 0.5 * 64 / 64);
  EXPECT_EQ(xi(device, 0.5), 0.25 + 0.5 * 16 + 0.5 * 1024 / 1024);
  EXPECT_DOUBLE_EQ(delta(core), 1 + 8.0 / 64 + 64.0 / 4096);
  EXPECT_DOUBLE_EQ(delta(device), 0.25 + 16.0 / 256 + 1024.0 / 262144);
}

TEST(ElementBounds, ElementsEndAtOneTimeByEquations7And8) {
  // Section 5: n x n times a vector, G = 2 n^2, c = 1/2; n = 100.
  const std::vector<double> xis{xi(core, 0.5), xi(device, 0.5)}; // 5.5, 8.75
  const std::vector<double> shares = simultaneousShares(xis, 20000);
  EXPECT_DOUBLE_EQ(sum(shares), 20000);
  EXPECT_DOUBLE_EQ(shares[0], 20000 * 8.75 / (5.5 + 8.75)); // (1 / 5.5) / (1 / 5.5 + 1 / 8.75) G
  EXPECT_DOUBLE_EQ(simultaneousEnd(xis, 20000), 5.5 * shares[0]);
  EXPECT_DOUBLE_EQ(simultaneousEnd(xis, 20000), 8.75 * shares[1]);
}

TEST(ElementBounds, IsEquation11WhereUpdatesDecide) {
  const double G = 1e9;
  const Partition best = fastestPartition({core, device}, {.operations = G, .words = 1000});
  const std::vector<double> deltas{delta(core), delta(device)};
  EXPECT_DOUBLE_EQ(best.seconds, simultaneousEnd(deltas, G));
  const std::vector<double> shares = simultaneousShares(deltas, G); // (10)
  for (int i = 0; i < 2; ++i)
    EXPECT_NEAR(best.operations[i], shares[i], 1e-6 * G);
  EXPECT_NEAR(sum(best.words), 1000, 1e-6);
}

TEST(ElementBounds, OfOneElementIsThePlainSum) {
  // M = 64, G = 6400: 100 words for updates, or I + O.
  EXPECT_DOUBLE_EQ(fastestPartition({core}, {.operations = 6400, .words = 40}).seconds, 6400 + 100 * (8 + 1));
  EXPECT_DOUBLE_EQ(fastestPartition({core}, {.operations = 6400, .words = 400}).seconds, 6400 + 400 * (8 + 1));
  EXPECT_DOUBLE_EQ(fastestTransfer({core}, {.operations = 6400, .words = 40}).seconds, 6400 + 40 * (8 + 1));
  EXPECT_DOUBLE_EQ(fastestPartition({core}, {.operations = 0, .words = 10}).seconds, 90);
  EXPECT_EQ(fastestPartition({core, device}, {.operations = 0, .words = 0}).seconds, 0);
}

/// (4) for this partition.
double secondsOfPartition(const std::vector<Element> &elements, const std::vector<double> &operations,
                          const std::vector<double> &words, bool updates) {
  double last = 0;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const Element &each = elements[i];
    const double moved = updates ? leastWords(operations[i], words[i], each.memory) : words[i];
    last = std::max(last, secondsOf(each, operations[i], moved, moved / each.memory));
  }
  return last;
}

class Random {
public:
  /// A random number from 10^low to 10^high.
  double number(double low, double high) { return std::pow(10, std::uniform_real_distribution(low, high)(random_)); }
  int count(int most) { return std::uniform_int_distribution(1, most)(random_); }
  std::vector<Element> elements() {
    std::vector<Element> elements(count(6));
    for (Element &each : elements)
      each = {number(-1, 1), number(0, 3), count(3) == 1 ? 0 : number(0, 5), count(5) == 1 ? INFINITY : number(1, 5)};
    return elements;
  }
  /// `whole` in parts.
  std::vector<double> parts(std::size_t count, double whole) {
    std::vector<double> parts(count);
    for (double &part : parts)
      part = number(-4, 0);
    const double total = sum(parts);
    for (double &part : parts)
      part *= whole / total;
    return parts;
  }
  /// The parts with a little of one given to another.
  std::vector<double> moved(std::vector<double> parts) {
    double &from = parts[count(int(parts.size())) - 1], &to = parts[count(int(parts.size())) - 1];
    const double part = from * number(-5, 0);
    from -= part;
    to += part;
    return parts;
  }

private:
  std::mt19937_64 random_{7};
};

TEST(ElementBounds, NoPartitionIsFaster) {
  Random random;
  int wordsDecide = 0;
  for (int machine = 0; machine < 300; ++machine) {
    const std::vector<Element> elements = random.elements();
    const AlgorithmWork work{
        .operations = random.number(3, 8), .words = random.number(2, 8), .updates = random.count(4) > 1};
    const Partition best = fastestPartition(elements, work);
    ASSERT_NEAR(sum(best.operations), work.operations, 1e-9 * work.operations);
    ASSERT_NEAR(sum(best.words), work.words, 1e-9 * work.words);
    ASSERT_NEAR(secondsOfPartition(elements, best.operations, best.words, work.updates), best.seconds,
                1e-9 * best.seconds);
    wordsDecide += work.updates && best.seconds > fastestPartition(elements, {work.operations, 0}).seconds * 1.001;
    for (int other = 0; other < 100; ++other) {
      const bool near = other % 2;
      const double seconds = secondsOfPartition(
          elements, near ? random.moved(best.operations) : random.parts(elements.size(), work.operations),
          near ? random.moved(best.words) : random.parts(elements.size(), work.words), work.updates);
      ASSERT_GE(seconds, best.seconds * (1 - 1e-9));
    }
  }
  EXPECT_GT(wordsDecide, 30);
}

TEST(ElementBounds, NoSharesOfNodesAreFaster) {
  Random random;
  int moving = 0;
  for (int machine = 0; machine < 300; ++machine) {
    const std::vector<Element> nodes = random.elements();
    const AlgorithmWork work{.operations = random.number(4, 9), .words = 0};
    const auto secondsFor = [&](const std::vector<double> &operations) {
      double last = 0;
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        const double words = leastWordsOfOwner(operations[i], nodes[i].memory);
        last = std::max(last, secondsOf(nodes[i], operations[i], words, words / nodes[i].memory));
      }
      return last;
    };
    const Partition best = fastestNodes(nodes, work);
    ASSERT_NEAR(sum(best.operations), work.operations, 1e-9 * work.operations);
    ASSERT_NEAR(secondsFor(best.operations), best.seconds, 1e-9 * best.seconds);
    moving += sum(best.words) > 0;
    for (int other = 0; other < 100; ++other)
      ASSERT_GE(secondsFor(other % 2 ? random.moved(best.operations) : random.parts(nodes.size(), work.operations)),
                best.seconds * (1 - 1e-9));
  }
  EXPECT_GT(moving, 100);
}

} // namespace
} // namespace tla::host
