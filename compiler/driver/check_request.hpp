// What can be wrong with a request before anything is read.
#pragma once

#include "compiler/driver/compile.hpp"

namespace hetc::driver {

/// How many copies of the nodes there are: those of the request or, where it names none, of its distribution.
int copiesWanted(const Request &request);

/// Whether the request can be tried: its file is there, its numbers are in their ranges and do not contradict each
/// other, and its output is none of its input. If not, a message was shown.
bool checkRequest(const Request &request);

} // namespace hetc::driver
