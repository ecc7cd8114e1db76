// Running an algorithm on this node: the host API.
#pragma once

#include <tla/runtime/algorithm.hpp>
#include <tla/runtime/error.hpp>
#include <tla/runtime/task_blocks.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tla {
class Distribution;
class TaskMap;
} // namespace tla

namespace tla::runtime {

class Accelerator;
class Transport;
struct VirtualMachine;

struct Options {
  int threads = 0; ///< computing threads, the caller's included; 0: the cores that accelerators leave, threadsBeside()
  int window = 8192;                   ///< tasks generated but not finished, at most (>= 1)
  std::size_t renameBytes = 64u << 20; ///< memory that renaming may take, at most; 0: no renaming
  /// Bind each thread to a core, when the threads take all cores that the process may use. With fewer, binding would
  /// only put two programs that run side by side onto the same cores.
  bool pin = true;
  /// Threads without a task help with long kernels (runtime/core/schedule/crew.hpp), unless they are more than the
  /// cores that the process may use. Not where ranks of one machine have more threads than cores between them, of which
  /// a rank by itself knows nothing: who helps does not sleep.
  bool crews = true;
  bool trace = false; ///< record every task,
  /// The number of events that the trace keeps, the first of this node in program order; copies and messages count as
  /// tasks.
  std::size_t traceTasks = 1'000'000;
  /// The way to the other ranks of a run on several nodes, or null: one node. Borrowed; all ranks make an executor of
  /// their own, and all of them call run() for the same algorithm, arguments alike, in the same order.
  Transport *transport = nullptr;
  /// The seconds after which a run on several nodes, in which no task has finished and no byte has moved anywhere, ends
  /// with a fault that says what each rank does and waits for; ten times as long while a kernel runs. A rank that
  /// answers nobody for this time and a few seconds, or that cannot be ended, ends the processes of all ranks. 0:
  /// never.
  double watchdogSeconds = 60;
  /// The number of ranks to which a node sends a tile itself, on several nodes, when more wait for it at one time;
  /// these forward it to the others, each to as many (>= 1). 0: four on up to 16 ranks, of which few wait for a tile at
  /// one time, and two on more, where the sender's link is what a panel waits for.
  int fanOut = 0;
  /// Memory of each node for copies of what it forwards, at most, whatever the number of nodes: without room for a copy
  /// it declines, and the node that the tile comes from sends it again. Alike on all nodes. 0: no node forwards
  /// anything.
  std::size_t forwardBytes = 256u << 20;
  /// The bytes of workspaces' and other nodes' tiles that the node keeps for tasks behind those that the program has
  /// come to, at most: the program goes on when there are less. Beside them it keeps what it needs at one time,
  /// whatever that is (NodeCost::leastTemporaryBytes). Nodes may differ. 0: it looks ahead by no tile.
  std::size_t lookaheadBytes = usualLookahead;
  /// A fifth of the node's part of the matrices, at least 64 MiB, and at least what the node needs at one time.
  static constexpr std::size_t usualLookahead = static_cast<std::size_t>(-1);
  /// The node's accelerators. Borrowed. Results are those without any, bitwise if the kernels are the same.
  std::vector<Accelerator *> accelerators = {};
  /// How many tile columns each of them gets in relation to the others, and to the host, whose share is `hostWeight`:
  /// tasks run where the column of their main output is. Empty: equal ones. At least 1. Of tiles that are cut
  /// (Algorithm::slices) the last slices are dealt, to accelerators alone.
  std::vector<int> deviceWeights = {};
  int hostWeight = 0;
  /// The machine in whose time the run takes place, on one thread, with `threads` of the machine's cores, computing
  /// nothing and taking as long as the machine says. Tiles need addresses and no memory; the accelerators are of the
  /// same time, and a transport is that of the machine's cluster. Null: a run like any other.
  const VirtualMachine *virtualMachine = nullptr;
};

/// The share of each accelerator of a node.
struct DeviceShares {
  std::vector<int> weights; ///< Options::deviceWeights
  int hostWeight = 0;       ///< Options::hostWeight
  /// Whether a task is worth running on an accelerator, one function for each. Null, or not there at all: as the
  /// accelerator says itself.
  std::vector<std::function<bool(const TaskClass &)>> runs = {};
  /// The task map by which a program deals its updates (Algorithm::isDealt): the host is element 0, accelerators
  /// follow. Null: by the weights. On one node; with several the updates are not dealt.
  std::shared_ptr<const TaskMap> taskMap = nullptr;
  /// The number of rows of the grid in which accelerators of equal weights stand, column by column: with more than one,
  /// rows of tiles are dealt to them, too.
  int gridRows = 1;
  /// The order in which the program's tasks are generated, the same on all ranks. In another one than the program's
  /// own, less is copied where a problem is larger than the accelerators' memory; each rank then replays the whole
  /// program, and keeps its tasks, of about 90 bytes each. Without effect while matrices are resident.
  TaskBlocks order = {};
};

/// The cores that this process may use (affinity mask, cpuset; hyperthreads of one core count once), or fewer when a
/// control group bounds its processor time. At least 1.
int defaultThreads();
/// The number of cores, of so many, that compute beside accelerators. Each of these needs a core for the thread that
/// feeds it, and all together one for copies and messages ([Song12] 5.3: n - g - 2 of n cores, of which one creates the
/// tasks; here that one computes as well). At least two compute where there are two: with few cores their threads share
/// them. All, without accelerators.
int threadsBeside(int cores, int accelerators);

/// The time and work of one task statement, over all workers.
struct ClassStatistics {
  std::string kernel, location;
  std::uint64_t tasks = 0;
  double seconds = 0, flops = 0;
};

/// How a task, a copy or a message of a trace came to its turn. Times are seconds since the start of the run.
struct TraceCause {
  std::uint32_t number = 0;       ///< place in this node's order, from 1
  std::uint32_t cause = 0;        ///< the one whose end made it ready; 0: it was ready when it was appended
  double appended = 0, ready = 0; ///< times at which it entered the window and became ready
};

struct TraceEvent {
  std::uint32_t taskClass; ///< index in Statistics::classes
  std::uint32_t worker;    ///< number of the worker; accelerators are numbered behind those of the host
  int row, column;         ///< main output tile
  int accesses;            ///< tiles it names
  double begin, end;       ///< seconds since the start of the run
  int slice = -1;          ///< slice of the main output tile, where it is cut; else -1
  TraceCause origin = {};
};

/// A tile, or a part of it, that went to an accelerator or from it.
struct CopyEvent {
  /// The direction of a copy: from the host, to the host, from another accelerator.
  enum class Way : unsigned char { In, Out, Peer };
  std::string matrix;
  std::uint32_t device; ///< index in Statistics::devices, of the accelerator that copied
  int row, column;      ///< position of the tile
  int slice;            ///< slice of the tile, where it is cut; else -1
  Way way;
  std::uint64_t bytes;
  double begin, end; ///< seconds since the start of the run
  TraceCause origin = {};
};

/// A message on its way, on one of its two ends: from when this end gave it to the network until it had gone or come.
struct MessageEvent {
  std::string matrix;
  int row, column, slice; ///< position of the tile, and its slice as in CopyEvent
  int peer;               ///< the rank on the other end
  std::uint32_t number;   ///< number of the message among those from the one rank to the other, from 0
  bool received;          ///< this end is the receiving one
  int via;                ///< the rank that forwarded a received message; else -1
  std::uint64_t bytes;
  double begin, end; ///< seconds since the start of the run
  TraceCause origin = {};
};

/// A time in which the generating thread could not go on.
struct WaitEvent {
  enum class Reason : unsigned char { Window, Memory }; ///< the window, or the memory for tiles, was full
  Reason reason;
  double begin, end; ///< seconds since the start of the run
};

/// The messages that the program has one rank send and receive in a run. Others forwarded for it the messages that it
/// delegated, and it forwarded some for others: so messages - delegated + forwarded left this rank. In a run that has
/// finished the sums of both over the ranks are the same.
struct TransferCounts {
  std::uint64_t messages = 0, bytes = 0;         ///< sent
  std::uint64_t received = 0, receivedBytes = 0; ///< messages, bytes
  std::uint64_t delegated = 0, delegatedBytes = 0;
  std::uint64_t forwarded = 0, forwardedBytes = 0;
};

struct CopyCounts {
  std::uint64_t copies = 0, bytes = 0;
  bool operator==(const CopyCounts &) const = default;
};

/// The work of one accelerator in a run, as the program's order determines it.
struct DeviceCounts {
  std::uint64_t tasks = 0;
  CopyCounts in, out, peer; ///< copies from the host, to the host, and from other accelerators
  bool operator==(const DeviceCounts &) const = default;
};

struct DeviceStatistics : DeviceCounts {
  std::string name;
  std::uint64_t launches = 0; ///< launches of kernels; several tasks may share one
  double busy = 0;            ///< seconds in which at least one kernel was under way
  double flops = 0;
  std::size_t peakBytes = 0;     ///< most memory that tiles took, reserved in program order
  std::size_t residentBytes = 0; ///< the part of peakBytes that resident matrices took all the time
};

/// A part of the chain of tasks that ends with a run's last one.
struct PathPart {
  std::string kernel;   ///< "potrf", "copy"
  int place = 0;        ///< 0: the host; 1, 2, ...: the accelerators
  bool waiting = false; ///< the tasks were ready, and their place had others to do; else their own time
  double seconds = 0;
  std::uint64_t tasks = 0;
};

struct Statistics {
  double seconds = 0;    ///< from the first append to the last completion
  double generation = 0; ///< time the generating thread spent in the program's loops, appends included
  std::uint64_t tasks = 0, renames = 0, windowFull = 0, sleeps = 0;
  double flops = 0;
  std::size_t peakTasks = 0;   ///< the most tasks in the window at one time
  std::size_t windowBytes = 0; ///< memory of the window: tasks and versions
  std::size_t renameBytes = 0; ///< peak memory of renamed versions
  TransferCounts transfers;
  TransferCounts expected;               ///< counted before the run; a finished run with other transfers fails
  std::size_t foreignBytes = 0;          ///< peak memory of other nodes' tiles
  std::size_t temporaryBytes = 0;        ///< peak memory of other nodes' tiles, workspaces' and renamed ones together
  std::vector<double> busy;              ///< per worker, seconds in kernels
  std::vector<DeviceStatistics> devices; ///< by accelerator; `tasks`, `flops` and `classes` have theirs, too
  std::vector<ClassStatistics> classes;
  std::vector<TraceEvent> trace;
  std::vector<CopyEvent> copyTrace;
  std::vector<MessageEvent> messageTrace;
  std::vector<WaitEvent> waitTrace;
  double traceUntil = 0;      ///< for a trace that is cut: when the first task that it lacks began; else 0
  std::int64_t startedAt = 0; ///< the start of the run by the system's clock, in ns since 1970; in virtual time 0
  /// The parts of the critical path of a run in virtual time, which add up to `seconds`, the longest first.
  std::vector<PathPart> criticalPath;
  int iterations = -1;     ///< iterations of a loop that an element may end (Algorithm::stages); -1: none
  bool endedEarly = false; ///< whether an element has ended that loop
};

/// How a run ended. Numerical: a kernel returned info > 0, which ended the run at once or, where the task class says so
/// (TaskClass::infoContinues), did not.
struct Outcome {
  enum class Kind { Finished, Numerical, Fault, Interrupted } kind = Kind::Finished;
  long info = 0;       ///< Numerical: LAPACK's info, counted over the whole matrix (1-based column), see TaskClass
  std::string message; ///< Fault: the exception's text
  std::string kernel, location; ///< kernel and statement of the first task, in program order, that failed
  std::string matrix;           ///< matrix of that task's main output (TaskClass::mainOutput); empty: it writes no tile
  int row = 0, column = 0;      ///< the main output tile
  int slice = -1;               ///< slice of the main output tile, where it is cut; else -1
  /// Fault: a property of the program that could not be proved does not hold: an index names no tile, or a workspace
  /// tile is read that was not written.
  bool outside = false;
  /// Numerical: the info ended no rank's run (TaskClass::infoContinues). Every task ran, and the results are complete.
  bool wentOn = false;
  Statistics statistics;

  /// Whether all results are there.
  bool isComplete() const { return kind == Kind::Finished || wentOn; }
};

/// Whether the algorithm was compiled for the distribution, so that each node finds its tasks by loops of its own
/// (Algorithm::generateNode) and not by a replay of the whole program.
bool hasNodeLoops(const Algorithm &algorithm, const Distribution &distribution);

/// Threads and queues, kept over several runs. Nothing runs between runs; threads start with the first run.
/// One run at a time; the calling thread generates tasks and computes.
class Executor {
public:
  explicit Executor(const Options &options);
  ~Executor();
  Executor(const Executor &) = delete;
  Executor &operator=(const Executor &) = delete;

  /// Runs `generate` and waits until all its tasks are done or the first failure has stopped them.
  Outcome run(const std::function<void(Generator &)> &generate);
  /// Runs a compiled algorithm on its arguments in the same way, one with a loop that an element ends part by part
  /// (Algorithm::stages), the test between two of them; in virtual time such a loop runs to its end. Throws UsageError,
  /// before anything runs, when the matrices do not fit together: their shapes, tiles and element types. Returns at
  /// once when there is nothing to write.
  Outcome run(const Algorithm &algorithm, const Arguments &arguments);
  /// Sets the distribution that says which rank owns which tile of all matrices, from the next run on: as many nodes as
  /// there are ranks. Each rank's matrices have memory for its own tiles, and null for others. Throws UsageError for
  /// another number of nodes.
  void distribute(const Distribution &distribution);
  /// Deals tile columns to host and accelerators by these shares, not the options', from the next run on. Throws
  /// UsageError for weights that do not fit.
  void share(const DeviceShares &shares);
  /// Bounds what tiles take behind the program as Options::lookaheadBytes does, from the next run on.
  void lookAhead(std::size_t bytes);

  // Resident matrices: those whose tiles stay with the accelerators between runs, so that runs copy only what the host
  // works on. While a matrix is resident its content is with the accelerators, and the caller's memory has whatever
  // was left there, and may be changed only before updateAccelerators(); nothing may name this memory through another
  // Storage. On several ranks each has its own part, and copies it when it likes: between the runs, of which the others
  // know.

  /// Makes the call's matrices, without workspaces, resident from now on: each tile that accelerators use in this
  /// algorithm is at home with one of them, where it is last written; nothing changes for tiles that only the host
  /// uses. What the memory there has for content nobody can say before updateAccelerators() or a run that writes it.
  /// Matrices that are resident already stay as they are. Runs of other algorithms find them where they are. Returns
  /// why nothing is resident that was not before, where an accelerator has not enough memory (lower case, no full
  /// stop); else nothing. The storages must outlive the runs and copies of the residence. Throws UsageError as run()
  /// does.
  std::string makeResident(const Algorithm &algorithm, const Arguments &arguments);
  /// Makes matrices of a program resident as the other makeResident() does; the program must do the same in each call.
  std::string makeResident(const std::function<void(Generator &)> &generate,
                           const std::vector<const Storage *> &matrices);
  /// Copies resident matrices from the caller's memory to the accelerators: all, or those of `only` that are resident.
  Outcome updateAccelerators(const std::vector<const Storage *> &only = {});
  /// Copies what runs have written of resident matrices since from the accelerators to the caller's memory; they stay
  /// resident.
  Outcome updateHost(const std::vector<const Storage *> &only = {});
  /// Ends the residence of these matrices, or of all; content that updateHost() has not copied is lost.
  void endResidence(const std::vector<const Storage *> &only = {});
  /// The bytes that resident matrices take of each accelerator's memory.
  std::vector<std::size_t> residentBytes() const;

  /// Ends the current run as Interrupted after the kernels that are running; may be called from any thread.
  void interrupt();

  int threads() const;
  int accelerators() const;
  /// Options::transport; null where it has a single rank.
  Transport *transport() const;
  const Distribution &distribution() const;
  /// The reason why memory of tiles is not page-locked here, though accelerators would copy faster then (lower case, no
  /// full stop); empty: it is, or there are no such accelerators.
  std::string pinningProblem() const;
  /// Flops of the tasks completed so far in the current run: for progress bars, from any thread.
  double flopsDone() const;
  std::uint64_t tasksDone() const;
  /// Counts the tasks that the program's loops have made, over all runs, for a watchdog on one node, from any thread;
  /// and, while the calling thread of run() is in these loops, says "the program's loops have not come back since task
  /// 12, gemm (cholesky.tla:21)". Nobody can interrupt them: where the two stay the same for long, the process has to
  /// be ended.
  std::uint64_t loopSteps() const;
  std::string loopsText() const;

private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace tla::runtime
