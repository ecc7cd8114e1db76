// The control groups (Linux) that bound what this process may take.
#pragma once

#include <string>
#include <vector>

namespace tla::runtime {

/// A folder with the files of one controller.
struct CgroupFolder {
  std::string path;
  bool unified; ///< version 2: "cpu.max", "memory.max"; else version 1: "cpu.cfs_quota_us", "memory.limit_in_bytes"
};

/// The folders for `controller` ("cpu", "memory"), from this process's own group up to the root: every one of them is a
/// bound. Folders may be missing, as in a container that sees its own group as the root. `system` stands before /proc
/// and /sys, for tests.
std::vector<CgroupFolder> cgroupFolders(const std::string &controller, const std::string &system = "");

/// Cores' worth of processor time that the process may use, the least bound of its groups; infinite without one.
double cpuQuota(const std::string &system = "");

} // namespace tla::runtime
