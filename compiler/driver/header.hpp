// The header through which C++ hosts call an algorithm.
#pragma once

#include "compiler/driver/compile.hpp"

namespace hetc::driver {

/// Writes the header with one overload for each of `types` to request.output; request.emit and request.type are
/// ignored. Diagnostics go to stderr. The result holds the dependencies.
Result writeHeader(Request request, const std::vector<ir::ElementType> &types);

} // namespace hetc::driver
