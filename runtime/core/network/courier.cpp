#include "runtime/core/network/courier.hpp"

#include "runtime/core/network/promptness.hpp"

#include <sched.h>
#include <string>
#include <utility>
#include <vector>

namespace tla::runtime {

Courier::Courier(NodeTasks &tasks, HostDevice &workers, const LoopProgress &loops, const Options &options,
                 Transport &transport, int threads, RankWatch::Computing computing)
    : tasks_(tasks), workers_(workers), transport_(transport), threads_(threads),
      controls_(transport, [this](int source, Control kind, const std::string &text) { obey(source, kind, text); }),
      agreement_(tasks.state, transport, controls_), ends_(tasks),
      flights_(workers, transport, !options.virtualMachine, options.forwardBytes / 8),
      forwarding_(options, transport, controls_, agreement_, flights_, ends_),
      transfers_(tasks, controls_, agreement_, flights_, forwarding_, ends_, !options.virtualMachine),
      watch_(tasks.window, loops, options.watchdogSeconds, transport, controls_, agreement_, std::move(computing),
             [this] { return transfers_.waitingTexts(); }),
      turns_(PollingPolicy::glanceSeconds),
      policy_({threads, transport.notifies(), transport.receiversMove(), !options.accelerators.empty()}) {
  if (transport_.notifies())
    transport_.onActivity([this] { turns_.wake(); });
  if (!options.virtualMachine)
    thread_ = Thread([this] { loop(); });
}

Courier::~Courier() {
  quit_.store(true, std::memory_order_seq_cst);
  turns_.call();
  if (thread_.joinable())
    thread_.join();
  if (transport_.notifies())
    transport_.onActivity({});
}

void Courier::begin() {
  flights_.begin(controls_.begin());
  agreement_.begin();
  transfers_.begin();
  watch_.begin();
  lastActivity_ = std::chrono::steady_clock::now();
  running_.store(true, std::memory_order_seq_cst);
  turns_.call();
}

void Courier::agree(Outcome &outcome, bool cutShort, const PassTime &pass) {
  agreement_.propose(outcomeText(outcome), cutShort);
  turns_.call();
  if (pass)
    pass([this] { return !running_.load(std::memory_order_relaxed); });
  while (running_.load(std::memory_order_seq_cst))
    host_.park();
  readOutcome(agreement_.outcome(), outcome);
}

void Courier::submit(Chain<Task> &transfers) {
  turns_.submit(transfers);
  lookInPlace();
}

bool Courier::glance(Ticks now) {
  if (!turns_.glanceIsDue(now))
    return false;
  lookInPlace();
  return true;
}

bool Courier::attend(const std::function<bool()> &come) {
  bool has = false;
  turns_.attend([&] { has = lookUntil(come); });
  if (!has || workers_.idleWorkers() > 1)
    turns_.wake();
  return has;
}

/// Without pause, while the run is on and the policy has it so. Returns whether come() held.
bool Courier::lookUntil(const std::function<bool()> &come) {
  auto active = std::chrono::steady_clock::now();
  for (int quiet = 0; running_.load(std::memory_order_relaxed); sched_yield()) {
    if (come())
      return true;
    const auto now = std::chrono::steady_clock::now();
    if (lookInPlace()) {
      active = now;
      quiet = 0;
    } else if (PollingPolicy::endsAttendance(++quiet, now - active)) {
      break;
    }
  }
  return false;
}

/// Looks at the network in place of the courier's thread, unless somebody looks already. Returns whether something has
/// happened.
bool Courier::lookInPlace() noexcept {
  bool active = false;
  turns_.tryLook([&] {
    const bool running = running_.load(std::memory_order_acquire);
    active |= running && look();
    return running;
  });
  return active;
}

bool Courier::step() {
  if (!running_.load(std::memory_order_relaxed))
    return false;
  const std::unique_lock guard = turns_.takeTurn();
  if (look())
    return true;
  if (agreement_.concluded() && !flights_.any())
    handOver();
  return false;
}

void Courier::loop() {
  askForPromptness();
  while (!quit_.load(std::memory_order_relaxed)) {
    if (!running_.load(std::memory_order_acquire))
      turns_.sleep();
    else if (const std::int64_t pause = turn(); pause > 0)
      rest(pause, false);
    else if (pause == PollingPolicy::yield)
      sched_yield();
  }
}

/// One turn of the courier's thread: looks at the network, unless somebody else does, and returns how long to pause
/// then.
std::int64_t Courier::turn() {
  tasks_.modes.apply();
  const std::unique_lock guard = turns_.takeTurn();
  if (!guard) {
    rest(policy_.whileOthersLook({{}, workers_.idleWorkers(), turns_.attended()}), true);
    return 0;
  }
  if (look())
    return 0;
  if (!agreement_.concluded() || flights_.any()) // what is thrown away may come in last
    return policy_.afterQuietLook(sight());
  handOver();
  return 0;
}

/// The sight of the courier's thread; once this rank's tasks are complete all workers wait, whether they are counted as
/// idle or not.
PollingPolicy::Sight Courier::sight() const {
  const bool computing = agreement_.stage() == Agreement::Stage::Computing;
  return {std::chrono::steady_clock::now() - lastActivity_, computing ? workers_.idleWorkers() : threads_,
          turns_.attended()};
}

void Courier::rest(std::int64_t nanoseconds, bool othersLook) {
  if (turns_.rest(nanoseconds, othersLook))
    policy_.woken();
}

/// One look at everything, by whoever holds the lock; false when there was nothing to do.
bool Courier::look() try {
  bool active = takeSubmitted();
  active |= transfers_.takeAnnounced();
  active |= transfers_.takeFinished();
  active |= controls_.takeArrived();
  active |= leave();
  if (agreement_.noticeStop())
    transfers_.stop();
  passOn();
  if (!forwarding_.busy())
    agreement_.sayEnd();
  if (active)
    lastActivity_ = std::chrono::steady_clock::now();
  const Ticks now = Clock::now();
  turns_.noteLook(now);
  watch_.look(now, ends_.count() + forwarding_.count() + agreement_.count());
  return active;
} catch (const std::exception &error) {
  watch_.giveUp(error.what());
}

bool Courier::takeSubmitted() {
  std::vector<Task *> ready;
  for (Task *task = turns_.takeSubmitted(); task; task = task->link)
    ready.push_back(task);
  transfers_.start(ready);
  return !ready.empty();
}

/// Passes on the tasks that completed transfers have made ready. Tasks that compute go to their device; transfers are
/// ours, and may complete at once.
void Courier::passOn() {
  for (std::vector<Task *> ready = ends_.takeTransfers(); !ready.empty(); ready = ends_.takeTransfers())
    transfers_.start(std::move(ready));
  ends_.passOn();
}

bool Courier::leave() {
  if (!agreement_.leave())
    return false;
  if (!agreement_.stopping())
    transfers_.requireNothingEarly();
  return true;
}

void Courier::obey(int source, Control kind, const std::string &text) {
  switch (kind) {
  case Control::Stop:
    return agreement_.onStop();
  case Control::End:
    if (agreement_.onEnd(source, text))
      watch_.leave();
    return;
  case Control::Done:
    watch_.leave();
    return agreement_.conclude(text);
  case Control::Idle:
  case Control::Active:
    return watch_.onIdle(source, kind == Control::Idle);
  case Control::Blocked:
    return watch_.onBlocked();
  case Control::Ask:
    return watch_.onAsk(source);
  case Control::Answer:
    return watch_.onAnswer();
  case Control::Left:
    return watch_.onLeft();
  case Control::Delegate:
    return forwarding_.onDelegate(source, Delegation::read(text));
  case Control::Taken:
    return forwarding_.onTaken(source, static_cast<std::uint32_t>(std::stoul(text)));
  case Control::Declined:
    return transfers_.startAgain(forwarding_.onDeclined(source, Delegation::read(text)));
  case Control::Forwards:
    return transfers_.onForwards(source, ForwardedMessage::read(text));
  }
}

/// The courier's last act in a run: from here on all is the generating thread's, until begin().
void Courier::handOver() {
  running_.store(false, std::memory_order_seq_cst);
  host_.unpark();
}

} // namespace tla::runtime
