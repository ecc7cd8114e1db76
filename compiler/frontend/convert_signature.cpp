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

void Converter::convertParameters(const clang::FunctionDecl &algorithm) {
  // Names that generated code uses itself, and those that mean something else in the IR.
  for (const char *reserved :
       {"task", "tasks",   "arguments", "values",    "scalars", "flops", "rt",      "T",    "real", "min",
        "max",  "NoTrans", "Trans",     "ConjTrans", "Upper",   "Lower", "NonUnit", "Unit", "Left", "Right"})
    usedNames_.insert(reserved);
  for (const clang::ParmVarDecl *parameter : algorithm.parameters()) {
    if (const auto type = matrixType(parameter->getType()))
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
  if (type.kind != ir::MatrixKind::Workspace) { // a workspace's sizes are its shape clause's
    matrix.rows = ir::makeVar(type.kind == ir::MatrixKind::General ? "m" : "n");
    matrix.cols = ir::makeVar("n");
    matrix.hasDefaultShape = true;
  }
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
  if (enumeration.empty() && scalar.type != "T" && scalar.type != "real" && scalar.type != "int") {
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
  std::vector<std::pair<const annotations::ShapeOf *, ir::Matrix *>> workspaces; // their shapes speak of matrices
  for (const auto &shape : annotation.shapes)
    if (ir::Matrix *matrix = parameterMatrix(shape.matrix, pragma.at(shape.offset))) {
      if (matrix->kind == ir::MatrixKind::Workspace)
        workspaces.emplace_back(&shape, matrix);
      else
        applyShape(shape, *matrix, pragma);
    }
  for (const auto &[shape, workspace] : workspaces)
    applyWorkspaceShape(*shape, *workspace, pragma);
  for (const auto &value : annotation.defaults)
    applyDefault(value, pragma);
  for (const auto &tune : annotation.tunes)
    applyTune(tune, pragma);
  for (const auto &input : annotation.inputs)
    applyInput(input, pragma);
  for (const auto &requirement : annotation.requirements)
    applyRequirement(requirement, pragma);
  if (annotation.check)
    applyCheck(*annotation.check, pragma);
  names_.resize(visible);
}

void Converter::applyShape(const annotations::ShapeOf &shape, ir::Matrix &matrix, const PragmaRecord &pragma) {
  const ir::ExprRef rows = resolve(shape.rows, pragma), cols = resolve(shape.cols, pragma);
  if (!rows || !cols)
    return;
  if (shape.tileRows)
    error(pragma.at(shape.offset), "'" + shape.matrix + "' is a matrix: its shape is its rows and columns");
  else if (matrix.kind != ir::MatrixKind::General && !ir::equal(*rows, *cols))
    error(pragma.at(shape.offset), "'" + shape.matrix + "' is a triangular matrix and must be square");
  else if (ir::asksSize(*rows) || ir::asksSize(*cols)) // which there is none of before matrices are made
    error(pragma.at(shape.offset), "the shape of '" + shape.matrix +
                                       "' asks for sizes of a matrix; it is made of m, n, k and scalar parameters");
  matrix.rows = rows;
  matrix.cols = cols;
  matrix.hasDefaultShape = false;
}

void Converter::applyWorkspaceShape(const annotations::ShapeOf &shape, ir::Matrix &workspace,
                                    const PragmaRecord &pragma) {
  if (!shape.tileRows)
    error(pragma.at(shape.offset),
          "the shape of workspace '" + shape.matrix +
              "' is what its constructor takes: tile rows, tile columns, m, n of a tile; or m, "
              "n, nb");
  const auto size = [&](const std::optional<annotations::Expr> &expr) {
    const ir::ExprRef resolved = expr ? resolveSize(*expr, pragma) : nullptr;
    return resolved ? resolved : ir::makeInt(1); // after an error: the rest of the program is still looked at
  };
  workspace.rows = size(shape.rows);
  workspace.cols = size(shape.cols);
  workspace.tileRows = size(shape.tileRows);
  workspace.tileCols = shape.tileCols ? size(shape.tileCols) : nullptr;
}

/// Resolves a size that reaches the program's body, as a workspace's do, where the sizes m, n and k have no name: they
/// become those of a matrix.
ir::ExprRef Converter::resolveSize(const annotations::Expr &expr, const PragmaRecord &pragma) {
  std::map<std::string, ir::ExprRef> names;
  for (const ir::Matrix &matrix : program_.matrices)
    if (matrix.kind != ir::MatrixKind::Workspace)
      for (const auto &[size, extent] : {std::pair(matrix.rows, ir::Extent::M), std::pair(matrix.cols, ir::Extent::N)})
        if (size->kind == ir::ExprKind::Var)
          names.emplace(size->text, ir::makeExtent(matrix.name, extent));
  const ir::ExprRef resolved = resolve(expr, pragma);
  if (!resolved)
    return nullptr;
  const ir::ExprRef result = ir::substitute(resolved, names);
  for (const std::string &name : ir::variables(*result))
    if (!program_.findScalar(name)) {
      error(pragma.at(expr.offset), "no matrix has '" + name + "' rows or columns");
      return nullptr;
    }
  return result;
}

/// True when every workspace parameter has a shape.
bool Converter::requireShapes(const clang::FunctionDecl &algorithm) {
  bool complete = true;
  for (const clang::ParmVarDecl *parameter : algorithm.parameters()) {
    const ir::Matrix *matrix = program_.findMatrix(parameter->getNameAsString());
    if (!matrix || matrix->rows)
      continue;
    complete = false;
    error(parameter->getLocation(), "the shape of workspace '" + matrix->name +
                                        "' is not known; say it in '#pragma tla algorithm', as in shape(" +
                                        matrix->name + "(A.mt(), A.nt(), ib, A.nb())) or shape(" + matrix->name +
                                        "(A.m(), A.n(), A.nb()))");
  }
  return complete;
}

/// The names m, n and k of the callee's clauses.
void Converter::bindSizes(const clang::FunctionDecl &callee, const annotations::AlgorithmAnnotation &annotation) {
  std::set<std::string> known; // by the first matrix that has it
  for (const clang::ParmVarDecl *parameter : callee.parameters()) {
    const std::string name = parameter->getNameAsString();
    const auto type = matrixType(parameter->getType());
    const Binding *bound = findName(name);
    if (!type || type->kind == ir::MatrixKind::Workspace || !bound)
      continue;
    const Binding matrix = *bound; // names_ grows
    const auto shape = std::ranges::find(annotation.shapes, name, &annotations::ShapeOf::matrix);
    const bool isGiven = shape != annotation.shapes.end();
    const std::string rows = isGiven                                 ? annotations::print(shape->rows)
                             : type->kind == ir::MatrixKind::General ? "m"
                                                                     : "n";
    const std::string cols = isGiven ? annotations::print(shape->cols) : "n";
    for (const auto &[size, extent] : {std::pair(rows, ir::Extent::M), std::pair(cols, ir::Extent::N)})
      if ((size == "m" || size == "n" || size == "k") && known.insert(size).second)
        names_.emplace_back(size, Binding{"", extentOf(matrix, extent)});
  }
}

/// Adds a requirement that is checked before the program runs, where the call is reached then as far as that is known.
void Converter::addRequirement(clang::SourceLocation location, const std::string &callee, const std::string &text,
                               const ir::ExprRef &condition) {
  if (ir::evaluate(*condition, {}).value_or(0) != 0)
    return;
  ir::ExprRef holds = condition;
  bool isAlways = true; // the call is reached
  for (const ir::ExprRef &guard : guards_) {
    const auto known = ir::evaluate(*guard, {});
    if (known == 0)
      return;
    if (known || !ir::isDecidedByArguments(program_, *guard))
      continue;
    isAlways = false;
    holds = ir::makeBinary(ir::ExprKind::Or, ir::makeUnary(ir::ExprKind::Not, guard), holds);
  }
  if (!ir::isDecidedByArguments(program_, *condition)) {
    error(location, text + ", which is " + ir::print(*condition) +
                        " here: loops or workspaces decide that, and what an algorithm requires is checked "
                        "before it runs; require what holds for all of these calls");
    return;
  }
  if (isAlways && ir::evaluate(*condition, {})) {
    error(location, text + ", which does not hold in this call: " + ir::print(*condition));
    return;
  }
  const auto isKnown = [&](const ir::Requirement &known) { return ir::equal(*known.condition, *holds); };
  if (std::ranges::none_of(program_.requirements, isKnown))
    program_.requirements.push_back({holds, callee});
}

ir::Scalar *Converter::parameterScalar(const std::string &name) {
  const auto scalar = std::ranges::find(program_.scalars, name, &ir::Scalar::name);
  return scalar == program_.scalars.end() ? nullptr : &*scalar;
}

void Converter::collectSizes() {
  for (const char *size : {"m", "n", "k"}) {
    const auto uses = [&](const ir::ExprRef &expr) {
      const auto names = ir::variables(*expr);
      return std::find(names.begin(), names.end(), size) != names.end();
    };
    if (std::any_of(program_.matrices.begin(), program_.matrices.end(), [&](const ir::Matrix &matrix) {
          return matrix.kind != ir::MatrixKind::Workspace && (uses(matrix.rows) || uses(matrix.cols));
        }))
      program_.sizes.push_back(size);
  }
  // A default for a size that no shape mentions says nothing.
  std::erase_if(program_.sizeDefaults, [&](const auto &entry) {
    return std::find(program_.sizes.begin(), program_.sizes.end(), entry.first) == program_.sizes.end();
  });
}

} // namespace hetc::frontend
