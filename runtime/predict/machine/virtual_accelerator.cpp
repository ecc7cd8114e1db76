#include "runtime/predict/machine/virtual_accelerator.hpp"

#include "runtime/device/panel_kernels.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tla::runtime {
namespace {

constexpr int inwards = 0, outwards = 1;
/// The number of parts into which the latency is cut of a kernel that waits where others fill the device: after each
/// part it is looked whether they still do.
constexpr int partsOfLatency = 8;

/// Whether this is the n-th; counts down.
bool strikes(int &left) { return left > 0 && --left == 0; }

} // namespace

VirtualAccelerator::VirtualAccelerator(VirtualDevice device, VirtualBus &bus, Faults faults)
    : device_(std::move(device)), bus_(bus), faults_(faults), processors_(bus.time, 1),
      fresh_(std::uintptr_t(1) << 46) {} // no address of the host's: nobody looks there

void *VirtualAccelerator::allocate(std::size_t bytes) {
  const std::size_t unit = device_.properties.granularity;
  bytes = (std::max<std::size_t>(bytes, 1) + unit - 1) / unit * unit;
  if (strikes(faults_.allocation) || bytes > device_.properties.memoryBytes - used_)
    return nullptr;
  used_ += bytes;
  if (std::vector<void *> &free = free_[bytes]; !free.empty()) {
    void *const memory = free.back();
    free.pop_back();
    return memory;
  }
  return reinterpret_cast<void *>(std::exchange(fresh_, fresh_ + bytes));
}

void VirtualAccelerator::release(void *memory, std::size_t bytes) {
  const std::size_t unit = device_.properties.granularity;
  bytes = (std::max<std::size_t>(bytes, 1) + unit - 1) / unit * unit;
  used_ -= bytes;
  free_[bytes].push_back(memory);
}

std::uint64_t VirtualAccelerator::enter(void *token, std::string error) {
  operations_[next_] = {.token = token, .begin = bus_.time.now(), .error = std::move(error)};
  return next_++;
}

void VirtualAccelerator::copyIn(const TileCopy &copy, void *token) {
  enqueue(inwards, copy, device_.in, &bus_.in, token);
}

void VirtualAccelerator::copyOut(const TileCopy &copy, void *token) {
  enqueue(outwards, copy, device_.out, &bus_.out, token);
}

void VirtualAccelerator::copyFrom(Accelerator &, const TileCopy &copy, void *token) {
  enqueue(inwards, copy, device_.peer, nullptr, token);
}

void VirtualAccelerator::enqueue(int engine, const TileCopy &copy, const VirtualLink &link, SharedThroughput *bus,
                                 void *token) {
  const std::uint64_t operation = enter(token, strikes(faults_.copy) ? "injected fault of a copy" : "");
  operations_[operation].engine = engine;
  engines_[engine].queue.push_back({operation, static_cast<double>(copy.bytes()), link, bus});
  beginCopy(engine);
}

/// The next of the queue, once the one before has arrived.
void VirtualAccelerator::beginCopy(int number) {
  Engine &engine = engines_[number];
  if (engine.busy || engine.queue.empty())
    return;
  engine.busy = true;
  operations_[engine.queue.front().operation].begin = bus_.time.now();
  bus_.time.in(engine.queue.front().link.latency, *this, engine.queue.front().operation * Stages + OnTheWay);
}

void VirtualAccelerator::launch(const TaskClass &taskClass, const Task &task, Standing standing, void *token) {
  launchTogether(taskClass, std::array{&task}, standing, token);
}

/// Launches several tasks: their blocks run beside and behind each other, as those of one do.
void VirtualAccelerator::launchTogether(const TaskClass &taskClass, std::span<const Task *const> tasks,
                                        Standing standing, void *token) {
  const std::uint64_t operation = enter(token, strikes(faults_.kernel) ? "injected fault of a kernel" : "");
  KernelDemand demand = device_.kernel(taskClass, TaskView(*tasks.front()));
  for (const Task *task : tasks.subspan(1)) {
    const KernelDemand more = device_.kernel(taskClass, TaskView(*task));
    demand.latency = std::max(demand.latency, more.latency);
    demand.waits = std::max(demand.waits, more.waits);
    demand.work += more.work;
    demand.share = std::min(1.0, demand.share + more.share);
    demand.host += device_.properties.together.seconds;
  }
  operations_[operation].demand = demand;
  operations_[operation].urgency = device_.priorities ? urgencyOf(taskClass.kernel, standing) : 0;
  hostFree_ = std::max(hostFree_, bus_.time.now()) + demand.host;
  const double begins = hostFree_ - bus_.time.now();
  if (demand.waits > 0)
    operations_[operation].parts = partsOfLatency;
  bus_.time.in(demand.waits > 0 ? begins : begins + demand.latency, *this, operation * Stages + Launched);
}

void VirtualAccelerator::goOn(Operation &operation, std::uint64_t number) {
  const KernelDemand &demand = operation.demand;
  if (operation.parts == 0)
    return processors_.use(demand.work, demand.share, *this, number * Stages + Ended, operation.urgency);
  --operation.parts;
  const double seconds = (demand.latency + demand.waits * processors_.occupied()) / partsOfLatency;
  bus_.time.in(seconds, *this, number * Stages + Launched);
}

void VirtualAccelerator::at(std::uint64_t token) {
  const std::uint64_t number = token / Stages;
  Operation &operation = operations_.at(number);
  switch (token % Stages) {
  case Launched:
    return goOn(operation, number);
  case OnTheWay: {
    const Engine::Waiting &copy = engines_[operation.engine].queue.front();
    const double rate = copy.link.bytesPerSecond;
    if (copy.bus)
      copy.bus->use(copy.bytes, rate, *this, number * Stages + Copied);
    else
      bus_.time.in(copy.bytes / rate, *this, number * Stages + Copied);
    return;
  }
  case Copied: {
    const int engine = operation.engine;
    engines_[engine].queue.pop_front();
    engines_[engine].busy = false;
    beginCopy(engine);
    return end(number);
  }
  default:
    return end(number);
  }
}

void VirtualAccelerator::end(std::uint64_t number) {
  const auto found = operations_.find(number);
  Operation &operation = found->second;
  finished_.push_back({operation.token, 0, bus_.time.now() - operation.begin, std::move(operation.error)});
  operations_.erase(found);
}

int VirtualAccelerator::finished(Finished *list, int room) {
  const int count = std::min(room, static_cast<int>(finished_.size()));
  std::move(finished_.begin(), finished_.begin() + count, list);
  finished_.erase(finished_.begin(), finished_.begin() + count);
  return count;
}

} // namespace tla::runtime
