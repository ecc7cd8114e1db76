#include "runtime/interfaces/validation.hpp"

#include <tla/runtime/error.hpp>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace tla::runtime {
namespace {

/// Far beyond what the trials take, on a machine that is busy with other things, too.
constexpr int secondsToEnd = 60;

/// Validates the library in the child process. Throws what it could not even begin with.
std::optional<std::string> validate(const ValidationRequest &request) {
  void *const library = ::dlopen(request.library.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (!library)
    throw Error(::dlerror());
  const auto *const algorithm = static_cast<const Algorithm *>(::dlsym(library, request.symbol.c_str()));
  if (!algorithm)
    throw Error(::dlerror());
  if (!request.distribution) {
    const std::optional<SplitDifference> difference = validateSplit(*algorithm);
    return difference ? std::optional(difference->text) : std::nullopt;
  }
  if (!algorithm->generateNode)
    return std::nullopt;
  return validateNodeLoops(*algorithm, *request.distribution);
}

/// In the child: says what differs, or nothing, on the pipe.
[[noreturn]] void answer(const ValidationRequest &request, int pipe) {
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC); // for what kernels print
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(nowhere, STDERR_FILENO);
  std::string text;
  try {
    text = validate(request).value_or("");
  } catch (const std::exception &error) {
    text = std::string("it could not be tried: ") + error.what();
  } catch (...) {
    text = "it could not be tried: it threw something that is no std::exception";
  }
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t count = ::write(pipe, text.data() + sent, text.size() - sent);
    if (count <= 0 && errno != EINTR)
      break;
    sent += count > 0 ? static_cast<std::size_t>(count) : 0;
  }
  ::_exit(0); // nothing of the parent's is flushed or destroyed here
}

/// Reads the text that the child writes until it ends; false when it takes too long.
bool readUntilEnd(int pipe, std::string &text) {
  timespec begin{}, now{};
  ::clock_gettime(CLOCK_MONOTONIC, &begin);
  for (;;) {
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    const long left = secondsToEnd - (now.tv_sec - begin.tv_sec);
    pollfd ready{pipe, POLLIN, 0};
    const int polled = left > 0 ? ::poll(&ready, 1, static_cast<int>(left * 1000)) : 0;
    if (polled < 0 && errno == EINTR)
      continue;
    if (polled <= 0)
      return false;
    char buffer[4096];
    const ssize_t count = ::read(pipe, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return true;
    text.append(buffer, static_cast<std::size_t>(count));
  }
}

} // namespace

std::optional<std::string> validateLibrary(const ValidationRequest &request) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw Error(std::string("cannot make a pipe: ") + std::strerror(errno));
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    answer(request, ends[1]);
  }
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    throw Error(std::string("cannot start a process: ") + std::strerror(errno));
  }
  std::string text;
  const bool ended = readUntilEnd(ends[0], text);
  ::close(ends[0]);
  if (!ended)
    ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!ended)
    return "it did not end within " + std::to_string(secondsToEnd) + " s";
  if (WIFSIGNALED(status))
    return std::string("it crashed: ") + ::strsignal(WTERMSIG(status));
  return text.empty() ? std::nullopt : std::optional(text);
}

} // namespace tla::runtime
