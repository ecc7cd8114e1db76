#include "tools/tuner/isolate.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <memory>
#include <new>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hetc::tuning {

namespace {
using Clock = std::chrono::steady_clock;

/// Exit codes of a copy; the outcome of anything else is a crash.
constexpr int finished = 0, outOfMemory = 77, threw = 78;
constexpr std::size_t maxErrors = 8192;

std::atomic<int> cameSignal = 0;

void noteSignal(int signal) {
  if (cameSignal.exchange(signal) != 0)
    ::_exit(128 + signal);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool canLimitMemory = false; // sanitizers reserve terabytes
#else
constexpr bool canLimitMemory = true;
#endif

/// Bytes of address space of this process.
long addressSpace() {
  std::ifstream in("/proc/self/statm");
  long pages = 0;
  in >> pages;
  return pages * ::sysconf(_SC_PAGESIZE);
}

void limit(__rlimit_resource_t resource, rlim_t value) {
  const rlimit both{value, value};
  ::setrlimit(resource, &both);
}

/// Takes from a copy the things that it must not inherit: handlers, which would remove this process's temporary files,
/// and boundlessness.
void confine(const Limits &limits, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent)
    ::_exit(threw);
  ::setpgid(0, 0); // Ctrl-C is the parent's
  for (int signal = 1; signal < NSIG; ++signal)
    ::signal(signal, SIG_DFL);
  limit(RLIMIT_CORE, 0);
  std::set_new_handler(nullptr); // want of memory is the candidate's, and no end of hetc
  if (canLimitMemory)
    limit(RLIMIT_AS, static_cast<rlim_t>(addressSpace() + limits.memory));
}

void writeAll(int descriptor, const std::string &text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t written = ::write(descriptor, text.data() + at, text.size() - at);
    if (written < 0 && errno != EINTR)
      return;
    at += static_cast<std::size_t>(std::max<ssize_t>(0, written));
  }
}

[[noreturn]] void runCopy(const Work &work, int result, int errors) {
  ::dup2(errors, STDERR_FILENO);
  ::dup2(errors, STDOUT_FILENO); // the report is the parent's
  int code = finished;
  try {
    writeAll(result, work());
  } catch (const std::bad_alloc &) {
    code = outOfMemory;
  } catch (const std::exception &error) {
    writeAll(STDERR_FILENO, error.what());
    code = threw;
  } catch (...) {
    code = threw;
  }
  ::_exit(code);
}

/// A copy at work, as its parent sees it.
class Copy {
public:
  Copy(const Work &work, const Limits &limits, int index) : index_(index), limits_(limits) {
    int result[2] = {-1, -1}, errors[2] = {-1, -1};
    require(::pipe2(result, O_CLOEXEC), "pipe");
    require(::pipe2(errors, O_CLOEXEC), "pipe");
    const pid_t parent = ::getpid();
    std::fflush(nullptr); // what waits to be written would be written by the copy, too
    process_ = ::fork();
    if (process_ == 0) {
      confine(limits, parent);
      runCopy(work, result[1], errors[1]);
    }
    ::close(result[1]);
    ::close(errors[1]);
    result_ = result[0];
    errors_ = errors[0];
    for (const int descriptor : {result_, errors_})
      ::fcntl(descriptor, F_SETFL, O_NONBLOCK);
    require(process_, "fork");
    end_ = static_cast<int>(::syscall(SYS_pidfd_open, process_, 0));
    require(end_, "pidfd_open");
  }
  Copy(const Copy &) = delete;
  Copy &operator=(const Copy &) = delete;
  ~Copy() {
    ::close(result_);
    ::close(errors_);
    ::close(end_);
  }

  int index() const { return index_; }
  /// The descriptors to wait for: results, messages, its end. Negative: no more of it.
  std::array<int, 3> descriptors() const { return {resultOpen_ ? result_ : -1, errorsOpen_ ? errors_ : -1, end_}; }
  double secondsLeft() const { return limits_.seconds - std::chrono::duration<double>(Clock::now() - begin_).count(); }

  /// Reads what is there.
  void read() {
    resultOpen_ = readInto(result_, outcome_.text, std::string::npos) != 0;
    errorsOpen_ = readInto(errors_, outcome_.errors, maxErrors) != 0;
  }

  void kill(Ending why) {
    outcome_.ending = why;
    kill();
  }

  /// Kills the process, unless it has ended, and returns the outcome.
  Outcome end() {
    kill();
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    while (readInto(result_, outcome_.text, std::string::npos) > 0) {
    }
    while (readInto(errors_, outcome_.errors, maxErrors) > 0) {
    }
    explain(status);
    return std::move(outcome_);
  }

private:
  static void require(int result, const char *what) {
    if (result < 0)
      throw std::system_error(errno, std::generic_category(), what);
  }

  /// Kills it with all that it started itself; it may not have its group yet.
  void kill() {
    ::kill(-process_, SIGKILL);
    ::kill(process_, SIGKILL);
  }

  /// Reads once and returns the result of read(): 0 at the end, negative when there is nothing now.
  static ssize_t readInto(int descriptor, std::string &text, std::size_t most) {
    char buffer[4096];
    const ssize_t count = ::read(descriptor, buffer, sizeof buffer);
    if (count > 0)
      text.append(buffer, std::min(static_cast<std::size_t>(count), most - std::min(most, text.size())));
    return count;
  }

  void explain(int status) {
    if (outcome_.ending == Ending::TimedOut)
      outcome_.text = "after " + std::to_string(static_cast<long>(limits_.seconds)) + " s";
    else if (outcome_.ending == Ending::Done && WIFSIGNALED(status)) {
      const char *name = ::sigabbrev_np(WTERMSIG(status));
      outcome_.ending = Ending::Crashed;
      outcome_.text = name ? "SIG" + std::string(name) : "signal " + std::to_string(WTERMSIG(status));
    } else if (outcome_.ending == Ending::Done && WEXITSTATUS(status) == outOfMemory) {
      outcome_.ending = Ending::OutOfMemory;
      outcome_.text = "more than " + std::to_string(limits_.memory >> 20) + " MiB";
    } else if (outcome_.ending == Ending::Done && WEXITSTATUS(status) != finished) {
      outcome_.ending = Ending::Crashed;
      outcome_.text = "exit code " + std::to_string(WEXITSTATUS(status));
    }
  }

  int index_;
  Limits limits_;
  pid_t process_ = -1;
  int result_ = -1, errors_ = -1, end_ = -1; ///< file descriptors
  bool resultOpen_ = true, errorsOpen_ = true;
  Clock::time_point begin_ = Clock::now();
  Outcome outcome_;
};

/// Waits until some copy says something, ends, or runs out of time; the copies that ended.
std::vector<Copy *> watch(const std::vector<std::unique_ptr<Copy>> &copies) {
  std::vector<pollfd> events;
  double left = 0.2; // a signal may come before the wait begins
  for (const auto &copy : copies) {
    for (const int descriptor : copy->descriptors())
      events.push_back({descriptor, POLLIN, 0});
    left = std::min(left, std::max(0.0, copy->secondsLeft()));
  }
  ::poll(events.data(), events.size(), static_cast<int>(left * 1e3) + 1);
  std::vector<Copy *> ended;
  for (std::size_t each = 0; each < copies.size(); ++each) {
    Copy &copy = *copies[each];
    copy.read();
    const bool hasEnded = events[3 * each + 2].revents != 0;
    if (!hasEnded && copy.secondsLeft() <= 0)
      copy.kill(Ending::TimedOut);
    else if (!hasEnded && Interruption::signal())
      copy.kill(Ending::Interrupted);
    else if (!hasEnded)
      continue;
    ended.push_back(&copy);
  }
  return ended;
}

} // namespace

void runIsolated(const std::vector<Work> &works, int parallel, const Limits &limits,
                 const std::function<void(int, Outcome)> &done) {
  std::vector<std::unique_ptr<Copy>> copies;
  std::size_t next = 0;
  while (next < works.size() || !copies.empty()) {
    while (next < works.size() && static_cast<int>(copies.size()) < parallel && !Interruption::signal()) {
      copies.push_back(std::make_unique<Copy>(works[next], limits, static_cast<int>(next)));
      ++next;
    }
    if (copies.empty()) { // interrupted
      done(static_cast<int>(next++), {Ending::Interrupted, "", ""});
      continue;
    }
    for (Copy *copy : watch(copies)) {
      const int index = copy->index();
      Outcome outcome = copy->end();
      std::erase_if(copies, [copy](const auto &each) { return each.get() == copy; });
      done(index, std::move(outcome));
    }
  }
}

Outcome runIsolated(const Work &work, const Limits &limits) {
  Outcome result;
  runIsolated({work}, 1, limits, [&](int, Outcome outcome) { result = std::move(outcome); });
  return result;
}

namespace {
struct sigaction beforeInterrupt, beforeTermination;
} // namespace

Interruption::Interruption() {
  struct sigaction action {};
  action.sa_handler = noteSignal;
  ::sigaction(SIGINT, &action, &beforeInterrupt);
  ::sigaction(SIGTERM, &action, &beforeTermination);
}

Interruption::~Interruption() {
  ::sigaction(SIGINT, &beforeInterrupt, nullptr);
  ::sigaction(SIGTERM, &beforeTermination, nullptr);
  cameSignal = 0;
}

int Interruption::signal() { return cameSignal; }

std::string firstError(const std::string &text) {
  const std::size_t error = std::min(text.find("error: "), text.size());
  const std::size_t begin = error == text.size() ? 0 : text.rfind('\n', error) + 1;
  return text.substr(begin, text.find('\n', begin) - begin);
}

} // namespace hetc::tuning
