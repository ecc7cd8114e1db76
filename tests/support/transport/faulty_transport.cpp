#include "tests/support/transport/faulty_transport.hpp"

#include <algorithm>
#include <cstdlib>
#include <thread>
#include <utility>

namespace tla::runtime {

FaultyTransport::FaultyTransport(Transport &transport, const Faults &faults)
    : transport_(transport), faults_(faults), random_(faults.seed * 7919u + static_cast<unsigned>(transport.rank())),
      lastDue_(transport.size()) {}

template <typename Thing> bool FaultyTransport::Held<Thing>::take(std::uint64_t look, Thing &thing) {
  const auto first = std::find_if(things_.begin(), things_.end(), [&](const auto &held) { return held.first <= look; });
  if (first == things_.end())
    return false;
  thing = std::move(first->second);
  things_.erase(first);
  return true;
}

/// A data message is about to be sent or received.
void FaultyTransport::meetFaults() {
  const std::uint64_t number = messages_++;
  if (number == faults_.freezeAt || number >= faults_.dieAt)
    struck_ = true;
  std::this_thread::sleep_for(faults_.slowness);
  if (number == faults_.freezeAt)
    std::this_thread::sleep_for(faults_.freezeFor);
  while (number >= faults_.dieAt)
    std::this_thread::sleep_for(std::chrono::hours(1));
}

/// The look at which something that has come in now is there for the caller.
std::uint64_t FaultyTransport::due(std::uint64_t look) {
  return look + (faults_.holdBack > 0 ? random_() % static_cast<unsigned>(faults_.holdBack + 1) : 0);
}

void FaultyTransport::send(int destination, std::uint32_t tag, const void *data, std::size_t bytes, void *token) {
  meetFaults();
  transport_.send(destination, tag, data, bytes, token);
}

bool FaultyTransport::announced(Announcement &message) {
  for (Announcement next; transport_.announced(next);)
    announcements_.add(due(announcementLooks_), next);
  if (announcements_.take(announcementLooks_, message))
    return true;
  ++announcementLooks_;
  return false;
}

void FaultyTransport::receive(const Announcement &message, void *buffer, void *token) {
  meetFaults();
  transport_.receive(message, buffer, token);
}

int FaultyTransport::finished(void **tokens, int room) {
  void *token = nullptr;
  while (transport_.finished(&token, 1) == 1)
    completions_.add(due(completionLooks_), token);
  int count = 0;
  while (count < room && completions_.take(completionLooks_, tokens[count]))
    ++count;
  ++completionLooks_;
  return count;
}

void FaultyTransport::sendControl(int destination, const void *data, std::size_t bytes) {
  transport_.sendControl(destination, data, bytes);
}

bool FaultyTransport::receiveControl(int &source, std::vector<std::byte> &data) {
  for (Control next; transport_.receiveControl(next.source, next.data);) {
    std::uint64_t &last = lastDue_[next.source];
    last = std::max(last, due(controlLooks_)); // in order
    controls_.add(last, std::move(next));
  }
  Control control;
  if (!controls_.take(controlLooks_, control)) {
    ++controlLooks_;
    return false;
  }
  source = control.source;
  data = std::move(control.data);
  return true;
}

void FaultyTransport::abort(int exitCode) {
  transport_.abort(exitCode);
  std::abort(); // not reached
}

} // namespace tla::runtime
