// Values of the algorithm's scalar parameters.
#pragma once

#include "runtime/host/problem/settings.hpp"

#include <tla/runtime/algorithm.hpp>

#include <vector>

namespace tla::host {

/// One value per scalar parameter, in the order of the description: from --set, else the default. Throws UsageError:
/// unknown name, a value that does not fit the type, a tuning parameter below 1, a parameter without a value.
std::vector<runtime::ScalarValue> resolveScalars(const runtime::Algorithm &algorithm,
                                                 const std::vector<Assignment> &given);
/// The constant that a check names: a number (real and imag), or an enumerator (integer); zeros for other texts.
runtime::ScalarValue constantScalar(const std::string &text);
/// Index of a scalar parameter, or -1.
int findScalar(const runtime::Algorithm &algorithm, const std::string &name);

/// The parameters that a search may choose, by name, with their values.
std::vector<std::pair<std::string, long>> tunedScalars(const runtime::Algorithm &algorithm,
                                                       const std::vector<runtime::ScalarValue> &scalars);

} // namespace tla::host
