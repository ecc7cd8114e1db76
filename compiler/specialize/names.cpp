#include "compiler/specialize/names.hpp"

namespace hetc::specialize {

using dependence::Parameter;
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

/// Of A(c ? m : k, c ? k : m), k is c ? A.n() : A.m().
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

/// Of A(.., c ? k : m) and B(.., d ? n : k), the slices of k columns are c ? A.ns() : d ? .. : B.ns(). Where no matrix
/// has k columns nothing asks for their slices, and `otherwise` may stand for them.
ExprRef nameOfSlices(const ir::Program &program, const std::string &symbol, ExprRef otherwise) {
  for (const ir::Matrix &matrix : program.matrices) {
    if (!matrix.sliced || !program.isParameter(matrix))
      continue;
    const ExprRef slices = ir::makeExtent(matrix.name, Extent::Ns);
    if (selects(matrix.cols, 1, symbol))
      otherwise = ir::makeSelect(matrix.cols->operands[0], slices, otherwise);
    else if (selects(matrix.cols, 2, symbol))
      otherwise = ir::makeSelect(matrix.cols->operands[0], otherwise, slices);
  }
  return otherwise;
}

ExprRef nameOf(const ir::Program &program, const Parameter &parameter) {
  if (parameter.kind == Parameter::Kind::Enum)
    return ir::makeCast("int", parameter.expr);
  if (parameter.expr)
    return parameter.expr;
  if (parameter.kind == Parameter::Kind::Tiles)
    return nameOfSelected(program, parameter.symbol, Extent::Mt, Extent::Nt);
  if (parameter.kind == Parameter::Kind::Size)
    return nameOfSelected(program, parameter.symbol, Extent::M, Extent::N);
  if (parameter.kind == Parameter::Kind::Slices)
    return nameOfSlices(program, parameter.symbol, ir::makeInt(0));
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
