// What the process owes its surroundings: clean exits on Ctrl-C, and a word when its output does not arrive.
#pragma once

#include <string>

namespace hetc::driver {

/// To be called first. Interrupted from here on, hetc removes its temporary files, says so and exits with 130; and a
/// standard stream that the caller closed stays unusable instead of becoming the next file that is opened.
void startProcess();

/// Says that something is wrong with hetc, and not with what it was given; finishProcess() makes 4 of the exit code 2.
/// `what`: "after stage 'split': ...".
void reportOwnError(const std::string &what);

/// To be called last, with the exit code so far. Turns a failure to write to standard output into a message and 2.
int finishProcess(int code);

} // namespace hetc::driver
