// Inputs after inputs for one reader, in several processes, until the time or the number is over.
#pragma once

#include "tests/fuzz/readers/worker.hpp"

#include <map>

namespace fuzz::readers {

/// The bounds that the command line sets.
struct Bounds {
  double seconds = 0;       ///< time for one reader; 0: no bound
  std::uint64_t inputs = 0; ///< inputs for one reader of cost 1; 0: no bound
  std::uint64_t seed = 1;
  int jobs = 1;
  double shrinkSeconds = 60; ///< time for shrinking each failure
  std::string directory;     ///< folder for inputs that failed
  std::string scratch;       ///< for files that are read: in memory where that is possible
};

/// One input that a reader fails at, made smaller as long as it fails in the same way.
std::string shrunk(const Reader &reader, std::string bytes, const std::string &failure, const Bounds &bounds);

/// Failures by what is common to those alike: without numbers and quoted words.
std::string generalized(const std::string &failure);

class Hunt {
public:
  Hunt(const Reader &reader, const Bounds &bounds) : reader_(reader), bounds_(bounds) {}

  /// Says what it did. True when nothing failed.
  bool run();

private:
  struct Job {
    std::unique_ptr<Worker> worker;
    std::uint64_t end = 0;
  };
  void start(Job &job, int number);
  void follow(Job &job, int number);
  void report(std::uint64_t input, const std::string &failure);
  bool over() const;
  std::uint64_t mostInputs() const;
  std::string folderOf(int job) const;

  const Reader &reader_;
  const Bounds &bounds_;
  std::chrono::steady_clock::time_point start_;
  std::uint64_t next_ = 0;
  Tally tally_;
  std::map<std::string, int> seen_; ///< failures of each kind
};

} // namespace fuzz::readers
