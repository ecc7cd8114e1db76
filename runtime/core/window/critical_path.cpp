#include "runtime/core/window/critical_path.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace tla::runtime {

std::vector<PathPart> CriticalPath::parts(double secondsPerTick) const {
  if (lastEnded_ >= entries_.size())
    return {};
  std::map<std::tuple<std::string, int, bool>, PathPart> parts;
  const auto add = [&](const Entry &entry, bool waiting, Ticks ticks) {
    const int place = Unit::placeOf(entry.unit);
    PathPart &part = parts[{entry.kernel, place, waiting}];
    part.kernel = entry.kernel;
    part.place = place;
    part.waiting = waiting;
    part.seconds += static_cast<double>(ticks) * secondsPerTick;
    ++part.tasks;
  };
  for (std::uint32_t task = lastEnded_; task != none; task = entries_[task].cause) {
    const Entry &entry = entries_[task];
    if (!entry.kernel) // it has not run: the run was stopped
      return {};
    add(entry, false, entry.end - entry.begin);
    if (entry.begin > entry.ready)
      add(entry, true, entry.begin - entry.ready);
  }
  std::vector<PathPart> list;
  for (auto &[key, part] : parts)
    list.push_back(std::move(part));
  std::stable_sort(list.begin(), list.end(),
                   [](const PathPart &a, const PathPart &b) { return a.seconds > b.seconds; });
  return list;
}

} // namespace tla::runtime
