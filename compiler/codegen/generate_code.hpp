// The stage that turns the IR into C++.
#pragma once

#include "compiler/backend/compile.hpp"
#include "compiler/codegen/cxx.hpp"
#include "compiler/codegen/processors.hpp"
#include "compiler/ir/program.hpp"
#include "compiler/specialize/specialize_program.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hetc::codegen {

struct Generated {
  Cxx cxx;                                ///< one translation unit
  std::vector<backend::Version> versions; ///< versions of the program's own kernels; none: `cxx` has them
  std::vector<Cxx> ofVersions;            ///< texts of the versions
};

struct CodeParts {
  std::string path; ///< file of the program
  bool emitMain;    ///< the code has main()
  bool serial;      ///< the code has the serial elision
};

/// Code of the program, with the loops of these nodes, and its own kernels as the processors have it.
Generated generateCode(const ir::Program &program, const std::optional<ir::Program> &checkedCall,
                       const CodeParts &parts, NodeGenerator loops, const Processors &processors);

/// The part of generated code that depends on a distribution: the loops of its nodes; the fact that there were some,
/// where they are wrong and refused; or nothing, where it has none.
NodeGenerator nodeGenerator(const specialize::Specialized &specialized, bool refused);

} // namespace hetc::codegen
