// The communication thread of a node ([Song12] 5.4): executes the transfers among the tasks, keeps many in flight, and
// speaks with the other nodes' couriers about the end of a run.
#pragma once

#include "runtime/core/broadcast.hpp"
#include "runtime/core/clock.hpp"
#include "runtime/core/completion.hpp"
#include "runtime/core/transfer.hpp"
#include "runtime/core/watchdog.hpp"
#include "runtime/threads/park.hpp"
#include "runtime/transport/transport.hpp"

#include <chrono>
#include <memory>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tla::runtime {

/// One per executor on several ranks. The thread sleeps between runs; during a run it polls as often as the node has
/// nothing better to do: with short pauses while a worker has no work, and rarely while all compute. Then the workers
/// look at the network in its place, between tasks, and first of all one that runs out of work, for some time without
/// pause: to wake a thread on a core that computes costs more than most looks do, and where it has to wait for its
/// turn, milliseconds. So whoever holds lock_ is the courier at that moment.
///
/// The messages of a pair of ranks are numbered in program order, which both ends know, and say their number and tile
/// (MessageTag). So one that nobody expects, that came twice, or that has another size is an error that names it.
///
/// Broadcasts. Of the sends of one version that become ready together only the first few in program order go out
/// (Options::fanOut); each of their receivers is told what to forward to whom (Control::Delegate, Delegation), and does
/// likewise, out of a copy that it makes when the content is there. The receiver tells the origin when it takes such a
/// message (Control::Taken), and then the origin's send is complete, as one is that went straight: all that follows is
/// the same for both. A rank makes one copy of a version at most, and each origin has no more on the way that way than
/// its share of Options::forwardBytes: what is beyond goes straight.
///
/// No deadlock, and no more memory than the window asks for. A send holds a place in its node's window until the
/// receiver has taken the message, and a receiver takes it when its own generator has come to the place: so a fast node
/// stops when its window is full, and holds the data itself. Let s be the first place in program order at which
/// anything on any node is not complete. All windows then hold only tasks from s on, so each node's generator either
/// has come to s or has room to; what s needs comes from before s and is complete; so the sends at s are started, and
/// their receives at s are known to the receivers. A send that was delegated was so to a rank that receives the same
/// version at a place before s: it has the content, and forwards it without need of a place in its window. So s itself
/// can run. Whatever the order of everything behind s, s completes, and so do all.
/// tests/unit/runtime/core/protocol_model_test.cpp tries all interleavings of small cases.
///
/// The end of a run. Each courier tells rank 0 when its node is through and has nothing left to forward; when all are,
/// rank 0 tells all what the outcome is. So no data message of a run is on the way when it ends. A node that fails
/// tells all others to stop at once; from then on couriers start and forward nothing, and take and throw away what
/// others had begun to send, so that every send completes.
///
/// The watchdog (Watchdog has the rules and times). Whoever makes progress looks at it now and then. A rank that is
/// blocked tells rank 0 (Control::Idle, Active), also one that is through; when all are, rank 0 tells all (Blocked),
/// each says what it does and waits for, and fails: the run ends as above. A rank that stands still, as a process that
/// was stopped or a machine that hangs, has no part in any such end. So each rank asks the next one in a ring, the last
/// the first, one question at a time (Ask, Answer), until that has left the run (Left); who gets no answer, and who
/// finds that ranks do not end although they were told to, ends all processes (Transport::abort). Answers wait for no
/// thread that computes or generates: they are the courier's thread's, if nobody else's. Ask, Answer and Left say
/// nothing of the run, so they come and go without being counted as progress, and one that nobody reads any more is
/// forgotten.
class Courier {
public:
  /// What the watchdog asks of the executor. Any thread calls these.
  struct Computing {
    std::function<std::uint64_t()> tasksDone;
    std::function<std::vector<std::string>()> running; ///< at this moment: a line for each kernel
  };
  /// `threads`: of this executor, those that compute.
  Courier(Engine &engine, Transport &transport, int threads, Computing computing);
  ~Courier();
  Courier(const Courier &) = delete;
  Courier &operator=(const Courier &) = delete;

  // The generating thread.
  void begin();
  /// After the last task of this node: waits for all others and makes `outcome` that of the whole run, the same on all
  /// ranks. `cutShort`: tasks were skipped, so that others may wait for what will not come.
  void agree(Outcome &outcome, bool cutShort);

  // During a run: the generating thread, or a thread that holds a task which it has not returned to the window.

  /// Takes transfers that are ready, emptying the chain, and starts them, unless another thread is looking at the
  /// network and will.
  void submit(Chain<Task> &transfers);
  /// At a task's end, `now`: looks at the network if nobody has for about 50 us. Returns whether it did.
  bool glance(Ticks now);

  /// A computing thread that has no work, also between runs: looks at the network until come(), or until nothing has
  /// happened for some time; then the courier's thread does. Does nothing if another thread attends. Returns whether
  /// come() held.
  bool attend(const std::function<bool()> &come);
  /// Any thread: the courier's thread, if it sleeps, is to look soon.
  void wake();

  /// What this rank sent and received in the run; after agree().
  const TransferCounts &counts() const { return counts_; }

private:
  using Clock = std::chrono::steady_clock;

  /// A message between start and end.
  struct Flight {
    enum Kind { Free, Send, Receive, Discard, Forward } kind = Free;
    Task *task = nullptr;           ///< of a send or receive
    std::shared_ptr<char[]> buffer; ///< null: the tile itself. Messages of one content share theirs
    bool delegates = false;         ///< Receive: the content is to be forwarded
    std::uint32_t origin = 0;       ///< Forward: whose message this is,
    Addressee to = {};              ///< which, and whom it goes to
  };
  /// A version some of whose sends other ranks carry out, until the last of these is taken.
  struct Tree {
    Tree(std::size_t &outstanding, std::size_t bytes) : outstanding(outstanding), bytes(bytes) { outstanding += bytes; }
    ~Tree() { outstanding -= bytes; }
    Tree(const Tree &) = delete;
    Tree &operator=(const Tree &) = delete;
    std::size_t &outstanding;
    const std::size_t bytes;
  };
  struct Delegated {
    Task *task;
    int relay;
    std::shared_ptr<const Tree> tree;
  };
  /// What this rank is to forward, until both are known: the content, and to whom.
  struct Relay {
    std::shared_ptr<char[]> content;
    std::size_t bytes = 0;
    std::vector<Addressee> behind;
  };
  enum class Stage {
    Computing,
    Leaving, ///< this rank's tasks are complete
    Through, ///< and there is nothing left to forward
  };
  enum class Control : std::uint32_t { Stop, End, Done, Idle, Active, Blocked, Delegate, Taken, Ask, Answer, Left };
  static bool isOfWatchdog(Control kind) { return kind >= Control::Ask; }
  struct ControlHeader {
    std::uint32_t run;
    Control kind;
  };

  void loop();
  std::int64_t turn();
  bool progressInPlace() noexcept;
  bool leftBehind() const;
  void giveUp(const std::string &why);
  bool progress();
  bool takeSubmitted();
  bool takeAnnounced();
  bool takeFinished();
  bool takeControl();
  std::int64_t longestPause() const;
  std::int64_t chooseRest();
  void rest(std::int64_t nanoseconds, bool held);

  std::shared_ptr<char[]> allocate(std::size_t bytes);
  void start(std::vector<Task *> ready);
  void startReceive(Task &task);
  void startSends(const std::vector<Task *> &tasks);
  std::shared_ptr<const Tree> newTree(std::size_t destinations, std::size_t bytes);
  void delegate(const std::vector<Task *> &branch, const std::shared_ptr<const Tree> &tree);
  std::uint32_t tagOf(const Task &task, bool delegates) const;
  void onAnnounced(const Announcement &message);
  void take(Task &task, const Announcement &message);
  void discard(const Announcement &message);
  Flight &newFlight(Flight::Kind kind, Task *task = nullptr);
  void finish(Flight &flight);
  static std::string messageText(const Announcement &message);
  void keepForOthers(const Flight &flight);
  void forward(MessageId id);
  void onDelegate(int source, Delegation delegation);
  void onTaken(int source, std::uint32_t ordinal);
  void complete(Task &task);
  void complete(const std::vector<Task *> &tasks);
  void passOn();
  void fail(Task &task, const std::string &message);
  void failAlone(std::string message);

  void noticeStop();
  bool stopping() const;
  bool onControl(int source, const std::vector<std::byte> &data);
  void obey(int source, Control kind, const std::string &text);
  void tell(int rank, Control kind, const std::string &text = {});
  void leave();
  void sayEnd();
  void onEnd(int source, const std::string &outcome);
  void conclude(const std::string &outcome);
  void handOver();

  void watch();
  void obey(const Watchdog::Advice &advice);
  int nextRank() const { return (transport_.rank() + 1) % transport_.size(); }
  int previousRank() const { return (transport_.rank() + transport_.size() - 1) % transport_.size(); }
  void onIdle(int source, bool idle);
  void onBlocked();
  void say(const std::string &what) const;
  std::vector<std::string> doings() const;
  std::vector<std::string> blockedTasks() const;
  std::vector<std::string> blockedTransfers() const;

  bool odd() const { return run_ & 1; }

  Engine &engine_;
  Transport &transport_;
  const int threads_;
  const Computing computing_;
  const std::size_t fanOut_;
  const Ticks glanceInterval_, watchInterval_;

  // Between threads. submitted_: transfers on the way to the courier. parked_ and parker_: the courier's sleep; whoever
  // changes something it should see looks at parked_ after that (seq_cst on both sides, so one sees the other).
  ReturnStack<Task> submitted_;
  Parker parker_, host_;
  std::atomic<bool> parked_{false}, quit_{false}, running_{false}, ending_{false};
  std::atomic<Ticks> nextGlance_{0};
  std::int64_t pause_ = 1; ///< nanoseconds; of the courier's thread
  bool attended_ = false;  ///< of the courier's thread: attendant_ was held when it last came to look

  /// Held by whoever makes progress: the courier's thread, or another one in its place. Nobody waits for it. Who has
  /// submitted something and finds it held leaves that to the holder, who looks at submitted_ after letting go (seq_cst
  /// fences on both sides: one sees the other). Only the courier's thread ends a run, under the lock, and who finds
  /// then that none is running does nothing. It orders all calls of the transport during a run.
  TryLock lock_;
  /// Held by the thread in attend(), so that the courier's thread need not look meanwhile. Having let go, it wakes the
  /// courier's thread if somebody still waits for messages: who counts as idle before it tries (seq_cst fences on both
  /// sides: one sees the other).
  TryLock attendant_;

  // Guarded by lock_, but for begin() and agree(): before the first task, and after the last one.
  std::uint32_t run_ = 0;
  bool stopTold_ = false;    ///< all others know
  bool stopNoticed_ = false; ///< nothing is started any more
  bool concluded_ = false;   ///< the run is over everywhere
  Completion completion_;
  std::unordered_map<MessageId, Task *> expected_;     ///< receives that are ready, by message
  std::unordered_map<MessageId, Announcement> early_;  ///< messages whose receive is not ready yet
  std::size_t treeBytes_ = 0;                          ///< of this rank's trees, before what counts in it
  std::unordered_map<MessageId, Delegated> delegated_; ///< here the rank is the destination
  std::unordered_map<MessageId, Relay> relays_;
  std::vector<Announcement> ofNextRun_;
  std::vector<std::pair<int, std::vector<std::byte>>> controlOfNextRun_;
  std::vector<std::unique_ptr<Flight>> flights_; ///< all
  std::vector<Flight *> freeFlights_;
  int inFlight_ = 0, forwarding_ = 0; ///< flights, and those that are Forward
  Stage stage_ = Stage::Computing;
  std::string mine_;               ///< this rank's outcome, while leaving
  bool cutShort_ = false;          ///< likewise: this rank's run was
  std::string agreed_;             ///< the run's
  std::vector<std::string> ended_; ///< rank 0: outcomes by rank
  int endedCount_ = 0;
  TransferCounts counts_;
  Clock::time_point lastActivity_;
  std::uint64_t progressMade_ = 0;
  Watchdog watchdog_;
  Ticks nextWatch_ = 0;
  std::unordered_set<int> idleRanks_; ///< rank 0
  std::thread thread_;
};

} // namespace tla::runtime
