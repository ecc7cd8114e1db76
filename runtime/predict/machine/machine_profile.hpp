// A node as numbers: what its cores, its accelerators and the way between them can do.
#pragma once

#include "runtime/predict/clock/noise.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tla::runtime {

/// What a kernel makes of a processor, against what gemm makes of it.
struct KernelFigures {
  double efficiency = 1; ///< of gemm's rate, in the limit of large tiles; > 0
  /// Steps that wait for each other: one for each so many columns of the main output. 0: one in all. On a device each
  /// is a launch.
  int columnsPerStep = 0;
  /// On a device, of which kernels of the library or of hetc do so many columns of the main output each: each of them
  /// waits until blocks of others have left it room, Device::wait. 0: there is no such wait.
  int columnsPerKernel = 0;
  /// The same of a kernel that applies reflectors to a panel (larfb), as many as its first tile has rows: so many
  /// products for each tile. Then these are as deep as the tile has rows, which decides their rate.
  int kernelsPerTile = 0;
  /// On a device: the kernel applies reflectors, so many at a time, by two products each. 0: it is one product.
  int innerBlock = 0;
};
using KernelTable = std::map<std::string, KernelFigures>; ///< by the kernel's name
/// Seconds of a task on full n x n tiles, by the kernel's name and n.
using SecondsTable = std::map<std::string, std::map<int, double>>;

/// Rates are in operations per second, by LAPACK's letter of the type (s, d, c, z); bandwidths in bytes per second;
/// times in seconds.
struct MachineProfile {
  std::string name;                 ///< "h200-sxm"
  std::string description;          ///< one line
  std::vector<std::string> sources; ///< of the figures
  double watts = 0;                 ///< of the node while it computes; 0: not known

  struct Host {
    std::string model;
    int cores = 0;
    std::map<char, double> rates; ///< of gemm on one core while all compute
    double halfSize = 0;          ///< of a tile on which gemm has half of that
    double bandwidth = 0;         ///< of one core while all compute
    KernelTable kernels;          ///< "other" stands for those that it does not name
    /// By type: of one core while all compute, as measured. Stands for all of the above where it has the kernel.
    std::map<char, SecondsTable> seconds;
    std::map<char, SecondsTable> panelSeconds; ///< the same of tasks on panels that are eight tiles tall
  } host;

  /// `count` of 0 and no model: the machine has none, and no links.
  struct Device {
    std::string model;
    int count = 0;
    double memory = 0;            ///< bytes
    std::map<char, double> rates; ///< of a large gemm
    int multiprocessors = 0;
    int block = 0;           ///< gemm gives each multiprocessor block x block elements of C at a time
    double halfDepth = 0;    ///< of a product with which such a block has half of its rate
    double bandwidth = 0;    ///< of its memory
    double launch = 0;       ///< from the call to the first instruction of a kernel
    double task = 0;         ///< of the host's thread that begins kernels and sees their ends, for each
    int streams = 1;         ///< kernels in flight
    double wait = 0;         ///< until blocks of products that fill it have left room for a kernel that is preferred
    bool priorities = false; ///< kernels that are more urgent have what they can use of it first
    /// Products that one launch does together: of one of these types, all of whose dimensions are in [from, to], with a
    /// C of which blocks of blockRows x blockColumns are at most 3% more; so many tasks at most, and none more once
    /// they have so many operations.
    struct Together {
      std::string types = {}; ///< "dz"
      int tasks = 1, from = 0, to = 0, blockRows = 1, blockColumns = 1;
      double operations = 0;
      double task = 0; ///< of the host's thread, for each but the first
    } together = {};
    KernelTable kernels; ///< those that it has bodies for, and no others
  } device;

  /// Of each device, but for `together`.
  struct Links {
    double in = 0, out = 0; ///< from pinned memory of the host, and to it
    double latency = 0;     ///< of a copy
    double together = 0;    ///< all devices at once, in each direction
    double peer = 0;        ///< between two devices; 0: by the host
    double peerLatency = 0;
  } links;

  /// Between nodes, where there are several.
  struct Network {
    std::string model;
    double bandwidth = 0, latency = 0; ///< of a port, which every node has in each direction
    std::string platform = {};         ///< or else a file of SimGrid's, which says what is between nodes
  };
  std::optional<Network> network;

  /// Of the host's cores, which are quiet unless it is asked for.
  std::optional<NoiseFigures> noise;
};

/// Reads a profile from JSON: an object with the members above, units in the names of the keys (docs/accelerators.md
/// has one). Nothing on a mistake, with one line in `error` that names the member and says what is wrong with it: what
/// is missing, not positive, not finite, above what any machine has, or unknown.
std::optional<MachineProfile> parseProfile(const std::string &json, std::string &error);

/// The profiles that hetc knows: their JSON by name.
const std::map<std::string, std::string> &knownProfiles();

/// A known profile, or a file's. Nothing on a mistake, with one line in `error`.
std::optional<MachineProfile> findProfile(const std::string &nameOrFile, std::string &error);

} // namespace tla::runtime
