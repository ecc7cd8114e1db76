#include "runtime/core/courier.hpp"

#include "runtime/core/agreement.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>
#include <sched.h>
#include <utility>

#if defined(__linux__)
#include <sys/prctl.h>
#endif

namespace tla::runtime {
namespace {

constexpr std::int64_t shortestPause = 2'000, longestPause = 200'000; // nanoseconds
constexpr std::chrono::microseconds patience{200}; // of polling without pause while no worker computes

/// A tag has room for so many origins.
bool treesFor(const Transport &transport) { return transport.size() <= static_cast<int>(MessageTag::labels); }

} // namespace

Courier::Courier(Engine &engine, Transport &transport, int computing, std::function<std::uint64_t()> tasksDone)
    : engine_(engine), transport_(transport), computing_(computing), tasksDone_(std::move(tasksDone)),
      fanOut_(treesFor(transport) ? engine.options.fanOut : std::numeric_limits<std::size_t>::max()),
      completion_(engine) {
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
  stopTold_ = stopNoticed_ = saidIdle_ = false;
  progressMade_ = progressSeen_ = 0;
  counts_ = {};
  ended_.assign(transport_.rank() == 0 ? transport_.size() : 0, {});
  endedCount_ = 0;
  idleRanks_.clear();
  lastActivity_ = lastProgress_ = lastWatch_ = Clock::now();
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
  wake();
}

/// The fence puts what the caller has changed before the look at parked_, as rest() puts its own mark before its last
/// look: one of the two sees the other.
void Courier::wake() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (parked_.load(std::memory_order_relaxed))
    parker_.unpark();
}

void Courier::loop() {
#if defined(__linux__)
  prctl(PR_SET_TIMERSLACK, 1000UL, 0, 0, 0); // pauses of a few us
#endif
  while (!quit_.load(std::memory_order_relaxed)) {
    if (!running_.load(std::memory_order_acquire)) {
      parker_.park();
      continue;
    }
    try {
      if (!progress())
        rest();
      if (concluded_ && inFlight_ == 0) // what is thrown away may come in last
        handOver();
    } catch (const std::exception &error) { // the network itself
      std::fprintf(stderr, "hetc: rank %d: %s\n", transport_.rank(), error.what());
      transport_.abort(4);
    }
  }
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
  for (; transport_.receiveControl(source, data); any = true)
    onControl(source, data);
  return any;
}

/// Nothing to do at this moment. While no worker computes nobody else wants the core, so that a message is seen as soon
/// as it is there; otherwise pauses, the longer the quieter it is.
void Courier::rest() {
  watch();
  const auto now = Clock::now();
  if (!transport_.notifies() && engine_.host.idleWorkers() >= computing_ && now - lastActivity_ < patience) {
    sched_yield();
    return;
  }
  pause_ =
      now - lastActivity_ < std::chrono::nanoseconds(2 * pause_) ? shortestPause : std::min(2 * pause_, longestPause);
  parked_.store(true, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst); // see submit()
  if (submitted_.empty() && !ending_.load(std::memory_order_relaxed))
    parker_.parkFor(transport_.notifies() ? 50 * longestPause : pause_);
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

void Courier::onControl(int source, const std::vector<std::byte> &data) {
  ControlHeader header;
  std::memcpy(&header, data.data(), sizeof(header));
  if (static_cast<std::int32_t>(header.run - run_) < 0) // of a run that was stopped and is over
    return;
  if (header.run != run_) { // of the next run: its sender knows already that this one is over
    controlOfNextRun_.emplace_back(source, data);
    return;
  }
  const std::string text(reinterpret_cast<const char *>(data.data()) + sizeof(header), data.size() - sizeof(header));
  switch (header.kind) {
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
    onIdle(source, header.kind == Control::Idle);
    break;
  case Control::Blocked:
    reportBlocked();
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
  tell(0, Control::End, mine_);
}

/// Rank 0: one more rank is through. The outcome of the run is the first failure by place in program order, as far as
/// ranks know it, else that every rank is fine.
void Courier::onEnd(int source, const std::string &outcome) {
  ended_[source] = outcome;
  idleRanks_.erase(source);
  if (++endedCount_ < transport_.size()) {
    blockedIfAllIdle();
    return;
  }
  const std::string first = firstOutcome(ended_);
  for (int rank = 1; rank < transport_.size(); ++rank)
    tell(rank, Control::Done, first);
  conclude(first);
}

/// The run is over on all ranks: all their sends are complete, so all messages have been received.
void Courier::conclude(const std::string &outcome) {
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
