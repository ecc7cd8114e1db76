#include "runtime/device/emulated/emulated_accelerator.hpp"

#include "dsl/base/streams.hpp"
#include "runtime/device/panel_kernels.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <exception>
#include <unistd.h>

namespace tla::runtime {

static std::size_t hostMemory() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// "emulated,speed=4": what decides how fast it is.
static std::string modelOf(const EmulatedOptions &options) {
  TextWriter text;
  text << "emulated";
  const auto add = [&](const char *name, double value) {
    if (value > 0)
      text << "," << name << "=" << value;
  };
  add("mem", static_cast<double>(options.memoryBytes));
  add("speed", options.gigaflopsPerSecond);
  add("bw", options.gigabytesPerSecond);
  add("lat", options.latencySeconds * 1e6);
  add("together", options.tasksTogether > 1 ? options.tasksTogether : 0);
  add("operations", std::isfinite(options.operationsTogether) ? options.operationsTogether : 0);
  return text.str();
}

AcceleratorProperties EmulatedAccelerator::describe(const EmulatedOptions &options) {
  return {.name = "emulated:" + std::to_string(options.number),
          .model = modelOf(options),
          .library = "host",
          .memoryBytes = options.memoryBytes ? options.memoryBytes : hostMemory(),
          .granularity = EmulatedMemory::granularity,
          .usesHost = true,
          .kernelsInFlight = options.kernelsInFlight,
          .copiesInFlight = 2, // the next one is there when one ends
          .together = {.tasks = options.tasksTogether, .operations = options.operationsTogether}};
}

EmulatedAccelerator::EmulatedAccelerator(const EmulatedOptions &options)
    : options_(options), properties_(describe(options)), memory_(properties_.memoryBytes),
      kernelFault_(options.failKernel), copyFault_(options.failCopy), allocationFault_(options.failAllocation) {}

void *EmulatedAccelerator::allocate(std::size_t bytes) {
  return allocationFault_.strikes() ? nullptr : memory_.allocate(bytes);
}

void EmulatedAccelerator::copyIn(const TileCopy &copy, void *token) {
  TileCopy inner = copy;
  inner.destination = memory_.inside(copy.destination);
  submitCopy(in_, inner, token);
}

void EmulatedAccelerator::copyOut(const TileCopy &copy, void *token) {
  TileCopy inner = copy;
  inner.source = memory_.inside(copy.source);
  submitCopy(out_, inner, token);
}

void EmulatedAccelerator::copyFrom(Accelerator &peer, const TileCopy &copy, void *token) {
  TileCopy inner = copy;
  inner.source = static_cast<EmulatedAccelerator &>(peer).memory_.inside(copy.source);
  inner.destination = memory_.inside(copy.destination);
  submitCopy(in_, inner, token);
}

void EmulatedAccelerator::submitCopy(Stream &stream, TileCopy copy, void *token) {
  const bool fails = copyFault_.strikes();
  stream.submit(
      [this, copy, fails] {
        if (!fails)
          copy.forEachColumn([&](std::size_t source, std::size_t destination, std::size_t bytes) {
            std::memcpy(static_cast<char *>(copy.destination) + destination,
                        static_cast<const char *>(copy.source) + source, bytes);
          });
        const double bandwidth = options_.gigabytesPerSecond * 1e9;
        return options_.latencySeconds + (bandwidth > 0 ? static_cast<double>(copy.bytes()) / bandwidth : 0);
      },
      [this, token, fails](double seconds) {
        report({token, 0, seconds, fails ? "injected fault of a copy" : ""});
      });
}

/// Empty, or why it failed.
static std::string run(const TaskClass &taskClass, const TaskView &view, int &info) {
  try {
    info = taskClass.run(view);
    return "";
  } catch (const std::exception &error) {
    return error.what();
  } catch (...) {
    return "exception of unknown type";
  }
}

/// Panels have an info, and kernels of a user's own may have one.
bool EmulatedAccelerator::joins(const TaskClass &taskClass, const TaskSize &) const {
  return options_.tasksTogether > 1 && !taskClass.userKernel && !hasTrait(taskClass.kernel, Trait::Panel);
}

void EmulatedAccelerator::launch(const TaskClass &taskClass, const Task &task, Standing standing, void *token) {
  launchTogether(taskClass, std::array{&task}, standing, token);
}

void EmulatedAccelerator::launchTogether(const TaskClass &taskClass, std::span<const Task *const> tasks, Standing,
                                         void *token) {
  const bool fails = kernelFault_.strikes();
  const auto end = std::make_shared<Finished>(Finished{token, 0, 0, fails ? "injected fault of a kernel" : ""});
  kernels_.submit(
      [this, &taskClass, list = std::vector(tasks.begin(), tasks.end()), end, fails]() -> double {
        double operations = 0;
        for (std::size_t i = 0; i < list.size(); ++i) {
          const TaskView view(*list[i], memory_.displacement());
          const std::string error = fails ? "" : run(taskClass, view, end->info);
          if (!error.empty() && end->error.empty()) {
            end->error = error;
            end->task = static_cast<int>(i);
          }
          operations += taskClass.flops ? taskClass.flops(view) : 0;
        }
        const double speed = options_.gigaflopsPerSecond * 1e9;
        return speed > 0 ? operations / speed : 0;
      },
      [this, end](double seconds) {
        end->seconds = seconds;
        report(std::move(*end));
      });
}

void EmulatedAccelerator::report(Finished end) {
  {
    const std::lock_guard guard(mutex_);
    finished_.push_back(std::move(end));
  }
  parker_.unpark();
}

int EmulatedAccelerator::finished(Finished *list, int room) {
  const std::lock_guard guard(mutex_);
  const int count = std::min(room, static_cast<int>(finished_.size()));
  std::move(finished_.begin(), finished_.begin() + count, list);
  finished_.erase(finished_.begin(), finished_.begin() + count);
  return count;
}

void EmulatedAccelerator::wait(std::int64_t nanoseconds) { parker_.parkFor(nanoseconds); }

} // namespace tla::runtime
