// Keeps the cache of compiled programs within bounds.
#pragma once

#include <string>

namespace hetc::cache {

/// Removes the programs used longest ago until at most 200 programs and 500 MB are left. Spares `current` and those
/// that another process is compiling. An entry counts as used when its manifest was last touched.
void evictOldPrograms(const std::string &cache, const std::string &current);

/// Marks the entry as used now.
void touch(const std::string &manifest);

} // namespace hetc::cache
