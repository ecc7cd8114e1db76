// The line of the program in which it crashed.
#pragma once

namespace tla::host {

/// Before a signal handler may ask: notes where the program lies in memory, and where addr2line is.
void prepareCrashPlace();

/// In a signal handler, of its third argument: writes "hetc: at scale.hpp:6" to standard error, of the program's code
/// that crashed, or that called what did; nothing where that is not known. Asks addr2line, and gives up after some
/// seconds.
void writeCrashPlace(const void *context);

} // namespace tla::host
