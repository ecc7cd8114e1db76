// When the courier's thread looks at the network, and who looks in its place: rules that are told what is, and have no
// means of their own.
#pragma once

#include <chrono>
#include <cstdint>

namespace tla::runtime {

/// The thread's pauses. While a worker has no work, messages are what it waits for, so somebody looks often: at first
/// that worker itself, without pause. While all compute, a thread that woke beside them would cost 25 us of processor
/// time a look; workers look between their tasks, and the thread is there for what happens during long ones.
///
/// Invariant: pause_ is the last pause given because of a worker without work, or of one that may have none; from the
/// shortest it doubles until something happens.
class PollingPolicy {
public:
  using Nanoseconds = std::int64_t;
  static constexpr Nanoseconds yield = -1; ///< instead of a pause: the core goes to whoever wants it

  /// The means that this rank has for looking at messages.
  struct Means {
    int threads = 1;            ///< threads that compute
    bool notifies = false;      ///< Transport::notifies()
    bool receiversMove = false; ///< Transport::receiversMove()
    bool accelerators = false;
  };
  explicit PollingPolicy(const Means &means) : means_(means) {}

  /// The state of the rank when the courier's thread has looked.
  struct Sight {
    std::chrono::nanoseconds quiet{}; ///< time since the last look, by anyone, that found something
    int idle = 0;                     ///< workers without work; all, once this rank's tasks are complete
    bool attended = false;            ///< one of them looks without pause
  };

  /// The pause after a look of the courier's thread that found nothing; 0: none, or `yield`. The first row that fits.
  /// Of workers that have no work one is the attendant at first, so the last rows are for a wait that it has given up:
  ///
  ///   somebody else looks (attendant, transport)       the longest, see below
  ///   no worker computes, quiet for less than 1 ms     yield: nobody else wants the core
  ///   a worker has no work, something happened just    2 us
  ///   now: within the last two pauses
  ///   a worker has no work                             twice the last pause, up to quiet / 200, which counts as 50 us
  ///                                                    if it is less, and as 20 ms if it is more
  ///   all compute                                      the same until that is 50 us, then the longest
  ///
  /// So after 10 ms of quiet it looks every 50 us, after 1 s every 5 ms, and from 4 s on every 20 ms: a wait is
  /// prolonged by a 200th part, and its looks take no core from others.
  ///
  /// The longest pause is for when others look: workers between tasks, an attendant, or the transport, which wakes the
  /// thread. It is there for what happens during tasks longer than that; accelerators, which may wait for a tile behind
  /// such a task, and senders that wait for this rank's calls have the shorter one.
  Nanoseconds afterQuietLook(const Sight &sight);
  /// The pause while somebody else is at a look: something may have come in behind it, and a worker without work would
  /// wait for that.
  Nanoseconds whileOthersLook(const Sight &sight) const;
  /// The thread was woken. It begins with short pauses again: a worker that wakes it is not yet counted as idle.
  void woken();

  /// Whether a worker without work, which has looked `looks` times without pause and found nothing for `quiet`, leaves
  /// that to the courier's thread. Who loses its core to others has not looked.
  static bool endsAttendance(int looks, std::chrono::nanoseconds quiet);
  /// Between two looks of threads that compute, seconds. A look without result costs 1 us.
  static constexpr double glanceSeconds = 50e-6;

private:
  Nanoseconds longest() const;

  const Means means_;
  Nanoseconds pause_ = 1;
};

} // namespace tla::runtime
