#include "runtime/host/problem/memory.hpp"

#include "dsl/base/streams.hpp"
#include "dsl/base/text.hpp"
#include "runtime/core/schedule/cgroup.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unistd.h>

namespace tla::host {
namespace {
constexpr double unlimited = std::numeric_limits<double>::infinity();

/// One tile's bytes, rounded up as Storage does.
double tileBytes(double rows, double columns, double elementBytes) {
  return std::ceil(rows * columns * elementBytes / Storage::alignment) * Storage::alignment;
}

/// The value after `key` in a file of "key value" lines, or after nothing in a file of one number.
double readNumber(const std::string &path, const std::string &key = "") {
  FileReader file(path);
  for (std::string word; file >> word;) {
    if (!key.empty()) {
      std::string value;
      file >> value;
      if (word != key)
        continue;
      word = value;
    }
    return parseReal(word).value_or(unlimited); // "max" is no number
  }
  return unlimited;
}

double memAvailable() { return readNumber("/proc/meminfo", "MemAvailable:") * 1024; }

/// Limit minus use of one cgroup folder; file pages that can be dropped at once do not count as used.
double cgroupRoom(const runtime::CgroupFolder &group) {
  const std::string folder = group.path + "/";
  const double limit = readNumber(folder + (group.unified ? "memory.max" : "memory.limit_in_bytes"));
  const double usage = readNumber(folder + (group.unified ? "memory.current" : "memory.usage_in_bytes"));
  if (!std::isfinite(limit) || !std::isfinite(usage) || limit > 0x1p60)
    return unlimited;
  const double reclaimable = readNumber(folder + "memory.stat", "inactive_file");
  return std::max(0.0, limit - usage + (std::isfinite(reclaimable) ? reclaimable : 0));
}

double cgroupAvailable() {
  double room = unlimited;
  for (const runtime::CgroupFolder &group : runtime::cgroupFolders("memory"))
    room = std::min(room, cgroupRoom(group));
  return room;
}
} // namespace

double matrixBytes(double rows, double columns, double nb, double elementBytes, Shape shape) {
  if (rows <= 0 || columns <= 0)
    return 0;
  const double rowTiles = std::floor(rows / nb), columnTiles = std::floor(columns / nb); // whole ones
  const double restRows = rows - rowTiles * nb, restColumns = columns - columnTiles * nb;
  const double whole = tileBytes(nb, nb, elementBytes);
  if (shape == Shape::General)
    return rowTiles * columnTiles * whole + rowTiles * tileBytes(nb, restColumns, elementBytes) +
           columnTiles * tileBytes(restRows, nb, elementBytes) + tileBytes(restRows, restColumns, elementBytes);
  return rowTiles * (rowTiles + 1) / 2 * whole + rowTiles * tileBytes(nb, restRows, elementBytes) +
         tileBytes(restRows, restRows, elementBytes);
}

double tableBytes(double rows, double columns, double nb) {
  constexpr double perTile = sizeof(void *) + 64; // Storage's pointer and the runtime's task list head
  return std::ceil(rows / nb) * std::ceil(columns / nb) * perTile;
}

double availableBytes() { return std::min(memAvailable(), cgroupAvailable()); }

double residentBytes() {
  FileReader file("/proc/self/statm"); // pages: all, those in memory, ...
  std::string all, resident;
  file >> all >> resident;
  const std::optional<double> pages = parseReal(resident);
  return pages ? *pages * static_cast<double>(sysconf(_SC_PAGESIZE)) : 0;
}

void requireMemory(double needed, double available, const std::string &advice) {
  if (needed > available)
    throw UsageError("needs " + formatBytes(needed) + ", " + formatBytes(available) + " available; " + advice);
}

} // namespace tla::host
