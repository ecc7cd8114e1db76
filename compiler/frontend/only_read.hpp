// Kernels' parameters that need not be writable. Private to the front end.
#pragma once

#include <clang/AST/Decl.h>

namespace hetc::frontend {

/// Whether the body of a kernel, as instantiated, uses the tile or panel and surely only reads it: takes sizes, reads
/// elements, passes it as a ConstTile or ConstPanel, or its data as const. False where the body is not seen, and in
/// case of doubt.
bool isOnlyRead(const clang::FunctionDecl &kernel, const clang::ParmVarDecl &parameter);

} // namespace hetc::frontend
