// `hetc run` keeps what it compiled: an executable per source file and set of options, and for each distribution that
// it ran on a shared library with the loops of nodes, used again while the contents of the source, of everything it
// includes, and of hetc itself are the same.
//
//   <cache>/<key>/<name>     the executable, called like the source, or <name>.so
//   <cache>/<key>/manifest   what it was made of; see manifest.hpp
//   <cache>/<key>/lock       held while compiling: of several processes one compiles, the others wait
//
// The programs used longest ago go when there are too many.
#pragma once

#include "compiler/driver/compile.hpp"

#include <optional>
#include <string>

namespace hetc::cache {

struct CachedProgram {
  std::string path;    ///< an executable, or a shared library; empty: the nodes have no loops of their own
  bool cached = false; ///< whether the program was in the cache already
  double seconds = 0;  ///< spent compiling, or looking
};

/// The request's executable or shared library, compiled when needed, for this processor unless request.march says
/// otherwise; request.output is ignored. `fresh` compiles in any
/// case. With request.onlyNodeLoops the cache also remembers that a program has no loops. Returns nullopt after an
/// error, which was shown. When the cache cannot be written, or others may write there (whyNotPrivate()), it compiles
/// to a temporary file, with a warning.
std::optional<CachedProgram> compileCached(driver::Request request, bool fresh);

} // namespace hetc::cache
