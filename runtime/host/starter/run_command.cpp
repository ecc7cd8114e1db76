#include "runtime/host/starter/run_command.hpp"

#include "dsl/base/text.hpp"

#include <cerrno>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace tla::host {
namespace {

/// How a process starts: its standard output goes into `output`, and it can be interrupted whatever is blocked here.
class SpawnRules {
public:
  SpawnRules(int output, bool silent) {
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (silent)
      ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  }
  ~SpawnRules() {
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
  }
  SpawnRules(const SpawnRules &) = delete;
  SpawnRules &operator=(const SpawnRules &) = delete;

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

std::string readAll(int descriptor) {
  std::string text;
  char buffer[4096];
  for (ssize_t count; (count = ::read(descriptor, buffer, sizeof buffer)) > 0 || (count < 0 && errno == EINTR);)
    if (count > 0)
      text.append(buffer, static_cast<std::size_t>(count));
  return text;
}

} // namespace

std::optional<std::string> runCommand(std::vector<std::string> words, bool silent) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return std::nullopt;
  std::vector<char *> argv;
  for (std::string &word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t process = 0;
  const SpawnRules rules(ends[1], silent);
  const int error = ::posix_spawn(&process, argv[0], &rules.actions, &rules.attributes, argv.data(), environ);
  ::close(ends[1]);
  std::string text = error ? "" : readAll(ends[0]);
  ::close(ends[0]);
  int status = 0;
  while (!error && ::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  if (error || status != 0)
    return std::nullopt;
  return std::string(trim(text));
}

} // namespace tla::host
