// The command line of a compiled algorithm.
#pragma once

#include "runtime/host/problem/settings.hpp"

#include <tla/runtime/executor.hpp>

#include <iosfwd>
#include <optional>

namespace CLI {
class App;
}

namespace tla::host {

inline constexpr const char *hetcVersion = "0.1.0";

/// Throws UsageError with a one-line reason. When --help or --version was asked for, writes that to `out` and
/// returns nothing. `readProfile`: for --devices profile:NAME; null where such machines are not known.
std::optional<Settings> parseCommandLine(const runtime::Algorithm &algorithm, int argc, const char *const *argv,
                                         std::ostream &out, runtime::ProfileReader readProfile = nullptr);

/// Parses what the command declares. False when help or version was asked for, and is written to `out`. Throws
/// UsageError with one line.
bool parseOptions(CLI::App &app, int argc, const char *const *argv, std::ostream &out);

/// "a, b" of the algorithm's matrix names, for messages.
std::string matrixNames(const runtime::Algorithm &algorithm);
/// Index of the matrix parameter of that name; throws UsageError that names the option and the known matrices.
int findMatrix(const runtime::Algorithm &algorithm, const std::string &name, const char *option);

} // namespace tla::host
