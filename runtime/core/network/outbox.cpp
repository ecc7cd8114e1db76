#include "runtime/core/network/outbox.hpp"

#include <algorithm>

namespace tla::runtime {

void Outbox::add(Outgoing &message) {
  message.number = numbers_++;
  message.waits = true;
  waiting_.insert(&message);
  Pair &pair = pairs_[pairOf(message)];
  pair.insert(&message);
  noteFirst(pair);
}

void Outbox::noteFirst(const Pair &pair) {
  if (Outgoing *const first = *pair.begin(); first->waits)
    first_.push_back(first);
}

Outgoing *Outbox::next() {
  while (!first_.empty()) {
    Outgoing *const message = first_.back();
    first_.pop_back();
    if (message->waits)
      return leave(*message);
  }
  if (waiting_.empty())
    return nullptr;
  Outgoing &message = **waiting_.begin();
  return bytes_ == 0 || bytes_ + message.bytes <= mostBytes_ ? leave(message) : nullptr;
}

Outgoing *Outbox::leave(Outgoing &message) {
  waiting_.erase(&message);
  message.waits = false;
  bytes_ += message.bytes;
  return &message;
}

void Outbox::remove(Outgoing &message) {
  if (message.waits) {
    waiting_.erase(&message);
    std::erase(first_, &message);
    message.waits = false;
  } else {
    bytes_ -= message.bytes;
  }
  const auto pair = pairs_.find(pairOf(message));
  pair->second.erase(&message);
  if (pair->second.empty())
    pairs_.erase(pair);
  else
    noteFirst(pair->second);
}

} // namespace tla::runtime
