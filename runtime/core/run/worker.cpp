#include "runtime/core/run/worker.hpp"

#include "dsl/base/debugging.hpp"
#include "runtime/core/network/courier.hpp"
#include "runtime/core/run/guarded_tiles.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <climits>
#include <new>
#include <utility>

namespace tla::runtime {

Worker::Worker(NodeTasks &tasks, HostDevice &host, CrewSlots &crews, bool mayOpenCrews, Courier *courier, int number)
    : tasks_(tasks), host_(host), crews_(crews), courier_(courier), number_(number),
      affinity_(host.scheduling().affinityOfWorker(number)), guards_(isDebugging()), completion_(tasks),
      crew_(crews, host, [&host, mayOpenCrews] {
        // Who spins for the parts of others keeps them from the core that they share.
        return !host.sharesCores() && mayOpenCrews;
      }) {}

void Worker::reset() {
  ownCompleted_ = 0;
  begun_ = false;
  StatisticsSum::reset(statistics_);
}

void Worker::loop(const std::atomic<bool> &quit) {
  const CrewOfThread crew(crew_);
  while (!quit.load(std::memory_order_relaxed)) {
    work(INT_MAX, false);
    flush();
    idle([&quit] { return quit.load(std::memory_order_relaxed); });
  }
}

void Worker::sleepUntilReturned(std::size_t count) {
  tasks_.window.want(count);
  idle([this, count] { return tasks_.window.returned() >= count; });
  tasks_.window.wantNothing();
}

int Worker::work(int enough, bool yielding) {
  int done = 0;
  if (!refill())
    return done;
  const RunningKernel::OnThread here(kernel_);
  now_ = Clock::now();
  while (done < enough && (!hand_.empty() || refill())) {
    execute(*hand_.take());
    ++done;
    placeReady();
    communicate();
    // Finished tasks are room in the window: not to be hidden from a waiting generator, nor, but for a few short ones,
    // behind a long kernel.
    if (completion_.done.count >= Hand::capacity || tasks_.window.wanted() || pace_.returnsEach())
      flush();
    if (pace_.lastWasLong() && hand_.size() > 1)
      submitHand();
    if (yielding && host_.idleWorkers() > 0)
      break;
  }
  submitHand();
  return done;
}

bool Worker::refill() {
  Task *tasks[Hand::capacity];
  const int count = host_.take(tasks, pace_.limit(), affinity_);
  if (count > 0 && !std::exchange(begun_, true))
    tasks_.modes.apply();
  for (int i = 0; i < count; ++i) { // they come from another core's cache
    __builtin_prefetch(tasks[i], 1);
    __builtin_prefetch(tasks[i]->nodes, 1);
  }
  hand_.fill(tasks, count);
  return count > 0;
}

/// All that is in hand becomes available to others: it would wait too long here.
void Worker::submitHand() {
  if (hand_.empty())
    return;
  Chain<Task> chain;
  while (!hand_.empty())
    chain.push(*hand_.take());
  host_.submit(chain.head, chain.count);
}

void Worker::execute(Task &task) {
  if (const Task *next = hand_.best())
    for (int i = 0; i < std::min(next->nodeCount, 3); ++i)
      __builtin_prefetch(next->nodes[i].version(), 1);
  if (!tasks_.state.stopped() || tasks_.state.stillRuns(task))
    runKernel(task);
  completion_.complete(task);
  statistics_.countTask();
}

/// Before the task is returned, see Courier. What takes time here belongs to no task.
void Worker::communicate() {
  const bool transfers = completion_.transfers.head;
  completion_.passElsewhere();
  if (courier_ && (transfers || courier_->glance(now_)))
    now_ = Clock::now();
}

/// Whether there is a task for a thread that helps with another's kernel. On several ranks it looks at the network, as
/// between tasks: a message that has come in may make some ready.
bool Worker::hasTask() {
  if (courier_)
    courier_->glance(Clock::now());
  return host_.topKey() != 0;
}

/// Waits for messages.
bool Worker::attendNetwork(const std::function<bool()> &come) { return courier_->attend(come); }

int Worker::callKernel(Task &task, const TaskView &view) {
  const RunningKernel::Scope running(kernel_, task, now_);
  return guards_ ? callGuarded(task, view) : task.taskClass->run(view);
}

/// Throws for a kernel that names or writes elements that are not its own.
int Worker::callGuarded(Task &task, const TaskView &view) {
  const GuardedTiles tiles(task);
  try {
    const int info = task.taskClass->run(view);
    if (const std::string damage = tiles.damage(); !damage.empty())
      throw Error("the kernel " + damage);
    return info;
  } catch (const OutsideElement &error) {
    const std::string name = tiles.tileAt(error.tile());
    throw Error(error.what() + (name.empty() ? "" : ", of " + name));
  }
}

void Worker::runKernel(Task &task) {
  try {
    if (!provideMemory(task))
      return;
    const TaskView view(task);
    const int info = callKernel(task, view);
    const Ticks begin = now_;
    measure(Clock::now());
    const double flops = task.taskClass->flops ? task.taskClass->flops(view) : 0;
    statistics_.record(task, begin, now_, flops, tasks_.record.log);
    tasks_.state.returned(task, info);
  } catch (const std::bad_alloc &) {
    tasks_.state.fail(failureOf(task, Outcome::Kind::Fault, 0, "out of memory"));
  } catch (const std::exception &error) {
    tasks_.state.fail(failureOf(task, Outcome::Kind::Fault, 0, error.what()));
  } catch (...) {
    tasks_.state.fail(failureOf(task, Outcome::Kind::Fault, 0, "exception of unknown type"));
  }
}

void Worker::measure(Ticks end) {
  pace_.measure(end > now_ ? end - now_ : 0);
  now_ = end;
}

bool Worker::provideMemory(Task &task) {
  const Version *const missing = tasks_.buffers.provideWritten(task);
  if (missing)
    tasks_.state.fail(failureOf(task, Outcome::Kind::Fault, 0, TileBuffers::outOfMemoryText(*missing)));
  return !missing;
}

/// The newly ready tasks: some stay in the hand, the others go to their device at once.
void Worker::placeReady() {
  if (!completion_.ready.head)
    return;
  const Chain<Task> others = Scheduling::place(std::exchange(completion_.ready, {}), hand_,
                                               {affinity_, host_.topKey(), host_.idleWorkers(), pace_.limit()});
  if (others.head)
    host_.submit(others.head, others.count);
}

void Worker::flush() {
  if (number_ == 0) {
    ownCompleted_ += completion_.done.count;
    tasks_.window.giveBack(completion_.done, completion_.retired);
  } else {
    tasks_.window.returnFrom(completion_.done, completion_.retired);
  }
}

} // namespace tla::runtime
