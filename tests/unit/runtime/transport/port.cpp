#include "tests/unit/runtime/transport/port.hpp"

#include <chrono>
#include <random>
#include <stdexcept>
#include <thread>

namespace tla::runtime {

namespace {
double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
} // namespace

void require(bool condition, const std::string &what) {
  if (!condition)
    throw std::runtime_error(what);
}

Bytes pattern(std::size_t bytes, unsigned seed) {
  std::minstd_rand random(seed + 1);
  Bytes data(bytes);
  for (std::byte &byte : data)
    byte = static_cast<std::byte>(random() >> 8);
  return data;
}

Port::Patience::Patience(std::string what) : what_(std::move(what)), end_(now() + 60) {}

void Port::Patience::check() const {
  require(now() < end_, "waited a minute for " + what_);
  std::this_thread::yield();
}

void Port::send(int destination, std::uint32_t tag, Bytes data) {
  void *token = reinterpret_cast<void *>(nextToken_++);
  const Bytes &kept = sends_[token] = std::move(data);
  transport_.send(destination, tag, kept.data(), kept.size(), token);
}

void Port::sendControl(int destination, const std::string &text) {
  transport_.sendControl(destination, text.data(), text.size());
}

void Port::receive(const Announcement &message) {
  Received &entry = received_.emplace_back(Received{message.source, message.tag, Bytes(message.bytes)});
  void *token = reinterpret_cast<void *>(nextToken_++);
  receiving_[token] = &entry;
  transport_.receive(message, entry.data.data(), token);
}

void Port::poll() {
  Announcement message;
  while (transport_.announced(message))
    if (holdBack_)
      held_.push_back(message);
    else
      receive(message);
  void *tokens[8];
  for (int count = transport_.finished(tokens, 8); count > 0; count = transport_.finished(tokens, 8))
    for (int i = 0; i < count; ++i)
      if (const auto receive = receiving_.extract(tokens[i]))
        receive.mapped()->complete = true, ++complete_;
      else
        require(sends_.erase(tokens[i]) == 1, "a token is reported that nothing outstanding has");
}

std::pair<int, std::string> Port::waitForControl() {
  int source = -1;
  Bytes data;
  pollUntil("a control message", [&] { return transport_.receiveControl(source, data); });
  return {source, std::string(reinterpret_cast<const char *>(data.data()), data.size())};
}

} // namespace tla::runtime
