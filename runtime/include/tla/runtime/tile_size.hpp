// The tile size of a call, for hosts that do not say one.
#pragma once

#include <tla/runtime/algorithm.hpp>

#include <map>
#include <string>
#include <vector>

namespace tla::host {

/// A tile size for the algorithm on matrices of these sizes. Where the call itself takes long enough, it is searched:
/// kernels are timed on a small problem, and the whole one is simulated; the answer is kept in hetc's cache. That takes
/// some tenths of the call's own time, once per program, sizes, threads and kernels. `values.scalars` is not looked at;
/// `scalars` has one for each parameter; `kernels` names the bodies in use, which must be installed.
int chooseCallTileSize(const runtime::Algorithm &algorithm, const runtime::Values &values,
                       const std::vector<runtime::ScalarValue> &scalars, int threads, const std::string &kernels);

/// Tile sizes by algorithm and sizes. Sizes are rounded up to eight per octave before anything is searched, so that
/// calls in a loop over n do not each search. Used by one thread at a time.
class CallTileSizes {
public:
  /// The answer of chooseCallTileSize(), which is asked once.
  int choose(const runtime::Algorithm &algorithm, const runtime::Values &values,
             const std::vector<runtime::ScalarValue> &scalars, int threads, const std::string &kernels);

private:
  std::map<std::vector<long>, int> known_;
};

} // namespace tla::host
