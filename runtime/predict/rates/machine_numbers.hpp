// A machine as the numbers that bounds on communication are made of: [Ballard11], section 3.
//
// [Ballard11]: G. Ballard, J. Demmel, A. Gearhart, "Communication Bounds for Heterogeneous Architectures", Technical
// Report UCB/EECS-2011-13, 2011.
#pragma once

#include "runtime/predict/machine/machine_profile.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tla::host {

/// Who computes: a processor, an accelerator, a node. All are > 0.
struct ComputeElement {
  std::string name;
  int count = 1;                ///< equal ones, each of its own link
  std::map<char, double> rates; ///< 1 / gamma: real operations per second on data in its memory, by LAPACK's letter
  double bandwidth = 0;         ///< 1 / beta, in bytes per second, of its link
  double latency = 0;           ///< alpha, in seconds, of a message on it
  double memory = 0;            ///< M, in bytes; infinite: unknown
};

struct MachineNumbers {
  std::string name, description;
  /// Around one memory: the cores of a node, whose one element is the first, and its accelerators. Else nodes, which
  /// have the data in memories of their own.
  bool shared = true;
  std::vector<ComputeElement> elements; ///< elements of a node, at least one

  int count() const;
};

/// Reads {"name", "description", "elements" or "nodes": [{"name", "count", "gflops": {"s", "d", "c", "z"},
/// "bandwidthGBs", "latencyUs", "memoryGB"}]}; count may be missing, one of the types is enough. Throws
/// UsageError on a mistake, which names the number that is missing, not positive, not finite, above what any machine
/// has, or unknown.
MachineNumbers parseMachine(const std::string &json);
/// The text that parseMachine() reads, of one line for each element.
std::string machineText(const MachineNumbers &machine);

/// The numbers of a profile: those of the cores together and those of each device, whose link is all of its ways
/// together, which work at the same time. For the cores' link and memory the profile has only the bandwidth of their
/// memory: no latency, and a fast memory of unknown size.
MachineNumbers numbersOf(const runtime::MachineProfile &profile);

/// The numbers of a profile that hetc knows, or of a file: of a profile, or as parseMachine() reads them. Throws
/// UsageError on a mistake.
MachineNumbers findMachine(const std::string &nameOrFile);

} // namespace tla::host
