// When a rank takes the next one for dead: rules that are told the time and have no means of their own.
#pragma once

#include <algorithm>
#include <chrono>

namespace tla::runtime {

/// The ranks of a launched program show each other that they live (Transport, 12): each tells the rank before it so,
/// the first the last, by a beat every interval(). A thread of the back-end sends beats and looks for those of the next
/// rank, so it does not matter whether the rank computes, compiles, reads a file or waits. A rank that stands still
/// sends none, and does not look: whichever ranks stand still, and however many, one before them is not among them, and
/// notices.
///
/// Time is what this rank has seen of it: of what lies between two looks, two intervals count at most. So a rank that
/// was itself stopped, or had no core, takes nobody for dead on waking.
class Pulse {
public:
  using Time = std::chrono::steady_clock::time_point;
  using Seconds = std::chrono::duration<double>;
  static constexpr Seconds grace{4}; ///< for ranks that are slow to beat

  /// `seconds`: how long a rank may be silent, not counting `grace`.
  Pulse(double seconds, Time now) : limit_(seconds), last_(now) {}
  /// Between two beats, and between two looks: short enough for the limit, and no more often than it takes.
  Seconds interval() const { return std::clamp(limit_ / 4, Seconds(0.05), Seconds(1)); }

  /// `heard`: beats of the next rank have come in since the last look. Returns whether it is to be taken for dead.
  bool look(Time now, bool heard) {
    silence_ = heard ? Seconds(0) : silence_ + std::min<Seconds>(now - last_, 2 * interval());
    last_ = now;
    return silence_ > limit_ + grace;
  }
  Seconds silence() const { return silence_; }

private:
  Seconds limit_, silence_{0};
  Time last_;
};

} // namespace tla::runtime
