// What unequal machines must communicate, and how long that takes at least: the equations of [Ballard11].
//
// [Ballard11]: G. Ballard, J. Demmel, A. Gearhart, "Communication Bounds for Heterogeneous Architectures", Technical
// Report UCB/EECS-2011-13, 2011. Its numbers of equations are given.
#pragma once

#include <vector>

namespace tla::host {

/// One of the elements of a machine, in words and operations of one element type. Times are in seconds.
struct Element {
  double gamma;  ///< time of an operation on data in its memory; > 0
  double beta;   ///< time of a word on its link; > 0
  double alpha;  ///< time of a message on its link; >= 0
  double memory; ///< M, in words; > 0, may be infinite
};

/// The work of an algorithm, by whatever element it is done.
struct AlgorithmWork {
  double operations; ///< G
  double words;      ///< I + O: of its input, and of its output
  bool updates =
      true; ///< the operations are updates of direct linear algebra, to which Loomis & Whitney's bound applies
};

/// Words that F operations take at least, however large input and output are: the second term of (1), F / (8 sqrt(M)).
/// 0 where M is infinite.
double updateWords(double operations, double memory);
/// (1): words that an element moves which makes F operations of I + O words, which are not in its memory at the start.
double leastWords(double operations, double words, double memory);
/// (2): its messages, each no longer than its memory.
double leastMessages(double operations, double words, double memory);
/// Words sent and received where data may be in the memory already ([Ballard11] 2): F / (8 sqrt(M)) - M, not below 0.
double leastWordsOfOwner(double operations, double memory);

/// (6): seconds of an operation that has c words of its own.
double xi(const Element &element, double wordsPerOperation);
/// (9): seconds of an operation of updates.
double delta(const Element &element);
/// (7), (10): G dealt so that elements which take so long for an operation end at one time.
std::vector<double> simultaneousShares(const std::vector<double> &secondsPerOperation, double operations);
/// (8), (11): when they do.
double simultaneousEnd(const std::vector<double> &secondsPerOperation, double operations);

/// Who does what.
struct Partition {
  double seconds = 0;             ///< time of the last element
  std::vector<double> operations; ///< F, by element
  std::vector<double> words;      ///< I + O of each
};

/// (4), with the partition that reaches it: operations and words, F and X, are dealt so that the last element ends as
/// early as it can,
///
///   min over sum F = G, sum X = I + O of max over elements of
///     gamma F + beta max(X, F / (8 sqrt(M))) + alpha max(X / M, F / (8 M^(3/2))).
///
/// The paper leaves open how much of input and output goes with a part of the operations. Here every word of them goes
/// over some link, whichever suits best: no algorithm can do with less. Exact: what an element can do within T is a
/// polygon in the plane of F and X that grows in proportion to T, and so do the sums of these polygons, of which the
/// line through (G, I + O) meets the border. Without updates it is (5).
Partition fastestPartition(const std::vector<Element> &elements, const AlgorithmWork &work);
/// (5): (4) without Loomis & Whitney's term.
Partition fastestTransfer(const std::vector<Element> &elements, AlgorithmWork work);

/// The fastest partition for nodes that have the data in memories of their own: only leastWordsOfOwner() must be moved.
/// Exact: piecewise linear in the time.
Partition fastestNodes(const std::vector<Element> &nodes, const AlgorithmWork &work);

/// gamma F + beta W + alpha L.
double secondsOf(const Element &element, double operations, double words, double messages);

} // namespace tla::host
