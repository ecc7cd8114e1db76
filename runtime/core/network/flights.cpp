#include "runtime/core/network/flights.hpp"

#include <new>

namespace tla::runtime {

/// Allocates a buffer; for a message without content its one byte is the sign that it is there.
MessageBuffer Flights::allocate(std::size_t bytes) {
  if (!hasContent_)
    bytes = 1;
  char *const data = static_cast<char *>(memory_.allocate(bytes));
  if (!data)
    return nullptr;
  return {data, [&memory = memory_, bytes](char *buffer) { memory.release(buffer, bytes); }};
}

std::uint32_t Flights::encode(MessageTag tag) const {
  tag.odd = odd_;
  return tag.encode();
}

void Flights::send(Task &task, MessageTag tag, const MessageContent &content) {
  Flight &flight = start(Flight::Send, &task, content.buffer);
  post(flight, {.origin = static_cast<std::uint32_t>(transport_.rank()),
                .ordinal = ordinalOf(task),
                .priority = Task::priorityOf(task.key),
                .destination = peerOf(task),
                .tag = encode(tag),
                .data = content.data,
                .bytes = content.bytes});
}

void Flights::receive(Task &task, const Announcement &message, const MessageContent &room, bool delegates) {
  Flight &flight = start(Flight::Receive, &task, room.buffer);
  flight.delegates = delegates;
  transport_.receive(message, room.data, &flight);
}

void Flights::discard(const Announcement &message) {
  MessageBuffer buffer = allocate(message.bytes);
  if (!buffer)
    throw std::bad_alloc();
  char *const data = buffer.get();
  transport_.receive(message, data, &start(Flight::Discard, nullptr, std::move(buffer)));
}

void Flights::forward(const ForwardedMessage &message, const Addressee &to, bool delegates,
                      const MessageContent &content, std::uint32_t priority) {
  Flight &flight = start(Flight::Forward, nullptr, content.buffer);
  post(flight, {.origin = message.origin,
                .ordinal = to.ordinal,
                .priority = priority,
                .destination = static_cast<int>(to.rank),
                .tag = encode(MessageTag::ofForwarded(message.number, delegates)),
                .data = content.data,
                .bytes = content.bytes});
}

void Flights::post(Flight &flight, Outgoing message) {
  message.token = &flight;
  flight.out = message;
  outbox_.add(flight.out);
  release();
}

/// Gives the transport what may leave.
void Flights::release() {
  while (const Outgoing *const message = outbox_.next())
    transport_.send(message->destination, message->tag, message->data, message->bytes, message->token);
}

Flight &Flights::start(Flight::Kind kind, Task *task, MessageBuffer buffer) {
  if (free_.empty()) {
    all_.push_back(std::make_unique<Flight>());
    free_.push_back(all_.back().get());
  }
  Flight &flight = *free_.back();
  free_.pop_back();
  flight.kind = kind;
  flight.task = task;
  flight.buffer = std::move(buffer);
  ++inUse_;
  return flight;
}

void Flights::end(Flight &flight) {
  if (flight.out.token)
    outbox_.remove(flight.out);
  flight = {};
  free_.push_back(&flight);
  --inUse_;
}

void Flights::addTextTo(std::vector<std::string> &lines) const {
  for (const auto &flight : all_)
    if (flight->kind == Flight::Send)
      lines.push_back(ordinalText(ordinalOf(*flight->task)) + " to " + rankText(peerOf(*flight->task)) + ", " +
                      tileText(versionOf(*flight->task)) + ": not taken");
    else if (flight->kind == Flight::Forward)
      lines.push_back(ordinalText(flight->out.ordinal) + " of " + rankText(flight->out.origin) + ", forwarded to " +
                      rankText(flight->out.destination) + ": not taken");
}

} // namespace tla::runtime
