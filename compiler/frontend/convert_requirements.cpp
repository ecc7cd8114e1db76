// What an algorithm's clauses say of its arguments: defaults, tuned parameters, requirements.
#include "compiler/frontend/converter.hpp"
#include "compiler/ir/expr_properties.hpp"
#include "dsl/base/nearest.hpp"

#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <functional>

namespace hetc::frontend {

bool holds(const ir::Expr &expr, ir::ExprKind kind) {
  return expr.kind == kind ||
         std::ranges::any_of(expr.operands, [&](const ir::ExprRef &operand) { return holds(*operand, kind); });
}

namespace {

/// "Op" of 111, 112, 113: CBLAS's numbers.
std::string optionType(std::int64_t value) {
  constexpr int first = 11;
  static constexpr const char *types[] = {"Op", "Uplo", "Diag", "Side"};
  return types[value / 10 - first];
}

/// The requirement that a constant fails as the value of a parameter of this type, or of a size; empty: it meets all.
std::string requiredOf(const std::string &type, const ir::Expr &value) {
  const bool isOption = holds(value, ir::ExprKind::Enum);
  if (type == "T" || type == "real") {
    std::function<bool(const ir::Expr &)> isFinite = [&](const ir::Expr &each) {
      return (each.kind != ir::ExprKind::Real || std::isfinite(std::strtod(each.text.c_str(), nullptr))) &&
             std::ranges::all_of(each.operands, [&](const ir::ExprRef &operand) { return isFinite(*operand); });
    };
    return isOption || !isFinite(value) ? "a number" : "";
  }
  if (type == "int" || type == "size") {
    const std::int64_t least = type == "size" ? 0 : INT_MIN;
    const bool isInteger = !isOption && !holds(value, ir::ExprKind::Real);
    if (const auto number = ir::evaluate(value, {}); isInteger && number && *number >= least && *number <= INT_MAX)
      return "";
    return type == "size" ? "an int that is not negative" : "an int";
  }
  return value.kind == ir::ExprKind::Enum && optionType(value.value) == type ? "" : "one of tla::" + type;
}

} // namespace

void Converter::applyDefault(const annotations::Default &value, const PragmaRecord &pragma) {
  const ir::ExprRef expr = resolve(value.value, pragma);
  if (!requireConstant(expr, pragma.at(value.value.offset)))
    return;
  const bool isSize = value.name == "m" || value.name == "n" || value.name == "k";
  ir::Scalar *const scalar = isSize ? nullptr : parameterScalar(value.name);
  if (!isSize && !scalar)
    error(pragma.at(value.offset),
          "'" + value.name + "' is neither a size (m, n, k) nor a scalar parameter of '" + program_.name + "'");
  else if (const std::string required = requiredOf(isSize ? "size" : scalar->type, *expr); !required.empty())
    error(pragma.at(value.value.offset),
          "the default of '" + value.name + "' is " + annotations::print(value.value) + "; it must be " + required);
  else if (isSize)
    program_.sizeDefaults.emplace_back(value.name, expr);
  else
    scalar->defaultValue = expr;
}

/// Without a default the first candidate is one.
void Converter::applyTune(const annotations::Tune &tune, const PragmaRecord &pragma) {
  ir::Scalar *scalar = parameterScalar(tune.name);
  if (!scalar || scalar->type != "int") {
    error(pragma.at(tune.offset), "'" + tune.name + "' is not an int parameter of '" + program_.name + "'");
    return;
  }
  for (const auto &candidate : tune.candidates) {
    const ir::ExprRef value = resolve(candidate, pragma);
    const auto number = value ? ir::evaluate(*value, {}) : std::nullopt;
    if (number && *number > 0 && *number <= INT_MAX)
      scalar->candidates.push_back(*number);
    else if (value)
      error(pragma.at(candidate.offset), "a candidate of '" + tune.name + "' is a positive int constant");
  }
  if (!scalar->defaultValue && !scalar->candidates.empty())
    scalar->defaultValue = ir::makeInt(scalar->candidates.front());
}

/// Over the sizes of matrices: it is asked where these are there.
void Converter::applyRequirement(const annotations::Expr &requirement, const PragmaRecord &pragma) {
  const ir::ExprRef condition = resolveSize(requirement, pragma);
  if (condition && requireCondition(condition, pragma.at(requirement.offset)) &&
      requireOrder(*condition, pragma.at(requirement.offset)))
    for (const ir::ExprRef &each : conjunction(condition))
      program_.requirements.push_back({each, ""});
}

/// Complex numbers have none.
bool Converter::requireOrder(const ir::Expr &expr, clang::SourceLocation location) {
  using enum ir::ExprKind;
  const bool compares = expr.kind == Lt || expr.kind == Le || expr.kind == Gt || expr.kind == Ge;
  for (const ir::ExprRef &operand : expr.operands) {
    const std::vector<std::string> names = ir::variables(*operand);
    const auto isNumber = [&](const std::string &name) {
      const ir::Scalar *const scalar = program_.findScalar(name);
      return scalar && scalar->type == "T";
    };
    const auto number = std::ranges::find_if(names, isNumber);
    if (compares && number != names.end() &&
        (program_.type == ir::ElementType::C || program_.type == ir::ElementType::Z)) {
      error(location, "'" + *number +
                          "' is a T, and complex numbers are neither smaller nor larger than others; make "
                          "it a tla::RealType<T>");
      return false;
    }
    if (!requireOrder(*operand, location))
      return false;
  }
  return true;
}

/// Adds the requirements of an algorithm that is called here to those of this one. They are put in its words: the sizes
/// m, n and k are those of the matrices that are passed.
void Converter::requireOfCall(const clang::CallExpr &call, const clang::FunctionDecl &callee) {
  const PragmaRecord &pragma = *declarations_.algorithms.at(canonicalFunction(callee));
  const auto &annotation = std::get<annotations::AlgorithmAnnotation>(pragma.annotation);
  if (annotation.requirements.empty())
    return;
  const std::size_t visible = names_.size();
  bindSizes(callee, annotation);
  for (const annotations::Expr &written : annotation.requirements)
    if (const ir::ExprRef condition = resolve(written, pragma);
        condition && requireCondition(condition, pragma.at(written.offset)) &&
        requireOrder(*condition, call.getBeginLoc()))
      for (const ir::ExprRef &each : conjunction(condition))
        addRequirement(call.getBeginLoc(), callee.getNameAsString(),
                       "'" + callee.getNameAsString() + "' requires " + annotations::print(written), each);
  names_.resize(visible);
}

} // namespace hetc::frontend
