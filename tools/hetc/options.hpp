// Options that all subcommands which compile share.
#pragma once

#include "compiler/driver/compile.hpp"
#include "dsl/base/debugging.hpp"
#include "tools/hetc/commands.hpp"

#include <CLI/CLI.hpp>

namespace hetc::tools {

struct CompileOptions {
  std::vector<std::string> types = {"d"};
  bool severalTypes = false; ///< the command takes more than one
  std::vector<std::string> includes, defines;
  bool parseableFixits = false;
  bool debug = tla::isDebugging(); ///< kernels' accesses are checked, and their lines are known
  driver::Request request;
};

/// --type, --algorithm, -I, -D, --kernel, --march, --split, --debug, --parseable-fixits, --time-stages.
void addCompileOptions(CLI::App &app, CompileOptions &options);

/// --dist: its text is parsed here, once; an empty one names none. A mistake is CLI's, behind `prefix`.
void addDistribution(CLI::App &app, std::optional<tla::Distribution> &distribution, const std::string &help,
                     const std::string &prefix = {});

/// Says that --type has too many; returns the exit code.
int refuseTypes();

/// Parses; on a mistake or --help prints and returns the exit code, else -1. Completes options.request.
int parse(CLI::App &app, const Arguments &arguments, CompileOptions &options);

} // namespace hetc::tools
