// --time-stages: how long each stage of a compilation took, on the clock and of processors.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace hetc::driver {

class StageTimer {
  /// Processor time is that of all threads of hetc and of the programs that it has run: what else the machine does is
  /// no part of it.
  struct Seconds {
    double onClock = 0, ofProcessors = 0;
    static Seconds now();
  };

public:
  explicit StageTimer(bool report) : report_(report) {}
  ~StageTimer();
  StageTimer(const StageTimer &) = delete;
  StageTimer &operator=(const StageTimer &) = delete;

  /// Counts towards the stage until it is destroyed.
  class Scope {
  public:
    Scope(StageTimer &timer, const char *name) : timer_(timer), name_(name) {}
    Scope(const Scope &) = delete;
    ~Scope() {
      const Seconds end = Seconds::now();
      timer_.stages_.push_back({name_, {end.onClock - begin_.onClock, end.ofProcessors - begin_.ofProcessors}});
    }

  private:
    StageTimer &timer_;
    const char *name_;
    const Seconds begin_ = Seconds::now();
  };
  Scope start(const char *name) { return Scope(*this, name); }

private:
  bool report_;
  std::vector<std::pair<std::string, Seconds>> stages_;
};

} // namespace hetc::driver
