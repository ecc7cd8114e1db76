// The order in which messages leave a rank.
#pragma once

#include "runtime/core/network/message_tag.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <unordered_map>
#include <vector>

namespace tla::runtime {

/// A message that is to leave, and until it has been taken.
struct Outgoing {
  std::uint32_t origin = 0, ordinal = 0; ///< the rank that made the content, and its number from there to `destination`
  std::uint32_t priority = 0;            ///< Task::priorityOf() of the reader; larger leaves sooner
  int destination = 0;
  std::uint32_t tag = 0;
  const void *data = nullptr;
  std::size_t bytes = 0;
  void *token = nullptr;    ///< token that the transport reports when the message has been taken
  std::uint64_t number = 0; ///< the outbox's: those of one priority leave in the order in which they came
  bool waits = false;       ///< the transport does not have it yet
};

/// Holds messages back, so that the transport never has many, and what is urgent is not behind what is not. Without it
/// all that is ready is with the transport at once, and goes out in the order in which it became so.
///
/// A message leaves when it is the most urgent of those that wait, and all that are under way have no more than
/// `mostBytes` with it; or when nothing is under way. The first of each pair, an origin and a destination, always
/// leaves: of the messages that the outbox has for that pair the one with the smallest ordinal. So nothing gets stuck,
/// though a receiver may not take a message for a long time: all messages of the pair that come before the first place
/// in program order at which anything is incomplete have been taken (courier.hpp), so that the pair's message of that
/// place, should it be here, is the first of its pair. What is under way is so bounded by `mostBytes` and a message for
/// each pair.
///
/// Which message leaves first changes no result. Guarded as Flights.
class Outbox {
public:
  explicit Outbox(std::size_t mostBytes) : mostBytes_(mostBytes) {}

  /// The message waits from now on, and stays where it is until remove().
  void add(Outgoing &message);
  /// Takes the next one that is to leave now; null: there is none.
  Outgoing *next();
  /// The message has been taken, or is not to be sent any more.
  void remove(Outgoing &message);
  /// Bytes under way.
  std::size_t bytes() const { return bytes_; }

private:
  struct ByOrdinal {
    /// Modulo MessageTag::ordinals, of which far fewer are on the way at a time.
    bool operator()(const Outgoing *a, const Outgoing *b) const {
      const auto difference = static_cast<std::int32_t>((a->ordinal - b->ordinal) << (32 - MessageTag::ordinalBits));
      return difference != 0 ? difference < 0 : a->number < b->number;
    }
  };
  struct ByUrgency {
    bool operator()(const Outgoing *a, const Outgoing *b) const {
      return a->priority != b->priority ? a->priority > b->priority : a->number < b->number;
    }
  };
  using Pair = std::set<Outgoing *, ByOrdinal>;
  static std::uint64_t pairOf(const Outgoing &message) {
    return static_cast<std::uint64_t>(message.origin) << 32 | static_cast<std::uint32_t>(message.destination);
  }
  void noteFirst(const Pair &pair);
  Outgoing *leave(Outgoing &message);

  const std::size_t mostBytes_;
  std::size_t bytes_ = 0;
  std::uint64_t numbers_ = 0;
  std::unordered_map<std::uint64_t, Pair> pairs_; ///< messages that wait or are under way
  std::set<Outgoing *, ByUrgency> waiting_;
  std::vector<Outgoing *> first_; ///< messages of waiting_ that have become the first of their pair
};

} // namespace tla::runtime
