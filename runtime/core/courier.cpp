#include "runtime/core/courier.hpp"

#include "runtime/core/agreement.hpp"
#include "runtime/core/packing.hpp"
#include "runtime/core/tile_table.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>
#include <sched.h>
#include <utility>

#if defined(__linux__)
#include <sys/prctl.h>
#endif

namespace tla::runtime {
namespace {

// A tag: parity of the run, hash of the tile, ordinal of the message among those of its pair of ranks. Far fewer
// messages of one pair are on the way at a time than there are ordinals (the window is bounded, see Executor).
constexpr std::uint32_t ordinalBits = 18, hashBits = 11;
constexpr std::uint32_t ordinalMask = (1u << ordinalBits) - 1, hashMask = (1u << hashBits) - 1;
static_assert(1u << (ordinalBits + hashBits + 1) == Transport::tags);

constexpr std::int64_t shortestPause = 2'000, longestPause = 200'000; // nanoseconds
constexpr std::chrono::microseconds patience{200}; // of polling without pause while no worker computes

int neverRun(const TaskView &) { return 0; }

int peerOf(const Task &task) { return task.indices[TransferIndices::Peer]; }
std::uint32_t ordinalOf(const Task &task) {
  return static_cast<std::uint32_t>(task.indices[TransferIndices::Ordinal]) & ordinalMask;
}
Region regionOf(const Task &task) { return static_cast<Region>(task.indices[TransferIndices::RegionIndex]); }
bool isReceive(const Task &task) { return task.taskClass == &receiveClass; }

std::uint64_t messageId(int source, std::uint32_t ordinal) {
  return static_cast<std::uint64_t>(source) << 32 | ordinal;
}

std::string tileText(const Version &version) { return "tile " + version.table->tileName(version.row, version.column); }

/// A task in the window that waits, and for what. Only while nothing moves.
std::string blockedText(const Task &task) {
  std::string text = task.taskClass->kernel;
  if (const Version *output = task.mainOutput())
    text += " on " + output->table->tileName(output->row, output->column);
  text += " waits";
  for (int i = 0; i < task.nodeCount; ++i) {
    const AccessNode &node = task.node(i);
    const Version *version = node.version();
    if (node.kind() == AccessNode::Read && version->waiters.load(std::memory_order_acquire) != Version::closed())
      text += " for " + tileText(*version) + " (version " + std::to_string(version->number) + ")";
  }
  return text;
}

} // namespace

const TaskClass sendClass{"send", "", neverRun, nullptr};
const TaskClass receiveClass{"receive", "", neverRun, nullptr};

Courier::Courier(Engine &engine, Transport &transport, int computing, std::function<std::uint64_t()> tasksDone)
    : engine_(engine), transport_(transport), computing_(computing), tasksDone_(std::move(tasksDone)),
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
      if (concluded_)
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
    if (cutShort_) // and over, maybe before this thread has looked
      noticeStop();
    tell(0, Control::End, mine_);
    active = true;
  }
  if (active)
    lastActivity_ = Clock::now();
  return active;
}

bool Courier::takeSubmitted() {
  Chain<Task> inOrder; // the stack has the last first
  for (Task *task = submitted_.takeAll(); task;) {
    Task *const next = task->link;
    inOrder.push(*task);
    task = next;
  }
  for (Task *task = inOrder.head; task;) {
    Task *const next = task->link;
    start(*task);
    task = next;
  }
  return inOrder.head;
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

void Courier::start(Task &task) {
  if (engine_.state.cutShort())
    return complete(task);
  if (!isReceive(task))
    return startSend(task);
  const auto early = early_.find(messageId(peerOf(task), ordinalOf(task)));
  if (early == early_.end()) {
    expected_.emplace(messageId(peerOf(task), ordinalOf(task)), &task);
    return;
  }
  const Announcement message = early->second;
  early_.erase(early);
  startReceive(task, message);
}

void Courier::startSend(Task &task) {
  const Version &version = *task.node(0).version();
  const Region region = regionOf(task);
  const std::size_t bytes = packedBytes(*version.table, version.row, version.column, region);
  Flight &flight = newFlight(&task, false);
  const void *data = version.data;
  if (!isPacked(version, region)) {
    flight.buffer.reset(new char[bytes]);
    pack(version, region, flight.buffer.get());
    data = flight.buffer.get();
  }
  ++counts_.messages;
  counts_.bytes += bytes;
  transport_.send(peerOf(task), tagOf(task), data, bytes, &flight);
}

void Courier::onAnnounced(const Announcement &message) {
  if (message.tag >> (ordinalBits + hashBits) != parity()) {
    ofNextRun_.push_back(message); // its sender knows already that this run is over
    return;
  }
  if (stopping())
    return discard(message);
  const MessageId id = messageId(message.source, message.tag & ordinalMask);
  const auto expected = expected_.find(id);
  if (expected == expected_.end()) {
    if (!early_.emplace(id, message).second)
      failAlone("message " + std::to_string(message.tag & ordinalMask) + " of rank " + std::to_string(message.source) +
                " came twice");
    return;
  }
  Task &task = *expected->second;
  expected_.erase(expected);
  startReceive(task, message);
}

void Courier::startReceive(Task &task, const Announcement &message) {
  Version &version = *task.node(0).version();
  const Region region = regionOf(task);
  const std::size_t bytes = packedBytes(*version.table, version.row, version.column, region);
  if (message.tag != tagOf(task) || message.bytes != bytes)
    fail(task, "rank " + std::to_string(message.source) + " sent " + std::to_string(message.bytes) +
                   " bytes as message " + std::to_string(ordinalOf(task)) + ", expected were " + std::to_string(bytes) +
                   " bytes of " + tileText(version));
  else if (!engine_.buffers.provide(version))
    fail(task, "out of memory: " + std::to_string(bytes) + " bytes for " + tileText(version));
  if (engine_.state.cutShort()) {
    complete(task);
    return discard(message);
  }
  Flight &flight = newFlight(&task, true);
  void *data = version.data;
  if (!isPacked(version, region)) {
    flight.buffer.reset(new char[bytes]);
    data = flight.buffer.get();
  }
  ++counts_.received;
  counts_.receivedBytes += bytes;
  transport_.receive(message, data, &flight);
}

/// A stopped run takes what others have begun to send, so that their sends complete.
void Courier::discard(const Announcement &message) {
  Flight &flight = newFlight(nullptr, true);
  flight.buffer.reset(new char[message.bytes + 1]);
  transport_.receive(message, flight.buffer.get(), &flight);
}

Courier::Flight &Courier::newFlight(Task *task, bool receiving) {
  if (freeFlights_.empty()) {
    flights_.push_back(std::make_unique<Flight>());
    freeFlights_.push_back(flights_.back().get());
  }
  Flight &flight = *freeFlights_.back();
  freeFlights_.pop_back();
  flight.task = task;
  flight.receiving = receiving;
  ++inFlight_;
  return flight;
}

void Courier::finish(Flight &flight) {
  if (flight.task && flight.receiving && flight.buffer)
    unpack(*flight.task->node(0).version(), regionOf(*flight.task), flight.buffer.get());
  flight.buffer.reset();
  if (flight.task)
    complete(*flight.task);
  freeFlights_.push_back(&flight);
  --inFlight_;
}

void Courier::complete(Task &task) {
  completion_.complete(task);
  ++progressMade_;
}

/// What completed transfers leave behind. Tasks that compute go to their device; transfers are ours.
void Courier::passOn() {
  while (completion_.transfers.head) {
    const Chain<Task> transfers = std::exchange(completion_.transfers, {});
    Task *task = transfers.head;
    for (int i = 0; i < transfers.count; ++i) {
      Task *const next = task->link;
      start(*task);
      task = next;
    }
  }
  completion_.passElsewhere();
  if (const Chain<Task> ready = std::exchange(completion_.ready, {}); ready.head)
    engine_.device().submit(ready.head, ready.count);
  if (completion_.done.head || completion_.retired.head)
    if (engine_.window.returnFrom(completion_.done, completion_.retired))
      engine_.host.wake(0);
}

void Courier::fail(Task &task, const std::string &message) {
  engine_.state.fail(failureOf(task, Outcome::Kind::Fault, 0, message));
}

void Courier::failAlone(std::string message) {
  engine_.state.fail({Outcome::Kind::Fault, 0, std::move(message), nullptr, 0, nullptr, 0, 0});
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
  }
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

std::uint32_t Courier::tagOf(const Task &task) const {
  const Version &version = *task.node(0).version();
  std::uint32_t hash = 2166136261u; // FNV-1a
  for (const int value : {version.table->number(), version.row, version.column, static_cast<int>(regionOf(task))})
    hash = (hash ^ static_cast<std::uint32_t>(value)) * 16777619u;
  hash ^= hash >> hashBits ^ hash >> 2 * hashBits;
  return parity() << (ordinalBits + hashBits) | (hash & hashMask) << ordinalBits | ordinalOf(task);
}

// The watchdog. A rank without progress for the time says so to rank 0; when all ranks that are not through have said
// so, nothing can ever happen again, and all say what they wait for.

void Courier::watch() {
  const auto now = Clock::now();
  if (engine_.options.watchdogSeconds <= 0 || now - lastWatch_ < watchInterval())
    return;
  lastWatch_ = now;
  const std::uint64_t made = progressMade_ + tasksDone_();
  if (made != progressSeen_) {
    progressSeen_ = made;
    lastProgress_ = now;
    if (std::exchange(saidIdle_, false))
      tell(0, Control::Active);
  } else if (!saidIdle_ && now - lastProgress_ > std::chrono::duration<double>(engine_.options.watchdogSeconds)) {
    saidIdle_ = true;
    tell(0, Control::Idle);
  }
}

Courier::Clock::duration Courier::watchInterval() const {
  return std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(std::min(1.0, engine_.options.watchdogSeconds / 4)));
}

void Courier::onIdle(int source, bool idle) {
  if (idle)
    idleRanks_.insert(source);
  else
    idleRanks_.erase(source);
  blockedIfAllIdle();
}

void Courier::blockedIfAllIdle() {
  if (idleRanks_.empty() || static_cast<int>(idleRanks_.size()) + endedCount_ < transport_.size())
    return;
  idleRanks_.clear();
  for (int rank = 1; rank < transport_.size(); ++rank)
    if (ended_[rank].empty())
      tell(rank, Control::Blocked);
  if (ended_[0].empty())
    reportBlocked();
}

void Courier::reportBlocked() {
  std::string text = "hetc: rank " + std::to_string(transport_.rank()) + ": nothing has happened for " +
                     std::to_string(static_cast<int>(engine_.options.watchdogSeconds)) + " s; blocked are\n";
  constexpr std::size_t shown = 20;
  std::size_t count = 0;
  for (const auto &[id, task] : expected_)
    if (++count <= shown)
      text += "  message " + std::to_string(ordinalOf(*task)) + " of rank " + std::to_string(peerOf(*task)) + ", " +
              tileText(*task->node(0).version()) + ": not arrived\n";
  for (const auto &flight : flights_)
    if (flight->task && !flight->receiving && flight->task->unit == Unit::Courier && ++count <= shown)
      text += "  message " + std::to_string(ordinalOf(*flight->task)) + " to rank " +
              std::to_string(peerOf(*flight->task)) + ", " + tileText(*flight->task->node(0).version()) +
              ": not taken\n";
  engine_.window.forEachTask([&](const Task &task) {
    if (task.pending.load(std::memory_order_acquire) > 0 && ++count <= shown)
      text += "  " + blockedText(task) + "\n";
  });
  if (count > shown)
    text += "  and " + std::to_string(count - shown) + " more\n";
  std::fputs(text.c_str(), stderr);
  failAlone("no task has finished and no byte has moved on any rank for " +
            std::to_string(static_cast<int>(engine_.options.watchdogSeconds)) + " s");
}

} // namespace tla::runtime
