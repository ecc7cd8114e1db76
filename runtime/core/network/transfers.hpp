// The sends and receives of a rank: from when they are ready until their messages have gone or come.
#pragma once

#include "runtime/core/network/agreement.hpp"
#include "runtime/core/network/flights.hpp"
#include "runtime/core/network/forwarding.hpp"
#include "runtime/core/network/transfer_ends.hpp"

#include <string>
#include <unordered_map>
#include <vector>

namespace tla::runtime {

/// The messages of a pair of ranks are numbered in program order, which both ends know, and say their number and tile
/// (MessageTag). So one that nobody expects, that came twice, or that has another size is an error that names it.
///
/// What does not lie in one piece in its tile is packed into a buffer, and unpacked from one.
///
/// Invariants: a receive that is ready and whose message has not been announced is in expected_; a message that was
/// announced and whose receive is not ready is in early_; no number is in both, since who finds the other there takes
/// it out, and they go into flight together. Of a forwarded message its sender says by a control message which one it
/// is: what has come first, the announcement or that, lies in unnamed_ or in names_ until the other is there. A send
/// goes into flight, or to Forwarding, as soon as it is ready; the outbox of Flights may hold its message back. In a
/// run that was cut short all of these are empty and stay so: transfers complete at once, and messages are thrown away.
///
/// Guarded by Turns::lock_, except begin(): before the first task of a run.
class Transfers {
public:
  /// `hasContent`: as for Flights.
  Transfers(NodeTasks &tasks, ControlMessages &controls, Agreement &agreement, Flights &flights, Forwarding &forwarding,
            TransferEnds &ends, bool hasContent)
      : tasks_(tasks), controls_(controls), agreement_(agreement), flights_(flights), forwarding_(forwarding),
        ends_(ends), hasContent_(hasContent) {}
  void begin();

  /// Transfers that have become ready together.
  void start(std::vector<Task *> ready);
  /// Takes the messages that have come in. Returns whether there was one.
  bool takeAnnounced();
  /// Ends what has gone or come. Returns whether there was any of it.
  bool takeFinished();
  /// Control::Forwards.
  void onForwards(int source, const ForwardedMessage &message);
  /// Sends of one content, in program order, that were delegated in vain.
  void startAgain(const std::vector<Task *> &sends);
  /// All receives of this rank are complete: a message that lies here is an error.
  void requireNothingEarly();
  /// The run was cut short: nothing waits for a message any more.
  void stop();

  /// Sent and received in this run.
  TransferCounts counts() const;
  /// Messages that have not come, or that nobody takes, a line each.
  std::vector<std::string> waitingTexts() const;

private:
  bool travelsAsItLies(const Version &version, Region region) const;
  void startReceive(Task &task);
  void startSends(const std::vector<Task *> &tasks);
  void send(const std::vector<Task *> &tasks);
  void onAnnounced(const Announcement &message);
  void meet(MessageId id, const Announcement &message);
  void take(Task &task, const Announcement &message);
  void finish(const Flight &flight);
  void leave(const Flight &flight);
  void note(const Task &task, std::size_t bytes, int via);

  NodeTasks &tasks_;
  ControlMessages &controls_;
  Agreement &agreement_;
  Flights &flights_;
  Forwarding &forwarding_;
  TransferEnds &ends_;
  const bool hasContent_;

  std::unordered_map<MessageId, Task *> expected_;
  std::unordered_map<MessageId, Announcement> early_;
  /// Announcements by the rank that forwards and MessageTag::number().
  std::unordered_map<MessageId, Announcement> unnamed_;
  std::unordered_map<MessageId, MessageId> names_;
  TransferCounts counts_; ///< all messages except those that Forwarding counts
};

} // namespace tla::runtime
