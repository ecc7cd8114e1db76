#include "runtime/core/worker.hpp"

#include "runtime/core/courier.hpp"

#include <algorithm>
#include <climits>
#include <new>
#include <utility>

namespace tla::runtime {

Worker::Worker(Engine &engine, int number)
    : engine_(engine), number_(number), affinity_(engine.host.scheduling().affinityOfWorker(number)),
      completion_(engine), crew_(engine.crews, engine.host, [&engine] {
        // Who spins for the parts of others keeps them from the core that they share.
        return !engine.host.sharesCores() && engine.options.crews;
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
  engine_.window.want(count);
  idle([this, count] { return engine_.window.returned() >= count; });
  engine_.window.wantNothing();
}

int Worker::work(int enough, bool yielding) {
  int done = 0;
  if (!refill())
    return done;
  now_ = Clock::now();
  while (done < enough && (!hand_.empty() || refill())) {
    execute(*hand_.take());
    ++done;
    placeReady();
    communicate();
    // Finished tasks are room in the window: not to be hidden from a waiting generator, nor, but for a few short ones,
    // behind a long kernel.
    if (completion_.done.count >= Hand::capacity || engine_.window.wanted() || pace_.returnsEach())
      flush();
    if (pace_.lastWasLong() && hand_.size() > 1)
      submitHand();
    if (yielding && engine_.host.idleWorkers() > 0)
      break;
  }
  submitHand();
  return done;
}

bool Worker::refill() {
  Task *tasks[Hand::capacity];
  const int count = engine_.host.take(tasks, pace_.limit(), affinity_);
  if (count > 0 && !std::exchange(begun_, true))
    engine_.modes.apply();
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
  engine_.device().submit(chain.head, chain.count);
}

void Worker::execute(Task &task) {
  if (const Task *next = hand_.best())
    for (int i = 0; i < std::min(next->nodeCount, 3); ++i)
      __builtin_prefetch(next->nodes[i].version(), 1);
  if (!engine_.state.stopped() || engine_.state.stillRuns(task))
    runKernel(task);
  completion_.complete(task);
  statistics_.countTask();
}

/// Before the task is returned, see Courier. What takes time here belongs to no task.
void Worker::communicate() {
  const bool transfers = completion_.transfers.head;
  completion_.passElsewhere();
  if (engine_.courier && (transfers || engine_.courier->glance(now_)))
    now_ = Clock::now();
}

/// Of a thread that helps with another's kernel. On several ranks it looks at the network, as between tasks: what has
/// come in may make some ready.
bool Worker::hasTask() {
  if (engine_.courier)
    engine_.courier->glance(Clock::now());
  return engine_.host.topKey() != 0;
}

/// It waits for messages now.
bool Worker::attendNetwork(const std::function<bool()> &come) { return engine_.courier->attend(come); }

int Worker::callKernel(const Task &task, const TaskView &view) {
  const RunningKernel::Scope running(kernel_, task, now_);
  return task.taskClass->run(view);
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
    statistics_.record(task, begin, now_, flops, engine_.log);
    engine_.state.returned(task, info);
  } catch (const std::bad_alloc &) {
    engine_.state.fail(failureOf(task, Outcome::Kind::Fault, 0, "out of memory"));
  } catch (const std::exception &error) {
    engine_.state.fail(failureOf(task, Outcome::Kind::Fault, 0, error.what()));
  } catch (...) {
    engine_.state.fail(failureOf(task, Outcome::Kind::Fault, 0, "exception of unknown type"));
  }
}

void Worker::measure(Ticks end) {
  pace_.measure(end > now_ ? end - now_ : 0);
  now_ = end;
}

bool Worker::provideMemory(Task &task) {
  for (int i = 0; i < task.nodeCount; ++i) {
    const AccessNode &node = task.node(i);
    if (node.kind() != AccessNode::Write || engine_.buffers.provide(*node.version()))
      continue;
    const Version &tile = *node.version();
    engine_.state.fail(failureOf(task, Outcome::Kind::Fault, 0,
                                 "out of memory: " + std::to_string(TileBuffers::bytesOf(tile)) + " bytes for tile " +
                                     tile.table->tileName(tile.row, tile.column)));
    return false;
  }
  return true;
}

/// The newly ready tasks: some stay in the hand, the others go to their device at once.
void Worker::placeReady() {
  if (!completion_.ready.head)
    return;
  const Chain<Task> others =
      Scheduling::place(std::exchange(completion_.ready, {}), hand_,
                        {affinity_, engine_.host.topKey(), engine_.host.idleWorkers(), pace_.limit()});
  if (others.head)
    engine_.device().submit(others.head, others.count);
}

void Worker::flush() {
  if (number_ == 0) {
    ownCompleted_ += completion_.done.count;
    engine_.window.giveBack(completion_.done, completion_.retired);
  } else if (engine_.window.returnFrom(completion_.done, completion_.retired)) {
    engine_.host.wake(0);
  }
}

} // namespace tla::runtime
