// The ranks of a run as the main function sees them: what they do together, and how the failure of one becomes that of
// all.
#pragma once

#include <complex>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tla::runtime {
class Transport;
}

namespace tla::host {

/// Why a run ends early: the exit code and what is said.
struct Failure {
  int code = 0; ///< exit code; 0: none; from firstSignal on: a signal, which is no rank's own
  std::string message;
  static constexpr int firstSignal = 128;
};

/// Thrown where a collective finds that another rank has failed. All ranks know it.
struct RankFailure : Failure {};

/// All ranks make one, and call its collectives in the same order. Each collective first finds out whether all ranks
/// have come to it in good health: a rank that fails in between calls settle() instead, which meets the others in
/// whatever collective is their next; they leave it by RankFailure. So nobody has to wrap what may fail on one rank
/// only.
///
/// On one rank all of this does nothing.
class Ranks {
public:
  Ranks();
  /// The ranks of a transport; null: this process alone.
  explicit Ranks(std::shared_ptr<runtime::Transport> transport);
  ~Ranks();
  Ranks(const Ranks &) = delete;
  Ranks &operator=(const Ranks &) = delete;

  int rank() const;
  int size() const;
  bool alone() const { return !transport_; }
  /// The rank that speaks for all.
  bool first() const { return rank() == 0; }
  runtime::Transport *transport() const { return transport_.get(); }

  // Collectives.

  /// Throws RankFailure unless all ranks are well.
  void agree();
  /// Sums over the ranks, the same bits on each.
  void sum(std::vector<double> &values);
  void sum(std::vector<std::complex<double>> &values);
  void sum(std::vector<long double> &values);
  void sum(std::vector<std::complex<long double>> &values);
  double largest(double value);
  /// Rank 0's text, on all ranks.
  std::string broadcast(std::string text);
  /// The bytes of all ranks, by rank, on rank 0; elsewhere an empty vector.
  std::vector<std::string> gather(const std::string &bytes);
  /// The texts of all ranks, by rank, on each.
  std::vector<std::string> exchange(const std::string &text);
  /// Whether the texts of all ranks have the same hash of 64 bits, the same answer on all. Four numbers of each rank
  /// travel in place of the texts of all to all.
  bool allEqual(const std::string &text);

  /// This rank has failed: what the run ends with, the same on all ranks, that of the lowest rank that failed.
  Failure settle(Failure mine);
  /// Ends all ranks at once, where there is no collective to meet in.
  [[noreturn]] void abort(const Failure &failure);

private:
  Failure meet(const Failure &mine);
  void sum(double *values, std::size_t count);
  std::vector<std::string> gatherNow(const std::string &bytes);
  std::vector<std::string> exchangeNow(const std::string &text);
  void broadcastNow(std::string &text);

  std::shared_ptr<runtime::Transport> transport_;
};

/// `body` on each rank, which may have collectives. If it throws on one of them, all throw what is thrown on the
/// lowest: UsageError, std::bad_alloc, Error. Collective.
void onAllRanks(Ranks &ranks, const std::function<void()> &body);

/// How many of the ranks on this machine may use the cores that this one may use, itself included.
struct Neighbours {
  int first = 0;        ///< the lowest rank on this machine
  int onMachine = 1;    ///< ranks on this machine
  int onTheseCores = 1; ///< the number of these that may use some of this rank's cores
};
Neighbours findNeighbours(Ranks &ranks);

} // namespace tla::host
