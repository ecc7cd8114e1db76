#include "runtime/core/courier.hpp"

#include "runtime/core/agreement.hpp"
#include "runtime/core/promptness.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>
#include <mutex>
#include <sched.h>
#include <utility>

namespace tla::runtime {
namespace {

// Of the courier's thread, in nanoseconds.
constexpr std::int64_t shortestPause = 2'000;
constexpr std::int64_t longestIdlePause = 50'000;             // while a worker has no work
constexpr std::int64_t longestBusyPause = 500'000;            // for tasks longer than that; else workers look
constexpr std::int64_t longestFreePause = 20 * 1'000'000;     // the same where others need no calls of this rank
constexpr std::int64_t longestNotifiedPause = 10 * 1'000'000; // for the watchdog
constexpr std::int64_t yield = -1;                            // instead of a pause
constexpr int quietPauses = 200;                              // what a wait may be prolonged by: a part of so many

constexpr std::chrono::microseconds patience{1000}; // of polling without pause
constexpr int leastLooks = 50;                      // of a worker: who loses its core to others has not looked
constexpr double glanceSeconds = 50e-6;             // a look without result costs 1 us

/// A tag has room for so many origins.
bool treesFor(const Transport &transport) { return transport.size() <= static_cast<int>(MessageTag::labels); }

} // namespace

Courier::Courier(Engine &engine, Transport &transport, int threads, Computing computing)
    : engine_(engine), transport_(transport), threads_(threads), computing_(std::move(computing)),
      fanOut_(treesFor(transport) ? engine.options.fanOut : std::numeric_limits<std::size_t>::max()),
      glanceInterval_(runtime::Clock::ticks(glanceSeconds)),
      watchInterval_(runtime::Clock::ticks(Watchdog(engine.options.watchdogSeconds).interval().count())),
      completion_(engine), watchdog_(engine.options.watchdogSeconds) {
  if (transport_.notifies())
    transport_.onActivity([this] { wake(); });
  thread_ = std::thread([this] { loop(); });
}

Courier::~Courier() {
  quit_.store(true, std::memory_order_seq_cst);
  parker_.unpark();
  thread_.join();
  if (transport_.notifies())
    transport_.onActivity({});
}

void Courier::begin() {
  ++run_;
  stage_ = Stage::Computing;
  stopTold_ = stopNoticed_ = false;
  counts_ = {};
  ended_.assign(transport_.rank() == 0 ? transport_.size() : 0, {});
  endedCount_ = 0;
  idleRanks_.clear();
  lastActivity_ = Clock::now();
  watchdog_.begin(lastActivity_);
  nextWatch_ = runtime::Clock::now();
  running_.store(true, std::memory_order_seq_cst);
  parker_.unpark();
}

void Courier::agree(Outcome &outcome, bool cutShort) {
  mine_ = outcomeText(outcome);
  cutShort_ = cutShort;
  ending_.store(true, std::memory_order_seq_cst);
  parker_.unpark();
  while (running_.load(std::memory_order_seq_cst))
    host_.park();
  readOutcome(agreed_, outcome);
}

void Courier::submit(Chain<Task> &transfers) {
  submitted_.push(transfers);
  transfers = {};
  std::atomic_thread_fence(std::memory_order_seq_cst); // see lock_
  progressInPlace();
}

bool Courier::glance(Ticks now) {
  if (static_cast<std::int64_t>(now - nextGlance_.load(std::memory_order_relaxed)) < 0)
    return false;
  progressInPlace();
  return true;
}

bool Courier::attend(const std::function<bool()> &come) {
  bool has = false;
  std::atomic_thread_fence(std::memory_order_seq_cst); // see attendant_
  if (const std::unique_lock attendant(attendant_, std::try_to_lock); attendant) {
    auto active = Clock::now();
    for (int quiet = 0; running_.load(std::memory_order_relaxed) && !(has = come()); sched_yield()) {
      const auto now = Clock::now();
      if (progressInPlace()) {
        active = now;
        quiet = 0;
      } else if (++quiet >= leastLooks && now - active > patience) {
        break;
      }
    }
  }
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (!has || engine_.host.idleWorkers() > 1)
    wake();
  return has;
}

/// Whether something has happened.
bool Courier::progressInPlace() noexcept {
  bool active = false;
  do {
    const std::unique_lock guard(lock_, std::try_to_lock);
    if (!guard || !running_.load(std::memory_order_acquire))
      break;
    try {
      active |= progress();
    } catch (const std::exception &error) {
      giveUp(error.what());
    }
  } while (leftBehind());
  return active;
}

/// After letting lock_ go.
bool Courier::leftBehind() const {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return !submitted_.empty();
}

/// The fence puts what the caller has changed before the look at parked_, as rest() puts its own mark before its last
/// look: one of the two sees the other.
void Courier::wake() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (parked_.load(std::memory_order_relaxed))
    parker_.unpark();
}

void Courier::loop() {
  askForPromptness();
  while (!quit_.load(std::memory_order_relaxed)) {
    if (!running_.load(std::memory_order_acquire))
      parker_.park();
    else if (const std::int64_t pause = turn(); pause > 0)
      rest(pause, false);
    else if (pause == yield)
      sched_yield();
  }
}

/// Of the courier's thread: a look, and how long to pause then; 0: not at all, or `yield`.
std::int64_t Courier::turn() {
  attended_ = attendant_.held();
  const std::unique_lock guard(lock_, std::try_to_lock);
  if (!guard) {
    // Something may have come in behind its holder's look: a worker without work would wait for it.
    rest(attended_ || engine_.host.idleWorkers() == 0 ? longestPause() : longestIdlePause, true);
    return 0;
  }
  try {
    if (progress())
      return 0;
    if (!concluded_ || inFlight_ > 0) // what is thrown away may come in last
      return chooseRest();
    handOver();
  } catch (const std::exception &error) {
    giveUp(error.what());
  }
  return 0;
}

/// The network itself has failed, or a rank. Does not return, or throws where there are no processes to end.
void Courier::giveUp(const std::string &why) {
  std::fprintf(stderr, "hetc: rank %d: %s\n", transport_.rank(), why.c_str());
  transport_.abort(4);
}

/// One look at everything; false when there was nothing to do.
bool Courier::progress() {
  for (const Announcement &message : std::exchange(ofNextRun_, {}))
    onAnnounced(message);
  for (const auto &[source, data] : std::exchange(controlOfNextRun_, {}))
    onControl(source, data);
  bool active = takeSubmitted();
  active |= takeAnnounced();
  active |= takeFinished();
  active |= takeControl();
  if (engine_.state.cutShort())
    noticeStop();
  passOn();
  if (ending_.exchange(false, std::memory_order_acquire)) {
    leave();
    active = true;
  }
  sayEnd();
  if (active)
    lastActivity_ = Clock::now();
  const Ticks now = runtime::Clock::now();
  nextGlance_.store(now + glanceInterval_, std::memory_order_relaxed);
  if (watchdog_.on() && static_cast<std::int64_t>(now - nextWatch_) >= 0) {
    nextWatch_ = now + watchInterval_;
    watch();
  }
  return active;
}

bool Courier::takeSubmitted() {
  std::vector<Task *> ready;
  for (Task *task = submitted_.takeAll(); task; task = task->link)
    ready.push_back(task);
  start(ready);
  return !ready.empty();
}

bool Courier::takeAnnounced() {
  Announcement message;
  bool any = false;
  for (; transport_.announced(message); any = true)
    onAnnounced(message);
  return any;
}

bool Courier::takeFinished() {
  constexpr int room = 64;
  void *tokens[room];
  bool any = false;
  for (int count = room; count == room; any |= count > 0) {
    count = transport_.finished(tokens, room);
    for (int i = 0; i < count; ++i)
      finish(*static_cast<Flight *>(tokens[i]));
  }
  return any;
}

bool Courier::takeControl() {
  int source = 0;
  std::vector<std::byte> data;
  bool any = false;
  while (transport_.receiveControl(source, data))
    any |= onControl(source, data);
  return any;
}

/// While workers look at the network between tasks. An accelerator may wait for a tile behind their long ones.
std::int64_t Courier::longestPause() const {
  if (transport_.notifies())
    return longestNotifiedPause;
  return transport_.receiversMove() && engine_.accelerators.empty() ? longestFreePause : longestBusyPause;
}

/// Nothing to do at this moment. While no worker computes nobody else wants the core, so that a message is seen as soon
/// as it is there; while one has no work pauses, the longer the quieter it is; and one long pause when all compute. A
/// wait of seconds need not end within microseconds, and its looks are not to take a core from others.
std::int64_t Courier::chooseRest() {
  if (attended_ || transport_.notifies())
    return longestPause();
  const auto quiet = Clock::now() - lastActivity_;
  const int idle = stage_ == Stage::Computing ? engine_.host.idleWorkers() : threads_;
  if (idle >= threads_ && quiet < patience)
    return yield;
  if (idle > 0 && quiet < std::chrono::nanoseconds(2 * pause_))
    pause_ = shortestPause;
  else
    pause_ = std::min(2 * pause_, std::clamp<std::int64_t>(std::chrono::nanoseconds(quiet).count() / quietPauses,
                                                           longestIdlePause, longestFreePause));
  return idle == 0 && pause_ >= longestIdlePause ? longestPause() : pause_;
}

/// Woken by wake(), it begins with short pauses again: a worker that wakes it is not yet counted as idle. `held`:
/// somebody else has lock_, and takes what is submitted.
void Courier::rest(std::int64_t nanoseconds, bool held) {
  parked_.store(true, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst); // see wake()
  const bool left = attended_ && !attendant_.held();
  if (!left && (held || submitted_.empty()) && !ending_.load(std::memory_order_relaxed) && parker_.parkFor(nanoseconds))
    pause_ = shortestPause / 2;
  parked_.store(false, std::memory_order_relaxed);
}

/// Also when all of this rank's tasks are done with, and the run is over as far as RunState knows.
bool Courier::stopping() const { return stopNoticed_ || engine_.state.cutShort(); }

/// Once per run: the others learn of it, and nothing waits for a message any more.
void Courier::noticeStop() {
  if (stopNoticed_)
    return;
  stopNoticed_ = true;
  for (int rank = 0; rank < transport_.size(); ++rank)
    if (rank != transport_.rank() && !stopTold_)
      tell(rank, Control::Stop);
  stopTold_ = true;
  for (const auto &[id, task] : std::exchange(expected_, {}))
    complete(*task);
  for (const auto &[id, send] : std::exchange(delegated_, {}))
    complete(*send.task);
  relays_.clear();
  for (const auto &[id, message] : std::exchange(early_, {}))
    discard(message);
}

void Courier::tell(int rank, Control kind, const std::string &text) {
  std::vector<std::byte> data(sizeof(ControlHeader) + text.size());
  const ControlHeader header{run_, kind};
  std::memcpy(data.data(), &header, sizeof(header));
  std::memcpy(data.data() + sizeof(header), text.data(), text.size());
  if (rank == transport_.rank())
    onControl(rank, data);
  else
    transport_.sendControl(rank, data.data(), data.size());
}

/// Whether it has to do with what the run does.
bool Courier::onControl(int source, const std::vector<std::byte> &data) {
  ControlHeader header;
  std::memcpy(&header, data.data(), sizeof(header));
  if (static_cast<std::int32_t>(header.run - run_) < 0) // of a run that was stopped and is over
    return false;
  if (header.run != run_) // of the next run: its sender knows already that this one is over
    controlOfNextRun_.emplace_back(source, data);
  else
    obey(source, header.kind,
         {reinterpret_cast<const char *>(data.data()) + sizeof(header), data.size() - sizeof(header)});
  return !isOfWatchdog(header.kind);
}

void Courier::obey(int source, Control kind, const std::string &text) {
  switch (kind) {
  case Control::Stop:
    stopTold_ = true; // the rank that failed tells all
    engine_.state.stop();
    break;
  case Control::End:
    onEnd(source, text);
    break;
  case Control::Done:
    conclude(text);
    break;
  case Control::Idle:
  case Control::Active:
    onIdle(source, kind == Control::Idle);
    break;
  case Control::Blocked:
    onBlocked();
    break;
  case Control::Ask:
    tell(source, Control::Answer);
    break;
  case Control::Answer:
    watchdog_.answered();
    break;
  case Control::Left:
    watchdog_.left();
    break;
  case Control::Delegate:
    onDelegate(source, Delegation::read(text));
    break;
  case Control::Taken:
    onTaken(source, static_cast<std::uint32_t>(std::stoul(text)));
    break;
  }
}

/// All tasks of this rank are complete.
void Courier::leave() {
  stage_ = Stage::Leaving;
  ++progressMade_;
  if (cutShort_) // and over, maybe before this thread has looked
    noticeStop();
  else if (!early_.empty())
    failAlone(messageText(early_.begin()->second) + ", which this rank does not expect");
}

/// This rank is through, unless others still wait for what it forwards.
void Courier::sayEnd() {
  if (stage_ != Stage::Leaving || !relays_.empty() || forwarding_ > 0)
    return;
  stage_ = Stage::Through;
  ++progressMade_;
  tell(0, Control::End, mine_);
}

/// Rank 0: one more rank is through. The outcome of the run is the first failure by place in program order, as far as
/// ranks know it, else that every rank is fine.
void Courier::onEnd(int source, const std::string &outcome) {
  ended_[source] = outcome;
  if (++endedCount_ < transport_.size())
    return;
  const std::string first = firstOutcome(ended_);
  for (int rank = 1; rank < transport_.size(); ++rank)
    tell(rank, Control::Done, first);
  conclude(first);
}

/// The run is over on all ranks: all their sends are complete, so all messages have been received.
void Courier::conclude(const std::string &outcome) {
  if (watchdog_.on())
    tell(previousRank(), Control::Left);
  agreed_ = outcome;
  early_.clear();
  concluded_ = true;
}

/// The courier's last act in a run: from here on all is the host's, until begin().
void Courier::handOver() {
  concluded_ = false;
  running_.store(false, std::memory_order_seq_cst);
  host_.unpark();
}

} // namespace tla::runtime
