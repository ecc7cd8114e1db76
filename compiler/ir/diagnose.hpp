// Diagnostics as stages make them of a program.
#pragma once

#include "compiler/ir/diagnostic.hpp"
#include "compiler/ir/program.hpp"

#include <set>
#include <string>

namespace hetc::ir {

Diagnostic makeError(const Location &location, const std::string &message);
Diagnostic makeRemark(const Location &location, const std::string &message);
/// Whether one of them is an error.
bool hasErrors(const std::vector<Diagnostic> &diagnostics);
/// With notes at the calls of algorithms by which the program comes to the task.
Diagnostic withCalls(const Program &program, unsigned task, Diagnostic diagnostic);
/// With a note at each of these matrices whose shape nobody has said: that may be what is wrong.
Diagnostic withShapes(const Program &program, const std::set<std::string> &matrices, Diagnostic diagnostic);

} // namespace hetc::ir
