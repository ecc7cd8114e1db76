#include "compiler/ir/expr.hpp"
#include "compiler/ir/expr_properties.hpp"

#include <algorithm>
#include <utility>

namespace hetc::ir {

namespace {
std::shared_ptr<Expr> node(ExprKind kind, std::string text = {}, std::vector<ExprRef> operands = {}) {
  auto result = std::make_shared<Expr>();
  result->kind = kind;
  result->text = std::move(text);
  result->operands = std::move(operands);
  return result;
}
} // namespace

ExprRef makeInt(std::int64_t value) {
  auto result = node(ExprKind::Int);
  result->value = value;
  return result;
}

ExprRef makeReal(std::string text) {
  if (text.starts_with('-'))
    return makeUnary(ExprKind::Neg, makeReal(text.substr(1)));
  return node(ExprKind::Real, std::move(text));
}

ExprRef makeEnum(std::string name, std::int64_t value) {
  auto result = node(ExprKind::Enum, std::move(name));
  result->value = value;
  return result;
}

ExprRef makeVar(std::string name) { return node(ExprKind::Var, std::move(name)); }

ExprRef makeExtent(std::string matrix, Extent extent) {
  auto result = node(ExprKind::Extent, std::move(matrix));
  result->extent = extent;
  return result;
}

ExprRef makeExtent(std::string matrix, Extent extent, ExprRef argument) {
  auto result = node(ExprKind::Extent, std::move(matrix), {std::move(argument)});
  result->extent = extent;
  return result;
}

ExprRef makeExtent(std::string matrix, Extent extent, ExprRef first, ExprRef second) {
  auto result = node(ExprKind::Extent, std::move(matrix), {std::move(first), std::move(second)});
  result->extent = extent;
  return result;
}

ExprRef makeHas(std::string matrix, ExprRef row, ExprRef column) {
  return makeExtent(std::move(matrix), Extent::Has, std::move(row), std::move(column));
}

ExprRef makeUnary(ExprKind kind, ExprRef operand) {
  if (kind == ExprKind::Neg && operand && operand->kind == ExprKind::Int && operand->value != INT64_MIN)
    return makeInt(-operand->value);
  return node(kind, {}, {std::move(operand)});
}

ExprRef makeBinary(ExprKind kind, ExprRef left, ExprRef right) {
  return node(kind, {}, {std::move(left), std::move(right)});
}

ExprRef makeSelect(ExprRef condition, ExprRef then, ExprRef otherwise) {
  return node(ExprKind::Select, {}, {std::move(condition), std::move(then), std::move(otherwise)});
}

ExprRef makeCast(std::string type, ExprRef operand) {
  return node(ExprKind::Cast, std::move(type), {std::move(operand)});
}

const char *name(Extent extent) {
  static constexpr const char *names[] = {
      "mt",        "nt",         "m",         "n",          "mb",          "nb",         "p",        "q",
      "ns",        "sliceBegin", "sliceCols", "has",        "dealtParts",  "dealtCount", "dealtRow", "dealtColumn",
      "dealtStep", "dealtPart",  "dealtHome", "dealtOpens", "dealtCloses", "dealtJoins"};
  return names[static_cast<int>(extent)];
}

bool equal(const Expr &a, const Expr &b) {
  if (&a == &b)
    return true;
  if (a.kind != b.kind || a.value != b.value || a.text != b.text || a.operands.size() != b.operands.size() ||
      (a.kind == ExprKind::Extent && a.extent != b.extent))
    return false;
  return std::ranges::equal(a.operands, b.operands,
                            [](const ExprRef &x, const ExprRef &y) { return x == y || (x && y && equal(*x, *y)); });
}

ExprRef substitute(const ExprRef &expr, const std::map<std::string, ExprRef> &replace,
                   const std::map<std::string, std::string> &rename) {
  if (!expr)
    return expr;
  if (expr->kind == ExprKind::Var) {
    const auto found = replace.find(expr->text);
    return found == replace.end() ? expr : found->second;
  }
  std::vector<ExprRef> operands;
  for (const ExprRef &operand : expr->operands)
    operands.push_back(substitute(operand, replace, rename));
  const auto renamed = expr->kind == ExprKind::Extent ? rename.find(expr->text) : rename.end();
  if (operands == expr->operands && renamed == rename.end())
    return expr; // unchanged subtrees stay shared
  if (expr->kind == ExprKind::Neg)
    return makeUnary(ExprKind::Neg, operands.front());
  auto result = std::make_shared<Expr>(*expr);
  result->operands = std::move(operands);
  if (renamed != rename.end())
    result->text = renamed->second;
  return result;
}

static void collectVariables(const Expr &expr, std::vector<std::string> &names) {
  if (expr.kind == ExprKind::Var && std::ranges::find(names, expr.text) == names.end())
    names.push_back(expr.text);
  for (const ExprRef &operand : expr.operands)
    if (operand)
      collectVariables(*operand, names);
}

std::vector<std::string> variables(const Expr &expr) {
  std::vector<std::string> names;
  collectVariables(expr, names);
  return names;
}

static int precedence(const Expr &expr) {
  if (const tla::InfixOperator *infix = findInfix(expr.kind))
    return infix->precedence;
  switch (expr.kind) {
  case ExprKind::Select:
    return tla::SelectLevel;
  case ExprKind::Neg:
  case ExprKind::Not:
    return tla::UnaryLevel;
  case ExprKind::Int:
    return expr.value < 0 ? tla::UnaryLevel : tla::PrimaryLevel;
  default:
    return tla::PrimaryLevel;
  }
}

static std::string printOperand(const Expr &expr, std::size_t index, int atLeast) {
  if (index >= expr.operands.size() || !expr.operands[index])
    return "<missing>";
  const Expr &operand = *expr.operands[index];
  const std::string text = print(operand);
  return precedence(operand) < atLeast ? "(" + text + ")" : text;
}

static std::string printExtent(const Expr &expr) {
  std::string text = expr.text + "." + name(expr.extent) + "(";
  for (int i = 0; i < argumentCount(expr.extent); ++i)
    text += (i ? ", " : "") + printOperand(expr, i, tla::SelectLevel);
  return text + ")";
}

static std::string printUnary(const Expr &expr) {
  const std::string operand = printOperand(expr, 0, tla::UnaryLevel);
  if (expr.kind == ExprKind::Not)
    return "!" + operand;
  return operand.starts_with('-') ? "-(" + operand + ")" : "-" + operand; // "--k" would be a decrement
}

std::string print(const Expr &expr) {
  if (const tla::InfixOperator *infix = findInfix(expr.kind))
    return printOperand(expr, 0, infix->precedence) + " " + std::string(infix->spelling) + " " +
           printOperand(expr, 1, infix->precedence + 1);
  switch (expr.kind) {
  case ExprKind::Int:
    return std::to_string(expr.value);
  case ExprKind::Extent:
    return printExtent(expr);
  case ExprKind::Neg:
  case ExprKind::Not:
    return printUnary(expr);
  case ExprKind::Min:
  case ExprKind::Max:
    return (expr.kind == ExprKind::Min ? "min(" : "max(") + printOperand(expr, 0, tla::SelectLevel) + ", " +
           printOperand(expr, 1, tla::SelectLevel) + ")";
  case ExprKind::Select:
    return printOperand(expr, 0, tla::OrLevel) + " ? " + printOperand(expr, 1, tla::SelectLevel) + " : " +
           printOperand(expr, 2, tla::SelectLevel);
  case ExprKind::Cast:
    return expr.text + "(" + printOperand(expr, 0, tla::SelectLevel) + ")";
  default:
    return expr.text;
  }
}

} // namespace hetc::ir
