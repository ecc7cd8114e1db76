#include "runtime/distribution/dealing.hpp"

#include <cassert>
#include <numeric>

namespace tla {

/// Tijdeman's rule (The chairman assignment problem, Discrete Mathematics 32, 1980), which keeps each place within
/// 1 - 1/(2 k - 2) of its due at all times, k places in all. When column n is dealt, a place with share w/W that has
/// got x columns may have it if its due w/W * n exceeds x by 1/(2 k - 2) at least; of those, it goes to the one that
/// would be that far behind first.
std::vector<int> dealByWeights(const std::vector<int> &weights) {
  std::vector<int> places;
  for (int place = 0; place < static_cast<int>(weights.size()); ++place)
    if (weights[place] > 0)
      places.push_back(place);
  assert(!places.empty() && "some place has columns");
  if (places.size() == 1)
    return places;
  const int common = std::accumulate(weights.begin(), weights.end(), 0, [](int a, int b) { return std::gcd(a, b); });
  const long long total = std::accumulate(weights.begin(), weights.end(), 0LL) / common;
  const long long k2 = 2 * static_cast<long long>(places.size()) - 2;

  std::vector<int> order;
  std::vector<long long> dealt(weights.size());
  for (long long n = 1; n <= total; ++n) {
    int next = -1;
    long long bestSlack = 0, bestWeight = 1;
    for (const int place : places) {
      const long long weight = weights[place] / common;
      const long long behind = k2 * (weight * n - total * dealt[place]); // in units of 1 / (k2 W)
      const long long slack = total * (k2 - 1) - behind;
      if (behind >= total && (next < 0 || slack * bestWeight < bestSlack * weight)) {
        next = place;
        bestSlack = slack;
        bestWeight = weight;
      }
    }
    assert(next >= 0 && "Tijdeman's theorem");
    order.push_back(next);
    ++dealt[next];
  }
  return order;
}

} // namespace tla
