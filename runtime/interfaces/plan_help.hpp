// The help of 'hetc plan' where no program says it.
#pragma once

#include <string>

namespace tla::host {

/// The help of the plan's own options, which hetc shows where no file is named.
std::string planHelp();

} // namespace tla::host
