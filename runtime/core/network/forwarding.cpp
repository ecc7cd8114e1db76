#include "runtime/core/network/forwarding.hpp"

#include <cstring>
#include <utility>

namespace tla::runtime {

/// The fan-out for which Options::fanOut = 0 stands. In virtual time on Keeneland's nodes, Cholesky with 1, 2 and 4: n
/// = 96,000 on 100 nodes 510, 522 and 469 Gflop/s a node; n = 69,120 on 16 nodes 835, 835 and 832. Where the ranks
/// share a machine's cores, as few do, a relay that has to wait for its turn costs more than a message.
std::size_t fanOutFor(int ranks) {
  constexpr int few = 16;
  return ranks <= few ? 4 : 2;
}

Forwarding::Forwarding(const Options &options, const Transport &transport, ControlMessages &controls,
                       Agreement &agreement, Flights &flights, TransferEnds &ends)
    : controls_(controls), agreement_(agreement), flights_(flights), ends_(ends), rank_(transport.rank()),
      fanOut_(options.fanOut ? options.fanOut : fanOutFor(transport.size())), mostCopied_(options.forwardBytes),
      movesContent_(!options.virtualMachine) {}

void Forwarding::begin() {
  counts_ = {};
  number_ = 0;
}

/// No relay has room for what is larger than all that it may copy.
std::vector<std::vector<Task *>> Forwarding::branchesOf(const std::vector<Task *> &sends) const {
  return branches(sends, bytesOf(*sends.front()) > mostCopied_ || mostCopied_ == 0 ? sends.size() : fanOut_);
}

void Forwarding::delegate(const std::vector<Task *> &branch) {
  if (branch.size() == 1)
    return;
  const int relay = peerOf(*branch.front());
  std::vector<Addressee> behind;
  for (auto task = branch.begin() + 1; task != branch.end(); ++task) {
    delegated_.emplace(messageId(**task), Delegated{*task, relay});
    behind.push_back({static_cast<std::uint32_t>(peerOf(**task)), ordinalOf(**task)});
  }
  counts_.delegated += behind.size();
  counts_.delegatedBytes += behind.size() * bytesOf(*branch.front());
  tell(relay, static_cast<std::uint32_t>(rank_), ordinalOf(*branch.front()), behind);
}

void Forwarding::tell(int relay, std::uint32_t origin, std::uint32_t ordinal, const std::vector<Addressee> &behind) {
  for (const std::string &text : Delegation::texts(origin, ordinal, behind))
    controls_.tell(relay, Control::Delegate, text);
}

void Forwarding::onTaken(int source, std::uint32_t ordinal) {
  const auto send = delegated_.extract(messageId(static_cast<std::uint32_t>(source), ordinal));
  if (send)
    ends_.complete(*send.mapped().task);
  else if (!agreement_.stopping())
    agreement_.fail(rankText(source) + " has taken " + ordinalText(ordinal) +
                    " from another rank, which nobody was told to forward");
}

std::vector<Task *> Forwarding::onDeclined(int source, const Delegation &delegation) {
  std::vector<Task *> sends;
  if (agreement_.stopping())
    return sends;
  for (const Addressee &to : delegation.behind)
    if (const auto send = delegated_.extract(messageId(to.rank, to.ordinal))) {
      sends.push_back(send.mapped().task);
      --counts_.delegated;
      counts_.delegatedBytes -= bytesOf(*sends.back());
    } else {
      agreement_.fail(rankText(source) + " does not forward " + ordinalText(to.ordinal) + " to " + rankText(to.rank) +
                      ", which nobody was told to forward");
      break;
    }
  return sends;
}

void Forwarding::keep(const Task &receive, const MessageBuffer &buffer) {
  const MessageId id = messageId(receive);
  Relay &relay = relays_[id];
  relay.arrived = true;
  relay.bytes = bytesOf(receive);
  relay.priority = Task::priorityOf(receive.key);
  relay.copy = copyOf(receive, buffer);
  pass(id);
}

/// A copy of it, since the tile may soon be written again; or the buffer that it came in. Null: there is no room.
MessageBuffer Forwarding::copyOf(const Task &receive, const MessageBuffer &buffer) {
  const std::size_t bytes = bytesOf(receive);
  if (bytes > mostCopied_ - copied_)
    return nullptr;
  MessageBuffer copy = buffer ? buffer : flights_.allocate(bytes);
  if (!copy) // as if the bound were smaller
    return nullptr;
  if (!buffer && movesContent_)
    std::memcpy(copy.get(), versionOf(receive).data, bytes);
  copied_ += bytes;
  char *const data = copy.get();
  return {data, [this, bytes, copy = std::move(copy)](char *) mutable {
            copy.reset();
            copied_ -= bytes;
          }};
}

void Forwarding::onDelegate(int source, Delegation delegation) {
  if (agreement_.stopping())
    return;
  const MessageId id = messageId(delegation.origin, delegation.ordinal);
  Relay &relay = relays_[id];
  if (!relay.behind.empty() && relay.following != delegation.behind.size() + delegation.following)
    return agreement_.fail(rankText(source) + " said twice who is to get " + ordinalText(delegation.ordinal) + " of " +
                           rankText(delegation.origin));
  relay.behind.insert(relay.behind.end(), delegation.behind.begin(), delegation.behind.end());
  relay.following = delegation.following;
  pass(id);
}

/// Once content and addressees are known.
void Forwarding::pass(MessageId id) {
  if (!relays_[id].isComplete())
    return;
  const Relay relay = std::move(relays_.extract(id).mapped());
  if (relay.copy)
    forward(id, relay);
  else
    decline(id, relay);
}

void Forwarding::decline(MessageId id, const Relay &relay) {
  for (const std::string &text : Delegation::texts(rankOf(id), ordinalOf(id), relay.behind))
    controls_.tell(static_cast<int>(rankOf(id)), Control::Declined, text);
}

void Forwarding::forward(MessageId id, const Relay &relay) {
  for (const std::vector<Addressee> &branch : branches(relay.behind, fanOut_)) {
    const Addressee to = branch.front();
    const ForwardedMessage message{number_++ % MessageTag::numbers, rankOf(id), to.ordinal};
    controls_.tell(static_cast<int>(to.rank), Control::Forwards, message.text());
    tell(static_cast<int>(to.rank), message.origin, message.ordinal, {branch.begin() + 1, branch.end()});
    flights_.forward(message, to, branch.size() > 1, {relay.copy.get(), relay.bytes, relay.copy}, relay.priority);
    ++underWay_;
    ++counts_.forwarded;
    counts_.forwardedBytes += relay.bytes;
  }
}

void Forwarding::forwarded() {
  --underWay_;
  ++count_;
}

void Forwarding::stop() {
  for (const auto &[id, send] : std::exchange(delegated_, {}))
    ends_.complete(*send.task);
  relays_.clear();
}

void Forwarding::addTo(TransferCounts &counts) const {
  counts.delegated += counts_.delegated;
  counts.delegatedBytes += counts_.delegatedBytes;
  counts.forwarded += counts_.forwarded;
  counts.forwardedBytes += counts_.forwardedBytes;
}

void Forwarding::addTextTo(std::vector<std::string> &lines) const {
  for (const auto &[id, send] : delegated_)
    lines.push_back(ordinalText(ordinalOf(id)) + " to " + rankText(rankOf(id)) + ", " +
                    tileText(versionOf(*send.task)) + ", left to " + rankText(send.relay) + ": not taken");
  for (const auto &[id, relay] : relays_)
    lines.push_back(ordinalText(ordinalOf(id)) + " of " + rankText(rankOf(id)) +
                    ", to be forwarded: " + (relay.arrived ? "nobody has said to whom" : "not arrived"));
}

} // namespace tla::runtime
