// What a build tool must watch, in the form that make and ninja read.
#pragma once

#include <set>
#include <string>

namespace hetc::cache {

/// Writes to `path` the rule "target: files". False after an error was shown.
bool writeDepfile(const std::string &path, const std::string &target, const std::set<std::string> &files);

} // namespace hetc::cache
