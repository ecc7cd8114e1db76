#include "runtime/core/node_places.hpp"

#include "runtime/core/main_access.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace tla::runtime {

/// Kernels that factor or invert a tile or a panel, or choose its pivots.
static bool isPanelKernel(std::string_view kernel) {
  static constexpr std::string_view kernels[] = {"potrf",
                                                 "trtri",
                                                 "lauum",
                                                 "hetrf_nopiv",
                                                 "getrf",
                                                 "getrf_nopiv",
                                                 "geqrf",
                                                 "larft",
                                                 "geqrt",
                                                 "tsqrt",
                                                 "ttqrt",
                                                 "tournamentSelect",
                                                 "tournamentMatch",
                                                 "tournamentPivots",
                                                 "requireNonsingular"};
  return std::find(std::begin(kernels), std::end(kernels), kernel) != std::end(kernels);
}

PlaceSet PlaceRule::allowed(const TaskClass &taskClass) {
  const auto [entry, isNew] = allowed_.try_emplace(&taskClass, only(hostPlace));
  if (isNew && !taskClass.memoryBound && !isPanelKernel(taskClass.kernel))
    for (int place = 1; place < places_.count(); ++place)
      if (places_.has(place, taskClass))
        entry->second |= only(place);
  return entry->second;
}

int PlaceRule::place(const TaskClass &taskClass, const TileAccess *accesses, int accessCount) {
  const TileAccess *const main = mainAccess(taskClass, accesses, accessCount);
  if (!main || main->column < 0)
    return hostPlace;
  const int place = places_.columns.place(main->column);
  return allowed(taskClass) & only(place) ? place : hostPlace;
}

} // namespace tla::runtime
