// What names of the source stand for while an algorithm is converted. Private to the front end.
#pragma once

#include "compiler/ir/program.hpp"

#include <clang/AST/Decl.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace hetc::frontend {

struct Choice;

/// The tiles of a matrix that A.tiles(...) names, in the numbers of that matrix, whatever it is a part or the
/// transpose of.
struct Window {
  ir::TileRange range;
  std::shared_ptr<const Window> around; ///< the range that this one is a part of; null: the whole matrix
};

/// A size of a part of a matrix, and what it was computed from.
struct PartSize {
  ir::ExprRef size, begin;  ///< the size, and the row or column of tiles of the matrix where the part begins
  ir::ExprRef whole, tiles; ///< the same size of the whole matrix; the part's in tiles
  ir::ExprRef tileSize;
  bool inTiles = false; ///< the sizes are numbers of tiles
};

/// Rows, or columns, of a workspace: those of a larger one, of which tiles begin .. begin + tiles - 1 are used.
struct ScratchSize {
  ir::ExprRef whole, begin, tiles;
};

/// The meaning of a C++ name in the IR: a matrix (by its IR name), one of several matrices, or an expression.
struct Binding {
  std::string matrix;
  ir::ExprRef value;
  std::shared_ptr<const Choice> choice = nullptr;
  const clang::VarDecl *variable = nullptr;       ///< variable whose present meaning the name has, as swaps change it
  bool isTransposed = false;                      ///< the conjugate transpose of that matrix
  std::shared_ptr<const Window> window = nullptr; ///< some of its tiles; null: all

  bool isMatrix() const { return !matrix.empty() || choice; }
};

/// The matrix of a binding in one case.
struct NamedMatrix {
  std::string name;
  bool isTransposed = false;
  std::shared_ptr<const Window> window = nullptr;
};

/// One matrix where the condition holds, another where it does not.
struct Choice {
  ir::ExprRef condition;
  Binding then, otherwise;
};

/// Names visible at a point, innermost last: for pragmas, which name things by text.
using Names = std::vector<std::pair<std::string, Binding>>;

/// A function of the program whose body is converted when everything that calls it first is.
struct PendingFunction {
  const clang::FunctionDecl *algorithm = nullptr;
  std::vector<Binding> parameters; ///< meanings of the algorithm's parameters in the function
  /// The algorithms that lead to its first call, and the places of their calls, as in Converter.
  std::vector<const clang::FunctionDecl *> inlining;
  std::vector<clang::SourceLocation> calls;
};

} // namespace hetc::frontend
