// A clock that goes from one event to the next: for machines that are not there.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace tla::runtime {

class Generator;
class TaskView;
struct TaskClass;

/// Everything in virtual time is done by one thread at a time. Events at the same time come in the order in which they
/// were entered, so that a run is the same each time. Each is the owner's who entered it: a node of a cluster, whose
/// turn it is when something of its own has come.
class VirtualTime {
public:
  class Listener {
  public:
    /// Tells that the event entered with this token has come.
    virtual void at(std::uint64_t token) = 0;

  protected:
    ~Listener() = default;
  };

  /// The events of a clock of another's making: a network of a simulator that is a library.
  class Outside {
  public:
    /// Something is under way there.
    virtual bool busy() const = 0;
    /// Lets that clock go on to `until`, which may be infinite, or to the first moment before it at which something is
    /// done. Returns the time reached.
    virtual double goOn(double until) = 0;
    /// Enters what is done, by in(), with its owner. False: nothing is.
    virtual bool enter() = 0;

  protected:
    ~Outside() = default;
  };

  /// Seconds since the beginning.
  double now() const { return now_; }
  /// From now on time goes on no further than that does; null: there is none. It is there until the next call.
  void follow(Outside *outside) { outside_ = outside; }
  /// In so many seconds, >= 0, from now on; the listener is there until then.
  void in(double seconds, Listener &listener, std::uint64_t token) {
    events_.push({now_ + seconds, entered_++, &listener, token, owner_});
  }
  /// Who enters what is entered from now on; 0 at first.
  void setOwner(int owner) { owner_ = owner; }
  int owner() const { return owner_; }
  /// Goes on to the next time for which there is an event, and tells all of that time. False: there is none.
  bool advance() {
    // Until nothing more is done there before the first event: that may be what was entered last.
    for (bool entered = true; entered && outside_ && outside_->busy();) {
      now_ = outside_->goOn(events_.empty() ? HUGE_VAL : events_.top().time);
      entered = outside_->enter();
    }
    if (events_.empty())
      return false;
    now_ = events_.top().time;
    while (!events_.empty() && events_.top().time == now_) {
      const Event event = events_.top();
      events_.pop();
      owner_ = event.owner;
      tell(event.owner);
      event.listener->at(event.token);
    }
    return true;
  }
  /// Something has come for this owner that is not its own event.
  void tell(int owner) {
    if (came_.empty() || came_.back() != owner)
      came_.push_back(owner);
  }
  /// Takes the owners for whom something has come since, in this order, some of them several times; none is left.
  std::vector<int> takeOwners() { return std::exchange(came_, {}); }

private:
  struct Event {
    double time;
    std::uint64_t number;
    Listener *listener;
    std::uint64_t token;
    int owner;
    bool operator<(const Event &other) const { // the first is on top
      return time != other.time ? time > other.time : number > other.number;
    }
  };
  double now_ = 0;
  Outside *outside_ = nullptr;
  std::uint64_t entered_ = 0;
  int owner_ = 0;
  std::vector<int> came_;
  std::priority_queue<Event> events_;
};

/// How the nodes of a cluster take turns (cluster/virtual_cluster.hpp).
class VirtualTurns {
public:
  /// Some: it could go on, but to switch to it costs time, and nothing is lost when it goes on later.
  enum class Progress { None, Some, Enough };
  class Node {
  public:
    /// Begins what can be begun.
    virtual void begin() = 0;
    /// How much of what its generating thread waits for has come.
    virtual Progress progress() const = 0;

  protected:
    ~Node() = default;
  };

  /// The generating thread of the node `owner` waits for progress. Throws tla::Error when there will be none.
  virtual void wait(int owner, Node &node) = 0;

  /// The program that all nodes run, in another order than its own, made by the first of them; empty: nobody has.
  std::function<void(Generator &)> ordered;

protected:
  ~VirtualTurns() = default;
};

/// A machine whose host computes nothing: its tasks end when the time has come. Its accelerators are
/// Options::accelerators, in the same time.
struct VirtualMachine {
  VirtualTime &time;
  /// Seconds of a task on one core of the host. The view's tiles have sizes, and no content.
  std::function<double(const TaskClass &, const TaskView &)> coreSeconds;
  /// The seconds that work takes on this computing thread, from now() on, with its disturbances (noise.hpp); null:
  /// there are none.
  std::function<double(int thread, double seconds)> disturbed = nullptr;
  VirtualTurns *turns = nullptr; ///< null: the machine is one node, which lets time go on itself
  /// Ready tasks begin in the order in which they became so, as in the queues of [Song12] 5.1, not by priority.
  bool byArrival = false;
};

} // namespace tla::runtime
