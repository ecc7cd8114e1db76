// Broadcasts between nodes: which sends of a version are left to others, and what this rank forwards for others.
#pragma once

#include "runtime/core/network/agreement.hpp"
#include "runtime/core/network/flights.hpp"
#include "runtime/core/network/transfer_ends.hpp"

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace tla::runtime {

/// The usual fan-out of trees among so many ranks.
std::size_t fanOutFor(int ranks);

/// Forwards tiles from rank to rank: of the sends of one version that become ready together only the first few in
/// program order go out (Options::fanOut); each of their receivers is told what to forward to whom (Control::Delegate,
/// Delegation), and does likewise, out of a copy that it makes when the content is there. The receiver tells the origin
/// when it takes such a message (Control::Taken), and then the origin's send is complete, as one that went straight:
/// all that follows is the same for both.
///
/// The bound on memory is the relay's own, whatever and how many the origins are, of which none knows what the others
/// leave to the same relay: copies take Options::forwardBytes at most, one copy a version that this rank receives. A
/// relay that has no room for a copy tells the origin (Control::Declined), which then sends again itself, to the first
/// few of those addressees, and so on. So nobody waits for room: a relay forwards or declines at once when it has both
/// the content and the addressees. An origin can always send: until a send is taken, its task stays in the window and
/// holds the version. And each time that a relay declines, fewer addressees are left.
///
/// Invariants: a send of this rank that another one carries out is in delegated_ until the destination has said Taken,
/// or the relay Declined. What this rank is to forward is in relays_ from the first that is known of it, content or
/// addressees, until both are; from then on it is in flight, or declined. So busy() is false exactly when nobody waits
/// for this rank to forward, as far as it has been told. `copied_` is the sum of the bytes of all copies: those that
/// lie in relays_, and those that flights still share.
///
/// Guarded by Turns::lock_, except begin(): before the first task of a run.
class Forwarding {
public:
  Forwarding(const Options &options, const Transport &transport, ControlMessages &controls, Agreement &agreement,
             Flights &flights, TransferEnds &ends);
  void begin();

  // Of this rank's own sends.

  /// Sends of one content, in program order, as branches: the first of each goes out from here.
  std::vector<std::vector<Task *>> branchesOf(const std::vector<Task *> &sends) const;
  /// The receiver of the first send of the branch is told to carry out the others. Nothing, if there are none.
  void delegate(const std::vector<Task *> &branch);
  /// Control::Taken: the destination of a delegated send has its message.
  void onTaken(int source, std::uint32_t ordinal);
  /// Control::Declined: the sends of one content, in program order, that are to be started again.
  std::vector<Task *> onDeclined(int source, const Delegation &delegation);

  // Of what others have delegated to this rank.

  /// The content has come that `receive` was for: in `buffer`, or, where that is null, in its tile.
  void keep(const Task &receive, const MessageBuffer &buffer);
  /// Control::Delegate.
  void onDelegate(int source, Delegation delegation);
  /// A message of this rank's was taken by whom it was forwarded to.
  void forwarded();
  bool busy() const { return !relays_.empty() || underWay_ > 0; }

  /// The run was cut short: nobody waits for what is delegated or to be forwarded. What is in flight still lands.
  void stop();
  /// Adds `delegated` and `forwarded`, of this run.
  void addTo(TransferCounts &counts) const;
  /// How many messages were forwarded, over all runs.
  std::uint64_t count() const { return count_; }
  /// Adds a line for each message that is delegated and not taken, or still to be forwarded.
  void addTextTo(std::vector<std::string> &lines) const;

private:
  struct Delegated {
    Task *task;
    int relay;
  };
  struct Relay {
    bool arrived = false;
    MessageBuffer copy; ///< null once it has arrived: there was no room
    std::size_t bytes = 0;
    /// The priority of this rank's own reader, which comes before those to whom it forwards.
    std::uint32_t priority = 0;
    std::uint32_t following = 0; ///< addressees that are still to be told
    std::vector<Addressee> behind;
    bool isComplete() const { return arrived && !behind.empty() && following == 0; }
  };
  MessageBuffer copyOf(const Task &receive, const MessageBuffer &buffer);
  void tell(int relay, std::uint32_t origin, std::uint32_t ordinal, const std::vector<Addressee> &behind);
  void pass(MessageId id);
  void decline(MessageId id, const Relay &relay);
  void forward(MessageId id, const Relay &relay);

  ControlMessages &controls_;
  Agreement &agreement_;
  Flights &flights_;
  TransferEnds &ends_;
  const int rank_;
  const std::size_t fanOut_, mostCopied_; ///< Options::forwardBytes
  const bool movesContent_;               ///< false in virtual time

  std::size_t copied_ = 0;   ///< bytes; before what counts in it
  std::uint32_t number_ = 0; ///< number of the next message that is forwarded: ForwardedMessage
  std::unordered_map<MessageId, Delegated> delegated_; ///< here the rank is the destination
  std::unordered_map<MessageId, Relay> relays_;        ///< here the origin
  int underWay_ = 0;                                   ///< flights that are Forward
  TransferCounts counts_;
  std::uint64_t count_ = 0;
};

} // namespace tla::runtime
