#include "tests/fuzz/child.hpp"

#include <cctype>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fuzz {

namespace {

using Clock = std::chrono::steady_clock;

/// The message without the parts that differ from one program to the next: numbers, names in quotes, places.
std::string generalized(const std::string &message) {
  std::string text;
  bool quoted = false;
  for (const char c : message) {
    if (c == '\'' || c == '"')
      quoted = !quoted;
    else if (!quoted && !std::isdigit(static_cast<unsigned char>(c)))
      text += c;
  }
  return text.substr(0, 70);
}

/// The first error of a compilation, without its place.
std::string firstError(const std::string &log) {
  std::ifstream file(log);
  for (std::string line; std::getline(file, line);)
    for (const char *word : {"error: ", "internal error", "hetc: "})
      if (const auto at = line.find(word); at != std::string::npos)
        return line.substr(at);
  return "";
}

std::string oneLine(std::string text) {
  for (char &c : text)
    c = c == '\n' || c == '\t' ? ' ' : c;
  return text;
}

/// The process that does the work, as its parent sees it.
class Child {
public:
  Child(const std::function<void(const std::function<void(const std::string &)> &say)> &work, const std::string &log) {
    int ends[2];
    if (pipe(ends) != 0)
      throw std::runtime_error("no pipe");
    std::fflush(nullptr);
    pid_ = fork();
    if (pid_ == 0) {
      close(ends[0]);
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      const int file = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
      dup2(file, 1);
      dup2(file, 2);
      work([&](const std::string &line) { sayTo(ends[1], line); });
      std::fflush(nullptr);
      _exit(0);
    }
    close(ends[1]);
    from_ = ends[0];
  }
  ~Child() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    close(from_);
  }
  Child(const Child &) = delete;
  Child &operator=(const Child &) = delete;

  /// The next line; false at the end, and after so many seconds without one, when `late` becomes true.
  bool next(std::string &line, double seconds, bool &late) {
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    for (;;) {
      if (const auto at = pending_.find('\n'); at != std::string::npos) {
        line = pending_.substr(0, at);
        pending_.erase(0, at + 1);
        return true;
      }
      pollfd wait{from_, POLLIN, 0};
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
      late = left <= 0 || poll(&wait, 1, static_cast<int>(left)) == 0;
      if (late)
        return false;
      char buffer[4096];
      const ssize_t count = read(from_, buffer, sizeof buffer);
      if (count <= 0)
        return false;
      pending_.append(buffer, static_cast<std::size_t>(count));
    }
  }

  /// How it ended: 0, or the signal.
  int signalOfEnd() {
    int status = 0;
    waitpid(pid_, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) ? SIGABRT : 0;
  }

private:
  static void sayTo(int pipe, const std::string &line) {
    const std::string text = oneLine(line) + "\n";
    if (write(pipe, text.data(), text.size()) < 0)
      _exit(1);
  }

  pid_t pid_ = -1;
  int from_ = -1;
  std::string pending_;
};

/// The child's side: works, and says how far it is.
void workAndSay(const Work &work, const std::function<void(const std::string &)> &say) {
  int failedCase = -1;
  std::optional<Failure> failure;
  Counts counts;
  try {
    failure = work([&](const std::string &part) { say("step " + part); }, counts, failedCase);
  } catch (const std::exception &exception) {
    failure = Failure{"exception", exception.what()};
  }
  for (const auto &[what, count] : counts)
    say("count " + std::to_string(count) + " " + what);
  if (failure) {
    say("case " + std::to_string(failedCase));
    say("kind " + failure->kind);
    say("detail " + failure->detail);
  }
  say("end");
}

bool startsWith(const std::string &text, const char *begin, std::string &rest) {
  const std::size_t length = std::strlen(begin);
  if (text.compare(0, length, begin) != 0)
    return false;
  rest = text.substr(length);
  return true;
}

/// Follows the child's lines.
Trial follow(Child &child, const Deadlines &deadlines, const std::string &log) {
  Trial trial;
  Failure failure;
  std::string line, rest, step = "start";
  bool ended = false, late = false;
  const auto seconds = [&] { return step.rfind("compile", 0) == 0 ? deadlines.compileSeconds : deadlines.stepSeconds; };
  while (!ended && child.next(line, seconds(), late)) {
    if (startsWith(line, "step case ", rest))
      trial.failedCase = std::stoi(rest);
    else if (startsWith(line, "step ", rest)) {
      step = rest;
      if (startsWith(line, "step compile ", rest))
        trial.failedCase = -1 - std::stoi(rest);
    } else if (startsWith(line, "count ", rest))
      trial.counts[rest.substr(rest.find(' ') + 1)] += std::stoull(rest);
    else if (startsWith(line, "case ", rest))
      trial.failedCase = std::stoi(rest);
    else if (startsWith(line, "kind ", rest))
      failure.kind = rest;
    else if (startsWith(line, "detail ", rest))
      failure.detail = rest;
    else
      ended = line == "end";
  }
  if (late)
    failure = {"does not end: " + generalized(step), "at: " + step};
  else if (const int signal = ended ? 0 : child.signalOfEnd())
    failure = {std::string("crash: ") + strsignal(signal), "at: " + step};
  if (failure.kind == "rejected") {
    failure.detail = firstError(log);
    failure.kind += ": " + generalized(failure.detail);
  } else if (failure.kind == "fault" || failure.kind == "exception") {
    const auto at = failure.detail.find(": ");
    failure.kind +=
        ": " + generalized(at == std::string::npos ? failure.detail : failure.detail.substr(at + 2)).substr(0, 24);
  }
  if (!failure.kind.empty())
    trial.failure = failure;
  return trial;
}

} // namespace

Trial runInChild(const Work &work, const std::string &log, const Deadlines &deadlines) {
  Child child([&](const auto &say) { workAndSay(work, say); }, log);
  return follow(child, deadlines, log);
}

} // namespace fuzz
