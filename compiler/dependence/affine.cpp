#include "compiler/dependence/affine.hpp"

#include "compiler/ir/expr_properties.hpp"

#include <algorithm>
#include <cstdlib>

namespace hetc::dependence {

using ir::ExprKind;

namespace {
bool isConstant(const isl::pw_aff &value) { return isl_pw_aff_is_cst(value.get()) == isl_bool_true; }
} // namespace

AffineTranslator::AffineTranslator(isl::ctx ctx, const ir::Program &program, bool covers)
    : ctx_(ctx), program_(program), covers_(covers), parameters_(program) {}

isl::set AffineTranslator::universe() const { return isl::set::universe(isl::space::unit(ctx_).params()); }

isl::pw_aff AffineTranslator::parameter(const std::string &name) const {
  return universe().param_pw_aff_on_domain(name);
}

isl::pw_aff AffineTranslator::constant(std::int64_t value) const {
  return universe().pw_aff_on_domain(isl::val(ctx_, static_cast<long>(value)));
}

void AffineTranslator::fail(const ir::Expr &expr, const std::string &reason) const {
  const std::string text = ir::print(expr);
  throw NonAffine{location_, text, "'" + text + "' " + reason};
}

isl::pw_aff AffineTranslator::value(const ir::Expr &expr) {
  auto operand = [&](std::size_t i) { return value(*expr.operands[i]); };
  if (isCondition(expr.kind)) {
    if (ir::asksTiles(expr)) // the condition may be a cover
      fail(expr, "is not known before the run");
    return condition(expr).indicator_function();
  }
  switch (expr.kind) {
  case ExprKind::Int:
  case ExprKind::Enum:
    return constant(expr.value);
  case ExprKind::Var:
    return variable(expr);
  case ExprKind::Extent:
    return extent(expr);
  case ExprKind::Neg:
    return operand(0).neg();
  case ExprKind::Add:
    return operand(0).add(operand(1));
  case ExprKind::Sub:
    return operand(0).sub(operand(1));
  case ExprKind::Mul:
    return product(expr);
  case ExprKind::Div:
  case ExprKind::Rem:
    return quotient(expr);
  case ExprKind::Min:
    return operand(0).min(operand(1));
  case ExprKind::Max:
    return operand(0).max(operand(1));
  case ExprKind::Select:
    return select(expr);
  case ExprKind::Cast:
    return cast(expr);
  default:
    fail(expr, "is not an integer");
  }
}

isl::set AffineTranslator::negation(const ir::Expr &expr) {
  if (!ir::asksTiles(expr))
    return condition(expr).complement();
  switch (expr.kind) { // complements of what may hold are too small
  case ExprKind::Not:
    return condition(*expr.operands[0]);
  case ExprKind::And:
    return negation(*expr.operands[0]).unite(negation(*expr.operands[1]));
  case ExprKind::Or:
    return negation(*expr.operands[0]).intersect(negation(*expr.operands[1]));
  default:
    if (!covers_)
      condition(expr); // which says why not
    return universe();
  }
}

/// Where a tile of the matrix is, if it is there.
isl::set AffineTranslator::mayHave(const ir::Expr &expr) {
  const ir::Matrix *const matrix = program_.findMatrix(expr.text);
  if (!matrix || !covers_)
    fail(expr, "is not known before the run");
  const isl::pw_aff row = value(*expr.operands[0]), column = value(*expr.operands[1]);
  isl::set result = row.ge_set(constant(0)).intersect(row.lt_set(tileRows(*matrix)));
  result = result.intersect(column.ge_set(constant(0))).intersect(column.lt_set(tileCols(*matrix)));
  if (matrix->kind == ir::MatrixKind::Lower)
    result = result.intersect(row.ge_set(column));
  if (matrix->kind == ir::MatrixKind::Upper)
    result = result.intersect(row.le_set(column));
  return result;
}

isl::set AffineTranslator::condition(const ir::Expr &expr) {
  if (expr.kind == ExprKind::Extent && expr.extent == ir::Extent::Has)
    return mayHave(expr);
  if (isComparison(expr.kind) && (isNumber(*expr.operands[0]) || isNumber(*expr.operands[1])))
    return comparisonOfNumbers(expr);
  auto operand = [&](std::size_t i) { return value(*expr.operands[i]); };
  switch (expr.kind) {
  case ExprKind::Not:
    return negation(*expr.operands[0]);
  case ExprKind::And:
    return condition(*expr.operands[0]).intersect(condition(*expr.operands[1]));
  case ExprKind::Or:
    return condition(*expr.operands[0]).unite(condition(*expr.operands[1]));
  case ExprKind::Lt:
    return operand(0).lt_set(operand(1));
  case ExprKind::Le:
    return operand(0).le_set(operand(1));
  case ExprKind::Gt:
    return operand(0).gt_set(operand(1));
  case ExprKind::Ge:
    return operand(0).ge_set(operand(1));
  case ExprKind::Eq:
    return operand(0).eq_set(operand(1));
  case ExprKind::Ne:
    return operand(0).ne_set(operand(1));
  default:
    return value(expr).ne_set(constant(0));
  }
}

/// True for values of the element type, real or complex.
bool AffineTranslator::isNumber(const ir::Expr &expr) const {
  static const std::set<std::string> numbers = {"T", "real", "float", "double", "complex_float", "complex_double"};
  const ir::Scalar *scalar = expr.kind == ExprKind::Var ? program_.findScalar(expr.text) : nullptr;
  if (expr.kind == ExprKind::Real || (expr.kind == ExprKind::Cast && numbers.count(expr.text)) ||
      (scalar && numbers.count(scalar->type)))
    return true;
  return expr.kind != ExprKind::Cast && !isCondition(expr.kind) &&
         std::any_of(expr.operands.begin(), expr.operands.end(),
                     [&](const ir::ExprRef &operand) { return isNumber(*operand); });
}

/// True when the value is the same throughout a call.
bool AffineTranslator::isArgument(const ir::Expr &expr) const {
  if (expr.kind == ExprKind::Extent || (expr.kind == ExprKind::Var && !program_.findScalar(expr.text)))
    return false;
  return std::all_of(expr.operands.begin(), expr.operands.end(),
                     [&](const ir::ExprRef &operand) { return isArgument(*operand); });
}

// What alpha == T(0) is stays open, but it is the same everywhere; its negation rests on the same symbol.
isl::set AffineTranslator::comparisonOfNumbers(const ir::Expr &expr) {
  if (!isArgument(expr) || ir::variables(expr).empty())
    fail(expr, "is not affine: it compares numbers that are not arguments");
  const bool negated = expr.kind == ExprKind::Ne;
  const ir::ExprRef comparison = ir::makeBinary(negated ? ExprKind::Eq : expr.kind, expr.operands[0], expr.operands[1]);
  return parameter(parameters_.truth(comparison).name).eq_set(constant(negated ? 0 : 1));
}

isl::pw_aff AffineTranslator::variable(const ir::Expr &expr) {
  if (loops_.count(expr.text))
    return parameter(expr.text);
  if (const ir::Scalar *scalar = program_.findScalar(expr.text)) {
    if (const Parameter *known = parameters_.scalar(scalar->name))
      return parameter(known->name);
    fail(expr, "is not an integer");
  }
  return parameter(parameters_.size(expr.text).name);
}

isl::pw_aff AffineTranslator::product(const ir::Expr &expr) {
  const isl::pw_aff left = value(*expr.operands[0]), right = value(*expr.operands[1]);
  if (!isConstant(left) && !isConstant(right))
    fail(expr, "is not affine");
  return left.mul(right);
}

// Truncation as in C++: -7 / 2 == -3 and -7 % 2 == -1; the remainder has the dividend's sign whatever the divisor's is.
isl::pw_aff AffineTranslator::quotient(const ir::Expr &expr) {
  const auto divisor = ir::evaluate(*expr.operands[1], {});
  if (!divisor)
    fail(expr, "is not affine: the divisor is not a constant");
  if (*divisor == 0)
    fail(expr, "divides by zero");
  const isl::pw_aff dividend = value(*expr.operands[0]), by = constant(std::abs(*divisor));
  if (expr.kind == ExprKind::Rem)
    return dividend.tdiv_r(by);
  return *divisor > 0 ? dividend.tdiv_q(by) : dividend.tdiv_q(by).neg();
}

isl::pw_aff AffineTranslator::select(const ir::Expr &expr) {
  if (ir::asksTiles(*expr.operands[0]))
    fail(*expr.operands[0], "is not known before the run");
  const isl::set chosen = condition(*expr.operands[0]);
  const isl::pw_aff then = value(*expr.operands[1]), otherwise = value(*expr.operands[2]);
  return then.intersect_domain(chosen).union_add(otherwise.subtract_domain(chosen)).coalesce();
}

isl::pw_aff AffineTranslator::cast(const ir::Expr &expr) {
  static const std::set<std::string> integers = {"int", "long", "long long", "std::int64_t", "std::ptrdiff_t"};
  if (expr.text == "bool")
    return value(*expr.operands[0]).ne_set(constant(0)).indicator_function();
  if (!integers.count(expr.text))
    fail(expr, "is not a signed integer");
  return value(*expr.operands[0]);
}

isl::pw_aff AffineTranslator::extent(const ir::Expr &expr) {
  const ir::Matrix *matrix = program_.findMatrix(expr.text);
  if (!matrix)
    fail(expr, "names no matrix");
  switch (expr.extent) {
  case ir::Extent::Mt:
    return tileRows(*matrix);
  case ir::Extent::Nt:
    return tileCols(*matrix);
  case ir::Extent::M:
    return elements(*matrix, matrix->rows, expr.extent);
  case ir::Extent::N:
    return elements(*matrix, matrix->cols, expr.extent);
  case ir::Extent::Mb:
    return tileSize(*matrix, matrix->tileRows, expr.extent);
  case ir::Extent::Nb:
    return tileSize(*matrix, matrix->tileCols, expr.extent);
  case ir::Extent::P:
  case ir::Extent::Q: // the same for all matrices
    return parameter(
        parameters_.extent(ir::name(expr.extent), ir::name(expr.extent), 1, ir::makeExtent(matrix->name, expr.extent))
            .name);
  case ir::Extent::Ns:
    return columns(*matrix);
  case ir::Extent::SliceBegin:
  case ir::Extent::SliceCols:
    break; // in views only, which are whole slices here
  default: // tiles that there are; what is dealt
    fail(expr, "is not known before the run");
  }
  fail(expr, "is not a known extent");
}

isl::pw_aff AffineTranslator::tileRows(const ir::Matrix &matrix) { return tiles(matrix, matrix.rows, ir::Extent::Mt); }
isl::pw_aff AffineTranslator::tileCols(const ir::Matrix &matrix) { return tiles(matrix, matrix.cols, ir::Extent::Nt); }

} // namespace hetc::dependence
