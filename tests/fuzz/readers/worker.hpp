// A process that reads inputs one after the other, so that a crash or a loop without an end is a failure like others.
#pragma once

#include "tests/fuzz/readers/reader.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <sys/types.h>

namespace fuzz::readers {

/// A tally of the answers to inputs.
struct Tally {
  std::uint64_t inputs = 0, accepted = 0;
  std::array<std::uint64_t, 64> answers = {}; ///< a bit for each kind of answer, by its hash

  void add(const Tally &other);
  int answerKinds() const;
};

/// How a worker ended: it read all, or failed at an input.
struct Ending {
  std::uint64_t input = 0;
  std::string failure; ///< "crash: Segmentation fault", "std::out_of_range: ...", ...; empty: none
  Tally tally;
};

class Worker {
public:
  using Inputs = std::function<std::string(std::uint64_t number)>;

  /// Reads the inputs begin .. end - 1, with `folder` for its files.
  Worker(const Reader &reader, const Inputs &inputs, std::uint64_t begin, std::uint64_t end, const std::string &folder);
  ~Worker();
  Worker(const Worker &) = delete;
  Worker &operator=(const Worker &) = delete;

  /// Nothing while it works. Ends it when an input takes too long.
  std::optional<Ending> poll();
  Ending wait();
  /// Ends it; what it has not read is no failure.
  Ending stop();

private:
  struct Shared;
  using Clock = std::chrono::steady_clock;
  [[noreturn]] void work(const Reader &reader, const Inputs &inputs, std::uint64_t begin, std::uint64_t end,
                         const std::string &folder);

  pid_t pid_ = -1;
  Shared *shared_;
  double seconds_;
  std::uint64_t seen_ = ~std::uint64_t(0);
  Clock::time_point since_;
};

} // namespace fuzz::readers
