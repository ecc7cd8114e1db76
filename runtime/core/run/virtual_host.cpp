#include "runtime/core/run/virtual_host.hpp"

#include "runtime/core/network/courier.hpp"
#include "runtime/core/places/accelerator_lanes.hpp"

#include <algorithm>
#include <stdexcept>

#include <sys/mman.h>

namespace tla::runtime {

UnbackedMemory::~UnbackedMemory() {
  for (const Range &range : ranges_)
    munmap(range.begin, range.bytes);
}

/// Addresses for at least so much more.
bool UnbackedMemory::extend(std::size_t bytes) {
  constexpr std::size_t much = std::size_t(1) << 36, little = std::size_t(1) << 30; // of a cluster each node has some
  for (std::size_t size = std::max(much, bytes); size >= std::max(little, bytes); size /= 4) {
    void *const memory =
        mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      continue;
    ranges_.push_back({static_cast<std::byte *>(memory), size});
    next_ = ranges_.back().begin;
    end_ = next_ + size;
    return true;
  }
  return false;
}

void *UnbackedMemory::allocate(std::size_t bytes) {
  constexpr std::size_t alignment = 64;
  bytes = (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
  if (std::vector<void *> &free = free_[bytes]; !free.empty()) {
    void *const memory = free.back();
    free.pop_back();
    return memory;
  }
  if (static_cast<std::size_t>(end_ - next_) < bytes && !extend(bytes))
    return nullptr;
  void *const memory = next_;
  next_ += bytes;
  return memory;
}

void UnbackedMemory::release(void *memory, std::size_t bytes) {
  constexpr std::size_t alignment = 64;
  free_[(std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment * alignment].push_back(memory);
}

VirtualHost::VirtualHost(NodeTasks &tasks, HostDevice &workers, const Options &options, int threads)
    : tasks_(tasks), workers_(workers), machine_(*options.virtualMachine), window_(options.window),
      rank_(options.transport ? options.transport->rank() : 0), threads_(threads), completion_(tasks) {
  if (!machine_.turns)
    tasks.record.path = &path_;
}

void VirtualHost::reset() {
  for (Thread &thread : threads_)
    StatisticsSum::reset(thread.statistics);
  path_ = {};
}

/// Until something has come back to the window: what generates may go on then. While the threads compute it waits for a
/// small part of the window.
int VirtualHost::work(int, bool) {
  constexpr int part = 128;
  const std::size_t before = tasks_.window.returned(), enough = std::max(1, window_ / part);
  wait([this, before, enough] {
    const std::size_t returned = tasks_.window.returned() - before;
    return returned == 0                    ? VirtualTurns::Progress::None
           : returned < enough && busy_ > 0 ? VirtualTurns::Progress::Some
                                            : VirtualTurns::Progress::Enough;
  });
  return static_cast<int>(tasks_.window.returned() - before);
}

void VirtualHost::waitUntil(const std::function<bool()> &come) {
  wait([&come] { return come() ? VirtualTurns::Progress::Enough : VirtualTurns::Progress::None; });
}

void VirtualHost::wait(std::function<VirtualTurns::Progress()> progress) {
  progress_ = std::move(progress);
  begin();
  if (machine_.turns && progress_() == VirtualTurns::Progress::None)
    machine_.turns->wait(rank_, *this);
  while (!machine_.turns && progress_() == VirtualTurns::Progress::None && machine_.time.advance())
    begin();
}

void VirtualHost::sleepUntilReturned(std::size_t) {
  throw std::logic_error("in virtual time nothing is under way, and not all tasks are complete");
}

void VirtualHost::begin() {
  for (bool active = true; active;) {
    active = courier_ && courier_->step();
    active |= beginReady();
    for (AcceleratorLanes *accelerator : accelerators_)
      active |= accelerator->step();
  }
}

/// The next one for this thread. Null: there is none.
Task *VirtualHost::takeReady(std::size_t thread) {
  const std::uint8_t affinity = workers_.scheduling().affinityOfWorker(static_cast<int>(thread));
  Task *task = nullptr;
  if (!machine_.byArrival)
    return workers_.take(&task, 1, affinity) ? task : nullptr;
  while (workers_.take(&task, 1, affinity))
    arrived_.push_back(task);
  if (arrived_.empty())
    return nullptr;
  task = arrived_.front();
  arrived_.pop_front();
  return task;
}

bool VirtualHost::beginReady() {
  bool any = false;
  for (std::size_t number = 0; number < threads_.size(); ++number) {
    Thread &thread = threads_[number];
    if (thread.task || !(thread.task = takeReady(number)))
      continue;
    any = true;
    ++busy_;
    thread.begin = tasks_.record.now();
    if (tasks_.record.path)
      path_.begin(*thread.task, thread.begin);
    if (tasks_.state.stopped() || !provideMemory(*thread.task)) {
      end(thread);
      continue;
    }
    double seconds = machine_.coreSeconds(*thread.task->taskClass, TaskView(*thread.task));
    if (machine_.disturbed)
      seconds = machine_.disturbed(static_cast<int>(number), seconds);
    machine_.time.in(seconds, *this, number);
  }
  return any;
}

bool VirtualHost::provideMemory(Task &task) {
  if (!tasks_.buffers.provideWritten(task))
    return true;
  tasks_.state.fail(failureOf(task, Outcome::Kind::Fault, 0, "no addresses are left for tiles in virtual time"));
  return false;
}

void VirtualHost::at(std::uint64_t number) {
  Thread &thread = threads_[number];
  const Task &task = *thread.task;
  const double flops = task.taskClass->flops ? task.taskClass->flops(TaskView(task)) : 0;
  thread.statistics.record(task, thread.begin, tasks_.record.now(), flops, tasks_.record.log);
  end(thread);
}

void VirtualHost::end(Thread &thread) {
  --busy_;
  completion_.complete(*std::exchange(thread.task, nullptr));
  thread.statistics.countTask();
  completion_.passOn();
}

} // namespace tla::runtime
