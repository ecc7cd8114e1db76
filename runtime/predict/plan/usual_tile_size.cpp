#include "runtime/predict/plan/usual_tile_size.hpp"

#include "runtime/predict/plan/tile_search.hpp"
#include "runtime/predict/plan/tiles/tile_memory.hpp"

namespace tla::host {

int usualTileSize(const Problem &problem, const Settings &settings, int threads, int ranks,
                  const std::string &kernels) {
  PlanCase plan(problem, settings, threads, ranks);
  plan.kernels = kernels;
  if (const auto known = TileMemory(tileSearchKey(plan)).find())
    return known->nb;
  const std::vector<int> sizes = tileSizes(plan);
  return sizes.empty() ? 0 : sizes.front();
}

} // namespace tla::host
