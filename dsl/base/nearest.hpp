// "did you mean ...?", for all words that hetc knows: options, clauses, kernels, generators, distributions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tla {

/// The fewest insertions, deletions, replacements and swaps of neighbours that make `a` of `b`: the distance of Damerau
/// and Levenshtein in its form "optimal string alignment". Capital letters are as good as small ones.
std::size_t editDistance(std::string_view a, std::string_view b);

/// The edits that a slip of the hand may have made of a word: a third of its letters, at least one.
constexpr std::size_t mostSlips(std::string_view word) { return word.size() < 5 ? 1 : (word.size() + 1) / 3; }

/// The one of `known`, a range of texts, that `word` probably means: the nearest, the first of several; empty when it
/// takes more than mostSlips() or all of its letters to get there.
template <typename Words> std::string nearest(std::string_view word, const Words &known) {
  std::string best;
  if (word.size() > 40) // no slip of the hand, and the distance takes time
    return best;
  std::size_t limit = mostSlips(word) + 1;
  for (const std::string_view candidate : known)
    if (const std::size_t distance = editDistance(word, candidate); distance < limit && distance < word.size()) {
      limit = distance;
      best = candidate;
    }
  return best;
}

/// "; did you mean 'spd'?" or "".
template <typename Words> std::string suggestion(std::string_view word, const Words &known) {
  const std::string near = nearest(word, known);
  return near.empty() ? "" : "; did you mean '" + near + "'?";
}

} // namespace tla
