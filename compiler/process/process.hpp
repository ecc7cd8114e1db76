// What the process owes its surroundings: clean exits on Ctrl-C, and a word when its output does not arrive.
#pragma once

#include <string>

namespace hetc::process {

/// Makes LLVM's lack of memory and its fatal errors, which would abort the process, an end with a message and exit code
/// 4. For an executable's .preinit_array: the libraries that it is linked with allocate when they are loaded.
void installFailureHandlers();

/// From now on an interrupt ends this process without a word: it is a rank beside the first one, which says it for all.
void interruptSilently();

/// Prepares the process; to be called first. Interrupted from here on, hetc removes its temporary files, says so and
/// exits with 130; and a standard stream that the caller closed stays unusable instead of becoming the next file that
/// is opened.
void startProcess();

/// Says that something is wrong with hetc, and not with what it was given; finishProcess() makes 4 of the exit code 2.
/// `what`: "after stage 'split': ...".
void reportOwnError(const std::string &what);

/// Ends the process's output; to be called last, with the exit code so far. Turns a failure to write to standard output
/// into a message and 2.
int finishProcess(int code);

} // namespace hetc::process
