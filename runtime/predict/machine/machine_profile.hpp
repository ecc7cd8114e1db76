// A node as numbers: what its cores, its accelerators and the way between them can do.
#pragma once

#include "runtime/predict/clock/noise.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tla::runtime {

/// The figures of a kernel on a processor, in relation to those of gemm.
struct KernelFigures {
  double efficiency = 1; ///< part of gemm's rate that it has in the limit of large tiles; > 0
  /// Steps that wait for each other: one for each so many columns of the main output. 0: one in all. On a device each
  /// is a launch.
  int columnsPerStep = 0;
  /// On a device, of which kernels of the library or of hetc do so many columns of the main output each: each of them
  /// waits until blocks of others have left it room, Device::wait. 0: there is no such wait.
  int columnsPerKernel = 0;
  /// The number of kernels that wait so for each tile of a panel, in a kernel that applies reflectors to the panel
  /// (larfb), as many as its first tile has rows: so many products for each tile. Then these are as deep as the tile
  /// has rows, which decides their rate.
  int kernelsPerTile = 0;
  /// The number of reflectors that the kernel applies at a time, by two products each, on a device. 0: it is one
  /// product.
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
  std::vector<std::string> sources; ///< sources of the figures
  double watts = 0;                 ///< power of the node while it computes; 0: not known

  struct Host {
    std::string model;
    int cores = 0;
    std::map<char, double> rates; ///< rates of gemm on one core while all compute
    double halfSize = 0;          ///< size of a tile on which gemm has half of that rate
    double bandwidth = 0;         ///< memory bandwidth of one core while all compute
    KernelTable kernels;          ///< "other" stands for those that it does not name
    /// By type: of one core while all compute, as measured. Stands for all of the above where it has the kernel.
    std::map<char, SecondsTable> seconds;
    std::map<char, SecondsTable> panelSeconds; ///< seconds of tasks on panels that are eight tiles tall
  } host;

  /// `count` of 0 and no model: the machine has none, and no links.
  struct Device {
    std::string model;
    int count = 0;
    double memory = 0;            ///< bytes
    std::map<char, double> rates; ///< rates of a large gemm
    int multiprocessors = 0;
    int block = 0;           ///< gemm gives each multiprocessor block x block elements of C at a time
    double halfDepth = 0;    ///< depth of a product with which such a block has half of its rate
    double bandwidth = 0;    ///< bandwidth of its memory
    double launch = 0;       ///< from the call to the first instruction of a kernel
    double task = 0;         ///< time of the host's thread that begins kernels and sees their ends, for each task
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
      double task = 0; ///< time of the host's thread, for each task but the first
    } together = {};
    KernelTable kernels; ///< kernels that it has bodies for, and no others
  } device;

  /// The links of each device; `together` is for all.
  struct Links {
    double in = 0, out = 0; ///< bandwidths from pinned memory of the host, and to it
    double latency = 0;     ///< latency of a copy
    double together = 0;    ///< all devices at once, in each direction
    double peer = 0;        ///< bandwidth between two devices; 0: copies go by the host
    double peerLatency = 0;
  } links;

  /// Between nodes, where there are several.
  struct Network {
    std::string model;
    double bandwidth = 0, latency = 0; ///< bandwidth and latency of a port, which every node has in each direction
    std::string platform = {};         ///< a file of SimGrid's that describes the network, in place of these
  };
  std::optional<Network> network;

  /// The noise of the host's cores, which are quiet unless noise is asked for.
  std::optional<NoiseFigures> noise;
};

/// Reads a profile from JSON: an object with the members above, units in the names of the keys (docs/accelerators.md
/// has one). Throws UsageError on a mistake, which names the member and says what is wrong with it: what is missing,
/// not positive, not finite, above what any machine has, or unknown.
MachineProfile parseProfile(const std::string &json);

/// The profiles that hetc knows: their JSON by name.
const std::map<std::string, std::string> &knownProfiles();

/// Returns a known profile, or a file's. Throws UsageError on a mistake.
MachineProfile findProfile(const std::string &nameOrFile);

} // namespace tla::runtime
