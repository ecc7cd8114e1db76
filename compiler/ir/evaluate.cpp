#include "compiler/ir/arithmetic.hpp"
#include "compiler/ir/expr.hpp"

namespace hetc::ir {

std::optional<std::int64_t> applyCast(const std::string &type, std::int64_t a) {
  if (type == "bool")
    return a != 0;
  if (type == "int" || type == "signed" || type == "signed int" || type == "int32_t")
    return static_cast<std::int32_t>(a);
  if (type == "unsigned" || type == "unsigned int" || type == "uint32_t")
    return static_cast<std::uint32_t>(a);
  if (type == "long" || type == "long int" || type == "long long" || type == "long long int" || type == "int64_t" ||
      type == "ptrdiff_t")
    return a;
  if (type == "size_t" || type == "uint64_t" || type == "unsigned long" || type == "unsigned long long")
    return a < 0 ? std::nullopt : std::optional(a);
  if (type == "short" || type == "int16_t")
    return static_cast<std::int16_t>(a);
  if (type == "unsigned short" || type == "uint16_t")
    return static_cast<std::uint16_t>(a);
  if (type == "char" || type == "signed char" || type == "int8_t")
    return static_cast<std::int8_t>(a);
  if (type == "unsigned char" || type == "uint8_t")
    return static_cast<std::uint8_t>(a);
  return std::nullopt;
}

static std::optional<std::int64_t> evaluateOperand(const Expr &expr, std::size_t index,
                                                   const Environment &environment) {
  if (index >= expr.operands.size() || !expr.operands[index])
    return std::nullopt;
  return evaluate(*expr.operands[index], environment);
}

template <typename Map, typename Key> static std::optional<std::int64_t> lookup(const Map &map, const Key &key) {
  const auto found = map.find(key);
  return found == map.end() ? std::nullopt : std::optional(found->second);
}

static std::optional<std::int64_t> evaluateLogical(const Expr &expr, const Environment &environment) {
  const std::optional<std::int64_t> left = evaluateOperand(expr, 0, environment);
  if (!left)
    return std::nullopt;
  if (*left != 0 && expr.kind == ExprKind::Or)
    return 1;
  if (*left == 0 && expr.kind == ExprKind::And)
    return 0;
  const std::optional<std::int64_t> right = evaluateOperand(expr, 1, environment);
  return right ? std::optional<std::int64_t>(*right != 0) : std::nullopt;
}

static std::optional<std::int64_t> evaluateBinary(const Expr &expr, const Environment &environment) {
  const std::optional<std::int64_t> left = evaluateOperand(expr, 0, environment);
  const std::optional<std::int64_t> right = evaluateOperand(expr, 1, environment);
  return left && right ? applyBinary(expr.kind, *left, *right) : std::nullopt;
}

static std::optional<std::int64_t> evaluateHas(const Expr &expr, const Environment &environment) {
  const auto size = [&](Extent extent) { return lookup(environment.extents, std::pair(expr.text, extent)); };
  const auto kind = size(Extent::Has), mt = size(Extent::Mt), nt = size(Extent::Nt);
  const auto row = evaluateOperand(expr, 0, environment), column = evaluateOperand(expr, 1, environment);
  if (!kind || !mt || !nt || !row || !column)
    return std::nullopt;
  return hasTile(static_cast<MatrixKind>(*kind), *mt, *nt, *row, *column);
}

std::optional<std::int64_t> evaluate(const Expr &expr, const Environment &environment) {
  switch (expr.kind) {
  case ExprKind::Int:
  case ExprKind::Enum:
    return expr.value;
  case ExprKind::Real:
    return std::nullopt;
  case ExprKind::Var:
    return lookup(environment.variables, expr.text);
  case ExprKind::Extent:
    if (expr.extent == Extent::Has)
      return evaluateHas(expr, environment);
    return lookup(environment.extents, std::pair(expr.text, expr.extent));
  case ExprKind::And:
  case ExprKind::Or:
    return evaluateLogical(expr, environment);
  case ExprKind::Select: {
    const std::optional<std::int64_t> condition = evaluateOperand(expr, 0, environment);
    return condition ? evaluateOperand(expr, *condition ? 1 : 2, environment) : std::nullopt;
  }
  case ExprKind::Neg:
  case ExprKind::Not:
  case ExprKind::Cast: {
    const std::optional<std::int64_t> operand = evaluateOperand(expr, 0, environment);
    if (!operand)
      return std::nullopt;
    return expr.kind == ExprKind::Cast ? applyCast(expr.text, *operand) : applyUnary(expr.kind, *operand);
  }
  default:
    return evaluateBinary(expr, environment);
  }
}

} // namespace hetc::ir
