// --time-stages: how long each stage of a compilation took.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace hetc::driver {

class StageTimer {
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
    ~Scope() { timer_.stages_.emplace_back(name_, std::chrono::duration<double>(Clock::now() - begin_).count()); }

  private:
    using Clock = std::chrono::steady_clock;
    StageTimer &timer_;
    const char *name_;
    Clock::time_point begin_ = Clock::now();
  };
  Scope start(const char *name) { return Scope(*this, name); }

private:
  bool report_;
  std::vector<std::pair<std::string, double>> stages_;
};

} // namespace hetc::driver
