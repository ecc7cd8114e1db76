#include "runtime/core/places/accelerator_lanes.hpp"

#include "runtime/core/places/node_places.hpp"
#include "runtime/core/schedule/activity.hpp"
#include "runtime/core/window/copy_task.hpp"
#include "runtime/core/window/packing.hpp"
#include "runtime/device/panel_kernels.hpp"
#include "runtime/virtual/virtual_time.hpp"

#include <algorithm>
#include <functional>
#include <new>
#include <utility>

namespace tla::runtime {
namespace {

constexpr std::int64_t forever = 3600'000'000'000; // nanoseconds

bool isCopy(const Task &task) { return task.taskClass == &copyClass; }
double flopsOf(const Task &task) { return task.taskClass->flops ? task.taskClass->flops(TaskView(task)) : 0; }
const Version &sourceOf(const Task &task) { return *task.node(0).version(); }
Version &destinationOf(const Task &task) { return *task.node(1).version(); }

TileCopy tileCopyOf(const Task &task) {
  const Version &from = sourceOf(task), &to = destinationOf(task);
  const Storage &storage = from.table->storage();
  return {from.data,
          ldOf(from),
          to.data,
          ldOf(to),
          storage.tileRows(from.row),
          storage.sliceCols(from.column),
          storage.elementBytes(),
          static_cast<Region>(task.indices[CopyIndices::RegionIndex])};
}

} // namespace

AcceleratorLanes::AcceleratorLanes(NodeTasks &tasks, const Options &options, Accelerator &accelerator, int place)
    : tasks_(tasks), options_(options), accelerator_(accelerator), place_(place), memory_(accelerator),
      completion_(tasks) {
  const AcceleratorProperties &properties = accelerator.properties();
  kernels_.limit = properties.kernelsInFlight;
  kernels_.more = properties.kernelsInFlight * 3 / 8;
  running_.reserve(kernels_.limit + kernels_.more);
  preceding_.reserve(kernels_.limit + kernels_.more);
  together_.reserve(properties.together.tasks);
  aside_.reserve(properties.together.tasks);
  in_.limit = out_.limit = properties.copiesInFlight;
  reset();
}

void AcceleratorLanes::reset() {
  memory_.reset();
  StatisticsSum::reset(statistics_);
  counts_ = {};
  busy_ = {};
  counts_.name = name();
}

DeviceStatistics AcceleratorLanes::counts() const {
  DeviceStatistics counts = counts_;
  counts.tasks = statistics_.tasks();
  counts.busy = static_cast<double>(busy_.total()) * tasks_.record.clock.secondsPerTick();
  counts.peakBytes = memory_.peak();
  counts.residentBytes = memory_.resident();
  return counts;
}

/// The fence puts the push before the look at parked_, as rest() puts its own mark before its last look: one of the two
/// sees the other.
void AcceleratorLanes::submit(Chain<Task> &tasks) {
  submitted_.push(tasks);
  tasks = {};
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (parked_.load(std::memory_order_relaxed))
    accelerator_.wake();
}

bool AcceleratorLanes::step() {
  bool active = takeSubmitted();
  for (Lane *lane : {&in_, &out_, &kernels_}) // copies first: kernels wait for them
    active |= beginReady(*lane);
  active |= takeFinished();
  completion_.passOn();
  if (active)
    noteBusy();
  return active;
}

void AcceleratorLanes::noteBusy() {
  const bool busy = kernels_.inFlight + in_.inFlight + out_.inFlight > 0;
  busySince_.store(busy ? std::max<Ticks>(tasks_.record.now(), 1) : 0, std::memory_order_relaxed);
}

std::string AcceleratorLanes::runningText(Ticks now) const {
  const Ticks since = busySince_.load(std::memory_order_relaxed);
  if (since == 0)
    return {};
  const double seconds = now > since ? static_cast<double>(now - since) * tasks_.record.clock.secondsPerTick() : 0;
  return name() + " has had work under way for " + secondsText(seconds);
}

void AcceleratorLanes::rest(const std::atomic<bool> &quit) {
  parked_.store(true, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst); // see submit()
  if (submitted_.empty() && !quit.load(std::memory_order_relaxed))
    accelerator_.wait(forever);
  parked_.store(false, std::memory_order_relaxed);
}

AcceleratorLanes::Lane &AcceleratorLanes::laneOf(const Task &task) {
  if (!isCopy(task))
    return kernels_;
  return destinationOf(task).table->place() == place_ ? in_ : out_;
}

/// Larger goes first.
std::uint64_t AcceleratorLanes::orderOf(const Task &task) {
  const VirtualMachine *const machine = options_.virtualMachine;
  return machine && machine->byArrival ? ~arrived_++ : task.key;
}

bool AcceleratorLanes::takeSubmitted() {
  Task *task = submitted_.takeAll();
  const bool any = task;
  if (any)
    tasks_.modes.apply(); // what begins takes them along; before a task is complete, as the run may end with it
  while (task) {
    Task *const next = task->link; // the task's place in a chain is another's as soon as it is complete
    if (tasks_.state.stopped()) {  // maybe by this very task, which has not got all its tiles then
      complete(*task);
      task = next;
      continue;
    }
    try {
      Lane &lane = laneOf(*task);
      const std::uint32_t priority = Task::priorityOf(task->key);
      lane.lowest = lane.ready.empty() ? priority : std::min(lane.lowest, priority);
      lane.ready.emplace(orderOf(*task), task);
    } catch (const std::bad_alloc &) {
      fail(*task, "out of memory for the list of ready tasks");
      complete(*task);
    }
    task = next;
  }
  return any;
}

bool AcceleratorLanes::beginReady(Lane &lane) {
  bool any = false;
  while (!lane.ready.empty() && hasRoom(lane)) {
    if (&lane == &kernels_ && waitsForOthers()) {
      aside_.push_back(lane.ready.top()); // what is behind it does not wait
      lane.ready.pop();
      continue;
    }
    any = true;
    Task *const task = takeReady(lane);
    if (!canBegin(*task))
      continue;
    ++lane.inFlight;
    if (isCopy(*task))
      beginCopy(*task);
    else
      beginKernel(*task);
  }
  returnAside();
  return any;
}

void AcceleratorLanes::returnAside() {
  for (const Lane::Entry &entry : aside_)
    kernels_.ready.push(entry);
  aside_.clear();
}

Task *AcceleratorLanes::takeReady(Lane &lane) {
  Task *const task = lane.ready.top().second;
  lane.ready.pop();
  task->link = nullptr; // that of a launch, from now on
  return task;
}

/// Whether another operation may begin; one more critical than all that run need not wait until some have ended, which
/// may take long when there are many.
bool AcceleratorLanes::hasRoom(const Lane &lane) const {
  if (lane.inFlight < lane.limit)
    return true;
  return lane.inFlight < lane.limit + lane.more && !running_.empty() &&
         standingOf(*lane.ready.top().second) == Standing::Before;
}

/// A stopped run skips what has not begun. False: it is complete.
bool AcceleratorLanes::canBegin(Task &task) {
  if (tasks_.state.stopped() || !provideMemory(task)) {
    complete(task);
    return false;
  }
  if (tasks_.record.path)
    tasks_.record.path->begin(task, tasks_.record.now());
  return true;
}

bool AcceleratorLanes::joins(const Task &task) const {
  return accelerator_.joins(*task.taskClass, sizeOf(*task.taskClass, TaskView(task)));
}

/// Begins a kernel, together with those that come next where one launch takes several.
void AcceleratorLanes::beginKernel(Task &first) {
  const TaskClass &taskClass = *first.taskClass;
  const Standing standing = standingOf(first);
  Task *last = &first;
  together_.assign(1, &first);
  double operations = flopsOf(first);
  if (accelerator_.properties().together.tasks > 1 && joins(first)) {
    returnAside(); // with it they need not wait
    while (nextJoins(first, standing, operations)) {
      Task *const next = takeReady(kernels_);
      if (!canBegin(*next))
        continue;
      operations += flopsOf(*next);
      together_.push_back(next);
      last = last->link = next;
    }
  }
  if (!hasTrait(taskClass.kernel, Trait::Panel)) // which take little of the accelerator, and long
    (standing == Standing::Before ? preceding_ : running_)
        .push_back({&first, Task::priorityOf(first.key), Task::priorityOf(last->key), operations});
  ++counts_.launches;
  if (together_.size() == 1)
    accelerator_.launch(taskClass, first, standing, &first);
  else
    accelerator_.launchTogether(taskClass, together_, standing, &first);
}

/// While there is enough to do a launch that is not full waits for others of its kind, unless it is more critical than
/// what runs: else there would be as many launches as tasks, each as soon as the task is ready. Panels are not enough
/// to do: they leave most of the accelerator idle.
bool AcceleratorLanes::waitsForOthers() const {
  constexpr double enough = 4; // full launches
  const Together &most = accelerator_.properties().together;
  if (most.tasks == 1 || !(operationsInFlight() >= enough * most.operations))
    return false;
  const Task &next = *kernels_.ready.top().second;
  const double ready = static_cast<double>(kernels_.ready.size() + aside_.size()); // about: others may be among them
  return ready < most.tasks && ready * flopsOf(next) < most.operations && standingOf(next) != Standing::Before &&
         joins(next);
}

double AcceleratorLanes::operationsInFlight() const {
  double sum = 0;
  for (const std::vector<Running> *list : {&running_, &preceding_})
    for (const Running &each : *list)
      sum += each.operations;
  return sum;
}

/// Whether the next task joins the launch: a task more critical than all that run must not, with a less critical one,
/// or it would finish only with that.
bool AcceleratorLanes::nextJoins(const Task &first, Standing standing, double operations) const {
  const Together &most = accelerator_.properties().together;
  if (kernels_.ready.empty() || static_cast<int>(together_.size()) >= most.tasks || operations >= most.operations)
    return false;
  const Task &next = *kernels_.ready.top().second;
  return next.taskClass == first.taskClass &&
         (standing != Standing::Before || Task::priorityOf(next.key) == Task::priorityOf(first.key)) && joins(next);
}

/// Ready tasks begin by priority. One is Before others when it is more critical than all that run, or are next, but for
/// those that are Before others themselves, of which none is more critical; Behind when what runs is as critical at
/// least, and not all of it just as much.
Standing AcceleratorLanes::standingOf(const Task &task) const {
  const std::uint32_t priority = Task::priorityOf(task.key);
  const auto all = [&](const std::vector<Running> &list, auto &&than) {
    return std::all_of(list.begin(), list.end(), [&](const Running &each) {
      return than(priority, each.highest) && than(priority, each.lowest);
    });
  };
  const bool isFirst = running_.empty() && !kernels_.ready.empty() && kernels_.lowest < priority;
  if ((isFirst || !running_.empty()) && all(running_, std::greater<>()) && all(preceding_, std::greater_equal<>()))
    return Standing::Before;
  const bool isBehind = all(running_, std::less_equal<>()) && !all(running_, std::equal_to<>());
  return isBehind ? Standing::Behind : Standing::Among;
}

bool AcceleratorLanes::provideMemory(Task &task) {
  const Version *const missing = tasks_.buffers.provideWritten(task);
  if (missing)
    fail(task, TileBuffers::outOfMemoryText(*missing) + (missing->table->place() ? "" : " on the host"));
  return !missing;
}

void AcceleratorLanes::beginCopy(Task &task) {
  const TileCopy copy = tileCopyOf(task);
  const CopyEvent::Way way = wayOf(task);
  CopyCounts &counts = way == CopyEvent::Way::Out    ? counts_.out
                       : way == CopyEvent::Way::Peer ? counts_.peer
                                                     : counts_.in;
  ++counts.copies;
  counts.bytes += copy.bytes();
  if (way == CopyEvent::Way::Out)
    accelerator_.copyOut(copy, &task);
  else if (way == CopyEvent::Way::Peer)
    accelerator_.copyFrom(*options_.accelerators[sourceOf(task).table->place() - 1], copy, &task);
  else
    accelerator_.copyIn(copy, &task);
}

CopyEvent::Way AcceleratorLanes::wayOf(const Task &copy) const {
  if (destinationOf(copy).table->place() != place_)
    return CopyEvent::Way::Out;
  return sourceOf(copy).table->place() == hostPlace ? CopyEvent::Way::In : CopyEvent::Way::Peer;
}

bool AcceleratorLanes::takeFinished() {
  constexpr int room = 16;
  Finished list[room];
  bool any = false;
  for (int count = room; count == room; any |= count > 0) {
    count = accelerator_.finished(list, room);
    for (int i = 0; i < count; ++i)
      finish(list[i]);
  }
  return any;
}

void AcceleratorLanes::finish(Finished &end) {
  Task &first = *static_cast<Task *>(end.token);
  --laneOf(first).inFlight;
  for (std::vector<Running> *list : {&running_, &preceding_})
    std::erase_if(*list, [&](const Running &each) { return each.first == &first; });
  const Ticks now = tasks_.record.now(), begin = now - tasks_.record.clock.ticks(end.seconds);
  int count = 0;
  for (const Task *task = &first; task; task = task->link)
    ++count;
  const auto part = [&](int number) { return begin + (now - begin) * number / count; }; // as if one after the other
  if (!isCopy(first))
    busy_.add(begin, now);
  Task *task = &first;
  for (int number = 0; number < count; ++number) {
    Task *const next = task->link; // another's as soon as the task is complete
    if (isCopy(*task))
      recordCopy(*task, begin, now);
    else
      recordKernel(*task, part(number), part(number + 1));
    if (!end.error.empty() && (end.task < 0 || end.task == number))
      fail(*task, end.error);
    else
      tasks_.state.returned(*task, end.info);
    complete(*task);
    task = next;
  }
}

void AcceleratorLanes::recordCopy(const Task &task, Ticks begin, Ticks end) {
  if (!tasks_.record.log.on())
    return;
  if (tasks_.record.log.records(task.sequence()))
    statistics_.recordCopy(task, sourceOf(task), wayOf(task), tileCopyOf(task).bytes(), begin, end);
  else
    statistics_.leaveOut(begin);
}

void AcceleratorLanes::recordKernel(const Task &task, Ticks begin, Ticks end) {
  const double flops = flopsOf(task);
  statistics_.record(task, begin, end, flops, tasks_.record.log);
  statistics_.countTask();
  counts_.flops += flops;
}

void AcceleratorLanes::complete(Task &task) { completion_.complete(task); }

void AcceleratorLanes::fail(const Task &task, const std::string &message) {
  tasks_.state.fail(failureOf(task, Outcome::Kind::Fault, 0, name() + ": " + message));
}

} // namespace tla::runtime
