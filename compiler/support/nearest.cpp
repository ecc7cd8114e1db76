#include "compiler/support/nearest.hpp"

#include <llvm/ADT/StringRef.h>

namespace hetc::support {

std::string nearest(const std::string &name, const std::vector<std::string> &candidates, unsigned limit) {
  std::string best;
  unsigned fewest = limit + 1;
  for (const std::string &candidate : candidates)
    if (const unsigned edits = llvm::StringRef(name).edit_distance(candidate); edits < fewest) {
      fewest = edits;
      best = candidate;
    }
  return best;
}

} // namespace hetc::support
