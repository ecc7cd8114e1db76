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

// Nobody waits for lock_, and nothing is left lying. Each of two threads changes something, passes a seq_cst fence, and
// then looks at what the other changes; of the two fences one is the later in their common order, and the thread that
// passes it sees the other's change (both may):
//
//   what must not be left      thread X                                  thread Y
//   transfers submitted while  submit(): pushes onto submitted_          lets lock_ go
//   another thread looks       fence                                     fence: in leftBehind(), or in rest()
//                              tries lock_: free, so X takes them        submitted_ is not empty: Y looks again
//   the network, by a worker   attend(): lets attendant_ go              rest(): sets parked_
//   that stops attending       fence: in wake()                          fence
//                              parked_ is set: X unparks Y               attendant_ is free: Y does not park
//   the network, where others  is counted as idle, comes to attend()     attend(): lets attendant_ go
//   have no work either        fence                                     fence
//                              tries attendant_: free, so X attends      others are idle: Y wakes the courier's thread
//
// begin() and agree() need no such care: they unpark in any case, and a Parker keeps the token.
//
// For instance, a worker that has finished potrf submits the send of A(0, 0) while the courier's thread is in
// progress(). It finds lock_ held, and takes its next task. The courier's thread lets lock_ go, sets parked_ in rest(),
// passes the fence, sees the transfer and does not park: the message goes out in its next turn.
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

/// Looks at the network unless somebody else does, and again for what was submitted meanwhile. Returns whether
/// something has happened.
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

/// Whether transfers were submitted during the look; to be asked after letting lock_ go, by whoever held it.
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

/// One turn of the courier's thread: looks at the network, unless somebody else does, and returns how long to pause
/// then: nanoseconds, 0 for not at all, or `yield`.
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

/// The courier's thread's pause while others look at the network: workers between tasks, an attendant, or the
/// transport, which calls wake(). It is there for what happens during tasks longer than that; accelerators, which may
/// wait for a tile behind such a task, and senders that wait for this rank's calls have the shorter one.
std::int64_t Courier::longestPause() const {
  if (transport_.notifies())
    return longestNotifiedPause;
  return transport_.receiversMove() && engine_.accelerators.empty() ? longestFreePause : longestBusyPause;
}

/// The pause of the courier's thread after a look that found nothing, `quiet` after the last that found something; the
/// first row that fits. Of workers that have no work one is the attendant at first, so the last rows are for a wait
/// that it has given up:
///
///   somebody else looks (attendant, transport)       longestPause()
///   no worker computes, quiet for less than 1 ms     yield: nobody else wants the core
///   a worker has no work, something happened just    2 us
///   now: within the last two pauses
///   a worker has no work                             twice the last pause, up to quiet / 200, which counts as 50 us if
///                                                    it is less, and as 20 ms if it is more
///   all compute                                      the same until that is 50 us, then longestPause()
///
/// So after 10 ms of quiet it looks every 50 us, after 1 s every 5 ms, and from 4 s on every 20 ms: a wait is prolonged
/// by a 200th part, and its looks take no core from others.
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

/// The courier's thread sleeps for so long, unless there is something to do already, or until wake(). Woken so, it
/// begins with short pauses again: a worker that wakes it is not yet counted as idle. `held`: somebody else has lock_,
/// and takes what is submitted.
void Courier::rest(std::int64_t nanoseconds, bool held) {
  parked_.store(true, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst); // see wake()
  const bool left = attended_ && !attendant_.held();
  if (!left && (held || submitted_.empty()) && !ending_.load(std::memory_order_relaxed) && parker_.parkFor(nanoseconds))
    pause_ = shortestPause / 2;
  parked_.store(false, std::memory_order_relaxed);
}

/// Whether messages are thrown away from now on. RunState alone does not know: it may have ended the run, all of
/// this rank's tasks being complete, when another rank fails.
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

/// A control message has come. Returns whether it counts as progress of the run: not what the watchdogs say, nor what
/// is left of a run that is over.
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

/// All tasks of this rank are complete: it may still forward, but expects no messages any more.
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
