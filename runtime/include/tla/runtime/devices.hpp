// What is known of the accelerators of this machine, for programs that ask before they run anything.
#pragma once

#include <tla/runtime/algorithm.hpp>

#include <string>
#include <utility>
#include <vector>

namespace tla::host {

/// Checks a choice of devices as --devices takes it ("auto", "none", "emulated:2,mem=1G", "cuda:0,1"): returns an error
/// message, or an empty text. It does not ask whether the devices are there.
std::string whyNoDevices(const std::string &choice);

/// The report of 'hetc doctor' on accelerators: those of the machine, their known rates and cuts, and for the devices
/// of the choice the weights and the cut that follow.
struct DeviceReport {
  std::vector<std::pair<std::string, std::string>> lines; ///< name and text; the name is empty where one goes on
  std::string json;                                       ///< an object: cuda, rates, cuts_found, devices
};

/// Measures the rates of gemm in double where they are not known; no kernel may be running. Throws UsageError for a
/// choice that whyNoDevices() refuses, tla::Error when a device cannot be opened.
DeviceReport reportDevices(const std::string &choice);

/// Describes this node as `hetc cost --machine` reads it: all cores together, and the devices of the choice. It
/// measures for some seconds; no kernel may be running. Errors as in reportDevices(), and UsageError for a profile,
/// which is known.
///
/// In a process that is one of several ranks: all ranks as nodes, each with its part of the cores and of the memory,
/// and the links between them. A collective; empty but on rank 0, which alone throws what went wrong anywhere.
std::string measureMachine(const std::string &choice);

/// The number of slices that --split auto stands for on this machine: the slices that [Song12] 3.2 has for gemm on
/// tiles of nb, by measured rates, which are taken first if they are not known; 1 without accelerators, and where the
/// host's part of a tile would be too narrow. `threads`: of the host, 0: all. Errors as in reportDevices().
int chooseSliceCount(const std::string &choice, runtime::ElementType type, int nb, int threads);

} // namespace tla::host
