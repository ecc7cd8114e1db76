// Which of the devices of a machine one of its ranks uses.
#pragma once

#include <cstddef>
#include <vector>

namespace tla::runtime {

/// The devices of rank `part` of `parts` ranks that deal these among themselves: as many as the others, next to each
/// other, except for one more where they do not come out even; where there are more ranks than devices, one that it
/// shares with `sharers` - 1 others.
struct DevicePart {
  std::vector<int> devices;
  int sharers = 1;
};
inline DevicePart partOf(const std::vector<int> &devices, int part, int parts) {
  const auto count = static_cast<long>(devices.size());
  const auto bound = [&](int number) { return devices.begin() + count * number / parts; };
  if (count >= parts)
    return {{bound(part), bound(part + 1)}, 1};
  if (count == 0)
    return {};
  DevicePart shared{{*bound(part)}, 0};
  for (int other = 0; other < parts; ++other)
    shared.sharers += bound(other) == bound(part);
  return shared;
}

} // namespace tla::runtime
