// IR to a C++ header: what a host includes to call an algorithm that hetc has compiled to object files.
#pragma once

#include "compiler/ir/program.hpp"

#include <string>
#include <vector>

namespace hetc::codegen {

/// One function hetc::NAME(executor, parameters in their order) per program: overloads for the element types. The
/// programs, one or more, are instances of one algorithm. Each function needs the object file of its type.
std::string emitHeader(const std::vector<ir::Program> &programs);

} // namespace hetc::codegen
