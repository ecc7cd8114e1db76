#include "runtime/bootstrap/memory.hpp"

#include "runtime/bootstrap/text.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

namespace tla::bootstrap {
namespace {
constexpr double unlimited = std::numeric_limits<double>::infinity();

/// One tile's bytes, rounded up as Storage does.
double tileBytes(double rows, double columns, double elementBytes) {
  return std::ceil(rows * columns * elementBytes / Storage::alignment) * Storage::alignment;
}

/// The value after `key` in a file of "key value" lines, or after nothing in a file of one number.
double readNumber(const std::string &path, const std::string &key = "") {
  std::ifstream file(path);
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
double cgroupRoom(const std::string &folder, const char *limitFile, const char *usageFile) {
  const double limit = readNumber(folder + "/" + limitFile), usage = readNumber(folder + "/" + usageFile);
  if (!std::isfinite(limit) || !std::isfinite(usage) || limit > 0x1p60)
    return unlimited;
  const double reclaimable = readNumber(folder + "/memory.stat", "inactive_file");
  return std::max(0.0, limit - usage + (std::isfinite(reclaimable) ? reclaimable : 0));
}

/// The tightest limit on the way from this process's group up to the root.
double cgroupPathRoom(const std::string &root, std::string path, const char *limitFile, const char *usageFile) {
  double room = unlimited;
  for (;;) {
    room = std::min(room, cgroupRoom(root + path, limitFile, usageFile));
    if (path.empty())
      return room;
    path.erase(path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
  }
}

double cgroupAvailable() {
  double room = unlimited;
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos)
      continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    std::string path = line.substr(second + 1);
    if (path == "/")
      path.clear();
    if (controllers.empty())
      room = std::min(room, cgroupPathRoom("/sys/fs/cgroup", path, "memory.max", "memory.current"));
    else if (controllers == "memory")
      room = std::min(room,
                      cgroupPathRoom("/sys/fs/cgroup/memory", path, "memory.limit_in_bytes", "memory.usage_in_bytes"));
  }
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

void requireMemory(double needed, double available, const std::string &advice) {
  if (needed > available)
    throw UsageError("needs " + formatBytes(needed) + ", " + formatBytes(available) + " available; " + advice);
}

} // namespace tla::bootstrap
