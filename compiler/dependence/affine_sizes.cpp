// Sizes of matrices and tiles as affine functions.
#include "compiler/dependence/affine.hpp"

#include "compiler/ir/expr_properties.hpp"

#include <algorithm>
#include <cstdlib>

namespace hetc::dependence {

using ir::ExprKind;

isl::pw_aff AffineTranslator::columns(const ir::Matrix &matrix) {
  if (!matrix.isSliced())
    return tileCols(matrix);
  try {
    if (matrix.kind == ir::MatrixKind::Workspace && !matrix.isCut()) // of whole tiles, which have all slices
      return tileCols(matrix).scale(isl::val(ctx_, static_cast<long>(program_.slices)));
    if (auto known = isCutAlike(matrix) ? tilesOf(*matrix.cols, /*slices=*/true) : std::nullopt)
      return *known;
  } catch (const NonAffine &) {
  }
  return ownExtent(matrix, matrix.cols, ir::Extent::Ns, 0);
}

isl::pw_aff AffineTranslator::tiles(const ir::Matrix &matrix, const ir::ExprRef &shape, ir::Extent extent) {
  try {
    if (matrix.kind == ir::MatrixKind::Workspace && !matrix.isCut())
      return value(*shape);
    if (auto known = isCutAlike(matrix) ? tilesOf(*shape) : std::nullopt)
      return *known;
  } catch (const NonAffine &) { // then the extent is a symbol of its own, which loses nothing but precision
  }
  return ownExtent(matrix, shape, extent, 0);
}

// All parameters are cut into tiles of one size, and with them the workspaces that ask a parameter for it.
bool AffineTranslator::isCutAlike(const ir::Matrix &matrix) const {
  return matrix.kind != ir::MatrixKind::Workspace || isTileSize(*matrix.tileRows);
}

/// True for that size: nb() or mb() of a parameter.
bool AffineTranslator::isTileSize(const ir::Expr &expr) const {
  if (expr.kind != ExprKind::Extent || (expr.extent != ir::Extent::Mb && expr.extent != ir::Extent::Nb))
    return false;
  const ir::Matrix *matrix = program_.findMatrix(expr.text);
  return matrix && matrix->kind != ir::MatrixKind::Workspace;
}

// Tiles, or slices of tiles, that so many elements need: their number is monotonic, so it passes through selections,
// minima and maxima.
std::optional<isl::pw_aff> AffineTranslator::tilesOf(const ir::Expr &elements, bool slices) {
  if (elements.kind == ExprKind::Var)
    return parameter((slices ? parameters_.slices(elements.text) : parameters_.tiles(elements.text)).name);
  if (elements.kind == ExprKind::Int && (elements.value == 0 || elements.value == 1))
    return constant(elements.value);
  if (isTileSize(elements))
    return constant(slices ? program_.slices : 1);
  if (elements.kind == ExprKind::Extent && (elements.extent == ir::Extent::M || elements.extent == ir::Extent::N))
    if (const ir::Matrix *matrix = program_.findMatrix(elements.text); matrix && isCutAlike(*matrix))
      return slices ? tilesOf(elements.extent == ir::Extent::M ? *matrix->rows : *matrix->cols, true)
             : elements.extent == ir::Extent::M ? tileRows(*matrix)
                                                : tileCols(*matrix);
  if (elements.kind == ExprKind::Mul)
    for (const int factor : {0, 1})
      if (isTileSize(*elements.operands[factor]))
        return value(*elements.operands[1 - factor]).scale(isl::val(ctx_, long{slices ? program_.slices : 1}));
  const bool isSelect = elements.kind == ExprKind::Select;
  if (!isSelect && elements.kind != ExprKind::Min && elements.kind != ExprKind::Max)
    return std::nullopt;
  const auto left = tilesOf(*elements.operands[isSelect], slices),
             right = tilesOf(*elements.operands[1 + isSelect], slices);
  if (!left || !right)
    return std::nullopt;
  if (!isSelect)
    return elements.kind == ExprKind::Min ? left->min(*right) : left->max(*right);
  if (ir::asksTiles(*elements.operands[0])) // what may hold is not what is chosen
    return std::nullopt;
  const isl::set chosen = condition(*elements.operands[0]);
  return left->intersect_domain(chosen).union_add(right->subtract_domain(chosen)).coalesce();
}

isl::pw_aff AffineTranslator::elements(const ir::Matrix &matrix, const ir::ExprRef &shape, ir::Extent extent) {
  try {
    if (matrix.kind != ir::MatrixKind::Workspace)
      return value(*shape);
  } catch (const NonAffine &) {
  }
  return ownExtent(matrix, shape, extent, 0);
}

isl::pw_aff AffineTranslator::tileSize(const ir::Matrix &matrix, const ir::ExprRef &shape, ir::Extent extent) {
  if (isCutAlike(matrix))
    return parameter(parameters_.extent("nb", "nb", 1, ir::makeExtent(matrix.name, ir::Extent::Nb)).name);
  try {
    return value(*shape);
  } catch (const NonAffine &) {
    return ownExtent(matrix, shape, extent, 0);
  }
}

isl::pw_aff AffineTranslator::rowsOfTiles(const ir::Matrix &matrix, const isl::pw_aff &index) {
  if (matrix.kind == ir::MatrixKind::Workspace && !matrix.isCut())
    return value(*matrix.tileRows);
  if (!isCutAlike(matrix))
    fail(*matrix.rows, "is cut into tiles of another size");
  return piece(*matrix.rows, index);
}

isl::pw_aff AffineTranslator::colsOfTiles(const ir::Matrix &matrix, const isl::pw_aff &index) {
  if (matrix.kind == ir::MatrixKind::Workspace && !matrix.isCut())
    return value(*matrix.tileCols);
  if (!isCutAlike(matrix))
    fail(*matrix.cols, "is cut into tiles of another size");
  return piece(*matrix.cols, index);
}

/// The size of the tiles of all parameters.
isl::pw_aff AffineTranslator::commonTileSize() {
  for (const ir::Matrix &matrix : program_.matrices)
    if (matrix.kind != ir::MatrixKind::Workspace)
      return tileSize(matrix, nullptr, ir::Extent::Nb);
  return parameter(parameters_.extent("nb", "nb", 1, nullptr).name);
}

// Of so many elements in tiles of the common size: how many are in tile `index`. Monotonic in the elements, so it
// passes through selections, minima and maxima.
isl::pw_aff AffineTranslator::piece(const ir::Expr &elements, const isl::pw_aff &index) {
  const isl::pw_aff zero = constant(0), nb = commonTileSize();
  const auto chosen = [](const isl::set &where, const isl::pw_aff &then, const isl::pw_aff &otherwise) {
    return then.intersect_domain(where).union_add(otherwise.subtract_domain(where)).coalesce();
  };
  const isl::set exists = index.ge_set(zero);
  if (elements.kind == ExprKind::Var) {
    const isl::pw_aff last = parameter(parameters_.tiles(elements.text).name).sub(constant(1));
    const isl::pw_aff inside = chosen(index.lt_set(last), nb, lastPiece(elements.text));
    return chosen(exists.intersect(index.le_set(last)), inside, zero);
  }
  if (elements.kind == ExprKind::Int && (elements.value == 0 || elements.value == 1))
    return chosen(index.eq_set(zero), constant(elements.value), zero);
  if (isTileSize(elements))
    return chosen(index.eq_set(zero), nb, zero);
  if (elements.kind == ExprKind::Extent && (elements.extent == ir::Extent::M || elements.extent == ir::Extent::N))
    if (const ir::Matrix *matrix = program_.findMatrix(elements.text); matrix && isCutAlike(*matrix))
      return piece(elements.extent == ir::Extent::M ? *matrix->rows : *matrix->cols, index);
  if (elements.kind == ExprKind::Mul)
    for (const int factor : {0, 1})
      if (isTileSize(*elements.operands[factor]))
        return chosen(exists.intersect(index.lt_set(value(*elements.operands[1 - factor]))), nb, zero);
  if (elements.kind == ExprKind::Min || elements.kind == ExprKind::Max) {
    const isl::pw_aff left = piece(*elements.operands[0], index), right = piece(*elements.operands[1], index);
    return elements.kind == ExprKind::Min ? left.min(right) : left.max(right);
  }
  if (elements.kind == ExprKind::Select)
    return chosen(condition(*elements.operands[0]), piece(*elements.operands[1], index),
                  piece(*elements.operands[2], index));
  fail(elements, "is not a number of elements whose tiles are known");
}

/// The elements in the last of the tiles that so many elements need; no C++ name clashes with a prime.
isl::pw_aff AffineTranslator::lastPiece(const std::string &symbol) {
  const std::string name = "last_" + symbol + "'";
  lastPieces_.insert(name);
  return parameter(name);
}

isl::set AffineTranslator::lastTiles() {
  isl::set result = universe();
  for (const std::string &name : lastPieces_)
    result = result.intersect(parameter(name).ge_set(constant(1))).intersect(parameter(name).le_set(commonTileSize()));
  return result;
}

// Equal shapes share a symbol. The extents of a workspace in elements are products and stay its own.
isl::pw_aff AffineTranslator::ownExtent(const ir::Matrix &matrix, const ir::ExprRef &shape, ir::Extent extent,
                                        std::int64_t minimum) {
  const bool isTiles = extent == ir::Extent::Mt || extent == ir::Extent::Nt;
  const std::string what = isTiles ? "tiles of " : extent == ir::Extent::Ns ? "slices of " : "elements of ";
  const std::string name = matrix.name + "_" + ir::name(extent);
  if (isTiles && shape && ir::evaluate(*shape, {}).value_or(0) > 0) // of a constant number of elements
    minimum = std::max<std::int64_t>(minimum, 1);
  std::string key = name;
  if (matrix.kind != ir::MatrixKind::Workspace)
    key = what + ir::print(*shape);
  return parameter(parameters_.extent(key, name, minimum, ir::makeExtent(matrix.name, extent)).name);
}

} // namespace hetc::dependence
