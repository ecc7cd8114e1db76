#include "compiler/specialize/names.hpp"

#include <algorithm>

namespace hetc::specialize {

using dependence::Parameter;
using ir::Expr;
using ir::ExprKind;
using ir::ExprRef;
using ir::Extent;

namespace {

bool isSymbol(const ExprRef &expr, const std::string &symbol) {
  return expr->kind == ExprKind::Var && expr->text == symbol;
}

bool selects(const ExprRef &expr, int choice, const std::string &symbol) {
  return expr->kind == ExprKind::Select && isSymbol(expr->operands[choice], symbol);
}

/// The text of k where a matrix is A(c ? m : k, c ? k : m): k is c ? A.n() : A.m().
ExprRef nameOfSelected(const ir::Program &program, const std::string &symbol, Extent rows, Extent cols) {
  for (const ir::Matrix &matrix : program.matrices) {
    if (matrix.kind == ir::MatrixKind::Workspace)
      continue;
    const ExprRef byRows = ir::makeExtent(matrix.name, rows), byCols = ir::makeExtent(matrix.name, cols);
    for (const bool rowsFirst : {true, false}) {
      const ExprRef &then = rowsFirst ? matrix.rows : matrix.cols, &otherwise = rowsFirst ? matrix.cols : matrix.rows;
      if (selects(then, 1, symbol) && selects(otherwise, 2, symbol) &&
          ir::equal(*then->operands[0], *otherwise->operands[0]))
        return ir::makeSelect(then->operands[0], rowsFirst ? byRows : byCols, rowsFirst ? byCols : byRows);
    }
  }
  return nullptr;
}

/// When `columns`, min(k, n) or c ? k : m, are those of `symbol`; null where that cannot be said. Where they are not,
/// the slices of `symbol` do not count, or are at least as many as those of the other operand.
ExprRef whenColumnsAre(const ir::Program &program, const std::string &symbol, const Expr &columns) {
  if (columns.kind == ExprKind::Select && isSymbol(columns.operands[1], symbol))
    return columns.operands[0];
  if (columns.kind == ExprKind::Select && isSymbol(columns.operands[2], symbol))
    return ir::makeUnary(ExprKind::Not, columns.operands[0]);
  if (columns.kind != ExprKind::Min)
    return nullptr;
  const ExprRef &other = columns.operands[isSymbol(columns.operands[0], symbol) ? 1 : 0];
  const auto sizeOf = [&](const std::string &size) {
    return dependence::nameOfSize(program, size, Extent::M, Extent::N);
  };
  const bool isMinimum = isSymbol(columns.operands[0], symbol) || isSymbol(columns.operands[1], symbol);
  const ExprRef mine = sizeOf(symbol), others = other->kind == ExprKind::Var ? sizeOf(other->text) : nullptr;
  return isMinimum && mine && others ? ir::makeBinary(ExprKind::Le, mine, others) : nullptr;
}

/// The number of slices of k columns where matrices are A(.., c ? k : m) and B(.., min(k, n)): c ? A.ns() : k <= n ?
/// B.ns() : the slices of whole tiles. Where neither matrix has k columns any number will do that fits the tiles of k,
/// as known facts about parameters were used for the loops. Null where a matrix has them in another way.
ExprRef nameOfSlices(const ir::Program &program, const std::string &symbol, const ExprRef &tiles) {
  if (!tiles)
    return nullptr;
  ExprRef result = ir::makeBinary(ExprKind::Mul, ir::makeInt(program.slices), tiles);
  for (const ir::Matrix &matrix : program.matrices) {
    const ExprRef columns = dependence::slicedColumns(program, matrix);
    const auto asked = columns ? ir::variables(*columns) : std::vector<std::string>();
    if (std::ranges::find(asked, symbol) == asked.end())
      continue;
    const ExprRef when = whenColumnsAre(program, symbol, *columns);
    if (!when)
      return nullptr;
    result = ir::makeSelect(when, ir::makeExtent(matrix.name, Extent::Ns), result);
  }
  return result;
}

ExprRef nameOfTiles(const ir::Program &program, const std::string &symbol) {
  const ExprRef name = dependence::nameOfSize(program, symbol, Extent::Mt, Extent::Nt);
  return name ? name : nameOfSelected(program, symbol, Extent::Mt, Extent::Nt);
}

ExprRef nameOf(const ir::Program &program, const Parameter &parameter) {
  if (parameter.kind == Parameter::Kind::Enum)
    return ir::makeCast("int", parameter.expr);
  if (parameter.expr)
    return parameter.expr;
  if (parameter.kind == Parameter::Kind::Tiles)
    return nameOfTiles(program, parameter.symbol);
  if (parameter.kind == Parameter::Kind::Size)
    return nameOfSelected(program, parameter.symbol, Extent::M, Extent::N);
  if (parameter.kind == Parameter::Kind::Slices)
    return nameOfSlices(program, parameter.symbol, nameOfTiles(program, parameter.symbol));
  return nullptr;
}
} // namespace

std::map<std::string, ExprRef> parameterNames(const dependence::Model &model) {
  std::map<std::string, ExprRef> names;
  for (const Parameter &parameter : model.parameters)
    names[parameter.name] = nameOf(*model.program, parameter);
  return names;
}

} // namespace hetc::specialize
