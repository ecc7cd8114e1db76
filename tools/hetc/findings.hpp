// Diagnostics in the formats of editors and other tools.
#pragma once

#include "compiler/ir/finding.hpp"

#include <string>
#include <vector>

namespace hetc::tools {

/// FILE:LINE:COLUMN: error: MESSAGE, a line each, notes and remarks as "note"; fix-its as Clang writes them
/// (-fdiagnostics-parseable-fixits). `file`: of what has no place.
std::string toGcc(const std::vector<ir::Finding> &findings, const std::string &file);
/// An array, as GCC's -fdiagnostics-format=json has it.
std::string toJson(const std::vector<ir::Finding> &findings);
/// A log of SARIF 2.1.0 (OASIS); remarks are of level "note".
std::string toSarif(const std::vector<ir::Finding> &findings, const std::string &file);

} // namespace hetc::tools
