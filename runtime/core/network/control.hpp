// What couriers say to each other beside the data: short messages about a run, in order per pair of ranks.
#pragma once

#include "runtime/transport/transport.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace tla::runtime {

/// The kind of a control message. In brackets: its text, and who takes it.
enum class Control : std::uint32_t {
  Stop, ///< the run has failed, all are to end (Agreement)
  End,  ///< to rank 0: the sender is through (its outcome; Agreement)
  Done, ///< by rank 0: all are (the run's outcome; Agreement)
  Idle,
  Active,   ///< to rank 0: nothing has happened on the sender for long, or something has again (RankWatch)
  Blocked,  ///< by rank 0: all are idle (RankWatch)
  Delegate, ///< the receiver is to forward a message (a Delegation; Forwarding)
  Taken,    ///< to the origin of a forwarded message: it has come (its ordinal; Forwarding)
  Declined, ///< to the origin: the sender does not forward what it was told to (a Delegation; Forwarding)
  Forwards, ///< to the receiver of a forwarded message: which one it is (a ForwardedMessage; Transfers)
  Ask,
  Answer, ///< whether the receiver is there (RankWatch)
  Left,   ///< the sender knows that the run is over (RankWatch)
};

/// The control messages of one rank.
///
/// Invariants: each message says the number of its run, which all ranks count alike. One of a run that is over is
/// dropped; one of the next, whose sender knows already that this one is over, is kept and obeyed when that has begun.
/// A rank's message to itself is obeyed at once, within tell().
///
/// Guarded by the lock that orders the calls of the transport (Turns), except begin(): before the first task of a run.
class ControlMessages {
public:
  using Obey = std::function<void(int source, Control kind, const std::string &text)>;
  ControlMessages(Transport &transport, Obey obey) : transport_(transport), obey_(std::move(obey)) {}

  /// The next run. Returns its number.
  std::uint32_t begin() { return ++run_; }
  void tell(int rank, Control kind, const std::string &text = {});
  void tellOthers(Control kind, const std::string &text = {});
  /// Obeys what has come in. Returns whether any of it is progress of the run: not what the watchdogs say to each
  /// other, nor what is left of a run that is over.
  bool takeArrived();

private:
  struct Header {
    std::uint32_t run;
    Control kind;
  };
  bool take(int source, const std::vector<std::byte> &data);

  Transport &transport_;
  const Obey obey_;
  std::uint32_t run_ = 0;
  std::vector<std::pair<int, std::vector<std::byte>>> ofNextRun_;
};

} // namespace tla::runtime
