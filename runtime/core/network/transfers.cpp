#include "runtime/core/network/transfers.hpp"

#include "runtime/core/window/packing.hpp"

#include <algorithm>
#include <utility>

namespace tla::runtime {

/// Whether a task comes before another in program order.
static bool precedes(const Task *a, const Task *b) {
  return static_cast<std::int32_t>(a->sequence() - b->sequence()) < 0;
}

/// A number that sends of the same content have in common.
static std::uintptr_t contentOf(const Task &send) {
  return reinterpret_cast<std::uintptr_t>(&versionOf(send)) | static_cast<std::uintptr_t>(regionOf(send));
}

void Transfers::begin() {
  counts_ = {};
  early_.clear();
  unnamed_.clear();
  names_.clear();
  forwarding_.begin();
}

void Transfers::start(std::vector<Task *> ready) {
  if (tasks_.state.cutShort())
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

/// Where there is no content there is nothing to pack.
bool Transfers::travelsAsItLies(const Version &version, Region region) const {
  return !hasContent_ || isPacked(version, region);
}

/// Sends of one content, in program order.
void Transfers::startSends(const std::vector<Task *> &tasks) {
  const std::size_t bytes = bytesOf(*tasks.front());
  for (const Task *task : tasks)
    note(*task, bytes, -1);
  counts_.messages += tasks.size();
  counts_.bytes += tasks.size() * bytes;
  send(tasks);
}

void Transfers::startAgain(const std::vector<Task *> &sends) {
  if (!sends.empty())
    send(sends);
}

/// The first few go out, their receivers send the others.
void Transfers::send(const std::vector<Task *> &tasks) {
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
  for (const std::vector<Task *> &branch : forwarding_.branchesOf(tasks)) {
    forwarding_.delegate(branch);
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

/// Who has sent or forwarded it, and its number there.
static MessageId placeOf(const Announcement &message, const MessageTag &tag) {
  return messageId(static_cast<std::uint32_t>(message.source), tag.forwarded ? tag.number() : tag.ordinal);
}

void Transfers::onAnnounced(const Announcement &message) {
  if (agreement_.stopping())
    return flights_.discard(message);
  const MessageTag tag = MessageTag::decode(message.tag);
  const MessageId place = placeOf(message, tag);
  if (!tag.forwarded)
    return meet(place, message);
  if (const auto name = names_.extract(place))
    return meet(name.mapped(), message);
  if (unnamed_.emplace(place, message).second)
    return;
  agreement_.fail(rankText(message.source) + " forwarded two messages as number " + std::to_string(tag.number()));
  flights_.discard(message);
}

void Transfers::onForwards(int source, const ForwardedMessage &message) {
  if (agreement_.stopping())
    return;
  const MessageId place = messageId(static_cast<std::uint32_t>(source), message.number),
                  id = messageId(message.origin, message.ordinal);
  if (const auto announced = unnamed_.extract(place))
    return meet(id, announced.mapped());
  if (!names_.emplace(place, id).second)
    agreement_.fail(rankText(source) + " said twice which message it forwards as number " +
                    std::to_string(message.number));
}

/// The message has come, and is known.
void Transfers::meet(MessageId id, const Announcement &message) {
  if (const auto expected = expected_.extract(id))
    return take(*expected.mapped(), message);
  if (early_.emplace(id, message).second)
    return;
  agreement_.fail(messageText(message, id) + ", which had come before");
  flights_.discard(message);
}

/// Whether the message is the one that `task` is for. Of a forwarded message its tile is not said; the ordinal is
/// right, else they would not have met.
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
    ends_.fail(task, messageText(message, messageId(task)) + ", expected were " + std::to_string(bytes) + " bytes of " +
                         tileText(version));
  else if (!tasks_.buffers.provide(version))
    ends_.fail(task, outOfMemoryText(bytes, "for", version));
  MessageBuffer buffer;
  if (!travelsAsItLies(version, regionOf(task)) && !(buffer = flights_.allocate(bytes)))
    ends_.fail(task, outOfMemoryText(bytes, "to unpack", version));
  if (tasks_.state.cutShort()) {
    ends_.complete(task);
    return flights_.discard(message);
  }
  note(task, bytes, tag.forwarded ? message.source : -1);
  ++counts_.received;
  counts_.receivedBytes += bytes;
  void *const data = buffer ? buffer.get() : version.data;
  flights_.receive(task, message, {data, bytes, std::move(buffer)}, tag.delegates);
  if (tag.forwarded)
    controls_.tell(peerOf(task), Control::Taken, std::to_string(ordinalOf(task)));
}

/// For the trace: it goes into flight.
void Transfers::note(const Task &task, std::size_t bytes, int via) {
  if (!tasks_.record.log.on()) [[likely]]
    return;
  const Version &version = versionOf(task);
  const Ticks now = tasks_.record.now();
  tasks_.record.log.begin({task.sequence(), version.table, version.row, version.column, peerOf(task),
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
  leave(flight);
}

/// Ends what the flight was for.
void Transfers::leave(const Flight &flight) {
  if (flight.kind == Flight::Forward)
    forwarding_.forwarded();
  if (flight.task)
    ends_.complete(*flight.task);
}

void Transfers::requireNothingEarly() {
  if (!early_.empty())
    agreement_.fail(messageText(early_.begin()->second, early_.begin()->first) + ", which this rank does not expect");
  else if (!unnamed_.empty())
    agreement_.fail(rankText(unnamed_.begin()->second.source) + " forwarded " +
                    std::to_string(unnamed_.begin()->second.bytes) + " bytes, but did not say of which message");
}

void Transfers::stop() {
  for (const auto &[id, task] : std::exchange(expected_, {}))
    ends_.complete(*task);
  flights_.drop([this](const Flight &flight) { leave(flight); });
  forwarding_.stop();
  names_.clear();
  for (auto *const messages : {&early_, &unnamed_})
    for (const auto &[id, message] : std::exchange(*messages, {}))
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
