// How every JSON report of a problem begins.
#pragma once

#include "runtime/host/problem/sizes.hpp"

#include <nlohmann/json.hpp>

namespace tla::host {

/// "algorithm", "type", and the sizes "m", "n" and "k", which are null where the algorithm has no such
/// size. `values` is null where the sizes are not known.
inline nlohmann::ordered_json problemObject(const runtime::Algorithm &algorithm, const runtime::Values *values) {
  nlohmann::ordered_json object;
  object["algorithm"] = algorithm.name;
  object["type"] = std::string(1, static_cast<char>(algorithm.type));
  for (const char *symbol : {"m", "n", "k"})
    object[symbol] = nullptr;
  if (values)
    for (const auto &[symbol, value] : usedSizes(algorithm, *values))
      object[std::string(1, symbol)] = value;
  return object;
}

} // namespace tla::host
