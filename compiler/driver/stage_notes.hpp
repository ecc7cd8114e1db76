// What a compilation says while its user waits.
#pragma once

#include "dsl/base/thread.hpp"

#include <condition_variable>
#include <mutex>
#include <string>

namespace hetc::driver {

/// Writes a line to standard error when a compilation has taken one second, then three, ten, thirty, and from then on
/// every thirty seconds: how long it has taken and what hetc does now. Each is a line of its own, so that it stands
/// well among messages.
class StageNotes {
public:
  /// `subject` is what is compiled. Nothing is written unless `isShown`, or where no thread can be started. `second` is
  /// the length of a second; tests have shorter ones.
  StageNotes(std::string subject, bool isShown, double second = 1);
  ~StageNotes();
  StageNotes(const StageNotes &) = delete;
  StageNotes &operator=(const StageNotes &) = delete;

  /// A stage, until it is destroyed.
  class Scope {
  public:
    Scope(StageNotes &notes, const char *stage) : notes_(notes) { notes_.set(stage); }
    ~Scope() { notes_.set(nullptr); }
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;

  private:
    StageNotes &notes_;
  };
  Scope enter(const char *stage) { return {*this, stage}; }

private:
  void set(const char *stage);
  void watch();
  void write(double seconds, const char *stage) const;

  const std::string subject_;
  const double second_;
  /// Guards what follows; whoever changes ends_ wakes the thread.
  std::mutex mutex_;
  std::condition_variable ending_;
  const char *stage_ = nullptr;
  bool ends_ = false;
  tla::Thread thread_; ///< uses all of these
};

/// Whether somebody sits in front of standard error.
bool isTerminal();

} // namespace hetc::driver
