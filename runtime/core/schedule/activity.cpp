#include "runtime/core/schedule/activity.hpp"

#include "dsl/base/text.hpp"
#include "runtime/core/window/tile_table.hpp"
#include "runtime/interfaces/running_kernel.hpp"

#include <algorithm>

namespace tla::runtime {

std::string secondsText(double seconds) { return format(seconds < 100 ? "%.3g s" : "%.0f s", seconds); }

/// The calling thread's; null: it runs no tasks. Initial-exec: a signal handler may read it, whoever loaded this
/// library.
[[gnu::tls_model("initial-exec")]] static constinit thread_local const RunningKernel *kernelOfThread = nullptr;

RunningKernel::OnThread::OnThread(const RunningKernel &kernel) : before_(kernelOfThread) { kernelOfThread = &kernel; }
RunningKernel::OnThread::~OnThread() { kernelOfThread = before_; }

void RunningKernel::describeHere(char *text, std::size_t size) {
  ShortText<512> all;
  const RunningKernel *const kernel = kernelOfThread;
  if (kernel && kernel->since_.load(std::memory_order_relaxed)) {
    const TaskClass &taskClass = *kernel->class_.load(std::memory_order_relaxed);
    all.append("kernel ");
    all.append(taskClass.kernel);
    if (const TileTable *const table = kernel->table_.load(std::memory_order_relaxed)) {
      const int column = kernel->column_.load(std::memory_order_relaxed);
      all.append(" on ");
      all.append(table->name());
      all.append("(");
      all.append(kernel->row_.load(std::memory_order_relaxed));
      all.append(", ");
      all.append(table->storage().tileColumn(column));
      all.append(")");
    }
    all.append(" (");
    all.append(taskClass.location);
    all.append("), task ");
    all.append(static_cast<int>(kernel->sequence_.load(std::memory_order_relaxed)));
  }
  std::size_t length = 0;
  for (; length + 1 < size && all.get()[length]; ++length)
    text[length] = all.get()[length];
  text[length] = 0;
}

void describeRunningKernel(char *text, std::size_t size) { RunningKernel::describeHere(text, size); }

void RunningKernel::begin(const Task &task, Ticks now) {
  const Version *const output = task.mainOutput();
  class_.store(task.taskClass, std::memory_order_relaxed);
  sequence_.store(task.sequence(), std::memory_order_relaxed);
  table_.store(output ? output->table : nullptr, std::memory_order_relaxed);
  if (output) {
    row_.store(output->row, std::memory_order_relaxed);
    column_.store(output->column, std::memory_order_relaxed);
  }
  since_.store(std::max<Ticks>(now, 1), std::memory_order_release);
}

std::string RunningKernel::text(Ticks now) const {
  const Ticks since = since_.load(std::memory_order_acquire);
  if (since == 0)
    return {};
  const TaskClass *const taskClass = class_.load(std::memory_order_relaxed);
  const TileTable *const table = table_.load(std::memory_order_relaxed);
  const int row = row_.load(std::memory_order_relaxed), column = column_.load(std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_acquire);
  if (since_.load(std::memory_order_relaxed) != since)
    return {};
  const double seconds = now > since ? static_cast<double>(now - since) * Clock::secondsPerTick() : 0;
  return std::string("kernel ") + taskClass->kernel + (table ? " on " + table->tileName(row, column) : "") +
         " has been running for " + secondsText(seconds);
}

std::string LoopProgress::text() const {
  if (!inside())
    return {};
  const std::uint64_t tasks = tasks_.load(std::memory_order_acquire);
  const std::string text = "the program's loops have not come back";
  if (tasks == 0)
    return text + ", and have made no task";
  const TaskClass &last = *last_.load(std::memory_order_relaxed);
  return text + " since task " + std::to_string(tasks) + ", " + last.kernel + " (" + last.location + ")";
}

} // namespace tla::runtime
