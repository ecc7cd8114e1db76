#include "compiler/frontend/converter.hpp"

#include <clang/AST/ExprCXX.h>

#include <algorithm>

namespace hetc::frontend {

void Converter::convertParameters(const clang::FunctionDecl &algorithm) {
  // Names that generated code uses itself, and those that mean something else in the IR.
  for (const char *reserved :
       {"task", "tasks",   "arguments", "values",    "scalars", "flops", "rt",      "T",    "real", "min",
        "max",  "NoTrans", "Trans",     "ConjTrans", "Upper",   "Lower", "NonUnit", "Unit", "Left", "Right"})
    usedNames_.insert(reserved);
  for (const clang::ParmVarDecl *parameter : algorithm.parameters()) {
    if (const auto type = matrixType(parameter->getType()); type && type->kind != ir::MatrixKind::Workspace)
      addMatrixParameter(*parameter, *type);
    else
      addScalarParameter(*parameter);
  }
}

/// Users know parameters by name (--input A=...), so these are not renamed as loop variables are.
std::string Converter::parameterName(const clang::ParmVarDecl &parameter) {
  const std::string declared = parameter.getNameAsString();
  if (uniqueName(declared) != declared)
    error(parameter.getLocation(), "'" + declared + "' has a meaning of its own here; give the parameter another name");
  return declared;
}

void Converter::addMatrixParameter(const clang::ParmVarDecl &parameter, const MatrixType &type) {
  const auto element = elementType(type.element);
  if (!element) {
    error(parameter.getLocation(), "the elements of matrix '" + parameter.getNameAsString() +
                                       "' must be float, double, std::complex of either, or int");
    return;
  }
  ir::Matrix matrix;
  matrix.name = parameterName(parameter);
  matrix.kind = type.kind;
  matrix.type = *element;
  matrix.rows = ir::makeVar(type.kind == ir::MatrixKind::General ? "m" : "n");
  matrix.cols = ir::makeVar("n");
  matrix.location = locate(parameter.getLocation());
  program_.parameterOrder.push_back(matrix.name);
  bind(parameter, {matrix.name, nullptr});
  program_.matrices.push_back(std::move(matrix));
}

void Converter::addScalarParameter(const clang::ParmVarDecl &parameter) {
  const std::string declared = parameter.getNameAsString();
  if (declared == "m" || declared == "n" || declared == "k") {
    error(parameter.getLocation(), "'" + declared + "' is the name of a size here; give the parameter another name");
    return;
  }
  ir::Scalar scalar;
  scalar.name = parameterName(parameter);
  scalar.location = locate(parameter.getLocation());
  const std::string enumeration = tlaEnumName(parameter.getType());
  scalar.type = enumeration.empty() ? castName(parameter.getType()) : enumeration;
  if (scalar.type.empty() || scalar.type == "float" || scalar.type == "double") {
    error(parameter.getLocation(), "parameter '" + parameter.getNameAsString() +
                                       "' of an algorithm must be a matrix, an int, an option such as tla::Op, or a "
                                       "number of the element type");
    return;
  }
  if (parameter.hasDefaultArg())
    scalar.defaultValue = defaultArgument(parameter);
  program_.parameterOrder.push_back(scalar.name);
  bind(parameter, {"", ir::makeVar(scalar.name)});
  program_.scalars.push_back(std::move(scalar));
}

/// C++'s own default: a constant, for it stands for a value that nobody gave.
ir::ExprRef Converter::defaultArgument(const clang::ParmVarDecl &parameter) {
  const bool dependent = parameter.hasUninstantiatedDefaultArg();
  const clang::Expr &value = dependent ? *parameter.getUninstantiatedDefaultArg() : *parameter.getDefaultArg();
  const auto *construct = llvm::dyn_cast<clang::CXXUnresolvedConstructExpr>(&value); // T(1) before T is known
  const bool wraps = construct && construct->getNumArgs() == 1;
  const ir::ExprRef inner = convertExpr(wraps ? *construct->getArg(0) : value);
  return inner && wraps ? ir::makeCast("T", inner) : inner;
}

/// Descriptions hold numbers, not programs.
bool Converter::requireConstant(const ir::ExprRef &expr, clang::SourceLocation location) {
  if (expr && ir::variables(*expr).empty())
    return true;
  if (expr)
    error(location, "expected a constant here");
  return false;
}

ir::Matrix *Converter::parameterMatrix(const std::string &name, clang::SourceLocation location) {
  for (ir::Matrix &matrix : program_.matrices)
    if (matrix.name == name)
      return &matrix;
  error(location, "'" + name + "' is not a matrix parameter of '" + program_.name + "'");
  return nullptr;
}

void Converter::applyClauses(const annotations::AlgorithmAnnotation &annotation, const PragmaRecord &pragma) {
  // Inside the clauses m, n and k mean the sizes.
  const std::size_t visible = names_.size();
  for (const char *size : {"m", "n", "k"})
    names_.emplace_back(size, Binding{"", ir::makeVar(size)});
  for (const auto &shape : annotation.shapes)
    applyShape(shape, pragma);
  for (const auto &value : annotation.defaults)
    applyDefault(value, pragma);
  for (const auto &input : annotation.inputs)
    applyInput(input, pragma);
  if (annotation.check)
    applyCheck(*annotation.check, pragma);
  names_.resize(visible);
}

void Converter::applyShape(const annotations::ShapeOf &shape, const PragmaRecord &pragma) {
  ir::Matrix *matrix = parameterMatrix(shape.matrix, pragma.at(shape.offset));
  const ir::ExprRef rows = resolve(shape.rows, pragma), cols = resolve(shape.cols, pragma);
  if (!matrix || !rows || !cols)
    return;
  if (matrix->kind != ir::MatrixKind::General && !ir::equal(*rows, *cols)) {
    error(pragma.at(shape.offset), "'" + shape.matrix + "' is a triangular matrix and must be square");
    return;
  }
  matrix->rows = rows;
  matrix->cols = cols;
}

void Converter::applyDefault(const annotations::Default &value, const PragmaRecord &pragma) {
  const ir::ExprRef expr = resolve(value.value, pragma);
  if (!requireConstant(expr, pragma.at(value.value.offset)))
    return;
  if (value.name == "m" || value.name == "n" || value.name == "k") {
    program_.sizeDefaults.emplace_back(value.name, expr);
    return;
  }
  const auto scalar = std::find_if(program_.scalars.begin(), program_.scalars.end(),
                                   [&](const ir::Scalar &candidate) { return candidate.name == value.name; });
  if (scalar == program_.scalars.end())
    error(pragma.at(value.offset),
          "'" + value.name + "' is neither a size (m, n, k) nor a scalar parameter of '" + program_.name + "'");
  else
    scalar->defaultValue = expr;
}

void Converter::applyInput(const annotations::Input &input, const PragmaRecord &pragma) {
  ir::Matrix *matrix = parameterMatrix(input.matrix, pragma.at(input.offset));
  if (!matrix)
    return;
  matrix->generator = input.generator.name;
  for (const auto &argument : input.generator.arguments)
    if (ir::ExprRef value = resolve(argument, pragma); requireConstant(value, pragma.at(argument.offset)))
      matrix->generatorArguments.push_back(std::move(value));
}

void Converter::applyCheck(const annotations::Application &check, const PragmaRecord &pragma) {
  program_.check = check.name;
  for (const auto &argument : check.arguments) {
    const auto &order = program_.parameterOrder;
    if (argument.kind != annotations::Expr::Kind::Name ||
        std::find(order.begin(), order.end(), argument.text) == order.end())
      error(pragma.at(argument.offset), "the arguments of a check are parameters of '" + program_.name + "'");
    program_.checkArguments.push_back(argument.text);
  }
}

void Converter::collectSizes() {
  for (const char *size : {"m", "n", "k"}) {
    const auto uses = [&](const ir::ExprRef &expr) {
      const auto names = ir::variables(*expr);
      return std::find(names.begin(), names.end(), size) != names.end();
    };
    if (std::any_of(program_.matrices.begin(), program_.matrices.end(),
                    [&](const ir::Matrix &matrix) { return uses(matrix.rows) || uses(matrix.cols); }))
      program_.sizes.push_back(size);
  }
  // A default for a size that no shape mentions says nothing.
  std::erase_if(program_.sizeDefaults, [&](const auto &entry) {
    return std::find(program_.sizes.begin(), program_.sizes.end(), entry.first) == program_.sizes.end();
  });
}

} // namespace hetc::frontend
