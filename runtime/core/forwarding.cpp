#include "runtime/core/forwarding.hpp"

#include <cstring>
#include <limits>
#include <utility>

namespace tla::runtime {

/// A tag has room for so many origins.
static bool treesFor(const Transport &transport) { return transport.size() <= static_cast<int>(MessageTag::labels); }

Forwarding::Forwarding(Engine &engine, const Transport &transport, ControlMessages &controls, Agreement &agreement,
                       Flights &flights, TransferEnds &ends)
    : controls_(controls), agreement_(agreement), flights_(flights), ends_(ends), rank_(transport.rank()),
      fanOut_(treesFor(transport) ? engine.options.fanOut : std::numeric_limits<std::size_t>::max()),
      share_(engine.options.forwardBytes / transport.size()), movesContent_(!engine.options.virtualMachine) {}

std::shared_ptr<const Forwarding::Tree> Forwarding::newTree(std::size_t destinations, std::size_t bytes) {
  if (destinations <= fanOut_ || share_ == 0 || (treeBytes_ > 0 && treeBytes_ + bytes > share_))
    return nullptr;
  return std::make_shared<const Tree>(treeBytes_, bytes);
}

void Forwarding::delegate(const std::vector<Task *> &branch, const std::shared_ptr<const Tree> &tree) {
  if (branch.size() == 1)
    return;
  const int relay = peerOf(*branch.front());
  Delegation delegation{static_cast<std::uint32_t>(rank_), ordinalOf(*branch.front()), {}};
  for (auto task = branch.begin() + 1; task != branch.end(); ++task) {
    delegated_.emplace(messageId(**task), Delegated{*task, relay, tree});
    delegation.behind.push_back({static_cast<std::uint32_t>(peerOf(**task)), ordinalOf(**task)});
  }
  counts_.delegated += delegation.behind.size();
  counts_.delegatedBytes += delegation.behind.size() * tree->bytes;
  controls_.tell(relay, Control::Delegate, delegation.text());
}

void Forwarding::onTaken(int source, std::uint32_t ordinal) {
  const auto send = delegated_.extract(messageId(static_cast<std::uint32_t>(source), ordinal));
  if (send)
    ends_.complete(*send.mapped().task);
  else if (!agreement_.stopping())
    agreement_.fail(rankText(source) + " has taken " + ordinalText(ordinal) +
                    " from another rank, which nobody was told to forward");
}

/// A copy of it, since the tile may soon be written again.
void Forwarding::keep(const Task &receive, const MessageBuffer &buffer) {
  Relay &relay = relays_[messageId(receive)];
  relay.bytes = bytesOf(receive);
  relay.content = buffer;
  if (!relay.content) {
    relay.content = flights_.allocate(relay.bytes);
    if (!relay.content)
      return ends_.fail(receive, outOfMemoryText(relay.bytes, "to forward", versionOf(receive)));
    if (movesContent_)
      std::memcpy(relay.content.get(), versionOf(receive).data, relay.bytes);
  }
  if (!relay.behind.empty())
    forward(messageId(receive));
}

void Forwarding::onDelegate(int source, Delegation delegation) {
  if (agreement_.stopping())
    return;
  const MessageId id = messageId(delegation.origin, delegation.ordinal);
  Relay &relay = relays_[id];
  if (!relay.behind.empty())
    return agreement_.fail(rankText(source) + " said twice who is to get " + ordinalText(delegation.ordinal) + " of " +
                           rankText(delegation.origin));
  relay.behind = std::move(delegation.behind);
  if (relay.content)
    forward(id);
}

/// Content and addressees are known.
void Forwarding::forward(MessageId id) {
  const Relay relay = std::move(relays_.extract(id).mapped());
  for (const std::vector<Addressee> &branch : branches(relay.behind, fanOut_)) {
    const Addressee to = branch.front();
    if (branch.size() > 1)
      controls_.tell(static_cast<int>(to.rank), Control::Delegate,
                     Delegation{rankOf(id), to.ordinal, {branch.begin() + 1, branch.end()}}.text());
    flights_.forward(rankOf(id), to, branch.size() > 1, {relay.content.get(), relay.bytes, relay.content});
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
                    ", to be forwarded: " + (relay.content ? "nobody has said to whom" : "not arrived"));
}

} // namespace tla::runtime
