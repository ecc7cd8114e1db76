#include "runtime/host/ranks/device_dealing.hpp"

#include "dsl/base/text.hpp"
#include "runtime/device/cuda/open_cuda.hpp"
#include "runtime/host/ranks/packed_text.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <iterator>

namespace tla::host {

RankOfDevices dealDevices(const std::vector<ChosenDevices> &ranks, int rank) {
  const ChosenDevices &own = ranks[rank];
  RankOfDevices found{0, 0};
  for (int other = 0; other < static_cast<int>(ranks.size()); ++other) {
    const ChosenDevices &theirs = ranks[other];
    if (theirs.machine != own.machine)
      continue;
    if (theirs.devices == own.devices) {
      found.part += other < rank;
      ++found.parts;
    } else if (std::ranges::any_of(theirs.devices,
                                   [&](const auto &device) { return std::ranges::count(own.devices, device) > 0; })) {
      throw UsageError("ranks " + std::to_string(std::min(rank, other)) + " and " +
                       std::to_string(std::max(rank, other)) +
                       " have chosen some CUDA devices together and others alone: give ranks of one machine the same, "
                       "which they deal, or each its own");
    }
  }
  return found;
}

void dealDevices(runtime::DeviceChoice &choice, Ranks &ranks, const Neighbours &neighbours) {
  if (ranks.alone())
    return;
  std::string mine;
  appendPart(mine, std::to_string(neighbours.first));
  for (const std::string &device : runtime::cudaIdentities(choice))
    appendPart(mine, device);
  std::vector<ChosenDevices> all;
  for (const std::string &packed : ranks.exchange(mine)) {
    std::vector<std::string> parts = partsOf(packed);
    ChosenDevices &chosen = all.emplace_back();
    chosen.machine = static_cast<int>(parseInteger(parts.at(0)).value());
    chosen.devices.assign(std::next(parts.begin()), parts.end());
  }
  if (!choice.cuda)
    return;
  const RankOfDevices place = dealDevices(all, ranks.rank());
  choice.cuda->part = place.part;
  choice.cuda->parts = place.parts;
}

} // namespace tla::host
