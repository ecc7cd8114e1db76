// A clock that goes from one event to the next: for machines that are not there.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

namespace tla::runtime {

class TaskView;
struct TaskClass;

/// Everything in virtual time is one thread's. Events at the same time come in the order in which they were entered, so
/// that a run is the same each time.
class VirtualTime {
public:
  class Listener {
  public:
    /// What was entered with this token has come.
    virtual void at(std::uint64_t token) = 0;

  protected:
    ~Listener() = default;
  };

  /// Seconds since the beginning.
  double now() const { return now_; }
  /// In so many seconds, >= 0, from now on; the listener is there until then.
  void in(double seconds, Listener &listener, std::uint64_t token) {
    events_.push({now_ + seconds, entered_++, &listener, token});
  }
  /// Goes on to the next time for which there is an event, and tells all of that time. False: there is none.
  bool advance() {
    if (events_.empty())
      return false;
    now_ = events_.top().time;
    while (!events_.empty() && events_.top().time == now_) {
      const Event event = events_.top();
      events_.pop();
      event.listener->at(event.token);
    }
    return true;
  }

private:
  struct Event {
    double time;
    std::uint64_t number;
    Listener *listener;
    std::uint64_t token;
    bool operator<(const Event &other) const { // the first is on top
      return time != other.time ? time > other.time : number > other.number;
    }
  };
  double now_ = 0;
  std::uint64_t entered_ = 0;
  std::priority_queue<Event> events_;
};

/// A machine whose host computes nothing: its tasks end when the time has come. Its accelerators are
/// Options::accelerators, in the same time.
struct VirtualMachine {
  VirtualTime &time;
  /// Seconds of a task on one core of the host. The view's tiles have sizes, and no content.
  std::function<double(const TaskClass &, const TaskView &)> coreSeconds;
};

} // namespace tla::runtime
