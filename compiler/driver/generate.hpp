// The stage that turns the IR into C++.
#pragma once

#include "compiler/codegen/cxx.hpp"
#include "compiler/driver/specialize.hpp"
#include "compiler/ir/program.hpp"

#include <optional>
#include <string>

namespace hetc::driver {

struct Generated {
  std::string cxx; ///< one translation unit
};

/// Code of the program in `file`, alone or with main(), with the loops of these nodes.
Generated generateCode(const ir::Program &program, const std::optional<ir::Program> &checkedCall,
                       const std::string &file, bool emitMain, codegen::NodeGenerator loops);

/// What generated code says of a distribution: the loops of its nodes; that there were some, where they are wrong and
/// refused; or nothing, where it has none.
codegen::NodeGenerator nodeGenerator(const Specialized &specialized, bool refused);

} // namespace hetc::driver
