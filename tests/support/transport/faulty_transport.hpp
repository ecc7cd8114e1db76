// A transport on which things go wrong: what a program of several ranks has to bear, and what has to end it.
#pragma once

#include "runtime/transport/transport.hpp"

#include <atomic>
#include <chrono>
#include <deque>
#include <random>

namespace tla::runtime {

/// The faults at one rank. When it does follows from the seed and the rank's own calls, without a clock: the same calls
/// meet the same faults. By default none.
struct Faults {
  static constexpr std::uint64_t never = ~std::uint64_t(0);

  unsigned seed = 1;
  /// The most looks by which an arrival (announcements, control messages) or an end is held back, each by a number of
  /// its own: so announcements and completions overtake one another, as Transport allows. Control messages of one rank
  /// stay in order. 0: nothing is.
  int holdBack = 0;
  /// The time by which each call that sends or receives a data message is longer: a slow machine.
  std::chrono::microseconds slowness{0};
  /// When it sends or receives its data message of this number, the first is 0, the rank stands still for a time: that
  /// call does not return before, and as others wait for it, the rank sends nothing and hears nothing meanwhile.
  std::uint64_t freezeAt = never;
  std::chrono::milliseconds freezeFor{0};
  /// When it sends or receives its data message of this number, the rank stands still for ever: the call never returns,
  /// and nobody can join its thread. So the process has to be ended, as abort() on the other ranks does with processes
  /// (LocalNetwork::Options::onAbort).
  std::uint64_t dieAt = never;
};

/// Another transport with faults. It never notifies, as MPI does not, and is as safe for threads as Transport asks for.
class FaultyTransport final : public Transport {
public:
  FaultyTransport(Transport &transport, const Faults &faults);

  const char *name() const override { return "faulty"; }
  int rank() const override { return transport_.rank(); }
  int size() const override { return transport_.size(); }

  void send(int destination, std::uint32_t tag, const void *data, std::size_t bytes, void *token) override;
  bool announced(Announcement &message) override;
  void receive(const Announcement &message, void *buffer, void *token) override;
  int finished(void **tokens, int room) override;
  bool receiversMove() const override { return transport_.receiversMove(); }

  void sendControl(int destination, const void *data, std::size_t bytes) override;
  bool receiveControl(int &source, std::vector<std::byte> &data) override;

  bool notifies() const override { return false; }
  void onActivity(std::function<void()>) override {}

  /// Whether the rank has begun to stand still, for a time or for ever. Any thread.
  bool struck() const { return struck_; }

  // Collectives go as they go.
  void barrier() override { transport_.barrier(); }
  void broadcast(void *data, std::size_t bytes, int root) override { transport_.broadcast(data, bytes, root); }
  void sum(double *values, std::size_t count) override { transport_.sum(values, count); }
  void max(double *values, std::size_t count) override { transport_.max(values, count); }
  std::vector<std::vector<std::byte>> gather(const void *data, std::size_t bytes, int root) override {
    return transport_.gather(data, bytes, root);
  }
  [[noreturn]] void abort(int exitCode) override;

private:
  /// Things that are held back, each until the look of a number.
  template <typename Thing> class Held {
  public:
    void add(std::uint64_t due, Thing thing) { things_.push_back({due, std::move(thing)}); }
    /// The first one that is due, in the order in which they came in; false: none.
    bool take(std::uint64_t look, Thing &thing);

  private:
    std::deque<std::pair<std::uint64_t, Thing>> things_;
  };
  struct Control {
    int source;
    std::vector<std::byte> data;
  };

  void meetFaults();
  std::uint64_t due(std::uint64_t look);

  Transport &transport_;
  const Faults faults_;
  std::atomic<bool> struck_ = false;
  // One thread at a time, by the rules of Transport.
  std::mt19937 random_;
  std::uint64_t messages_ = 0, announcementLooks_ = 0, completionLooks_ = 0, controlLooks_ = 0;
  Held<Announcement> announcements_;
  Held<void *> completions_;
  Held<Control> controls_;
  std::vector<std::uint64_t> lastDue_; ///< looks at which control messages are due, by source
};

} // namespace tla::runtime
