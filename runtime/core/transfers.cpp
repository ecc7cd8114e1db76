#include "runtime/core/transfers.hpp"

#include "runtime/core/packing.hpp"

#include <algorithm>
#include <utility>

namespace tla::runtime {

/// In program order.
static bool precedes(const Task *a, const Task *b) {
  return static_cast<std::int32_t>(a->sequence() - b->sequence()) < 0;
}

/// Sends of the same content have the same.
static std::uintptr_t contentOf(const Task &send) {
  return reinterpret_cast<std::uintptr_t>(&versionOf(send)) | static_cast<std::uintptr_t>(regionOf(send));
}

void Transfers::begin() {
  counts_ = {};
  early_.clear();
  forwarding_.begin();
}

void Transfers::start(std::vector<Task *> ready) {
  if (engine_.state.cutShort())
    return ends_.complete(ready);
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

/// In virtual time there is nothing to pack.
bool Transfers::travelsAsItLies(const Version &version, Region region) const {
  return engine_.virtualHost || isPacked(version, region);
}

/// Sends of one content, in program order.
void Transfers::startSends(const std::vector<Task *> &tasks) {
  const Version &version = versionOf(*tasks.front());
  const Region region = regionOf(*tasks.front());
  MessageContent content{version.data, bytesOf(*tasks.front()), nullptr};
  if (!travelsAsItLies(version, region)) {
    content.buffer = flights_.allocate(content.bytes);
    if (!content.buffer) {
      ends_.fail(*tasks.front(), outOfMemoryText(content.bytes, "to pack", version));
      return ends_.complete(tasks);
    }
    content.data = content.buffer.get();
    pack(version, region, content.data);
  }
  for (const Task *task : tasks)
    note(*task, content.bytes, -1);
  counts_.messages += tasks.size();
  counts_.bytes += tasks.size() * content.bytes;
  const std::shared_ptr<const Forwarding::Tree> tree = forwarding_.newTree(tasks.size(), content.bytes);
  for (const std::vector<Task *> &branch : forwarding_.branchesOf(tasks, tree.get())) {
    forwarding_.delegate(branch, tree);
    flights_.send(*branch.front(), tagOf(*branch.front(), branch.size() > 1), content);
  }
}

void Transfers::startReceive(Task &task) {
  const auto early = early_.extract(messageId(task));
  if (early)
    take(task, early.mapped());
  else
    expected_.emplace(messageId(task), &task);
}

bool Transfers::takeAnnounced() {
  return flights_.takeAnnounced([this](const Announcement &message) { onAnnounced(message); });
}

void Transfers::onAnnounced(const Announcement &message) {
  if (agreement_.stopping())
    return flights_.discard(message);
  if (const auto expected = expected_.extract(messageId(message)))
    return take(*expected.mapped(), message);
  if (early_.emplace(messageId(message), message).second)
    return;
  agreement_.fail(messageText(message) + ", which had come before");
  flights_.discard(message);
}

/// Whether the message is the one that `task` is for. A forwarded message says its origin and not its tile; the ordinal
/// is right, else they would not have met.
static bool fits(const Announcement &message, const Task &task, std::size_t bytes) {
  MessageTag tag = MessageTag::decode(message.tag);
  tag.odd = false; // Flights has looked at that
  return message.bytes == bytes && (tag.forwarded || tag == tagOf(task, tag.delegates));
}

/// A message and its receive have met.
void Transfers::take(Task &task, const Announcement &message) {
  Version &version = versionOf(task);
  const MessageTag tag = MessageTag::decode(message.tag);
  const std::size_t bytes = bytesOf(task);
  if (!fits(message, task, bytes))
    ends_.fail(task,
               messageText(message) + ", expected were " + std::to_string(bytes) + " bytes of " + tileText(version));
  else if (!engine_.buffers.provide(version))
    ends_.fail(task, outOfMemoryText(bytes, "for", version));
  MessageBuffer buffer;
  if (!travelsAsItLies(version, regionOf(task)) && !(buffer = flights_.allocate(bytes)))
    ends_.fail(task, outOfMemoryText(bytes, "to unpack", version));
  if (engine_.state.cutShort()) {
    ends_.complete(task);
    return flights_.discard(message);
  }
  note(task, bytes, tag.forwarded ? message.source : -1);
  ++counts_.received;
  counts_.receivedBytes += bytes;
  void *const data = buffer ? buffer.get() : version.data;
  flights_.receive(task, message, {data, bytes, std::move(buffer)}, tag.delegates);
  if (tag.forwarded)
    controls_.tell(peerOf(task), Control::Taken, std::to_string(tag.ordinal));
}

/// For the trace: it goes into flight.
void Transfers::note(const Task &task, std::size_t bytes, int via) {
  if (!engine_.log.on()) [[likely]]
    return;
  const Version &version = versionOf(task);
  const Ticks now = engine_.now();
  engine_.log.begin({task.sequence(), version.table, version.row, version.column, peerOf(task),
                     task.indices[TransferIndices::Ordinal], isReceive(task), via, bytes, now, now});
}

bool Transfers::takeFinished() {
  return flights_.takeFinished([this](const Flight &flight) { finish(flight); });
}

void Transfers::finish(const Flight &flight) {
  if (flight.kind == Flight::Receive && flight.buffer)
    unpack(versionOf(*flight.task), regionOf(*flight.task), flight.buffer.get());
  if (flight.kind == Flight::Receive && flight.delegates && !agreement_.stopping())
    forwarding_.keep(*flight.task, flight.buffer);
  if (flight.kind == Flight::Forward)
    forwarding_.forwarded();
  if (flight.task)
    ends_.complete(*flight.task);
}

void Transfers::requireNothingEarly() {
  if (!early_.empty())
    agreement_.fail(messageText(early_.begin()->second) + ", which this rank does not expect");
}

void Transfers::stop() {
  for (const auto &[id, task] : std::exchange(expected_, {}))
    ends_.complete(*task);
  forwarding_.stop();
  for (const auto &[id, message] : std::exchange(early_, {}))
    flights_.discard(message);
}

TransferCounts Transfers::counts() const {
  TransferCounts counts = counts_;
  forwarding_.addTo(counts);
  return counts;
}

std::vector<std::string> Transfers::waitingTexts() const {
  std::vector<std::string> lines;
  for (const auto &[id, task] : expected_)
    lines.push_back(ordinalText(ordinalOf(*task)) + " of " + rankText(peerOf(*task)) + ", " +
                    tileText(versionOf(*task)) + ": not arrived");
  flights_.addTextTo(lines);
  forwarding_.addTextTo(lines);
  return lines;
}

} // namespace tla::runtime
