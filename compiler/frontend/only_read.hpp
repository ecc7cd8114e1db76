// What kernels' bodies do with their tiles. Private to the front end.
#pragma once

#include <clang/AST/Decl.h>

namespace hetc::frontend {

/// Whether the body of a kernel, as instantiated, uses the tile or panel and surely only reads it: takes sizes, reads
/// elements, passes it as a ConstTile or ConstPanel, or its data as const. False where the body is not seen, and in
/// case of doubt.
bool isOnlyRead(const clang::FunctionDecl &kernel, const clang::ParmVarDecl &parameter);
/// Whether it surely changes elements, by += and the like, and gives none a value first. False likewise.
bool isOnlyChanged(const clang::FunctionDecl &kernel, const clang::ParmVarDecl &parameter);

} // namespace hetc::frontend
