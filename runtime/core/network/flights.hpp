// The data messages of a rank on their way: what the transport has been given, and has not given back.
#pragma once

#include "runtime/core/network/broadcast.hpp"
#include "runtime/core/network/message_tag.hpp"
#include "runtime/core/network/outbox.hpp"
#include "runtime/core/network/transfer.hpp"
#include "runtime/device/device.hpp"
#include "runtime/transport/transport.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tla::runtime {

/// Memory of the pool that goes back there with its last owner; messages of one content share theirs.
using MessageBuffer = std::shared_ptr<char[]>;

/// The content of a message: `bytes` at `data`, which lie in `buffer`, or, where that is null, in the tile itself.
struct MessageContent {
  void *data;
  std::size_t bytes;
  MessageBuffer buffer;
};

/// A message between start and end.
struct Flight {
  enum Kind {
    Free,
    Send,
    Receive,
    Discard, ///< a message that is taken and thrown away, for its sender's sake
    Forward,
  } kind = Free;
  Task *task = nullptr;   ///< the task of a send or receive
  MessageBuffer buffer;   ///< see MessageContent
  bool delegates = false; ///< Receive: the content is to be forwarded
  Outgoing out = {};      ///< Send, Forward: the message
};

/// Invariants: a flight is in use from the call that starts it until the transport has reported its end, and what it
/// sends or fills stays where it is for as long. What is sent is in outbox_ for as long, which says when the transport
/// gets it. All are in all_; those not in use are in free_, and inUse_ is
/// the number of the others. Tags leave with the parity of the run, and come in with it: a message of the next run,
/// whose sender knows already that this one is over, is kept until that has begun.
///
/// Guarded by Turns::lock_, except begin(): before the first task of a run.
class Flights {
public:
  /// `hasContent`: not in virtual time, where messages have none.
  /// `mostBytes`: see Outbox.
  Flights(Device &memory, Transport &transport, bool hasContent, std::size_t mostBytes)
      : memory_(memory), transport_(transport), hasContent_(hasContent), outbox_(mostBytes) {}
  /// `run`: its number.
  void begin(std::uint32_t run) { odd_ = run & 1; }

  /// From the pool, whose pages are there already. Null: out of memory.
  MessageBuffer allocate(std::size_t bytes);

  void send(Task &task, MessageTag tag, const MessageContent &content);
  void receive(Task &task, const Announcement &message, const MessageContent &room, bool delegates);
  /// Throws std::bad_alloc.
  void discard(const Announcement &message);
  /// `priority`: Outgoing's.
  void forward(const ForwardedMessage &message, const Addressee &to, bool delegates, const MessageContent &content,
               std::uint32_t priority);

  /// onAnnounced(message) for each message of this run that has come in. Returns whether there was one.
  template <typename OnAnnounced> bool takeAnnounced(OnAnnounced onAnnounced);
  /// onFinished(flight) for each that has ended. Returns whether there was one.
  template <typename OnFinished> bool takeFinished(OnFinished onFinished);

  bool any() const { return inUse_ > 0; }
  /// onDropped(flight) for each message that waits to leave, and will not any more: the run was cut short.
  template <typename OnDropped> void drop(OnDropped onDropped);
  /// Adds a line for each message that has arrived and that nobody has taken.
  void addTextTo(std::vector<std::string> &lines) const;

private:
  Flight &start(Flight::Kind kind, Task *task, MessageBuffer buffer);
  void post(Flight &flight, Outgoing message);
  void release();
  void end(Flight &flight);
  std::uint32_t encode(MessageTag tag) const;

  Device &memory_;
  Transport &transport_;
  const bool hasContent_;
  Outbox outbox_;
  bool odd_ = false; ///< the run's number is
  std::vector<Announcement> ofNextRun_;
  std::vector<std::unique_ptr<Flight>> all_;
  std::vector<Flight *> free_;
  int inUse_ = 0;
};

template <typename OnAnnounced> bool Flights::takeAnnounced(OnAnnounced onAnnounced) {
  bool any = false;
  const auto take = [&](const Announcement &message) {
    if (MessageTag::decode(message.tag).odd == odd_)
      onAnnounced(message);
    else
      ofNextRun_.push_back(message);
  };
  for (const Announcement &message : std::exchange(ofNextRun_, {}))
    take(message);
  for (Announcement message; transport_.announced(message); any = true)
    take(message);
  return any;
}

template <typename OnFinished> bool Flights::takeFinished(OnFinished onFinished) {
  constexpr int room = 64;
  void *tokens[room];
  bool any = false;
  for (int count = room; count == room; any |= count > 0) {
    count = transport_.finished(tokens, room);
    for (int i = 0; i < count; ++i) {
      Flight &flight = *static_cast<Flight *>(tokens[i]);
      onFinished(std::as_const(flight));
      end(flight);
    }
  }
  if (any)
    release();
  return any;
}

template <typename OnDropped> void Flights::drop(OnDropped onDropped) {
  for (const auto &flight : all_)
    if (flight->out.waits) {
      onDropped(std::as_const(*flight));
      end(*flight);
    }
}

} // namespace tla::runtime
