// Another program, asked for what it prints.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tla::host {

/// Runs the program words[0] with the arguments that follow, and returns its standard output without the end of the
/// last line; it has no standard input. Nothing when it cannot be started or fails. Silent: its standard error goes
/// nowhere.
std::optional<std::string> runCommand(std::vector<std::string> words, bool silent);

} // namespace tla::host
