#include "runtime/host/plan/node_loops.hpp"

#include "dsl/base/text.hpp"

#include <tla/runtime/error.hpp>
#include <tla/runtime/executor.hpp>
#include <tla/runtime/starter.hpp>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace tla::host {
namespace {
using runtime::Algorithm;
using runtime::hasNodeLoops;

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

/// What the command prints, without the end of the line; nothing when it fails.
std::string outputOf(std::vector<std::string> words, bool silent) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return {};
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
    return {};
  return std::string(trim(text));
}

/// The path of a shared library; empty: none.
std::string askForLoops(const Distribution &distribution, bool silent) {
  const std::optional<Starter> starter = findStarter();
  return starter ? outputOf(starter->moduleCommand(distribution.name()), silent) : "";
}

bool isFor(const Algorithm &algorithm, const Distribution &distribution) {
  return algorithm.distribution && distribution.name() == algorithm.distribution;
}

/// The algorithm's description in a shared library; null: it has none.
const Algorithm *findModule(const Algorithm &algorithm, const std::string &path) {
  void *const library = path.empty() ? nullptr : ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  const std::string name = std::string("tla_algorithm_") + algorithm.name + "_" + static_cast<char>(algorithm.type);
  return library ? static_cast<const Algorithm *>(::dlsym(library, name.c_str())) : nullptr;
}

/// False when the library is not what it should be, or says that its loops were refused.
bool takeLoops(Algorithm &algorithm, const Distribution &distribution, const std::string &path) {
  const Algorithm *const module = findModule(algorithm, path);
  if (!module || module->slices != algorithm.slices || module->copies != algorithm.copies ||
      !isFor(*module, distribution))
    return false;
  algorithm.distribution = module->distribution;
  algorithm.generateNode = module->generateNode;
  return hasNodeLoops(algorithm, distribution);
}

void requireLoops(const Algorithm &algorithm, const Distribution &distribution, const Settings &settings) {
  if (settings.generator != GeneratorChoice::Nodes || hasNodeLoops(algorithm, distribution))
    return;
  if (isFor(algorithm, distribution))
    throw Error(std::string("--generator nodes: the loops that hetc makes for the nodes of ") + distribution.name() +
                " do something else than " + algorithm.name + ", and are not used; this is hetc's own error");
  throw UsageError(std::string("--generator nodes: ") + algorithm.name + " has no loops for the nodes of " +
                   distribution.name());
}

/// Loops are made for the distribution's own period.
bool mustReplay(const Distribution &distribution, const Settings &settings) {
  const bool other = settings.period && *settings.period != distribution.period();
  if (other && settings.generator == GeneratorChoice::Nodes)
    throw UsageError(std::string("--generator nodes: with --period the nodes of ") + distribution.name() +
                     " have no loops");
  return other || settings.generator == GeneratorChoice::Replay;
}

Algorithm byReplay(Algorithm algorithm) {
  algorithm.generateNode = nullptr;
  return algorithm;
}

/// On the ranks that ask, "path"; on all, that of the first rank of this machine.
std::string pathOnThisMachine(const std::string &path, Ranks &ranks, const Neighbours &neighbours) {
  return ranks.exchange(path)[neighbours.first];
}
} // namespace

const Algorithm *forCopies(const Algorithm &algorithm, int copies) {
  std::optional<Starter> starter = findStarter();
  if (!starter || starter->split > 1 || algorithm.isDealt)
    return nullptr;
  starter->copies = copies;
  const Algorithm *const module = findModule(algorithm, outputOf(starter->moduleCommand(""), /*silent=*/true));
  const bool isSame = module && module->copies == copies && module->matrixCount == algorithm.matrixCount;
  return isSame ? module : nullptr;
}

bool canAskForLoops() { return findStarter().has_value(); }

const char *generatorName(const Algorithm &algorithm, const Distribution &distribution) {
  return runtime::hasNodeLoops(algorithm, distribution) ? "nodes" : "replay";
}

Algorithm withNodeLoops(const Algorithm &algorithm, const Distribution &distribution, const Settings &settings,
                        bool ask) {
  if (mustReplay(distribution, settings))
    return byReplay(algorithm);
  Algorithm result = algorithm;
  const bool has = hasNodeLoops(algorithm, distribution);
  if (ask && !algorithm.isDealt && !has && canAskForLoops()) // the order of what is dealt is known to a run only
    takeLoops(result, distribution, askForLoops(distribution, settings.quiet));
  requireLoops(result, distribution, settings);
  return result;
}

Algorithm withNodeLoops(const Algorithm &algorithm, const Distribution &distribution, const Settings &settings,
                        Ranks &ranks, const Neighbours &neighbours) {
  if (mustReplay(distribution, settings))
    return byReplay(algorithm);
  Algorithm result = algorithm;
  if (!hasNodeLoops(algorithm, distribution)) {
    const bool asks = canAskForLoops() && ranks.rank() == neighbours.first;
    const std::string mine = asks ? askForLoops(distribution, !ranks.first() || settings.quiet) : "";
    const bool has = takeLoops(result, distribution, pathOnThisMachine(mine, ranks, neighbours));
    if (ranks.largest(has ? 0 : 1) != 0)
      result = byReplay(result);
  }
  requireLoops(result, distribution, settings);
  return result;
}

} // namespace tla::host
