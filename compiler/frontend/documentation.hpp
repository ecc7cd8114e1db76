// Comments that stand above a pragma: Clang attaches none across a '#'.
#pragma once

#include <clang/Basic/SourceManager.h>

#include <string>

namespace hetc::frontend {

/// The lines that begin with /// directly above the line of `location`, without the slashes and one space. Empty when
/// there are none.
std::string documentationAbove(const clang::SourceManager &sources, clang::SourceLocation location);

} // namespace hetc::frontend
