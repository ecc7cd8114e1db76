#include "runtime/device/cuda/cuda_accelerator.hpp"

#include "kernels/cuda/table.hpp"
#include "kernels/cuda/tuned_list.hpp"
#include "runtime/device/cuda/device_scope.hpp"
#include "runtime/device/panel_kernels.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <new>
#include <stdexcept>
#include <utility>

namespace tla::runtime {
namespace {

using Clock = std::chrono::steady_clock;
using kernels::cuda::Urgency;

/// The number of kernels of tiles that fill a device: half of them run, and the others hide how long it takes until the
/// host has seen the end of one and begun the next.
constexpr int kernelsInFlight = 16;
/// Lanes that are urgent: with the others and the copies' no more streams than CUDA has queues for. A lane takes a
/// while to make, so all are made before the first run.
constexpr int mostOfHigh = 6, mostOfHighest = 4;

/// How long a thread that waits looks for ends before it naps: it is awake some tens of microseconds after it was
/// woken, on a virtual machine more, and a kernel of a tile takes a hundred. The core is its own ([Song12] 5.3).
constexpr std::chrono::nanoseconds longestSpin = std::chrono::microseconds(200);
/// While kernels run, which then take long. Nothing of the device wakes a thread: a call of the host behind each kernel
/// would, and keep what comes behind it in the stream waiting for the host.
constexpr std::chrono::nanoseconds shortestNap = std::chrono::microseconds(50),
                                   longestNap = std::chrono::microseconds(500);

/// The time, in seconds, above which a kernel's enqueueing is left to a helper, as the worker has other lanes to fill.
constexpr double longEnqueueing = 100e-6;
constexpr int helperThreads = 2;

/// The operations of one product of order 1024, enough for a launch. The host takes some 20 us for a launch and its
/// end, a device 40 us for so many.
constexpr double operationsTogether = 2e9;

static_assert(static_cast<int>(Urgency::Low) == 0 && static_cast<int>(Urgency::Highest) == 2, "as urgencyOf() counts");

const kernels::AcceleratorTables tables = {&kernels::cuda::cudaTable<float>(), &kernels::cuda::cudaTable<double>(),
                                           &kernels::cuda::cudaTable<std::complex<float>>(),
                                           &kernels::cuda::cudaTable<std::complex<double>>()};

/// Panels that have a body, too: the host would take longer for a tile of the size that suits a device, and the way
/// there and back comes on top.
bool worthRunning(const TaskClass &taskClass) {
  return kernels::cuda::hasKernel(taskClass.kernel) && isWorthADevice(taskClass);
}

/// "13.1.0" of 130100.
std::string dotted(int version) {
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

/// The calling thread's kernels are those of CUDA for the length of a scope.
class TablesScope {
public:
  explicit TablesScope(const CudaHost &host) : host_(host), before_(host.setThreadTables(&tables)) {}
  TablesScope(const TablesScope &) = delete;
  TablesScope &operator=(const TablesScope &) = delete;
  ~TablesScope() { host_.setThreadTables(before_); }

private:
  const CudaHost &host_;
  const kernels::AcceleratorTables *const before_;
};

void runBody(const TaskClass &taskClass, const Task &task) {
  try {
    taskClass.run(TaskView(task));
  } catch (const std::exception &) {
    throw;
  } catch (...) {
    throw std::runtime_error("exception of unknown type");
  }
}

} // namespace

CudaAccelerator::Lane::Lane(Urgency itsUrgency, const kernels::cuda::TunedProducts &tuned)
    : urgency(itsUrgency), launch(itsUrgency, &tuned) {
  TLA_CUDA_CHECK(cudaEventCreateWithFlags(&begin, cudaEventDefault));
  TLA_CUDA_CHECK(cudaEventCreateWithFlags(&end, cudaEventDefault));
}

CudaAccelerator::Lane::~Lane() {
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
}

bool CudaAccelerator::Lane::hasEnded(Finished &result) {
  if (!enqueued.load(std::memory_order_acquire))
    return false;
  const cudaError_t status = cudaEventQuery(end);
  if (status == cudaErrorNotReady)
    return false;
  busy = false;
  result = {token, 0, 0, std::exchange(error, {}), failed};
  if (status != cudaSuccess)
    result.task = -1;
  if (!result.error.empty())
    return true;
  try {
    kernels::cuda::check(status, "kernel");
    float milliseconds = 0;
    TLA_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    result.seconds = milliseconds * 1e-3;
    result.info = launch.info();
  } catch (const std::exception &failure) {
    result.error = failure.what();
  }
  return true;
}

CudaAccelerator::CudaAccelerator(int device, const CudaMemory::Limit &limit, const CudaHost &host, int sharers)
    : device_(device), host_(host), memory_(device, limit, sharers),
      in_(device, [this](Finished end) { report(std::move(end)); }),
      out_(device, [this](Finished end) { report(std::move(end)); }), helpers_(std::in_place, helperThreads) {
  const DeviceScope scope(device_);
  cudaDeviceProp model{};
  TLA_CUDA_CHECK(cudaGetDeviceProperties(&model, device_));
  const std::string architecture = "sm_" + std::to_string(model.major) + std::to_string(model.minor);
  tuned_.emplace(kernels::cuda::tunedFolder(), model.name, architecture);
  for (const auto &[urgency, count] :
       {std::pair{Urgency::Low, kernelsInFlight}, {Urgency::High, mostOfHigh}, {Urgency::Highest, mostOfHighest}})
    for (int i = 0; i < count; ++i)
      lanes_.push_back(std::make_unique<Lane>(urgency, *tuned_));
  int version = 0;
  TLA_CUDA_CHECK(cublasGetVersion(lanes_[0]->launch.blas(), &version));
  int driver = 0;
  TLA_CUDA_CHECK(cudaDriverGetVersion(&driver));
  auto held = tuned_->held();
  properties_ = {.name = "cuda:" + std::to_string(device_) + " " + model.name,
                 .model = model.name,
                 .library = "cuBLAS " + dotted(version) + ", " + architecture + ", driver " +
                            std::to_string(driver / 1000) + "." + std::to_string(driver / 10 % 100) +
                            (kernels::cuda::panelsAreOurs() ? "" : "; panels by cuSOLVER") +
                            (tuned_->text().empty() ? "" : "; " + tuned_->text()),
                 .advice = "HETC_CUDA_PANELS=cusolver in the environment leaves panels of LU and QR to cuSOLVER",
                 .memoryBytes = memory_.limit(),
                 .granularity = CudaMemory::granularity,
                 .runs = worthRunning,
                 .pins = true,
                 .kernelsInFlight = kernelsInFlight,
                 .copiesInFlight = CopyStream::copiesInFlight,
                 .together = {.tasks = held ? kernels::cuda::mostProductsTogether : 1,
                              .operations = operationsTogether,
                              .products = std::move(held)}};
}

CudaAccelerator::~CudaAccelerator() {
  const DeviceScope scope(device_);
  helpers_.reset(); // they use lanes
  lanes_.clear();
}

/// Page-locks memory for the contexts of all devices.
std::string CudaAccelerator::pin(void *memory, std::size_t bytes) {
  const DeviceScope scope(device_);
  const cudaError_t status = cudaHostRegister(memory, bytes, cudaHostRegisterPortable);
  if (status == cudaSuccess)
    return "";
  cudaGetLastError(); // not to be found by the next check
  return "cudaHostRegister of " + std::to_string(bytes) + " bytes: " + cudaGetErrorString(status);
}

void CudaAccelerator::unpin(void *memory) {
  const DeviceScope scope(device_);
  cudaHostUnregister(memory);
  cudaGetLastError();
}

bool CudaAccelerator::has(const TaskClass &taskClass) const { return kernels::cuda::hasKernel(taskClass.kernel); }

bool CudaAccelerator::reaches(const Accelerator &peer) const {
  const auto *other = dynamic_cast<const CudaAccelerator *>(&peer);
  return other && std::count(reachable_.begin(), reachable_.end(), other->device_);
}

void CudaAccelerator::connect(CudaAccelerator &peer) {
  int can = 0;
  TLA_CUDA_CHECK(cudaDeviceCanAccessPeer(&can, device_, peer.device_));
  if (!can)
    return;
  peer.memory_.grantAccess(device_);
  reachable_.push_back(peer.device_);
}

/// There are few urgent ones, and who finds none of them takes one that is less so. More than kernelsInFlight may be
/// launched; each finds a lane.
CudaAccelerator::Lane &CudaAccelerator::idleLane(Urgency urgency) {
  for (int level = static_cast<int>(urgency); level >= 0; --level)
    for (const auto &lane : lanes_)
      if (!lane->busy && static_cast<int>(lane->urgency) == level)
        return *lane;
  lanes_.push_back(std::make_unique<Lane>(Urgency::Low, *tuned_));
  return *lanes_.back();
}

bool CudaAccelerator::takesLong(const TaskClass &taskClass) const {
  const auto found = enqueueSeconds_.find(&taskClass);
  return found != enqueueSeconds_.end() && found->second > longEnqueueing;
}

/// The first of a kind also loads code, which counts for less and less.
void CudaAccelerator::noteEnqueueing(const Lane &lane) {
  const double seconds = lane.enqueueSeconds / lane.tasks;
  const auto [found, isFirst] = enqueueSeconds_.try_emplace(lane.taskClass, seconds);
  if (!isFirst)
    found->second = (found->second + seconds) / 2;
  if (lane.held)
    joining_[lane.taskClass] = lane.held;
  else if (lane.tasks > 1) // of a class at the address of one that is gone
    joining_.erase(lane.taskClass);
}

/// Whether the task can join others of its class, of which one has been a product of our own: so the type is known, and
/// the operations are the class's. One that is not held in spite of that is done in the launch's stream before the
/// others.
bool CudaAccelerator::joins(const TaskClass &taskClass, const TaskSize &size) const {
  const auto found = joining_.find(&taskClass);
  return found != joining_.end() && isProductOfTiles(taskClass) &&
         isTakenTogether(properties_.together, found->second, size);
}

void CudaAccelerator::launch(const TaskClass &taskClass, const Task &task, Standing standing, void *token) {
  try {
    const DeviceScope scope(device_);
    Lane &lane = takeLane(taskClass, standing, token);
    if (takesLong(taskClass))
      helpers_->submit(
          [this, &lane, &task] {
            const DeviceScope own(device_);
            enqueue(lane, std::array{&task});
            wake();
          },
          lane.urgency == Urgency::Highest);
    else
      enqueue(lane, std::array{&task});
    lane.busy = true;
  } catch (const std::exception &error) { // no lane, or no memory for the list of helpers
    report({token, 0, 0, error.what()});
  }
}

void CudaAccelerator::launchTogether(const TaskClass &taskClass, std::span<const Task *const> tasks, Standing standing,
                                     void *token) {
  try {
    const DeviceScope scope(device_);
    Lane &lane = takeLane(taskClass, standing, token);
    enqueue(lane, tasks);
    lane.busy = true;
  } catch (const std::exception &error) { // no lane
    report({token, 0, 0, error.what()});
  }
}

CudaAccelerator::Lane &CudaAccelerator::takeLane(const TaskClass &taskClass, Standing standing, void *token) {
  Lane &lane = idleLane(static_cast<Urgency>(urgencyOf(taskClass.kernel, standing)));
  lane.token = token;
  lane.taskClass = &taskClass;
  lane.enqueued.store(false, std::memory_order_relaxed);
  return lane;
}

void CudaAccelerator::enqueue(Lane &lane, std::span<const Task *const> tasks) {
  const Clock::time_point begin = Clock::now();
  lane.tasks = static_cast<int>(tasks.size());
  lane.held = 0;
  lane.failed = -1;
  try {
    enqueueBodies(lane, tasks);
  } catch (const std::exception &error) {
    // What was enqueued before may still use the memory; the event stands behind it, or is long past on a lost device.
    cudaEventRecord(lane.end, lane.launch.stream());
    lane.failed = -1;
    try {
      lane.error = error.what();
    } catch (const std::bad_alloc &) {
      lane.error = "no memory"; // short enough to need none
    }
  }
  lane.enqueueSeconds = std::chrono::duration<double>(Clock::now() - begin).count();
  lane.enqueued.store(true, std::memory_order_release);
}

void CudaAccelerator::enqueueBodies(Lane &lane, std::span<const Task *const> tasks) {
  const cudaStream_t stream = lane.launch.stream();
  TLA_CUDA_CHECK(cudaEventRecord(lane.begin, stream));
  lane.launch.begin();
  {
    const kernels::cuda::CurrentLaunch current(lane.launch);
    const TablesScope bodies(host_);
    if (isProductOfTiles(*lane.taskClass))
      lane.launch.hold();
    for (std::size_t i = 0; i < tasks.size(); ++i)
      try {
        runBody(*lane.taskClass, *tasks[i]);
      } catch (const kernels::cuda::CudaError &) { // of what is held, too
        throw;
      } catch (const std::exception &error) { // the others are done
        if (lane.failed < 0) {
          lane.failed = static_cast<int>(i);
          lane.error = error.what();
        }
      }
  }
  if (const auto *held = lane.launch.held(); held && held->count() == lane.tasks)
    lane.held = held->type();
  lane.launch.end();
  TLA_CUDA_CHECK(cudaEventRecord(lane.end, stream));
}

void CudaAccelerator::report(Finished end) {
  {
    const std::lock_guard guard(mutex_);
    finished_.push_back(std::move(end));
  }
  wake();
}

int CudaAccelerator::finished(Finished *list, int room) {
  const DeviceScope scope(device_);
  int count = 0;
  for (const auto &lane : lanes_)
    if (count < room && lane->busy && lane->hasEnded(list[count])) {
      noteEnqueueing(*lane);
      ++count;
    }
  const std::lock_guard guard(mutex_);
  const int copies = std::min(room - count, static_cast<int>(finished_.size()));
  std::move(finished_.begin(), finished_.begin() + copies, list + count);
  finished_.erase(finished_.begin(), finished_.begin() + copies);
  return count + copies;
}

bool CudaAccelerator::anyEnded() {
  return std::any_of(lanes_.begin(), lanes_.end(), [](const std::unique_ptr<Lane> &lane) {
    return lane->busy && lane->enqueued.load(std::memory_order_acquire) &&
           cudaEventQuery(lane->end) != cudaErrorNotReady;
  });
}

void CudaAccelerator::wait(std::int64_t nanoseconds) {
  const Clock::time_point end = Clock::now() + std::chrono::nanoseconds(nanoseconds);
  const bool running = std::any_of(lanes_.begin(), lanes_.end(), [](const auto &lane) { return lane->busy; });
  const Clock::time_point sleeps = std::min(end, Clock::now() + longestSpin);
  while (Clock::now() < sleeps)
    if ((signal_.load(std::memory_order_relaxed) && signal_.exchange(false, std::memory_order_acquire)) ||
        (running && anyEnded()))
      return;
  std::unique_lock lock(mutex_);
  for (std::chrono::nanoseconds nap = shortestNap; !signal_ && Clock::now() < end && !(running && anyEnded());
       nap = std::min(2 * nap, longestNap))
    woken_.wait_until(lock, running ? std::min(end, Clock::now() + nap) : end, [this] { return signal_.load(); });
  signal_ = false;
}

void CudaAccelerator::wake() {
  {
    const std::lock_guard guard(mutex_);
    signal_ = true;
  }
  woken_.notify_one();
}

} // namespace tla::runtime
