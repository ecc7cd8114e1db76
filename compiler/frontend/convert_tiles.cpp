// Some of the tiles of a matrix as a matrix, A.tiles(i0, i1, j0, j1): a name that stands for them means the matrix
// itself, whose indices are theirs moved by where they begin. Each access keeps the ranges that it was written in, so
// that the analysis can prove that it stays inside.
#include "compiler/frontend/converter.hpp"
#include "compiler/ir/simplify.hpp"
#include "compiler/ir/sum.hpp"

#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace hetc::frontend {

using ir::ExprKind;
using ir::ExprRef;
using ir::Extent;

namespace {

ExprRef sum(const ExprRef &a, const ExprRef &b) { return ir::simplify(ir::makeBinary(ExprKind::Add, a, b)); }

bool isZero(const ExprRef &expr) { return expr->kind == ExprKind::Int && expr->value == 0; }

/// Whether it is seen to be never negative.
bool isCount(const ExprRef &expr) {
  return expr->kind == ExprKind::Extent || (expr->kind == ExprKind::Int && expr->value >= 0) ||
         (expr->kind == ExprKind::Max && isZero(expr->operands[0]));
}

/// Adds the terms of a sum, times `sign`, to `terms`, by their texts; of constants the text is empty.
void addTerms(const ExprRef &expr, std::int64_t sign, std::map<std::string, std::int64_t> &terms) {
  if (expr->kind == ExprKind::Add || expr->kind == ExprKind::Sub) {
    addTerms(expr->operands[0], sign, terms);
    addTerms(expr->operands[1], expr->kind == ExprKind::Add ? sign : -sign, terms);
  } else if (expr->kind == ExprKind::Int)
    terms[""] += sign * expr->value;
  else
    terms[ir::print(*expr)] += sign;
}

/// Returns end - begin, or 0 where that is negative.
ExprRef length(const ExprRef &begin, const ExprRef &end) {
  if (isZero(begin) && isCount(end))
    return end;
  if (end->kind == ExprKind::Add && ir::equal(*end->operands[0], *begin) && isCount(end->operands[1]))
    return end->operands[1];
  std::map<std::string, std::int64_t> terms;
  addTerms(end, 1, terms);
  addTerms(begin, -1, terms);
  if (std::ranges::all_of(terms, [](const auto &term) { return term.first.empty() || term.second == 0; }))
    return ir::makeInt(std::max<std::int64_t>(0, terms[""]));
  return ir::simplify(ir::makeBinary(ExprKind::Max, ir::makeInt(0), ir::makeBinary(ExprKind::Sub, end, begin)));
}

/// The elements of a row, or column, of `all` elements in `tiles` tiles of `size` that are in tiles begin .. end - 1.
ExprRef elements(const ExprRef &begin, const ExprRef &end, const ExprRef &tiles, const ExprRef &all,
                 const ExprRef &size) {
  const auto times = [&](const ExprRef &tiles) {
    return isZero(tiles) ? tiles : ir::simplify(ir::makeBinary(ExprKind::Mul, tiles, size));
  };
  const ExprRef last = ir::equal(*end, *tiles) ? all : ir::makeBinary(ExprKind::Min, times(end), all);
  return length(times(begin), last);
}

} // namespace

/// A call of tiles() of a matrix; null: it is something else.
const clang::CXXMemberCallExpr *Converter::asTiles(const clang::Expr &expr) {
  const auto *call = llvm::dyn_cast<clang::CXXMemberCallExpr>(&expr);
  const bool isTiles = call && call->getMethodDecl() && call->getMethodDecl()->getNameAsString() == "tiles" &&
                       matrixType(call->getType()) && (call->getNumArgs() == 2 || call->getNumArgs() == 4);
  return isTiles ? call : nullptr;
}

/// Returns the part that the call stands for; nothing where its matrix is not known, or after an error was reported.
std::optional<Converter::Binding> Converter::tilesOf(const clang::CXXMemberCallExpr &call) {
  const auto matrix = matrixOf(*call.getImplicitObjectArgument());
  if (!matrix)
    return std::nullopt;
  ir::TileRange range{convertExpr(*call.getArg(0)), convertExpr(*call.getArg(1)), nullptr, nullptr};
  const bool isDiagonal = call.getNumArgs() == 2;
  range.column = isDiagonal ? range.row : convertExpr(*call.getArg(2));
  range.columnEnd = isDiagonal ? range.rowEnd : convertExpr(*call.getArg(3));
  if (!range.row || !range.rowEnd || !range.column || !range.columnEnd)
    return std::nullopt;
  return partOf(*matrix, std::move(range));
}

/// `range` is in the numbers of what the name stands for, which may be some tiles, or a transpose, already.
Converter::Binding Converter::partOf(const Binding &matrix, ir::TileRange range) {
  if (matrix.isTransposed) {
    std::swap(range.row, range.column);
    std::swap(range.rowEnd, range.columnEnd);
  }
  Binding part = matrix;
  if (const Choice *const choice = matrix.choice.get()) {
    part.choice = std::make_shared<const Choice>(
        Choice{choice->condition, partOf(choice->then, range), partOf(choice->otherwise, range)});
    return part;
  }
  if (matrix.window) {
    const ir::TileRange &around = matrix.window->range;
    range = {sum(around.row, range.row), sum(around.row, range.rowEnd), sum(around.column, range.column),
             sum(around.column, range.columnEnd)};
  }
  part.window = std::make_shared<const Window>(Window{std::move(range), matrix.window});
  return part;
}

/// Sizes are those of TileMatrix in <tla/matrix.hpp>. Null where the matrix' own is not known yet.
ExprRef Converter::extentOfPart(const std::string &matrix, const ir::TileRange &range, Extent extent) {
  const bool isRows = extent == Extent::M || extent == Extent::Mt;
  if (!isRows && extent != Extent::N && extent != Extent::Nt)
    return makeExtent(matrix, extent); // of a tile, and of the nodes
  const bool inTiles = extent == Extent::Mt || extent == Extent::Nt;
  const ExprRef all = makeExtent(matrix, extent), allTiles = makeExtent(matrix, isRows ? Extent::Mt : Extent::Nt),
                size = makeExtent(matrix, isRows ? Extent::Mb : Extent::Nb);
  if (!all || !allTiles || !size)
    return nullptr;
  const ExprRef &begin = isRows ? range.row : range.column, &end = isRows ? range.rowEnd : range.columnEnd;
  const ExprRef tiles = length(begin, end), result = inTiles ? tiles : elements(begin, end, allTiles, all, size);
  partSizes_.push_back({result, begin, all, tiles, size, inTiles});
  return result;
}

/// Whether the range has a tile (row, column), counted from where it begins.
ExprRef Converter::isInWindow(const Window &window, const ExprRef &row, const ExprRef &column) {
  const ir::TileRange &range = window.range;
  const auto isFrom = [](const ExprRef &index) { return ir::makeBinary(ExprKind::Ge, index, ir::makeInt(0)); };
  return ir::chain(nullptr, ExprKind::And,
                   {isFrom(row), ir::makeBinary(ExprKind::Lt, row, length(range.row, range.rowEnd)), isFrom(column),
                    ir::makeBinary(ExprKind::Lt, column, length(range.column, range.columnEnd))});
}

/// Whether sizes and scalars alone decide it: then a workspace of that size can be made before the program runs.
bool Converter::isKnownBeforeLoops(const ExprRef &size) const {
  return std::ranges::all_of(ir::variables(*size), [this](const std::string &name) {
    const ir::Scalar *const scalar = program_.findScalar(name);
    return scalar && !scalar->ofStage;
  });
}

/// A number of tiles that is at least `size`, which does not fall where those of parts of matrices rise: the same of
/// the whole matrices. Null: there is none to be seen.
ExprRef Converter::sizeOfWhole(const ExprRef &size) const {
  if (isKnownBeforeLoops(size))
    return size;
  if (const auto part = std::ranges::find(partSizes_, size, &PartSize::size); part != partSizes_.end())
    return part->whole;
  const bool rises = size->kind == ExprKind::Add || size->kind == ExprKind::Mul || size->kind == ExprKind::Min ||
                     size->kind == ExprKind::Max;
  auto whole = std::make_shared<ir::Expr>(*size);
  for (ExprRef &operand : whole->operands)
    if (operand = sizeOfWhole(operand); !operand)
      return nullptr;
  return rises ? whole : nullptr;
}

/// Returns what one dimension of a workspace becomes. The last tile of one that is cut as a matrix is may be smaller:
/// it is that of the whole matrix.
std::optional<Converter::ScratchSize> Converter::scratchSize(const ExprRef &size, const ExprRef &tile,
                                                             bool isCut) const {
  if (isKnownBeforeLoops(size))
    return ScratchSize{size, ir::makeInt(0), nullptr};
  const auto part = std::ranges::find(partSizes_, size, &PartSize::size);
  if (!isCut) {
    const ExprRef whole = sizeOfWhole(size);
    return whole ? std::optional(ScratchSize{whole, ir::makeInt(0), size}) : std::nullopt;
  }
  if (part != partSizes_.end() && !part->inTiles && isSameSize(part->tileSize, tile))
    return ScratchSize{part->whole, part->begin, part->tiles};
  if (size->kind == ExprKind::Mul)
    for (const auto &[tiles, other] :
         {std::pair(size->operands[0], size->operands[1]), std::pair(size->operands[1], size->operands[0])})
      if (const ExprRef whole = isSameSize(other, tile) ? sizeOfWhole(tiles) : nullptr)
        return ScratchSize{ir::makeBinary(ExprKind::Mul, whole, other), ir::makeInt(0), tiles};
  return std::nullopt;
}

/// A workspace of an algorithm that is called in a loop with a part of a matrix has the size of that part. It becomes a
/// part itself, of one that is large enough for all calls; what a call finds there, others have left. Nothing: its size
/// is something else that is only known in the loop.
std::optional<Converter::Binding> Converter::makeScratch(ir::Matrix &workspace) {
  const auto rows = scratchSize(workspace.rows, workspace.tileRows, workspace.isCut());
  const auto cols =
      scratchSize(workspace.cols, workspace.isCut() ? workspace.tileRows : workspace.tileCols, workspace.isCut());
  if (!rows || !cols)
    return std::nullopt;
  workspace.rows = rows->whole;
  workspace.cols = cols->whole;
  Binding binding{workspace.name, nullptr};
  if (!rows->tiles && !cols->tiles)
    return binding;
  // That whole has this number of tiles; a matrix that is cut says it.
  const auto end = [&](const ScratchSize &size, Extent extent) {
    if (size.tiles)
      return sum(size.begin, size.tiles);
    return workspace.isCut() ? ir::makeExtent(workspace.name, extent) : size.whole;
  };
  binding.window = std::make_shared<const Window>(
      Window{{rows->begin, end(*rows, Extent::Mt), cols->begin, end(*cols, Extent::Nt)}, nullptr});
  return binding;
}

/// From the tile, or panel, of what the name stands for to that of the matrix.
void Converter::moveInto(const NamedMatrix &matrix, ir::TileAccess &access) {
  if (!matrix.window)
    return;
  const ir::TileRange &range = matrix.window->range;
  access.row = sum(range.row, access.row);
  access.column = sum(range.column, access.column);
  if (access.rowEnd)
    access.rowEnd = sum(range.row, access.rowEnd);
  for (const Window *window = matrix.window.get(); window; window = window->around.get())
    access.inside.push_back(window->range);
}

} // namespace hetc::frontend
