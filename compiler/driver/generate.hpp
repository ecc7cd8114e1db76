// The stage that turns the IR into C++.
#pragma once

#include "compiler/codegen/backend.hpp"
#include "compiler/codegen/cxx.hpp"
#include "compiler/driver/processors.hpp"
#include "compiler/driver/specialize.hpp"
#include "compiler/ir/program.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hetc::driver {

struct Generated {
  std::string cxx;                        ///< one translation unit
  std::vector<codegen::Version> versions; ///< versions of the program's own kernels; none: `cxx` has them
};

/// Code of the program in `file`, alone or with main(), with the loops of these nodes, and its own kernels as the
/// processors have it.
Generated generateCode(const ir::Program &program, const std::optional<ir::Program> &checkedCall,
                       const std::string &file, bool emitMain, codegen::NodeGenerator loops,
                       const Processors &processors);

/// The part of generated code that depends on a distribution: the loops of its nodes; the fact that there were some,
/// where they are wrong and refused; or nothing, where it has none.
codegen::NodeGenerator nodeGenerator(const Specialized &specialized, bool refused);

} // namespace hetc::driver
