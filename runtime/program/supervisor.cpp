#include "runtime/program/supervisor.hpp"

#include "dsl/base/progress_line.hpp"
#include "dsl/base/text.hpp"
#include "runtime/host/base/interruption.hpp"
#include "runtime/host/files/output_file.hpp"
#include "runtime/host/ranks/exit_code.hpp"
#include "runtime/host/ranks/parallel.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tla::host {
namespace {
constexpr int drawMilliseconds = 200;
constexpr double quietSeconds = 2; // shorter runs draw nothing
/// 'timeout' and some launchers signal a process and then its group, so one request comes twice.
constexpr std::chrono::seconds sameRequest(1);

sigset_t endingSignals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}
} // namespace

SignalGuard::SignalGuard() {
  const sigset_t set = endingSignals();
  pthread_sigmask(SIG_BLOCK, &set, &before_);
}

SignalGuard::~SignalGuard() {
  const sigset_t set = endingSignals();
  const timespec now{0, 0};
  while (sigtimedwait(&set, nullptr, &now) > 0) {
  }
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

Supervisor::Supervisor(ProgressMode progress, double watchdogSeconds)
    : draws_(progress == ProgressMode::Always || (progress == ProgressMode::Auto && ::isatty(STDERR_FILENO) == 1)),
      always_(progress == ProgressMode::Always), watchdog_(watchdogSeconds) {
  const sigset_t set = endingSignals();
  signals_ = ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  wake_ = ::eventfd(0, EFD_CLOEXEC);
  interruptionWanted = false; // that of a run before
  watchdog_.begin(Clock::now());
  watchdog_.left(); // there is no other rank
  try {
    thread_ = Thread([this] { watch(); });
  } catch (const std::system_error &error) { // a help only; signals end the process then, as they do by default
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
    std::fprintf(stderr, "hetc: warning: no progress is shown: %s\n", error.what());
  }
}

Supervisor::~Supervisor() {
  ::eventfd_write(wake_, 1);
  if (thread_.joinable())
    thread_.join();
  ::close(signals_);
  ::close(wake_);
}

void Supervisor::checkpoint() const {
  if (signal_)
    throw Interrupted{};
}

void Supervisor::beginPhase(const Phase &phase) {
  checkpoint();
  const std::lock_guard lock(mutex_);
  phase_ = phase;
  begin_ = Clock::now();
  active_ = true;
  drawn_ = false;
}

void Supervisor::endPhase() {
  const std::lock_guard lock(mutex_);
  if (drawn_)
    std::fputs("\r\033[K", stderr);
  active_ = drawn_ = false;
}

void Supervisor::watch() {
  for (;;) {
    pollfd events[] = {{wake_, POLLIN, 0}, {signals_, POLLIN, 0}};
    ::poll(events, 2, tickMilliseconds());
    if (events[0].revents)
      return;
    signalfd_siginfo info;
    while (::read(signals_, &info, sizeof info) == sizeof info)
      take(static_cast<int>(info.ssi_signo));
    if (signal_ && Clock::now() - signalled_ >= patience)
      endProcess(signal_);
    if (signal_)
      interruptRuns();
    else if (draws_)
      draw();
    if (watchdog_.on())
      watchLoops();
  }
}

/// Without a bar to draw, or loops to watch, there is nothing to wake up for, but a pending interrupt is repeated: it
/// may have come between two runs of the executor.
int Supervisor::tickMilliseconds() const {
  if (draws_ || signal_)
    return drawMilliseconds;
  return watchdog_.on() ? std::max(1, static_cast<int>(1000 * watchdog_.interval().count())) : -1;
}

void Supervisor::watchLoops() {
  const auto [steps, text] = loops();
  if (text.empty())
    ++outside_;
  if (!watchdog_.look(Clock::now(), {steps + outside_}).idle)
    return;
  const std::lock_guard lock(mutex_);
  std::fputs(format("%shetc: nothing has happened for %.3g s: %s\n", drawn_ ? "\r\033[K" : "",
                    watchdog_.stillness().count(), text.c_str())
                 .c_str(),
             stderr);
  std::fflush(stderr);
  ::_exit(RuntimeFault);
}

/// The number of steps of the loops that run now, and the text of those that have not come back; empty: there are none.
std::pair<std::uint64_t, std::string> Supervisor::loops() {
  std::uint64_t steps = 0;
  std::string text;
  const std::lock_guard lock(sideMutex_);
  for (const runtime::Executor *const executor : {executor_, side_})
    if (executor) {
      steps += executor->loopSteps();
      text += executor->loopsText();
    }
  return {steps, text};
}

void Supervisor::take(int signal) {
  const Clock::time_point now = Clock::now();
  if (signal_ && now - signalled_ < sameRequest)
    return;
  if (signal_ || uninterruptible_)
    endProcess(signal);
  signal_ = signal;
  signalled_ = now;
  interruptionWanted = true;
}

/// Waits for nobody: what a pipe does not take may be why the run does not end, also that of standard error.
void Supervisor::endProcess(int signal) {
  removeTemporaryFiles();
  const std::unique_lock lock(mutex_, std::try_to_lock);
  const std::string_view text = lock.owns_lock() && drawn_ ? "\r\033[Khetc: interrupted\n" : "hetc: interrupted\n";
  if (pollfd errors{STDERR_FILENO, POLLOUT, 0}; ::poll(&errors, 1, 0) > 0) [[maybe_unused]]
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
  ::_exit(128 + signal);
}

void Supervisor::setExecutor(runtime::Executor &executor) {
  const std::lock_guard lock(sideMutex_);
  executor_ = &executor;
}

runtime::Executor *Supervisor::setSide(runtime::Executor *executor) {
  const std::lock_guard lock(sideMutex_);
  return std::exchange(side_, executor);
}

void Supervisor::interruptRuns() {
  const std::lock_guard lock(sideMutex_);
  for (runtime::Executor *const executor : {executor_, side_})
    if (executor)
      executor->interrupt();
}

void Supervisor::draw() {
  const std::lock_guard lock(mutex_);
  const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
  const std::lock_guard executors(sideMutex_);
  if (!active_ || !executor_ || (seconds < quietSeconds && !always_))
    return;
  std::fprintf(stderr, "\r%s\033[K",
               progressLine(phase_, phase_.ranks * executor_->flopsDone(), seconds, terminalColumns()).c_str());
  std::fflush(stderr);
  drawn_ = true;
}

std::string progressLine(const Phase &phase, double flopsDone, double seconds, int columns) {
  const double rate = seconds > 0 ? flopsDone / seconds : 0;
  const std::string speed = format("%.1f Gflop/s", rate * 1e-9);
  const std::string label = phase.label.substr(0, 20);
  if (!(phase.flops > 0))
    return fittingLine({label + "  " + format("%.0f s, ", seconds) + speed, label}, columns);
  const double part = std::clamp(flopsDone / phase.flops, 0.0, 1.0);
  const std::string left = rate > 0 ? timeLeft((1 - part) * phase.flops / rate) : "";
  const std::string begin = label + format(" %3.0f%% ", 100 * part);
  return fittingLine({begin + progressBar(part, 20) + " " + speed + left,
                      begin + progressBar(part, 8) + " " + speed + left, begin + progressBar(part, 8) + " " + speed,
                      begin + speed, format("%.0f%%", 100 * part)},
                     columns);
}

} // namespace tla::host
