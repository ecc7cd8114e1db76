// Sizes of matrices and tiles, as expressions ask for them.
#include "compiler/frontend/converter.hpp"
#include "compiler/ir/expr_properties.hpp"

#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

namespace hetc::frontend {

using ir::ExprKind;

ir::ExprRef Converter::convertMember(const clang::CXXMemberCallExpr &call) {
  if (rule_)
    return convertSliceExtent(call);
  const clang::Expr *object = call.getImplicitObjectArgument();
  const auto matrix = object ? matrixOf(*object) : std::nullopt;
  if (matrix && call.getMethodDecl() && call.getMethodDecl()->getNameAsString() == ir::name(ir::Extent::Has))
    return convertHas(call, *object, *matrix);
  const auto extent = call.getMethodDecl() ? extentNamed(call.getMethodDecl()->getNameAsString()) : std::nullopt;
  if (!extent)
    return convertOther(call);
  if (matrix)
    return extentOf(*matrix, *extent);
  const auto *tile = object ? llvm::dyn_cast<clang::CXXOperatorCallExpr>(&strip(*object)) : nullptr;
  const bool isSize = tile && tile->getNumArgs() == 3 && (extent == ir::Extent::M || extent == ir::Extent::N);
  return isSize ? convertTileSize(*tile, *extent) : convertOther(call);
}

/// A(i, j).m() and A(i, j).n(): of tiles at the edge what is left.
ir::ExprRef Converter::convertTileSize(const clang::CXXOperatorCallExpr &tile, ir::Extent extent) {
  const auto matrix = matrixOf(*tile.getArg(0));
  if (!matrix)
    return convertOther(tile);
  const bool isRows = extent == ir::Extent::M;
  const ir::ExprRef index = convertExpr(*tile.getArg(isRows ? 1 : 2)),
                    most = extentOf(*matrix, isRows ? ir::Extent::Mb : ir::Extent::Nb), all = extentOf(*matrix, extent);
  if (!index || !most || !all)
    return nullptr;
  const ir::ExprRef left = ir::makeBinary(ExprKind::Sub, all, ir::makeBinary(ExprKind::Mul, index, most));
  return ir::makeBinary(ExprKind::Min, most, left);
}

/// The condition for a tile to be there, i >= j && A.has(i, j) for the lower triangle of a general matrix.
ir::ExprRef Converter::convertHas(const clang::CXXMemberCallExpr &call, const clang::Expr &object,
                                  const Binding &matrix) {
  const ir::ExprRef row = convertExpr(*call.getArg(0)), column = convertExpr(*call.getArg(1));
  if (!row || !column)
    return nullptr;
  return hasOfType(matrixType(object.IgnoreParenImpCasts()->getType()), matrix, row,
                   column); // members are a base class'
}

ir::ExprRef Converter::hasOfType(const std::optional<MatrixType> &type, const Binding &matrix, const ir::ExprRef &row,
                                 const ir::ExprRef &column) {
  const ir::ExprRef has = hasOf(matrix, row, column);
  if (!has || !type || (type->kind != ir::MatrixKind::Lower && type->kind != ir::MatrixKind::Upper))
    return has;
  const ExprKind side = type->kind == ir::MatrixKind::Lower ? ExprKind::Ge : ExprKind::Le;
  return ir::makeBinary(ExprKind::And, ir::makeBinary(side, row, column), has);
}

/// A workspace's sizes are what it was declared with, except the number of tiles into which it is cut.
ir::ExprRef Converter::makeExtent(const std::string &name, ir::Extent extent) const {
  const ir::Matrix &matrix = *program_.findMatrix(name);
  if (ir::isPeriod(extent)) // the same for all: of one that the run knows
    return program_.matrices.empty() ? nullptr : ir::makeExtent(program_.matrices.front().name, extent);
  if (matrix.kind != ir::MatrixKind::Workspace)
    return ir::makeExtent(name, extent);
  if (!matrix.rows) // a parameter whose shape clause is behind this one
    return nullptr;
  if (matrix.isCut()) {
    const bool rows = extent == ir::Extent::M, cols = extent == ir::Extent::N;
    const bool tile = extent == ir::Extent::Mb || extent == ir::Extent::Nb;
    return rows ? matrix.rows : cols ? matrix.cols : tile ? matrix.tileRows : ir::makeExtent(name, extent);
  }
  switch (extent) {
  case ir::Extent::Mt:
    return matrix.rows;
  case ir::Extent::Nt:
    return matrix.cols;
  case ir::Extent::Mb:
    return matrix.tileRows;
  case ir::Extent::Nb:
    return matrix.tileCols;
  case ir::Extent::M:
    return ir::makeBinary(ExprKind::Mul, matrix.rows, matrix.tileRows);
  default:
    break;
  }
  return ir::makeBinary(ExprKind::Mul, matrix.cols, matrix.tileCols);
}

} // namespace hetc::frontend
