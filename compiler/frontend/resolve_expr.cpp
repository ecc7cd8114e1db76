// Expressions of pragmas, by the names that the program has.
#include "compiler/frontend/converter.hpp"
#include "compiler/ir/expr_properties.hpp"

#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

namespace hetc::frontend {

using ir::ExprKind;

const Converter::Binding *Converter::findName(const std::string &name) const {
  for (auto entry = names_.rbegin(); entry != names_.rend(); ++entry)
    if (entry->first == name)
      return entry->second.variable ? &bindings_.at(entry->second.variable) : &entry->second;
  return nullptr;
}

/// The type that it was declared with; nothing where no variable has the name.
std::optional<MatrixType> Converter::typeOfName(const std::string &name) const {
  for (auto entry = names_.rbegin(); entry != names_.rend(); ++entry)
    if (entry->first == name)
      return entry->second.variable ? matrixType(entry->second.variable->getType()) : std::nullopt;
  return std::nullopt;
}

ir::ExprRef Converter::resolve(const annotations::Expr &expr, const PragmaRecord &pragma) {
  ++expressions_;
  ir::ExprRef value = resolveNode(expr, pragma);
  return --expressions_ ? value : bounded(std::move(value), pragma.at(expr.offset));
}

ir::ExprRef Converter::resolveNode(const annotations::Expr &expr, const PragmaRecord &pragma) {
  if (expr.kind == annotations::Expr::Kind::Name)
    return resolveName(expr, pragma);
  if (expr.kind == annotations::Expr::Kind::Member)
    return resolveMember(expr, pragma);
  return resolveOperator(expr, pragma, [&](const annotations::Expr &operand) { return resolve(operand, pragma); });
}

/// A number, or an operator or function on operands that `resolve` knows.
ir::ExprRef Converter::resolveOperator(const annotations::Expr &expr, const PragmaRecord &pragma,
                                       const ResolveOperand &resolve) {
  using Kind = annotations::Expr::Kind;
  std::vector<ir::ExprRef> operands;
  for (const auto &operand : expr.operands)
    if (operands.push_back(resolve(operand)); !operands.back())
      return nullptr;
  switch (expr.kind) {
  case Kind::Number:
    return resolveNumber(expr, pragma);
  case Kind::Unary:
    return ir::makeUnary(expr.text == "-" ? ExprKind::Neg : ExprKind::Not, operands[0]);
  case Kind::Binary:
    if ((expr.text == "/" || expr.text == "%") && operands[1]->kind == ExprKind::Int && operands[1]->value == 0) {
      error(pragma.at(expr.operands[1].offset), "division by zero");
      return nullptr;
    }
    return ir::makeBinary(*ir::kindOf(expr.text), operands[0], operands[1]);
  case Kind::Select:
    return ir::makeSelect(operands[0], operands[1], operands[2]);
  case Kind::Call:
    if ((expr.text == "min" || expr.text == "max") && operands.size() == 2)
      return ir::makeBinary(expr.text == "min" ? ExprKind::Min : ExprKind::Max, operands[0], operands[1]);
    error(pragma.at(expr.offset), "'" + expr.text + "(...)' is not known here; min(a, b) and max(a, b) are");
    return nullptr;
  case Kind::Name:
  case Kind::Member:
    break;
  }
  return nullptr;
}

ir::ExprRef Converter::resolveNumber(const annotations::Expr &expr, const PragmaRecord &pragma) {
  if (expr.text.find_first_not_of("0123456789") != std::string::npos)
    return ir::makeReal(expr.text);
  int value = 0;
  if (!llvm::StringRef(expr.text).getAsInteger(10, value))
    return ir::makeInt(value);
  error(pragma.at(expr.offset), "'" + expr.text + "' does not fit an int");
  return nullptr;
}

ir::ExprRef Converter::resolveName(const annotations::Expr &expr, const PragmaRecord &pragma) {
  if (const Binding *binding = findName(expr.text); binding && binding->value)
    return binding->value;
  if (const auto value = tlaEnumerator(expr.text))
    return ir::makeEnum(expr.text, *value);
  error(pragma.at(expr.offset), "'" + expr.text + "' is not a variable or parameter here");
  return nullptr;
}

ir::ExprRef Converter::resolveMember(const annotations::Expr &expr, const PragmaRecord &pragma) {
  const Binding *object =
      expr.operands[0].kind == annotations::Expr::Kind::Name ? findName(expr.operands[0].text) : nullptr;
  const auto extent = extentNamed(expr.text);
  if (object && object->isMatrix() && extent && expr.operands.size() == 1)
    if (ir::ExprRef size = extentOf(*object, *extent))
      return size;
  if (ofTask_ && object && object->isMatrix() && expr.text == ir::name(ir::Extent::Has) && expr.operands.size() == 3) {
    const ir::ExprRef row = resolve(expr.operands[1], pragma), column = resolve(expr.operands[2], pragma);
    return row && column ? hasOfType(typeOfName(expr.operands[0].text), *object, row, column) : nullptr;
  }
  error(pragma.at(expr.offset), "expected the size of a matrix: mt(), nt(), m(), n(), mb(), nb(), p() or q()");
  return nullptr;
}

std::optional<ir::TileAccess> Converter::resolveTile(const annotations::Expr &expr, const PragmaRecord &pragma) {
  using Kind = annotations::Expr::Kind;
  if (expr.kind == Kind::Member && (expr.text == "lower" || expr.text == "upper")) {
    auto access = resolveTile(expr.operands[0], pragma);
    if (access)
      access->region = expr.text == "lower" ? ir::Region::Lower : ir::Region::Upper;
    return access;
  }
  const bool panel = expr.kind == Kind::Member && expr.text == "panel" && expr.operands.size() >= 4 &&
                     expr.operands[0].kind == Kind::Name;
  const bool tile = expr.kind == Kind::Call && expr.operands.size() == 2;
  const Binding *matrix = panel ? findName(expr.operands[0].text) : tile ? findName(expr.text) : nullptr;
  if (!matrix || !matrix->isMatrix()) {
    error(pragma.at(expr.offset), "expected a tile, such as A(i, j)");
    return std::nullopt;
  }
  ir::TileAccess access;
  const NamedMatrix named = decide(*matrix);
  access.matrix = named.name;
  access.row = resolve(expr.operands[panel ? 1 : 0], pragma);
  if (panel)
    access.rowEnd = resolve(expr.operands[2], pragma);
  const bool strided = panel && expr.operands.size() == 5;
  if (strided)
    access.rowStep = resolve(expr.operands[4], pragma);
  if (strided && !access.rowStep)
    return std::nullopt;
  if (strided && access.rowStep->kind == ir::ExprKind::Int && access.rowStep->value == 1)
    access.rowStep = nullptr; // as makePanel()
  access.column = resolve(expr.operands[panel ? 3 : 1], pragma);
  access.location = locate(pragma.at(expr.offset));
  if (!access.row || !access.column || (panel && !access.rowEnd))
    return std::nullopt;
  if (named.isTransposed && panel) {
    error(pragma.at(expr.offset), transposedPanel);
    return std::nullopt;
  }
  if (named.isTransposed)
    transpose(access);
  moveInto(named, access);
  return access;
}

} // namespace hetc::frontend
