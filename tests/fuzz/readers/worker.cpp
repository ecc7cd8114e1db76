#include "tests/fuzz/readers/worker.hpp"

#include <atomic>
#include <bit>
#include <cctype>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <fstream>
#include <new>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fuzz::readers {

void Tally::add(const Tally &other) {
  inputs += other.inputs;
  accepted += other.accepted;
  for (std::size_t i = 0; i < answers.size(); ++i)
    answers[i] |= other.answers[i];
}

int Tally::answerKinds() const {
  int kinds = 0;
  for (const std::uint64_t word : answers)
    kinds += std::popcount(word);
  return kinds;
}

/// The memory that parent and child share.
struct Worker::Shared {
  std::atomic<std::uint64_t> current;
  Tally tally;
  char failure[512];
};

namespace {

constexpr int failed = 3;
/// The memory that one input may take beyond that of the process.
constexpr std::size_t memory = std::size_t(2) << 30;

/// Sanitizers have addresses for all memory.
void limitMemory() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t limit = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + memory;
  const rlimit limits{limit, limit};
  setrlimit(RLIMIT_AS, &limits);
#endif
  const rlimit noCores{0, 0};
  setrlimit(RLIMIT_CORE, &noCores);
}

/// The kind of an answer, from its text without the parts that differ from one input to the next: numbers, quotations,
/// paths.
std::uint64_t kindOf(const std::string &answer) {
  std::uint64_t hash = 14695981039346656037u;
  bool quoted = false;
  for (const char c : answer.substr(0, 2000)) {
    quoted ^= c == '\'';
    if (!quoted && std::isalpha(static_cast<unsigned char>(c)))
      hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  }
  return hash >> 20;
}

std::string nameOf(const std::exception &exception) {
  int status = 0;
  char *const name = abi::__cxa_demangle(typeid(exception).name(), nullptr, nullptr, &status);
  const std::string text = name ? name : "exception";
  std::free(name);
  return text;
}

} // namespace

Worker::Worker(const Reader &reader, const Inputs &inputs, std::uint64_t begin, std::uint64_t end,
               const std::string &folder)
    : seconds_(reader.seconds), since_(Clock::now()) {
  void *const memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw std::runtime_error("no shared memory");
  shared_ = new (memory) Shared{};
  shared_->current = begin;
  std::fflush(nullptr);
  pid_ = fork();
  if (pid_ == 0)
    work(reader, inputs, begin, end, folder);
  if (pid_ < 0)
    throw std::runtime_error("no process");
}

Worker::~Worker() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  munmap(shared_, sizeof(Shared));
}

void Worker::work(const Reader &reader, const Inputs &inputs, std::uint64_t begin, std::uint64_t end,
                  const std::string &folder) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setScratchFolder(folder);
  dup2(open("/dev/null", O_RDWR), 0);
  dup2(0, 1);
  dup2(open(scratchFile("errors").c_str(), O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0644), 2);
  limitMemory();
  for (std::uint64_t number = begin; number < end; ++number) {
    shared_->current = number;
    try {
      const std::string answer = reader.read(inputs(number));
      const std::uint64_t bit = kindOf(answer) % (64 * shared_->tally.answers.size());
      shared_->tally.answers[bit / 64] |= std::uint64_t(1) << bit % 64;
      shared_->tally.accepted += answer.empty();
      ++shared_->tally.inputs;
    } catch (const std::exception &exception) {
      std::snprintf(shared_->failure, sizeof shared_->failure, "%s: %s", nameOf(exception).c_str(), exception.what());
      _exit(failed);
    } catch (...) {
      std::strcpy(shared_->failure, "an exception of another kind");
      _exit(failed);
    }
  }
  _exit(0);
}

std::optional<Ending> Worker::poll() {
  int status = 0;
  const bool ended = waitpid(pid_, &status, WNOHANG) == pid_;
  const std::uint64_t current = shared_->current;
  if (!ended) {
    if (current != seen_)
      since_ = Clock::now();
    seen_ = current;
    if (std::chrono::duration<double>(Clock::now() - since_).count() < seconds_)
      return std::nullopt;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  pid_ = -1;
  Ending ending{current, "", shared_->tally};
  if (!ended)
    ending.failure = "takes too long";
  else if (WIFSIGNALED(status))
    ending.failure = std::string("crash: ") + strsignal(WTERMSIG(status));
  else if (shared_->failure[0])
    ending.failure = shared_->failure;
  else if (WEXITSTATUS(status) != 0)
    ending.failure = "the process ends with " + std::to_string(WEXITSTATUS(status));
  return ending;
}

Ending Worker::wait() {
  for (;;) {
    if (const auto ending = poll())
      return *ending;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

Ending Worker::stop() {
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
  return {shared_->current, "", shared_->tally};
}

} // namespace fuzz::readers
