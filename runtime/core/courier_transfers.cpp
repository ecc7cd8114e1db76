// The courier's messages: sends, receives, and what it forwards.
#include "runtime/core/agreement.hpp"
#include "runtime/core/courier.hpp"
#include "runtime/core/packing.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace tla::runtime {
namespace {

int neverRun(const TaskView &) { return 0; }

/// In program order.
bool precedes(const Task *a, const Task *b) { return static_cast<std::int32_t>(a->sequence() - b->sequence()) < 0; }

/// Sends of the same content have the same.
std::uintptr_t contentOf(const Task &send) {
  return reinterpret_cast<std::uintptr_t>(&versionOf(send)) | static_cast<std::uintptr_t>(regionOf(send));
}

std::size_t bytesOf(const Task &transfer) {
  const Version &version = versionOf(transfer);
  return packedBytes(*version.table, version.row, version.column, regionOf(transfer));
}

/// FNV-1a of what names the tile.
std::uint32_t hashOf(const Task &transfer) {
  const Version &version = versionOf(transfer);
  std::uint32_t hash = 2166136261u;
  for (const int value : {version.table->number(), version.row, version.column, static_cast<int>(regionOf(transfer))})
    hash = (hash ^ static_cast<std::uint32_t>(value)) * 16777619u;
  return hash ^ hash >> MessageTag::labelBits ^ hash >> 2 * MessageTag::labelBits;
}

} // namespace

const TaskClass sendClass{"send", "", neverRun, nullptr};
const TaskClass receiveClass{"receive", "", neverRun, nullptr};

/// Transfers that have become ready together.
void Courier::start(std::vector<Task *> ready) {
  if (engine_.state.cutShort()) {
    for (Task *task : ready)
      complete(*task);
    return;
  }
  if (ready.size() == 1) // as most are
    return isReceive(*ready.front()) ? startReceive(*ready.front()) : startSends(ready);
  std::sort(ready.begin(), ready.end(), precedes);
  std::unordered_map<std::uintptr_t, std::vector<Task *>> sends;
  for (Task *task : ready)
    if (!isReceive(*task))
      sends[contentOf(*task)].push_back(task);
  for (Task *task : ready)
    if (isReceive(*task))
      startReceive(*task);
    else if (const auto group = sends.extract(contentOf(*task)))
      startSends(group.mapped());
}

/// Sends of one content, in program order.
void Courier::startSends(const std::vector<Task *> &tasks) {
  const Version &version = versionOf(*tasks.front());
  const Region region = regionOf(*tasks.front());
  const std::size_t bytes = bytesOf(*tasks.front());
  std::shared_ptr<char[]> packed;
  if (!isPacked(version, region)) {
    packed.reset(new char[bytes]);
    pack(version, region, packed.get());
  }
  counts_.messages += tasks.size();
  counts_.bytes += tasks.size() * bytes;
  const std::shared_ptr<const Tree> tree = newTree(tasks.size(), bytes);
  for (const std::vector<Task *> &branch : branches(tasks, tree ? fanOut_ : tasks.size())) {
    Task &task = *branch.front();
    if (branch.size() > 1)
      delegate(branch, tree);
    Flight &flight = newFlight(Flight::Send, &task);
    flight.buffer = packed;
    transport_.send(peerOf(task), tagOf(task, branch.size() > 1), packed ? packed.get() : version.data, bytes, &flight);
  }
}

/// Null: all goes straight.
std::shared_ptr<const Courier::Tree> Courier::newTree(std::size_t destinations, std::size_t bytes) {
  const std::size_t share = engine_.options.forwardBytes / transport_.size();
  if (destinations <= fanOut_ || share == 0 || (treeBytes_ > 0 && treeBytes_ + bytes > share))
    return nullptr;
  return std::make_shared<const Tree>(treeBytes_, bytes);
}

/// The first of the branch gets the content, and the others from it.
void Courier::delegate(const std::vector<Task *> &branch, const std::shared_ptr<const Tree> &tree) {
  const int relay = peerOf(*branch.front());
  Delegation delegation{static_cast<std::uint32_t>(transport_.rank()), ordinalOf(*branch.front()), {}};
  for (auto task = branch.begin() + 1; task != branch.end(); ++task) {
    delegated_.emplace(messageId(**task), Delegated{*task, relay, tree});
    delegation.behind.push_back({static_cast<std::uint32_t>(peerOf(**task)), ordinalOf(**task)});
  }
  counts_.delegated += delegation.behind.size();
  counts_.delegatedBytes += delegation.behind.size() * tree->bytes;
  tell(relay, Control::Delegate, delegation.text());
}

std::uint32_t Courier::tagOf(const Task &task, bool delegates) const {
  return MessageTag{odd(), false, delegates, hashOf(task) % MessageTag::labels, ordinalOf(task)}.encode();
}

void Courier::startReceive(Task &task) {
  const auto early = early_.extract(messageId(task));
  if (early)
    take(task, early.mapped());
  else
    expected_.emplace(messageId(task), &task);
}

void Courier::onAnnounced(const Announcement &message) {
  if (MessageTag::decode(message.tag).odd != odd()) {
    ofNextRun_.push_back(message); // its sender knows already that this run is over
    return;
  }
  if (stopping())
    return discard(message);
  if (const auto expected = expected_.extract(messageId(message)))
    return take(*expected.mapped(), message);
  if (early_.emplace(messageId(message), message).second)
    return;
  failAlone(messageText(message) + ", which had come before");
  discard(message);
}

/// A message and its receive have met.
void Courier::take(Task &task, const Announcement &message) {
  Version &version = versionOf(task);
  const MessageTag tag = MessageTag::decode(message.tag);
  const std::size_t bytes = bytesOf(task);
  // A forwarded message says its origin and not its tile; the ordinal is right, else it would not be here.
  if ((!tag.forwarded && message.tag != tagOf(task, tag.delegates)) || message.bytes != bytes)
    fail(task, messageText(message) + ", expected were " + std::to_string(bytes) + " bytes of " + tileText(version));
  else if (!engine_.buffers.provide(version))
    fail(task, "out of memory: " + std::to_string(bytes) + " bytes for " + tileText(version));
  if (engine_.state.cutShort()) {
    complete(task);
    return discard(message);
  }
  Flight &flight = newFlight(Flight::Receive, &task);
  flight.delegates = tag.delegates;
  if (!isPacked(version, regionOf(task)))
    flight.buffer.reset(new char[bytes]);
  ++counts_.received;
  counts_.receivedBytes += bytes;
  transport_.receive(message, flight.buffer ? flight.buffer.get() : version.data, &flight);
  if (tag.forwarded)
    tell(peerOf(task), Control::Taken, std::to_string(tag.ordinal));
}

/// A stopped run takes what others have begun to send, so that their sends complete.
void Courier::discard(const Announcement &message) {
  Flight &flight = newFlight(Flight::Discard);
  flight.buffer.reset(new char[message.bytes + 1]);
  transport_.receive(message, flight.buffer.get(), &flight);
}

Courier::Flight &Courier::newFlight(Flight::Kind kind, Task *task) {
  if (freeFlights_.empty()) {
    flights_.push_back(std::make_unique<Flight>());
    freeFlights_.push_back(flights_.back().get());
  }
  Flight &flight = *freeFlights_.back();
  freeFlights_.pop_back();
  flight.kind = kind;
  flight.task = task;
  ++inFlight_;
  return flight;
}

void Courier::finish(Flight &flight) {
  if (flight.kind == Flight::Receive && flight.buffer)
    unpack(versionOf(*flight.task), regionOf(*flight.task), flight.buffer.get());
  if (flight.kind == Flight::Receive && flight.delegates && !stopping())
    keepForOthers(flight);
  if (flight.kind == Flight::Forward) {
    --forwarding_;
    ++progressMade_;
  }
  if (flight.task)
    complete(*flight.task);
  flight = {};
  freeFlights_.push_back(&flight);
  --inFlight_;
}

/// The content has come. A copy of it, since the tile may soon be written again.
void Courier::keepForOthers(const Flight &flight) {
  Task &task = *flight.task;
  Relay &relay = relays_[messageId(task)];
  relay.bytes = bytesOf(task);
  relay.content = flight.buffer;
  if (!relay.content) {
    relay.content.reset(new (std::nothrow) char[relay.bytes]);
    if (!relay.content)
      return fail(task, "out of memory: " + std::to_string(relay.bytes) + " bytes to forward " +
                            tileText(versionOf(task)) + " to other ranks");
    std::memcpy(relay.content.get(), versionOf(task).data, relay.bytes);
  }
  if (!relay.behind.empty())
    forward(messageId(task));
}

void Courier::onDelegate(int source, Delegation delegation) {
  if (stopping())
    return;
  const MessageId id = messageId(delegation.origin, delegation.ordinal);
  Relay &relay = relays_[id];
  if (!relay.behind.empty())
    return failAlone("rank " + std::to_string(source) + " said twice who is to get message " +
                     std::to_string(delegation.ordinal) + " of rank " + std::to_string(delegation.origin));
  relay.behind = std::move(delegation.behind);
  if (relay.content)
    forward(id);
}

/// Content and addressees are known.
void Courier::forward(MessageId id) {
  const Relay relay = std::move(relays_.extract(id).mapped());
  for (const std::vector<Addressee> &branch : branches(relay.behind, fanOut_)) {
    const Addressee to = branch.front();
    if (branch.size() > 1)
      tell(static_cast<int>(to.rank), Control::Delegate,
           Delegation{rankOf(id), to.ordinal, {branch.begin() + 1, branch.end()}}.text());
    Flight &flight = newFlight(Flight::Forward);
    flight.buffer = relay.content;
    flight.origin = rankOf(id);
    flight.to = to;
    const MessageTag tag{odd(), true, branch.size() > 1, flight.origin, to.ordinal};
    transport_.send(static_cast<int>(to.rank), tag.encode(), relay.content.get(), relay.bytes, &flight);
    ++forwarding_;
    ++counts_.forwarded;
    counts_.forwardedBytes += relay.bytes;
  }
}

/// The destination of a delegated send has its message.
void Courier::onTaken(int source, std::uint32_t ordinal) {
  const auto send = delegated_.extract(messageId(static_cast<std::uint32_t>(source), ordinal));
  if (send)
    complete(*send.mapped().task);
  else if (!stopping())
    failAlone("rank " + std::to_string(source) + " has taken message " + std::to_string(ordinal) +
              " from another rank, which nobody was told to forward");
}

void Courier::complete(Task &task) {
  completion_.complete(task);
  ++progressMade_;
}

/// What completed transfers leave behind. Tasks that compute go to their device; transfers are ours.
void Courier::passOn() {
  while (completion_.transfers.head) {
    std::vector<Task *> transfers;
    for (Task *task = std::exchange(completion_.transfers, {}).head; task; task = task->link)
      transfers.push_back(task);
    start(std::move(transfers));
  }
  completion_.passElsewhere();
  if (const Chain<Task> ready = std::exchange(completion_.ready, {}); ready.head)
    engine_.device().submit(ready.head, ready.count);
  if (completion_.done.head || completion_.retired.head)
    if (engine_.window.returnFrom(completion_.done, completion_.retired))
      engine_.host.wake(0);
}

void Courier::fail(Task &task, const std::string &message) {
  engine_.state.fail(failureOf(task, Outcome::Kind::Fault, 0, message));
}

/// No task is at fault. Once this rank's tasks are complete, its outcome is the courier's; and once that is told, there
/// is no way to change it.
void Courier::failAlone(std::string message) {
  if (stage_ == Stage::Computing)
    return engine_.state.fail({Outcome::Kind::Fault, 0, std::move(message), nullptr, 0, nullptr, 0, 0});
  if (stage_ == Stage::Through)
    throw Error(message);
  Outcome outcome;
  outcome.kind = Outcome::Kind::Fault;
  outcome.message = std::move(message);
  mine_ = outcomeText(outcome);
  noticeStop();
}

/// "rank 2 sent 32 bytes as message 0", "rank 3 forwarded 32 bytes as message 0 of rank 2"
std::string Courier::messageText(const Announcement &message) {
  const MessageTag tag = MessageTag::decode(message.tag);
  return "rank " + std::to_string(message.source) + (tag.forwarded ? " forwarded " : " sent ") +
         std::to_string(message.bytes) + " bytes as message " + std::to_string(tag.ordinal) +
         (tag.forwarded ? " of rank " + std::to_string(tag.label) : "");
}

} // namespace tla::runtime
