// Something that several use at once in virtual time, each more slowly then: a device's processors, a link.
#pragma once

#include "runtime/virtual/virtual_time.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace tla::runtime {

/// Users have work to be done, and a rate that each reaches alone. While their rates together are above the capacity
/// all are slowed by the same factor, after those that are more urgent have had what they can use. Units are the
/// owner's: seconds of a whole device at a capacity of 1, bytes and bytes per second.
class SharedThroughput final : private VirtualTime::Listener {
public:
  SharedThroughput(VirtualTime &time, double capacity) : time_(time), capacity_(capacity) {}
  SharedThroughput(const SharedThroughput &) = delete;
  SharedThroughput &operator=(const SharedThroughput &) = delete;

  /// `work` >= 0, `rate` > 0; urgency 0 .. mostUrgent. The listener is told when it is done.
  void use(double work, double rate, VirtualTime::Listener &listener, std::uint64_t token, int urgency = 0) {
    progress();
    uses_.push_back({work, rate, &listener, token, urgency});
    plan();
  }
  static constexpr int mostUrgent = 2;
  /// The part of the capacity that is in use now.
  double occupied() const {
    double together = 0;
    for (const Use &use : uses_)
      together += use.rate;
    return std::min(1.0, together / capacity_);
  }
  /// The part of the capacity that was used, since the beginning.
  double delivered() const { return delivered_; }

private:
  struct Use {
    double left, rate;
    VirtualTime::Listener *listener;
    std::uint64_t token;
    int urgency;
  };
  double rateOf(const Use &use) const { return use.rate * factors_[use.urgency]; }

  /// All have gone on since the last change.
  void progress() {
    const double passed = time_.now() - since_;
    since_ = time_.now();
    for (Use &use : uses_) {
      use.left -= rateOf(use) * passed;
      delivered_ += rateOf(use) * passed;
    }
  }
  /// Rates are those of the present users; whoever is done first is to be looked at then. A plan is void as soon as
  /// there is another one.
  void plan() {
    double together[mostUrgent + 1] = {}, free = capacity_;
    for (const Use &use : uses_)
      together[use.urgency] += use.rate;
    for (int urgency = mostUrgent; urgency >= 0; --urgency) {
      factors_[urgency] = together[urgency] > free ? free / together[urgency] : 1;
      free = std::max(0.0, free - together[urgency]);
    }
    ++plan_;
    if (uses_.empty())
      return;
    double first = HUGE_VAL;
    for (const Use &use : uses_)
      if (rateOf(use) > 0)
        first = std::min(first, use.left / rateOf(use));
    time_.in(std::max(first, 0.0), *this, plan_);
  }
  void at(std::uint64_t number) override {
    if (number != plan_)
      return;
    progress();
    // What is left below a picosecond is a rounding error: to wait for it would not move the clock.
    const auto done =
        std::stable_partition(uses_.begin(), uses_.end(), [&](const Use &use) { return use.left > use.rate * 1e-12; });
    const std::vector<Use> ended(done, uses_.end());
    uses_.erase(done, uses_.end());
    plan();
    for (const Use &use : ended)
      use.listener->at(use.token);
  }

  VirtualTime &time_;
  const double capacity_;
  std::vector<Use> uses_;
  double since_ = 0, factors_[mostUrgent + 1] = {1, 1, 1}, delivered_ = 0;
  std::uint64_t plan_ = 0;
};

} // namespace tla::runtime
