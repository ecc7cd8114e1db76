#include "runtime/predict/rates/link_measurement.hpp"

#include "runtime/predict/rates/stop_watch.hpp"
#include "runtime/transport/transport.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

namespace tla::host {
namespace {
using runtime::Announcement;
using runtime::Transport;

constexpr std::size_t smallBytes = 8, largeBytes = 4u << 20;
constexpr int smallRounds = 200, largeRounds = 8;
constexpr double mostSeconds = 30; // for one message, on a machine that others use, too

/// Messages between this rank and another one. Polls without a pause: what is measured is the link.
class Pair {
public:
  Pair(Ranks &ranks, int partner) : ranks_(ranks), transport_(*ranks.transport()), partner_(partner) {}

  /// The latency of one way, the least of all rounds.
  double latency() {
    double least = 1;
    const bool begins = transport_.rank() < partner_;
    for (int round = 0; round < smallRounds; ++round) {
      const Clock::time_point begin = Clock::now();
      if (begins)
        send(smallBytes);
      receive();
      if (!begins)
        send(smallBytes);
      least = std::min(least, secondsSince(begin) / 2);
    }
    return least;
  }

  /// The bandwidth of both ways at once, the most of all rounds.
  double bandwidth() {
    double most = 0;
    for (int round = 0; round < largeRounds; ++round) {
      const Clock::time_point begin = Clock::now();
      transport_.send(partner_, 0, out_.data(), largeBytes, out_.data());
      receive(/*sending=*/true);
      most = std::max(most, 2.0 * largeBytes / secondsSince(begin));
    }
    return most;
  }

private:
  void send(std::size_t bytes) {
    transport_.send(partner_, 0, out_.data(), bytes, out_.data());
    finish(1);
  }
  void receive(bool sending = false) {
    Announcement message;
    waitUntil([&] { return transport_.announced(message); });
    transport_.receive(message, in_.data(), in_.data());
    finish(sending ? 2 : 1);
  }
  /// Until so many operations have ended.
  void finish(int count) {
    void *tokens[2];
    waitUntil([&] { return (count -= transport_.finished(tokens, count)) == 0; });
  }
  /// A partner that never comes has failed where there is no collective to meet in: all end.
  template <typename Done> void waitUntil(Done done) {
    const Clock::time_point begin = Clock::now();
    while (!done())
      if (secondsSince(begin) > mostSeconds)
        ranks_.abort({4, "rank " + std::to_string(partner_) + " does not answer rank " +
                             std::to_string(transport_.rank()) + ": the link between them was not measured"});
  }

  Ranks &ranks_;
  Transport &transport_;
  const int partner_;
  std::vector<char> out_ = std::vector<char>(largeBytes), in_ = std::vector<char>(largeBytes);
};

} // namespace

Link measureLink(Ranks &ranks, int mostInTurn) {
  Link mine{.latency = 1, .bandwidth = 0};
  for (int distance = 1; distance < ranks.size(); distance *= 2) {
    const LinkSteps steps(ranks.size(), distance, ranks.size() > mostInTurn);
    for (int step = 0; step < steps.count(); ++step) {
      ranks.agree();
      const int partner = steps.partner(ranks.rank(), step);
      if (partner < 0)
        continue;
      Pair pair(ranks, partner);
      mine.latency = std::min(mine.latency, pair.latency());
      mine.bandwidth = std::max(mine.bandwidth, pair.bandwidth());
    }
  }
  ranks.agree();
  return mine;
}

} // namespace tla::host
