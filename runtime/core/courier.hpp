// The communication thread of a node ([Song12] 5.4): executes the transfers among the tasks, keeps many in flight, and
// speaks with the other nodes' couriers about the end of a run.
#pragma once

#include "runtime/core/completion.hpp"
#include "runtime/core/park.hpp"
#include "runtime/transport/transport.hpp"

#include <chrono>
#include <memory>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tla::runtime {

/// A transfer is a task like any other: a send reads a version, a receive writes one; both stand in the window at the
/// place in program order where the receiving node first needs the content. `Task::indices` hold what follows.
struct TransferIndices {
  enum : int { Peer, Ordinal, RegionIndex, Count };
};
extern const TaskClass sendClass, receiveClass;

/// One per executor on several ranks. The thread sleeps between runs; during a run it polls as often as the node has
/// nothing better to do: without pause while no worker computes, else with pauses that grow.
///
/// The messages of a pair of ranks are numbered in program order, which both ends know. A message's tag is its ordinal
/// and a hash of its tile, so that one that nobody expects, that came twice, or that has another size is an error that
/// names it.
///
/// No deadlock, and no more memory than the window asks for. A send holds a place in its node's window until the
/// receiver has taken the message, and a receiver takes it when its own generator has come to the place: so a fast node
/// stops when its window is full, and holds the data itself. Let s be the first place in program order at which
/// anything on any node is not complete. All windows then hold only tasks from s on, so each node's generator either
/// has come to s or has room to; what s needs comes from before s and is complete; so the sends at s are started, their
/// receives at s are known to the receivers, and then s itself can run. Whatever the order of everything behind s, s
/// completes, and so do all. tests/unit/runtime/core/protocol_model_test.cpp tries all interleavings of small cases.
///
/// The end of a run. Each courier tells rank 0 when its node is through; when all are, rank 0 tells all what the
/// outcome is. A node that fails tells all others to stop at once; from then on couriers start no sends, and take and
/// throw away what others had begun to send, so that every send completes.
class Courier {
public:
  /// `computing`: threads of this executor. `tasksDone`: for the watchdog.
  Courier(Engine &engine, Transport &transport, int computing, std::function<std::uint64_t()> tasksDone);
  ~Courier();
  Courier(const Courier &) = delete;
  Courier &operator=(const Courier &) = delete;

  // The generating thread.
  void begin();
  /// After the last task of this node: waits for all others and makes `outcome` that of the whole run, the same on all
  /// ranks. `cutShort`: tasks were skipped, so that others may wait for what will not come.
  void agree(Outcome &outcome, bool cutShort);

  /// Any thread: transfers that are ready. Empties the chain.
  void submit(Chain<Task> &transfers);

  /// What this rank sent and received in the run; after agree().
  const TransferCounts &counts() const { return counts_; }

private:
  using Clock = std::chrono::steady_clock;
  using MessageId = std::uint64_t; // rank of the sender, ordinal

  /// A message between start and end.
  struct Flight {
    Task *task = nullptr; ///< null: to be thrown away
    std::unique_ptr<char[]> buffer;
    bool receiving = false;
  };
  enum class Control : std::uint32_t { Stop, End, Done, Idle, Active, Blocked };
  struct ControlHeader {
    std::uint32_t run;
    Control kind;
  };

  void loop();
  bool progress();
  bool takeSubmitted();
  bool takeAnnounced();
  bool takeFinished();
  bool takeControl();
  void rest();
  void wake();

  void start(Task &task);
  void startSend(Task &task);
  void onAnnounced(const Announcement &message);
  void startReceive(Task &task, const Announcement &message);
  void discard(const Announcement &message);
  Flight &newFlight(Task *task, bool receiving);
  void finish(Flight &flight);
  void complete(Task &task);
  void passOn();
  void fail(Task &task, const std::string &message);
  void failAlone(std::string message);

  void noticeStop();
  bool stopping() const;
  void onControl(int source, const std::vector<std::byte> &data);
  void tell(int rank, Control kind, const std::string &text = {});
  void onEnd(int source, const std::string &outcome);
  void conclude(const std::string &outcome);
  void handOver();

  void watch();
  Clock::duration watchInterval() const;
  void onIdle(int source, bool idle);
  void blockedIfAllIdle();
  void reportBlocked();

  std::uint32_t tagOf(const Task &task) const;
  std::uint32_t parity() const { return run_ & 1; }

  Engine &engine_;
  Transport &transport_;
  const int computing_;
  const std::function<std::uint64_t()> tasksDone_;

  // Between threads. submitted_: transfers on the way to the courier. parked_ and parker_: the courier's sleep; whoever
  // changes something it should see looks at parked_ after that (seq_cst on both sides, so one sees the other).
  ReturnStack<Task> submitted_;
  Parker parker_, host_;
  std::atomic<bool> parked_{false}, quit_{false}, running_{false}, ending_{false};

  // The courier's thread only, but for begin() and agree(), which run while it sleeps between runs.
  std::uint32_t run_ = 0;
  bool stopTold_ = false;    ///< all others know
  bool stopNoticed_ = false; ///< nothing is started any more
  bool concluded_ = false;   ///< the run is over everywhere
  Completion completion_;
  std::unordered_map<MessageId, Task *> expected_;    ///< receives that are ready, by message
  std::unordered_map<MessageId, Announcement> early_; ///< messages whose receive is not ready yet
  std::vector<Announcement> ofNextRun_;
  std::vector<std::pair<int, std::vector<std::byte>>> controlOfNextRun_;
  std::vector<std::unique_ptr<Flight>> flights_; ///< all
  std::vector<Flight *> freeFlights_;
  int inFlight_ = 0;
  std::string mine_;               ///< this rank's outcome, while ending
  bool cutShort_ = false;          ///< likewise: this rank's run was
  std::string agreed_;             ///< the run's
  std::vector<std::string> ended_; ///< rank 0: outcomes by rank
  int endedCount_ = 0;
  TransferCounts counts_;
  Clock::time_point lastActivity_, lastProgress_, lastWatch_;
  std::uint64_t progressMade_ = 0, progressSeen_ = 0;
  bool saidIdle_ = false;
  std::unordered_set<int> idleRanks_; ///< rank 0
  std::int64_t pause_ = 1;            ///< nanoseconds
  std::thread thread_;
};

} // namespace tla::runtime
