// The tile size of a call.
#pragma once

#include <tla/runtime/algorithm.hpp>
#include <tla/runtime/tile_size.hpp>

#include <string>
#include <vector>

namespace tla::lapack {

/// The scalars of a run: those that are not given, the last ones, have their defaults.
std::vector<runtime::ScalarValue> withDefaults(const runtime::Algorithm &algorithm,
                                               std::vector<runtime::ScalarValue> given);

/// The work for which a tile size is chosen.
struct Work {
  Work(const runtime::Algorithm &algorithm, const runtime::Values &values,
       const std::vector<runtime::ScalarValue> &scalars = {})
      : algorithm(algorithm), values(values), scalars(scalars) {}

  const runtime::Algorithm &algorithm;
  runtime::Values values; ///< sizes; its scalars are not looked at
  std::vector<runtime::ScalarValue> scalars;
};

/// HETC_NB, else a size that suits (host::CallTileSizes). Large problems are worth a search when neither this process
/// nor, by the cache file, another one has asked for the like before. Used by one thread at a time.
class TileSizes {
public:
  /// `kernels` names the bodies in use.
  int choose(const Work &work, int threads, const std::string &kernels);

private:
  host::CallTileSizes sizes_;
};

} // namespace tla::lapack
