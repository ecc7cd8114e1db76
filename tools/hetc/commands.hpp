// The subcommands of hetc. Each takes the arguments after its name and returns the exit code:
// 0 fine, 1 the check failed, 2 usage or compile error, 3 numerical stop, 4 runtime fault, 130 interrupted.
#pragma once

#include <string>
#include <vector>

namespace hetc::tools {

using Arguments = std::vector<std::string>;

int compileCommand(const Arguments &arguments); ///< hetc FILE.tla ...
int runCommand(const Arguments &arguments);     ///< hetc run FILE.tla ...
int checkCommand(const Arguments &arguments);   ///< hetc check FILE.tla
int graphCommand(const Arguments &arguments);   ///< hetc graph FILE.tla -n 4
int costCommand(const Arguments &arguments);    ///< hetc cost FILE.tla --tiles 72 --dist 2dbc:2x3
int simCommand(const Arguments &arguments);     ///< hetc sim FILE.tla -n 34560 --platform keeneland-m2070 --nodes 4
int planCommand(const Arguments &arguments);    ///< hetc plan FILE.tla -n 100000 --nodes 1..64 --memory 64G
int traceCommand(const Arguments &arguments);   ///< hetc trace RUN.json -o RUN.svg
int moduleCommand(const Arguments &arguments);  ///< hetc module FILE.tla --dist 2dbc:2x3
int doctorCommand(const Arguments &arguments);  ///< hetc doctor
int lspCommand(const Arguments &arguments);     ///< hetc lsp
int puzzleCommand(const Arguments &arguments);  ///< hetc puzzle 3 FILE.tla
int tuneCommand(const Arguments &arguments);    ///< hetc tune KERNEL --space FILE --count

} // namespace hetc::tools
