#include "tests/fuzz/shock.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <thread>
#include <vector>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fuzz {

namespace {

using Clock = std::chrono::steady_clock;

/// Far above what the documentation promises for a rank that dies, on a busy machine.
constexpr double patience = 20;

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::string contentOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Process {
  pid_t id;
  int rank;
};

/// Ended, though nobody may have looked yet.
bool isGone(pid_t process) {
  const std::string status = contentOf("/proc/" + std::to_string(process) + "/stat");
  const std::size_t name = status.rfind(") ");
  return name == std::string::npos || status[name + 2] == 'Z';
}

/// The ranks' processes as far as they have become the program.
std::vector<Process> ranksWith(const std::string &mark) {
  const std::string variable = "OMPI_COMM_WORLD_RANK=";
  std::vector<Process> ranks;
  for (const auto &entry : std::filesystem::directory_iterator("/proc")) {
    const int id = std::atoi(entry.path().filename().c_str());
    const std::string environment = id > 0 ? contentOf(entry.path().string() + "/environ") : "";
    const std::size_t rank = environment.find(variable);
    if (rank != std::string::npos && environment.find(mark) != std::string::npos && !isGone(id))
      ranks.push_back({id, std::atoi(environment.c_str() + rank + variable.size())});
  }
  std::sort(ranks.begin(), ranks.end(), [](const Process &a, const Process &b) { return a.rank < b.rank; });
  return ranks;
}

/// mpirun.
class Launcher {
public:
  explicit Launcher(const std::string &command) {
    std::fflush(nullptr);
    id_ = fork();
    if (id_ < 0)
      throw std::runtime_error("no process");
    if (id_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGTERM);
      execl("/bin/sh", "sh", "-c", ("exec " + command).c_str(), nullptr);
      _exit(127);
    }
  }
  ~Launcher() {
    if (!over()) {
      kill(id_, SIGKILL);
      waitpid(id_, &status_, 0);
    }
  }
  Launcher(const Launcher &) = delete;
  Launcher &operator=(const Launcher &) = delete;

  bool over() { return over_ = over_ || waitpid(id_, &status_, WNOHANG) == id_; }
  int exitCode() const { return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_); }

private:
  pid_t id_;
  int status_ = 0;
  bool over_ = false;
};

/// False: not within so many seconds.
bool comes(const std::function<bool()> &what, double seconds) {
  for (const auto begin = Clock::now(); !what(); std::this_thread::sleep_for(std::chrono::milliseconds(10)))
    if (secondsSince(begin) > seconds)
      return false;
  return true;
}

/// Stops or kills one of the ranks, and lets it go on; the victim's rank.
int strike(Launcher &launcher, const std::string &mark, const Shock &shock) {
  std::vector<Process> ranks;
  comes([&] { return !(ranks = ranksWith(mark)).empty() || launcher.over(); }, patience);
  if (ranks.empty())
    return -1;
  const Process victim = ranks[shock.choice % ranks.size()];
  if (kill(victim.id, shock.kills ? SIGKILL : SIGSTOP) != 0)
    return -1;
  if (!shock.kills) {
    comes([&] { return launcher.over() || isGone(victim.id); }, shock.stopped);
    kill(victim.id, SIGCONT);
  }
  return victim.rank;
}

} // namespace

std::string Shock::text() const {
  char words[80];
  if (kills)
    std::snprintf(words, sizeof words, "a rank is killed after %.2f s", at);
  else
    std::snprintf(words, sizeof words, "a rank is stopped after %.2f s for %.1f s, --watchdog %g", at, stopped,
                  watchdog);
  return words;
}

Shock drawShock(double seconds, Random &random) {
  Shock shock;
  shock.kills = random.chance(40);
  shock.at = seconds * random.between(0, 1000) / 1000;
  const unsigned kind = random.below(100); // most are short; some longer than the watchdog's time, few much longer
  const int most = kind < 3 ? 30000 : kind < 23 ? 9000 : 2500;
  shock.stopped = random.between(most > 2500 ? 7000 : 100, most) / 1000.;
  shock.watchdog = random.one({1, 2});
  shock.choice = random.below(1000);
  return shock;
}

Ending runWithShock(const std::string &command, const std::string &mark, const Shock &shock) {
  Launcher launcher(command);
  Ending ending;
  comes([&] { return launcher.over(); }, shock.at);
  const auto begin = Clock::now();
  ending.victim = strike(launcher, mark, shock);
  const auto ended = [&] { return ranksWith(mark).empty(); };
  // After a stop they go on, to their end.
  comes([&] { return launcher.over() || ended(); }, shock.kills && ending.victim >= 0 ? patience : 5 * patience);
  ending.ranksAreLeft = !comes(ended, patience / 2);
  ending.seconds = secondsSince(begin);
  ending.launcherHangs = !comes([&] { return launcher.over(); }, patience / 2);
  ending.exitCode = ending.launcherHangs ? -1 : launcher.exitCode();
  for (const Process &rank : ranksWith(mark))
    kill(rank.id, SIGKILL);
  return ending;
}

} // namespace fuzz
