// Recognising the DSL's types and functions in Clang's AST. Private to the front end.
#pragma once

#include "compiler/ir/program.hpp"

#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>

#include <optional>
#include <string>

namespace hetc::frontend {

/// tla::Matrix, LowerMatrix, UpperMatrix or Workspace of some element type.
struct MatrixType {
  ir::MatrixKind kind;
  clang::QualType element;
};
std::optional<MatrixType> matrixType(clang::QualType type);

/// The meaning of a kernel's parameter of this type: tile or panel, and the access. Empty for scalars.
struct TileType {
  bool panel;
  ir::Access access;
  clang::QualType element;
};
std::optional<TileType> tileType(clang::QualType type);

/// tla::split::CutTile or CutPanel: a tile, or panel, of a split rule; the access is the kernel's.
std::optional<TileType> cutType(clang::QualType type);

/// float, double, std::complex of both, int.
std::optional<ir::ElementType> elementType(clang::QualType type);

/// The canonical name of a C++ arithmetic type, as "unsigned int"; empty for other types.
std::string arithmeticName(clang::QualType type);

/// "tla::Op" and the like give "Op"; empty for other types.
std::string tlaEnumName(clang::QualType type);

/// The declaration that stands for all redeclarations and instantiations of a function: the canonical template or
/// function.
const clang::NamedDecl *canonicalFunction(const clang::FunctionDecl &function);

/// The value of a tla enumerator by name ("NoTrans"), as in <tla/types.hpp>.
std::optional<std::int64_t> tlaEnumerator(const std::string &name);

/// The enumerator of that tla enumeration, "Op", with this value; empty where there is none.
std::string tlaEnumerator(const std::string &enumeration, std::int64_t value);

} // namespace hetc::frontend
