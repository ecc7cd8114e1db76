#include "compiler/driver/stage_notes.hpp"

#include <chrono>
#include <cstring>
#include <system_error>
#include <utility>

#include <llvm/Support/raw_ostream.h>
#include <unistd.h>

namespace hetc::driver {

namespace {

/// The purpose of a stage in a user's words.
const char *meaningOf(const char *stage) {
  static constexpr std::pair<const char *, const char *> meanings[] = {
      {"parse", "reads the program"},
      {"analyze", "finds out which tasks need which"},
      {"prove", "proves what the algorithm requires"},
      {"fit", "proves that arguments fit together"},
      {"split", "cuts tiles into slices"},
      {"specialize", "makes loops for the nodes"},
      {"compile", "makes machine code"},
      {"kernels", "compiles kernels"},
      {"validate", "tries what it made beside the plain program"},
      {"link", "links"},
  };
  for (const auto &[name, meaning] : meanings)
    if (std::strcmp(name, stage) == 0)
      return meaning;
  return stage;
}

double nextAfter(double seconds) {
  for (const double each : {1.0, 3.0, 10.0})
    if (seconds < each)
      return each;
  constexpr double step = 30;
  return (static_cast<int>(seconds / step) + 1) * step;
}

} // namespace

StageNotes::StageNotes(std::string subject, bool isShown, double second)
    : subject_(std::move(subject)), second_(second) {
  if (!isShown)
    return;
  try {
    thread_ = tla::Thread([this] { watch(); });
  } catch (const std::system_error &) {
    // It is a help, and compiling goes on without it.
  }
}

StageNotes::~StageNotes() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  ending_.notify_one();
}

void StageNotes::set(const char *stage) {
  const std::lock_guard lock(mutex_);
  stage_ = stage;
}

void StageNotes::watch() {
  using Duration = std::chrono::steady_clock::duration;
  const auto begin = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  for (double due = nextAfter(0);; due = nextAfter(due)) {
    const auto then = begin + std::chrono::duration_cast<Duration>(std::chrono::duration<double>(due * second_));
    if (ending_.wait_until(lock, then, [this] { return ends_; }))
      return;
    if (stage_)
      write(due, stage_);
  }
}

void StageNotes::write(double seconds, const char *stage) const {
  const std::string line = "hetc: " + subject_ + ": compiling has taken " + std::to_string(static_cast<int>(seconds)) +
                           " s; now hetc " + meaningOf(stage) + " (" + stage + ")\n";
  // One call, and not Clang's stream, which another thread is using.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
}

bool isTerminal() { return ::isatty(STDERR_FILENO) == 1; }

} // namespace hetc::driver
