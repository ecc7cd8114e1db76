#include "tests/fuzz/readers/hunt.hpp"

#include "tests/fuzz/readers/mutation.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <thread>

namespace fuzz::readers {

using Clock = std::chrono::steady_clock;

static double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string generalized(const std::string &failure) {
  std::string text;
  bool quoted = false;
  for (const char c : failure) {
    quoted ^= c == '\'';
    if (!quoted && !std::isdigit(static_cast<unsigned char>(c)))
      text += c;
  }
  return text.substr(0, 80);
}

bool Hunt::run() {
  start_ = Clock::now();
  std::vector<Job> jobs(static_cast<std::size_t>(std::max(1, bounds_.jobs)));
  for (bool working = true; working;) {
    working = false;
    for (int number = 0; number < static_cast<int>(jobs.size()); ++number) {
      Job &job = jobs[number];
      if (!job.worker && !over())
        start(job, number);
      if (job.worker)
        follow(job, number);
      working = working || job.worker || !over();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  int failures = 0;
  for (const auto &[kind, count] : seen_)
    failures += count;
  const double seconds = secondsSince(start_);
  std::printf("%-13s %10llu inputs, %9.0f a second, %5.1f%% accepted, %4d kinds of answers, %d failures\n",
              reader_.name.c_str(), static_cast<unsigned long long>(tally_.inputs),
              static_cast<double>(tally_.inputs) / seconds,
              100.0 * static_cast<double>(tally_.accepted) /
                  static_cast<double>(std::max<std::uint64_t>(1, tally_.inputs)),
              tally_.answerKinds(), failures);
  for (const auto &[kind, count] : seen_)
    std::printf("  %d times: %s\n", count, kind.c_str());
  std::fflush(stdout);
  return seen_.empty();
}

bool Hunt::over() const {
  return (bounds_.seconds > 0 && secondsSince(start_) >= bounds_.seconds) || next_ >= mostInputs();
}

/// The seeds are always read.
std::uint64_t Hunt::mostInputs() const {
  const std::uint64_t inputs = std::max<std::uint64_t>(bounds_.inputs / reader_.cost, 10);
  return bounds_.inputs ? inputs : ~std::uint64_t(0);
}

std::string Hunt::folderOf(int job) const { return bounds_.scratch + "/job" + std::to_string(job); }

void Hunt::start(Job &job, int number) {
  const std::uint64_t batch = std::max(1u, 20000 / reader_.cost), begin = next_;
  next_ = std::min(begin + batch, mostInputs());
  job.end = next_;
  job.worker = std::make_unique<Worker>(
      reader_, [this](std::uint64_t input) { return inputOf(reader_, bounds_.seed, input); }, begin, job.end,
      folderOf(number));
}

/// When it has failed another goes on behind that input. When the time is over it is ended.
void Hunt::follow(Job &job, int number) {
  std::optional<Ending> ending = job.worker->poll();
  if (!ending && bounds_.seconds > 0 && secondsSince(start_) >= bounds_.seconds)
    ending = job.worker->stop();
  if (!ending)
    return;
  job.worker.reset();
  tally_.add(ending->tally);
  if (ending->failure.empty())
    return;
  report(ending->input, ending->failure);
  if (ending->input + 1 < job.end)
    job.worker = std::make_unique<Worker>(
        reader_, [this](std::uint64_t input) { return inputOf(reader_, bounds_.seed, input); }, ending->input + 1,
        job.end, folderOf(number));
}

/// Reports a failure; the first two of each kind are made smaller and kept.
void Hunt::report(std::uint64_t input, const std::string &failure) {
  constexpr int most = 2;
  if (++seen_[generalized(failure)] > most)
    return;
  const std::string bytes = inputOf(reader_, bounds_.seed, input);
  const std::string file = bounds_.directory + "/" + reader_.name + "-" + std::to_string(input);
  std::ofstream(file + ".whole", std::ios::binary) << bytes;
  std::ofstream(file, std::ios::binary) << bytes;
  const std::string small = shrunk(reader_, bytes, failure, bounds_);
  std::ofstream(file, std::ios::binary) << small;
  std::cout << reader_.name << ": " << failure << "\n  " << small.size() << " bytes: tools/fuzz --readers "
            << reader_.name << " --input " << file << "\n"
            << std::flush;
}

namespace {

/// Pieces left out, then bytes made plain, as long as it fails alike.
class Shrinker {
public:
  Shrinker(const Reader &reader, std::string bytes, const std::string &failure, const Bounds &bounds)
      : reader_(reader), bytes_(std::move(bytes)), kind_(generalized(failure)), bounds_(bounds), start_(Clock::now()) {}

  std::string run() {
    if (!fails(bytes_))
      return bytes_; // only behind others
    for (std::size_t piece = std::max<std::size_t>(1, bytes_.size() / 2); !isOver();
         piece = std::max<std::size_t>(1, piece / 2)) {
      const bool smaller = leaveOut(piece);
      if (piece == 1 && !smaller)
        break;
    }
    return bytes_;
  }

private:
  bool isOver() const { return secondsSince(start_) > bounds_.shrinkSeconds; }
  bool fails(const std::string &bytes) const {
    return generalized(Worker(
                           reader_, [&](std::uint64_t) { return bytes; }, 0, 1, bounds_.scratch + "/shrink")
                           .wait()
                           .failure) == kind_;
  }
  bool leaveOut(std::size_t piece) {
    bool smaller = false;
    for (std::size_t at = 0; at < bytes_.size() && !isOver();) {
      std::string without = bytes_;
      without.erase(at, piece);
      if (fails(without)) {
        bytes_ = std::move(without);
        smaller = true;
      } else
        at += piece;
    }
    return smaller;
  }

  const Reader &reader_;
  std::string bytes_, kind_;
  const Bounds &bounds_;
  Clock::time_point start_;
};

} // namespace

std::string shrunk(const Reader &reader, std::string bytes, const std::string &failure, const Bounds &bounds) {
  return Shrinker(reader, std::move(bytes), failure, bounds).run();
}

} // namespace fuzz::readers
