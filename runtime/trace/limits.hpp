// What limited a run, in words, from its counts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tla::trace {

/// The counts of one run. Times are seconds; a part of the time is 0 .. 1.
struct RunCounts {
  double seconds = 0;
  int ranks = 1, threads = 1; ///< computing threads of each rank
  int cores = 0;              ///< cores that the threads of a rank may use; 0: not known
  std::uint64_t tasks = 0;    ///< tasks on cores and accelerators
  double generation = 0;      ///< time of the program's loops, of the slowest rank
  std::uint64_t windowFull = 0;
  std::size_t window = 0; ///< the most tasks in flight that --window allows; 0: not known
  int nb = 0;
  bool nbGiven = false; ///< --nb, and not hetc's choice
  int usualNb = 0;      ///< the tile size that hetc chooses by itself; 0: not known
  bool debugging = false;
  bool referenceKernels = false; ///< plain loops stand for a BLAS library
  std::uint64_t messages = 0, bytes = 0;

  struct Kernel {
    std::string name;
    std::uint64_t tasks = 0;
    double seconds = 0, flops = 0; ///< flops, and seconds of cores and accelerators together
    bool isOwn = false;            ///< whether it is the user's, who may mend it
  };
  std::vector<Kernel> kernels;

  std::vector<double> busy; ///< part of the time in which the cores of each rank computed

  struct Device {
    std::string name;
    double busy = 0; ///< part of the time in which a kernel was under way
    std::uint64_t bytes = 0;
  };
  std::vector<Device> devices;

  /// The parts of the time of all cores and accelerators in which they waited for each of these. Only a trace knows.
  struct Waits {
    double messages = 0, copies = 0, window = 0, loops = 0, tasks = 0;
    std::string kernel; ///< the kernel that was waited for longest; empty: none was
  };
  std::optional<Waits> waits;

  /// The number of threads of all ranks.
  int allThreads() const { return ranks * threads; }
  /// Part of the time in which the cores of all ranks computed.
  double allBusy() const;
};

struct Limit {
  std::string cause; ///< a word that stays: "small-tasks"
  std::string text;  ///< the finding, and what to do about it
};

/// One or two causes for which the run was not faster, the weightiest first; none for a run without tasks.
std::vector<Limit> limitsOf(const RunCounts &run);

/// "  verdict   tasks last 3 us on average ...\n", a line each.
std::string limitsText(const std::vector<Limit> &limits);

} // namespace tla::trace
