// Broadcasts between nodes: which sends of a version are left to others, and what this rank forwards for others.
#pragma once

#include "runtime/core/agreement.hpp"
#include "runtime/core/flights.hpp"
#include "runtime/core/transfer_ends.hpp"

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace tla::runtime {

/// Of the sends of one version that become ready together only the first few in program order go out
/// (Options::fanOut); each of their receivers is told what to forward to whom (Control::Delegate, Delegation), and does
/// likewise, out of a copy that it makes when the content is there. The receiver tells the origin when it takes such a
/// message (Control::Taken), and then the origin's send is complete, as one is that went straight: all that follows is
/// the same for both. A rank makes one copy of a version at most, and each origin has no more on the way that way than
/// its share of Options::forwardBytes: what is beyond goes straight.
///
/// Invariants: a send of this rank that another one carries out is in delegated_ until the destination has said Taken,
/// and its version's tree counts in treeBytes_ until that holds for all its sends. What this rank is to forward is in
/// relays_ from the first that is known of it, content or addressees, until both are; from then on it is in flight. So
/// busy() is false exactly when nobody waits for this rank to forward, as far as it has been told.
///
/// Guarded by Turns::lock_, but for begin(): before the first task of a run.
class Forwarding {
public:
  /// A version some of whose sends other ranks carry out, until the last of these is taken.
  class Tree {
  public:
    Tree(std::size_t &outstanding, std::size_t bytes) : bytes(bytes), outstanding_(outstanding) {
      outstanding += bytes;
    }
    ~Tree() { outstanding_ -= bytes; }
    Tree(const Tree &) = delete;
    Tree &operator=(const Tree &) = delete;
    const std::size_t bytes;

  private:
    std::size_t &outstanding_;
  };

  Forwarding(Engine &engine, const Transport &transport, ControlMessages &controls, Agreement &agreement,
             Flights &flights, TransferEnds &ends);
  void begin() { counts_ = {}; }

  // Of this rank's own sends.

  /// For so many sends of one content. Null: all go straight.
  std::shared_ptr<const Tree> newTree(std::size_t destinations, std::size_t bytes);
  /// The sends of one content, in program order, as branches: the first of each goes out from here.
  std::vector<std::vector<Task *>> branchesOf(const std::vector<Task *> &sends, const Tree *tree) const {
    return branches(sends, tree ? fanOut_ : sends.size());
  }
  /// The receiver of the first send of the branch is told to carry out the others. Nothing, if there are none.
  void delegate(const std::vector<Task *> &branch, const std::shared_ptr<const Tree> &tree);
  /// Control::Taken: the destination of a delegated send has its message.
  void onTaken(int source, std::uint32_t ordinal);

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
  /// What is delegated and not taken, or to be forwarded, a line each.
  void addTextTo(std::vector<std::string> &lines) const;

private:
  struct Delegated {
    Task *task;
    int relay;
    std::shared_ptr<const Tree> tree;
  };
  struct Relay {
    MessageBuffer content;
    std::size_t bytes = 0;
    std::vector<Addressee> behind;
  };
  void forward(MessageId id);

  ControlMessages &controls_;
  Agreement &agreement_;
  Flights &flights_;
  TransferEnds &ends_;
  const int rank_;
  const std::size_t fanOut_, share_; ///< bytes: of Options::forwardBytes
  const bool movesContent_;          ///< not in virtual time

  std::size_t treeBytes_ = 0;                          ///< of this rank's trees, before what counts in it
  std::unordered_map<MessageId, Delegated> delegated_; ///< here the rank is the destination
  std::unordered_map<MessageId, Relay> relays_;        ///< here the origin
  int underWay_ = 0;                                   ///< flights that are Forward
  TransferCounts counts_;
  std::uint64_t count_ = 0;
};

} // namespace tla::runtime
