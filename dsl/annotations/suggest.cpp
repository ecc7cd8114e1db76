#include "dsl/annotations/suggest.hpp"

#include "dsl/base/nearest.hpp"

namespace hetc::annotations {

SyntaxError unknownWord(std::string_view what, std::string_view word, unsigned offset,
                        std::span<const std::string_view> candidates) {
  SyntaxError error{offset, static_cast<unsigned>(word.size()), {}, {}};
  error.message.append("unknown ").append(what).append(" '").append(word).append("'; ");
  if (const std::string near = tla::nearest(word, candidates); !near.empty()) {
    error.message.append("did you mean '").append(near).append("'?");
    error.replacement = near;
    return error;
  }
  error.message += "known are ";
  for (std::size_t index = 0; index < candidates.size(); ++index)
    error.message.append(index ? ", " : "").append(candidates[index]);
  return error;
}

} // namespace hetc::annotations
