#include "runtime/host/plan/virtual_search.hpp"

#include "runtime/host/plan/cost_choice.hpp"
#include "runtime/host/plan/tile_size.hpp"

#include <algorithm>
#include <vector>

namespace tla::host {
namespace {

constexpr int sizes[] = {4096, 3072, 2048, 1536, 1024, 768, 512, 384, 256, 192, 128};
constexpr int multiple = 64;
constexpr double mostTasks = 400'000;
constexpr double clearlyWorse = 1.1; // so often that smaller ones will not be better

/// The size next to nb that cuts n into equal parts.
int evenly(long n, int nb) {
  const long parts = std::max(1L, (n + nb / 2) / nb);
  return static_cast<int>((n + parts * multiple - 1) / (parts * multiple) * multiple);
}

std::vector<int> candidates(const VirtualSearchRequest &request) {
  if (request.nb)
    return {request.nb};
  std::vector<Extent> extents;
  for (const ProblemMatrix &matrix : request.problem.matrices)
    extents.push_back(matrix.extent);
  const long n = std::max(1L, sizeToCut(extents));
  std::vector<int> found;
  for (const int size : sizes)
    if (const int nb = evenly(n, size);
        (size * 3L <= n || size == std::end(sizes)[-1]) && std::find(found.begin(), found.end(), nb) == found.end())
      found.push_back(nb);
  return found;
}

} // namespace

VirtualChoice searchVirtually(const VirtualSearchRequest &request) {
  const std::vector<int> tried = candidates(request);
  VirtualChoice best{.nb = tried.front()};
  int worse = 0;
  for (const int nb : tried) {
    if (worse == 2 || largestTaskCount(*onTiles(request.problem, nb, request.problem.cut)) > mostTasks)
      break;
    double least = 0;
    for (const bool hostComputes : {false, true}) {
      if (request.checkpoint)
        request.checkpoint();
      const double seconds = request.seconds(nb, hostComputes);
      if (seconds > 0 && (best.seconds == 0 || seconds < best.seconds))
        best = {nb, hostComputes, seconds};
      least = least == 0 ? seconds : std::min(least, seconds);
    }
    worse = least > clearlyWorse * best.seconds ? worse + 1 : 0;
  }
  return best;
}

} // namespace tla::host
