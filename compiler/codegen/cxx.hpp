// IR to C++: one translation unit that appends the program's tasks (its generator), calls their kernels, and
// describes the algorithm to the runtime (tla/runtime/algorithm.hpp). Meant to be read: --emit=cpp shows it.
#pragma once

#include "compiler/ir/program.hpp"

#include <string>

namespace hetc::codegen {

struct CxxOptions {
  std::string sourcePath; ///< the .tla file, absolute: the generated code includes it for the kernels' declarations
  bool emitMain = true;   ///< a stand-alone program; else only the description, as symbol descriptionSymbol()
};

/// "tla_algorithm_cholesky_d": the extern "C" name of the description.
std::string descriptionSymbol(const ir::Program &program);

std::string emitCxx(const ir::Program &program, const CxxOptions &options);

} // namespace hetc::codegen
