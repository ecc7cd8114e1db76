// A rank's end of the tests' traffic: keeps buffers alive, polls, and gives up after a while.
#pragma once

#include "runtime/transport/transport.hpp"

#include <list>
#include <map>
#include <string>

namespace tla::runtime {

using Bytes = std::vector<std::byte>;

/// Throws std::runtime_error.
void require(bool condition, const std::string &what);

/// Bytes that depend on the seed, each on all of it.
Bytes pattern(std::size_t bytes, unsigned seed);

class Port {
public:
  struct Received {
    int source;
    std::uint32_t tag;
    Bytes data;
    bool complete = false;
  };

  explicit Port(Transport &transport) : transport_(transport) {}

  void send(int destination, std::uint32_t tag, Bytes data);
  void sendControl(int destination, const std::string &text);

  /// Receives what is announced (unless held back), and notes what has finished.
  void poll();
  /// Polls until `done`.
  template <typename Done> void pollUntil(const std::string &what, Done done) {
    for (Patience patience(what); !done(); patience.check())
      poll();
  }
  /// The next control message from anyone; polls the data, too.
  std::pair<int, std::string> waitForControl();

  /// Announcements are kept in announcements() instead of being received.
  void holdBack(bool hold) { holdBack_ = hold; }
  std::vector<Announcement> &announcements() { return held_; }
  void receive(const Announcement &message);

  int sendsOutstanding() const { return static_cast<int>(sends_.size()); }
  /// In the order of the calls of receive().
  const std::list<Received> &received() const { return received_; }
  int receivesComplete() const { return complete_; }
  void forget() {
    received_.clear();
    complete_ = 0;
  }

private:
  /// Throws when it has been asked for a minute.
  class Patience {
  public:
    explicit Patience(std::string what);
    void check() const;

  private:
    std::string what_;
    double end_;
  };

  Transport &transport_;
  std::map<void *, Bytes> sends_; // by token
  unsigned long nextToken_ = 1;
  std::list<Received> received_;
  std::map<void *, Received *> receiving_;
  std::vector<Announcement> held_;
  bool holdBack_ = false;
  int complete_ = 0;
};

} // namespace tla::runtime
