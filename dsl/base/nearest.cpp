#include "dsl/base/nearest.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace tla {

namespace {
char small(char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter; }
} // namespace

std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> beforePrevious, previous(b.size() + 1), current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j)
    previous[j] = j;
  const auto same = [&](std::size_t i, std::size_t j) { return small(a[i - 1]) == small(b[j - 1]); };
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (same(i, j) ? 0 : 1)});
      if (i > 1 && j > 1 && same(i, j - 1) && same(i - 1, j))
        current[j] = std::min(current[j], beforePrevious[j - 2] + 1);
    }
    beforePrevious = std::exchange(previous, current);
  }
  return previous[b.size()];
}

} // namespace tla
