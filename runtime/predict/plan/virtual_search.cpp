#include "runtime/predict/plan/virtual_search.hpp"

#include "runtime/predict/plan/cost_choice.hpp"
#include "runtime/predict/plan/tile_search.hpp"
#include "runtime/predict/plan/tiles/tile_size.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace tla::host {
namespace {

constexpr int sizes[] = {4096, 3072, 2048, 1536, 1024, 768, 512, 384, 256, 192, 128};
constexpr int multiple = 64;
constexpr double mostTasks = 400'000, mostOfLargest = 4'000'000; // two seconds; such a problem takes minutes
constexpr double clearlyWorse = 1.1;                             // so often that smaller ones will not be better
constexpr double secondsPerTask = 5e-7; // of largestTaskCount(), which is rather too large, in virtual time
constexpr double share = 0.25, brief = 0.2, shareOfBrief = 2; // as the search by measured kernels has them

/// The size next to nb that cuts n into equal parts.
int evenly(long n, int nb) {
  const long parts = std::max(1L, (n + nb / 2) / nb);
  return static_cast<int>((n + parts * multiple - 1) / (parts * multiple) * multiple);
}

std::vector<int> candidates(const PlanCase &plan, int given, const std::vector<int> &others) {
  if (given)
    return {given};
  std::vector<Extent> extents;
  for (const ProblemMatrix &matrix : plan.problem.matrices)
    extents.push_back(matrix.extent);
  const long n = std::max(1L, sizeToCut(extents));
  std::vector<int> found;
  for (const int size : sizes)
    if (const int nb = evenly(n, size);
        (size * 3L <= n || size == std::end(sizes)[-1]) && std::find(found.begin(), found.end(), nb) == found.end())
      found.push_back(nb);
  found.insert(found.end(), others.begin(), others.end());
  std::ranges::sort(found, std::greater{});
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

/// Runs in virtual time, of which some have been done.
class Budget {
public:
  explicit Budget(bool brief) : brief_(brief) {}

  /// Whether there is time for a run of so many tasks when the best so far takes so long; 0: there was none.
  bool has(double tasks, double best) {
    if (tasks > (brief_ || best == 0 ? mostOfLargest : mostTasks))
      return false;
    if (brief_ && best > 0 && (done_ + tasks) * secondsPerTask > briefSeconds(best))
      return false;
    done_ += tasks;
    return true;
  }

private:
  const bool brief_;
  double done_ = 0; // tasks
};

} // namespace

double briefSeconds(double run) { return std::max(share * run, std::min(brief, shareOfBrief * run)); }

VirtualChoice searchVirtually(const PlanCase &plan, int given, bool brief) {
  const std::vector<int> others = brief ? tileSizes(plan) : std::vector<int>();
  const std::vector<int> tried = candidates(plan, given, others);
  const runtime::VirtualHardware hardware = plan.hardware();
  VirtualChoice best{.nb = tried.front()};
  Budget budget(brief);
  int worse = 0;
  for (const int nb : tried) {
    if (worse == 2 && std::ranges::find(others, nb) == others.end())
      continue;
    const double tasks = largestTaskCount(*onTiles(plan.problem, nb, plan.problem.cut));
    double least = 0;
    for (const bool hostComputes : {false, true}) {
      if (hostComputes && !plan.hostMay(nb))
        continue;
      if (!budget.has(tasks, best.seconds)) {
        best.tooLarge = best.seconds == 0;
        return best;
      }
      plan.checkpoint();
      const double seconds = plan.virtualSeconds(hardware, nb, hostComputes);
      if (seconds > 0 && (best.seconds == 0 || seconds < best.seconds))
        best = {nb, hostComputes, seconds};
      least = least == 0 ? seconds : std::min(least, seconds);
    }
    if (worse < 2)
      worse = least > clearlyWorse * best.seconds ? worse + 1 : 0;
  }
  return best;
}

} // namespace tla::host
