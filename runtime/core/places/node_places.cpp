#include "runtime/core/places/node_places.hpp"

#include "runtime/core/window/main_access.hpp"
#include "runtime/core/window/tile_table.hpp"
#include "runtime/device/panel_kernels.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <functional>

namespace tla::runtime {

static constexpr int maxWeight = 10000;

static std::vector<int> weightsByPlace(std::vector<int> weights, std::size_t accelerators, int hostWeight) {
  if (accelerators >= maxPlaces)
    throw UsageError(std::to_string(accelerators) + " accelerators; there may be " + std::to_string(maxPlaces - 1));
  if (!weights.empty() && weights.size() != accelerators)
    throw UsageError(std::to_string(weights.size()) + " device weights for " + std::to_string(accelerators) +
                     " accelerators");
  weights.resize(accelerators, 1);
  if (hostWeight < 0 || hostWeight > maxWeight ||
      std::any_of(weights.begin(), weights.end(), [](int weight) { return weight < 1 || weight > maxWeight; }))
    throw UsageError("device weights are from 1 to " + std::to_string(maxWeight) + ", the host's from 0 on");
  weights.insert(weights.begin(), hostWeight);
  return weights;
}

static int checkedRows(int gridRows, const std::vector<int> &weights, std::size_t accelerators) {
  const auto count = static_cast<int>(accelerators);
  if (gridRows < 1 || (gridRows > 1 && (count == 0 || count % gridRows != 0)))
    throw UsageError("a grid of accelerators has " + std::to_string(gridRows) + " rows, which " +
                     std::to_string(count) + " accelerators do not fill");
  if (gridRows > 1 && std::adjacent_find(weights.begin(), weights.end(), std::not_equal_to<>()) != weights.end())
    throw UsageError("accelerators of different weights do not stand in a grid: each has as many rows and columns as "
                     "the others");
  return gridRows;
}

NodePlaces::NodePlaces(std::vector<Memory> accelerators, const std::vector<int> &weights, int hostWeight,
                       const Distribution &distribution, int node, int gridRows)
    : columns(weightsByPlace(weights, accelerators.size(), hostWeight), distribution, node,
              checkedRows(gridRows, weights, accelerators.size())),
      wideColumns(weightsByPlace(weights, accelerators.size(), accelerators.empty() ? 1 : 0), distribution, node,
                  gridRows),
      accelerators(std::move(accelerators)) {
  std::vector<std::function<bool(const TaskClass &)>> bodies;
  PlaceSet peers = 0;
  for (const Memory &memory : this->accelerators) {
    bodies.push_back(memory.has);
    if (memory.peers)
      peers |= only(static_cast<int>(bodies.size()));
  }
  has = [bodies](int place, const TaskClass &taskClass) { return !bodies[place - 1] || bodies[place - 1](taskClass); };
  reaches = [peers](int from, int to) { return (peers & only(from)) && (peers & only(to)); };
}

bool isWorthByRule(const TaskClass &taskClass) {
  return !taskClass.memoryBound && !hasTrait(taskClass.kernel, Trait::Panel);
}

bool PlaceRule::isWorth(int place, const TaskClass &taskClass) const {
  const auto &runs = places_.memory(place).runs;
  return runs ? runs(taskClass) : isWorthByRule(taskClass);
}

PlaceSet PlaceRule::allowed(const TaskClass &taskClass) {
  const auto [entry, isNew] = allowed_.try_emplace(&taskClass, only(hostPlace));
  if (isNew)
    entry->second = chooseAllowed(taskClass);
  return entry->second;
}

PlaceSet PlaceRule::chooseAllowed(const TaskClass &taskClass) const {
  if (taskClass.userKernel || taskClass.gathers || taskClass.device == TaskDevice::Host)
    return only(hostPlace);
  PlaceSet accelerators = 0;
  for (int place = 1; place < places_.count(); ++place)
    if ((taskClass.device == TaskDevice::Gpu || isWorth(place, taskClass)) && places_.has(place, taskClass))
      accelerators |= only(place);
  return taskClass.device == TaskDevice::Gpu && accelerators ? accelerators : accelerators | only(hostPlace);
}

int PlaceRule::place(const TaskClass &taskClass, const TileAccess *accesses, int accessCount) {
  const TileAccess *const main = mainAccess(taskClass, accesses, accessCount);
  if (!main || main->row < 0 || main->column < 0)
    return hostPlace;
  const Storage &storage = main->matrix->storage();
  const bool narrow = storage.slices() > 1 && main->column % storage.slices() != storage.slices() - 1;
  const DeviceColumns &columns = storage.slices() > 1 ? places_.wideColumns : places_.columns;
  const int column = storage.tileColumn(main->column);
  const PlaceSet places = allowed(taskClass);
  if (const int place = main->matrix->placeOf(main->row, main->column); place >= 0)
    return place < places_.count() && places & only(place) ? place : hostPlace;
  if (const int place = narrow ? hostPlace : columns.place(main->row, column); places & only(place))
    return place;
  if (places & only(hostPlace))
    return hostPlace;
  return columns.firstPlace(main->row, column, [&](int place) { return (places & only(place)) != 0; });
}

} // namespace tla::runtime
