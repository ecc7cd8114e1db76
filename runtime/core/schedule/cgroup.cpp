#include "runtime/core/schedule/cgroup.hpp"

#include "dsl/base/streams.hpp"

#include <algorithm>
#include <limits>

namespace tla::runtime {

/// "cpu,cpuacct" names "cpu".
static bool names(const std::string &controllers, const std::string &wanted) {
  TextReader list(controllers);
  for (std::string one; std::getline(list, one, ',');)
    if (one == wanted)
      return true;
  return false;
}

std::vector<CgroupFolder> cgroupFolders(const std::string &controller, const std::string &system) {
  std::vector<CgroupFolder> folders;
  FileReader groups(system + "/proc/self/cgroup"); // lines "number:controllers:path"; version 2 names none
  for (std::string line; std::getline(groups, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos)
      continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool unified = controllers.empty();
    if (!unified && !names(controllers, controller))
      continue;
    const std::string root = system + "/sys/fs/cgroup" + (unified ? "" : "/" + controller);
    std::string path = line.substr(second + 1);
    if (path == "/")
      path.clear();
    for (;; path.erase(std::min(path.rfind('/'), path.size()))) {
      folders.push_back({root + path, unified});
      if (path.find('/') == std::string::npos)
        break;
    }
  }
  return folders;
}

/// Quota and period in microseconds.
static double quotaOf(const CgroupFolder &folder) {
  double quota = 0, period = 0; // 0 after "max" and for missing files, -1 for none in version 1
  if (folder.unified)
    FileReader(folder.path + "/cpu.max") >> quota >> period;
  else {
    FileReader(folder.path + "/cpu.cfs_quota_us") >> quota;
    FileReader(folder.path + "/cpu.cfs_period_us") >> period;
  }
  return quota > 0 && period > 0 ? quota / period : std::numeric_limits<double>::infinity();
}

double cpuQuota(const std::string &system) {
  double least = std::numeric_limits<double>::infinity();
  for (const CgroupFolder &folder : cgroupFolders("cpu", system))
    least = std::min(least, quotaOf(folder));
  return least;
}

} // namespace tla::runtime
