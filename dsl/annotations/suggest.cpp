#include "dsl/annotations/suggest.hpp"

#include <algorithm>
#include <utility>

namespace hetc::annotations {

/// Damerau's and Levenshtein's distance, in its "optimal string alignment" form.
static std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> beforePrevious, previous(b.size() + 1), current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j)
    previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        current[j] = std::min(current[j], beforePrevious[j - 2] + 1);
    }
    beforePrevious = std::exchange(previous, current);
  }
  return previous[b.size()];
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  std::string_view best;
  std::size_t bound = std::max<std::size_t>(1, word.size() / 3) + 1;
  if (word.size() > 40)
    return best;
  for (std::string_view candidate : candidates)
    if (const std::size_t distance = editDistance(word, candidate); distance < bound) {
      bound = distance;
      best = candidate;
    }
  return best;
}

SyntaxError unknownWord(std::string_view what, std::string_view word, unsigned offset,
                        std::span<const std::string_view> candidates) {
  SyntaxError error{offset, static_cast<unsigned>(word.size()), {}, {}};
  error.message.append("unknown ").append(what).append(" '").append(word).append("'; ");
  if (const std::string_view near = nearest(word, candidates); !near.empty()) {
    error.message.append("did you mean '").append(near).append("'?");
    error.replacement = std::string(near);
    return error;
  }
  error.message += "known are ";
  for (std::size_t index = 0; index < candidates.size(); ++index)
    error.message.append(index ? ", " : "").append(candidates[index]);
  return error;
}

} // namespace hetc::annotations
