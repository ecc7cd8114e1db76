#include "compiler/ir/verifier.hpp"
#include "compiler/ir/expr_properties.hpp"
#include "compiler/ir/spelling.hpp"

#include <algorithm>
#include <set>

namespace hetc::ir {

namespace {
/// Each check returns what is wrong, or an empty string; the first violation ends the walk.
class Verifier {
public:
  explicit Verifier(const Program &program) : program_(program) {}

  std::string run() {
    std::string error = checkDeclarations();
    if (error.empty())
      error = checkBlock(program_.body);
    for (const Function &function : program_.functions)
      if (error.empty())
        error = checkFunction(function);
    return error;
  }

private:
  static std::string quoted(const std::string &name) { return "'" + name + "'"; }

  static std::string where(const Location &location) {
    if (location == Location())
      return {};
    return " at " + (location.file.empty() ? "" : location.file + ":") + std::to_string(location.line) + ":" +
           std::to_string(location.column);
  }

  std::string checkDeclarations() {
    if (program_.name.empty())
      return "the program has no name";
    if (std::string error = checkSizes(); !error.empty())
      return error;
    for (const Scalar &scalar : program_.scalars)
      if (std::string error = checkScalar(scalar); !error.empty())
        return error;
    for (const Matrix &matrix : program_.matrices)
      if (std::string error = checkMatrix(matrix); !error.empty())
        return error;
    for (const Requirement &requirement : program_.requirements)
      if (std::string error = checkExpr(requirement.condition, "a requirement of the program"); !error.empty())
        return error;
    for (const Kernel &kernel : program_.kernels)
      if (std::string error = checkKernel(kernel); !error.empty())
        return error;
    return checkParameters();
  }

  std::string checkSizes() {
    for (const std::string &size : program_.sizes) {
      if (!isFreeName(size))
        return quoted(size) + " is not a name a size symbol can have";
      if (!sizes_.insert(size).second)
        return "size symbol " + quoted(size) + " is declared twice";
    }
    sizesInScope_ = true;
    std::string error;
    for (const auto &[name, value] : program_.sizeDefaults) {
      if (!sizes_.contains(name))
        return "a default is given for " + quoted(name) + ", which is not a size symbol";
      if (error.empty())
        error = checkExpr(value, "the default of size " + quoted(name));
    }
    sizesInScope_ = false;
    return error;
  }

  /// Matrices, scalars and loop variables share one scope: generated code declares them side by side. Size symbols do
  /// not appear there, so a loop over k beside the size k is fine.
  std::string declare(const std::string &name, const std::string &what) {
    return declared_.insert(name).second ? "" : what + " " + quoted(name) + " is declared twice";
  }

  std::string checkScalar(const Scalar &scalar) {
    if (!isFreeName(scalar.name))
      return quoted(scalar.name) + " is not a name a scalar can have";
    if (std::string error = declare(scalar.name, "scalar"); !error.empty())
      return error;
    static const std::set<std::string_view> types{"int", "T", "real", "Op", "Uplo", "Diag", "Side"};
    if (!types.contains(scalar.type))
      return "scalar " + quoted(scalar.name) + " has the unknown type " + quoted(scalar.type);
    const auto positive = [](std::int64_t candidate) { return candidate > 0; };
    if (!scalar.candidates.empty() && (scalar.type != "int" || !std::ranges::all_of(scalar.candidates, positive)))
      return "scalar " + quoted(scalar.name) + " has candidates and is no positive int";
    if (!scalar.defaultValue)
      return {};
    return checkExpr(scalar.defaultValue, "the default of scalar " + quoted(scalar.name));
  }

  bool isDealt(const std::string &name) const {
    const Matrix *matrix = program_.findMatrix(name);
    return matrix && matrix->dealt();
  }

  std::string checkMatrix(const Matrix &matrix) {
    const std::string what = "matrix " + quoted(matrix.name);
    if (matrix.name.empty())
      return "a matrix has no name";
    if (std::string error = declare(matrix.name, "matrix"); !error.empty())
      return error;
    if (!matrix.rows || !matrix.cols)
      return what + " lacks its rows or columns";
    if (matrix.isSliced() && program_.slices < 2)
      return what + " is sliced in a program without slices";
    if (matrix.copy() < 0 || matrix.copy() >= program_.copies ||
        (matrix.copy() && matrix.kind != MatrixKind::Workspace))
      return what + " is in a copy that there is not";
    if (matrix.byRows() && program_.copies < 2)
      return what + " is dealt to copies by rows, and there are none";
    const bool workspace = matrix.kind == MatrixKind::Workspace;
    if (matrix.layers() && !(matrix.isCut() && isDealt(matrix.layers()->of)))
      return what + " has layers of a matrix that is not dealt";
    if (workspace != (matrix.tileRows != nullptr) || (matrix.tileCols && !workspace))
      return what + (workspace ? " is a workspace without a tile size" : " is no workspace and has a tile size");
    if (workspace && !matrix.generator.empty())
      return what + " is a workspace with a generator";
    if (!workspace && !matrix.madeIn.empty())
      return what + " is made by a call and is no workspace";
    sizesInScope_ = true;
    std::string error;
    for (const ExprRef &size : {matrix.rows, matrix.cols, matrix.tileRows, matrix.tileCols})
      if (size && error.empty())
        error = checkExpr(size, "a size of " + what);
    if (const Dealt *const dealt = matrix.dealt())
      for (const ExprRef &number : {dealt->rows, dealt->columns, dealt->steps})
        if (error.empty())
          error = checkExpr(number, "a number of the dealing of " + what);
    for (const ExprRef &argument : matrix.generatorArguments)
      if (error.empty())
        error = checkExpr(argument, "an argument of the generator of " + what);
    sizesInScope_ = false;
    return error;
  }

  std::string checkKernel(const Kernel &kernel) {
    if (std::string error = verifyKernel(kernel); !error.empty())
      return error;
    return kernels_.emplace(kernel.name, &kernel).second ? "" : "kernel " + quoted(kernel.name) + " is declared twice";
  }

  std::string checkParameters() {
    std::set<std::string> inOrder;
    for (const std::string &name : program_.parameterOrder) {
      if (!inOrder.insert(name).second)
        return "parameter " + quoted(name) + " is listed twice";
      if (!program_.findMatrix(name) && !program_.findScalar(name))
        return "parameter " + quoted(name) + " is neither a matrix nor a scalar of the program";
    }
    for (const Scalar &scalar : program_.scalars)
      if (!inOrder.contains(scalar.name) && !scalar.ofStage)
        return "scalar " + quoted(scalar.name) + " is not in the list of parameters";
    bool afterLocal = false;
    for (const Matrix &matrix : program_.matrices) {
      const bool local = !program_.isParameter(matrix);
      if (!local && afterLocal)
        return "matrix " + quoted(matrix.name) + " is a parameter behind a workspace of the algorithm's own";
      if (local && matrix.kind != MatrixKind::Workspace)
        return "matrix " + quoted(matrix.name) + " is not in the list of parameters";
      afterLocal = local;
    }
    return checkCheck(inOrder);
  }

  std::string checkCheck(const std::set<std::string> &parameters) {
    for (const CheckArgument &argument : program_.checkArguments)
      if (std::string error = checkCheckArgument(argument, parameters); !error.empty())
        return error;
    return {};
  }

  std::string checkCheckArgument(const CheckArgument &argument, const std::set<std::string> &parameters) {
    using Kind = CheckArgument::Kind;
    const std::string which = "argument " + quoted(argument.name) + " of check " + quoted(program_.check);
    if (argument.kind == Kind::Constant)
      return checkExpr(argument.value, "an argument of check " + quoted(program_.check));
    if (argument.kind != Kind::Call && !parameters.contains(argument.name))
      return which + " is not a parameter";
    if (argument.kind == Kind::Before && !program_.findMatrix(argument.name))
      return which + " is not a matrix";
    for (const CheckArgument &each : argument.arguments) {
      if (each.isCall())
        return which + " is a call in a call";
      if (std::string error = checkCheckArgument(each, parameters); !error.empty())
        return error;
    }
    return {};
  }

  std::string checkBlock(const Block &block) {
    for (const Statement &statement : block) {
      const std::string error = std::visit(
          [this](const auto &child) { return child ? checkStatement(*child) : std::string("a statement is null"); },
          statement);
      if (!error.empty())
        return error;
    }
    return {};
  }

  std::string checkStatement(const Loop &loop) {
    const std::string what = "loop " + quoted(loop.variable) + where(loop.location);
    if (!isFreeName(loop.variable))
      return what + ": not a name a variable can have";
    if (!declared_.insert(loop.variable).second)
      return what + ": the variable's name is already in use";
    if (std::string error = checkExpr(loop.init, what + ": the first value"); !error.empty())
      return error;
    loopVariables_.insert(loop.variable);
    std::string error = checkExpr(loop.condition, what + ": the condition");
    if (error.empty())
      error = checkExpr(loop.next, what + ": the step");
    if (error.empty())
      error = checkBlock(loop.body);
    loopVariables_.erase(loop.variable);
    return error;
  }

  std::string checkStatement(const If &branch) {
    std::string error = checkExpr(branch.condition, "if" + where(branch.location) + ": the condition");
    if (error.empty())
      error = checkBlock(branch.then);
    return error.empty() ? checkBlock(branch.otherwise) : error;
  }

  std::string checkFunction(const Function &function) {
    std::string error = verifySignature(program_, function);
    for (const std::string &name : function.parameters)
      if (error.empty())
        error = declare(name, "parameter");
    loopVariables_.insert(function.parameters.begin(), function.parameters.end());
    if (error.empty())
      error = checkBlock(function.body);
    for (const Requirement &requirement : function.requirements)
      if (error.empty())
        error = checkExpr(requirement.condition, "function " + quoted(function.name) + ": a requirement");
    for (const std::string &name : function.parameters)
      loopVariables_.erase(name);
    return error;
  }

  std::string checkStatement(const Call &call) {
    const std::string what = "call of " + quoted(call.function) + where(call.location);
    const Function *const function = program_.findFunction(call.function);
    if (!function || function->parameters.size() != call.arguments.size())
      return what + (function ? ": it has other parameters" : ": there is no such function");
    std::string error;
    for (std::size_t i = 0; i < call.arguments.size() && error.empty(); ++i)
      error = checkExpr(call.arguments[i], what + ": an argument");
    return error;
  }

  std::string checkStatement(const Task &task) {
    const std::string what = "task " + std::to_string(task.id) + " (" + task.kernel + ")" + where(task.location);
    if (task.id < nextId_)
      return what + ": its number is not larger than that of the task before it";
    nextId_ = task.id + 1;
    const auto kernel = kernels_.find(task.kernel);
    if (kernel == kernels_.end())
      return what + ": the kernel is not declared";
    std::string error = checkArguments(task, *kernel->second, what);
    if (const std::string wrong = verifyMainOutput(task); error.empty() && !wrong.empty())
      error = what + wrong;
    if (error.empty() && task.priority)
      error = checkExpr(task.priority, what + ": the priority");
    if (error.empty() && task.derivedPriority && !task.priority)
      error = what + ": a derived priority is missing";
    for (const TileAccess &released : task.releases)
      if (error.empty())
        error = checkTile(released, what + ": a released tile");
    return error;
  }

  std::string checkArguments(const Task &task, const Kernel &kernel, const std::string &what) {
    if (task.arguments.size() != kernel.parameters.size())
      return what + ": " + std::to_string(task.arguments.size()) + " arguments for " +
             std::to_string(kernel.parameters.size()) + " parameters";
    for (std::size_t index = 0; index < task.arguments.size(); ++index) {
      const std::string error =
          checkArgument(task.arguments[index], kernel.parameters[index], what + ": argument " + std::to_string(index));
      if (!error.empty())
        return error;
    }
    return {};
  }

  std::string checkArgument(const Argument &argument, const KernelParameter &parameter, const std::string &what) {
    const auto *tile = std::get_if<TileAccess>(&argument);
    if (!tile)
      return parameter.isTile || parameter.isPanel ? what + " is a scalar, the kernel takes tiles"
                                                   : checkExpr(std::get<ExprRef>(argument), what);
    if (!parameter.isTile && !parameter.isPanel)
      return what + " is a tile, the kernel takes a scalar";
    if (parameter.isPanel != (tile->rowEnd != nullptr))
      return what +
             (parameter.isPanel ? " is a tile, the kernel takes a panel" : " is a panel, the kernel takes a tile");
    const bool partly = tile->isPartial() && parameter.access == Access::Write; // the rest of the tile stays
    const bool onlyWritten = parameter.writtenIf && tile->access == Access::Write && !tile->isPartial();
    if (tile->access != (partly ? Access::ReadWrite : parameter.access) && !onlyWritten)
      return what + " is marked " + std::string(spelling(accessNames, tile->access)) + ", the kernel's parameter " +
             std::string(spelling(accessNames, parameter.access));
    return checkTile(*tile, what);
  }

  std::string checkTile(const TileAccess &tile, const std::string &what) {
    if (!program_.findMatrix(tile.matrix))
      return what + " names the unknown matrix " + quoted(tile.matrix);
    std::string error = checkExpr(tile.row, what + ": the row");
    if (error.empty() && tile.rowEnd)
      error = checkExpr(tile.rowEnd, what + ": the end row");
    if (error.empty() && tile.rowStep)
      error = tile.rowEnd ? checkExpr(tile.rowStep, what + ": the step") : what + " has a step and is no panel";
    if (error.empty())
      error = checkExpr(tile.column, what + ": the column");
    if (error.empty() && tile.columnEnd)
      error = checkExpr(tile.columnEnd, what + ": the end column");
    for (const TileRange &range : tile.inside)
      for (const ExprRef &expr : {range.row, range.rowEnd, range.column, range.columnEnd})
        if (error.empty())
          error = checkExpr(expr, what + ": a bound of the range that it is inside");
    if (error.empty() && tile.isTransposed && tile.rowEnd)
      error = what + " is the transpose of a panel";
    if (error.empty() && tile.isView() && (tile.rowEnd || (tile.region != Region::Full && !tile.columnEnd)))
      error = what + " is a view of what is no whole tile";
    if (error.empty() && (tile.columnEnd || tile.within.first) && !program_.findMatrix(tile.matrix)->isSliced())
      error = what + " is of slices, which " + quoted(tile.matrix) + " has none of";
    if (error.empty() && tile.within.first)
      error = checkExpr(tile.within.first, what + ": the first of the rows");
    if (error.empty() && tile.within.count)
      error = checkExpr(tile.within.count, what + ": the number of the rows");
    for (const auto &[strip, name] :
         {std::pair(&tile.rows, ": a number of the rows"), std::pair(&tile.cols, ": a number of the columns")})
      for (const ExprRef &expr : {strip->first, strip->count})
        if (error.empty() && (strip->first || strip->count))
          error = checkExpr(expr, what + name);
    return error;
  }

  std::string checkExpr(const ExprRef &expr, const std::string &what) {
    if (!expr)
      return what + " is missing";
    const bool asks = expr->kind == ExprKind::Extent;
    if (const std::size_t count = asks ? argumentCount(expr->extent) : operandCount(expr->kind);
        expr->operands.size() != count)
      return what + ": an operator has " + std::to_string(expr->operands.size()) + " operands instead of " +
             std::to_string(count);
    if (std::string error = checkLeaf(*expr, what); !error.empty())
      return error;
    for (const ExprRef &operand : expr->operands)
      if (std::string error = checkExpr(operand, what); !error.empty())
        return error;
    return {};
  }

  std::string checkLeaf(const Expr &expr, const std::string &what) {
    switch (expr.kind) {
    case ExprKind::Real:
      return isRealLiteral(expr.text) ? "" : what + ": " + quoted(expr.text) + " is not a real literal";
    case ExprKind::Enum:
      return enumeratorValue(expr.text) == expr.value ? ""
                                                      : what + ": " + quoted(expr.text) + " with value " +
                                                            std::to_string(expr.value) + " is not an enumerator of tla";
    case ExprKind::Cast:
      return isCastType(expr.text) ? "" : what + ": " + quoted(expr.text) + " is not an arithmetic type";
    case ExprKind::Var:
      if (loopVariables_.contains(expr.text) || program_.findScalar(expr.text) ||
          (sizesInScope_ && sizes_.contains(expr.text)))
        return {};
      return what + ": " + quoted(expr.text) + " is not a variable in scope";
    case ExprKind::Extent:
      if (!program_.findMatrix(expr.text))
        return what + ": " + quoted(expr.text) + " is not a matrix";
      return ir::isDealt(expr.extent) && !isDealt(expr.text) ? what + ": " + quoted(expr.text) + " is not dealt" : "";
    default:
      return {};
    }
  }

  const Program &program_;
  std::set<std::string> sizes_, declared_, loopVariables_;
  std::map<std::string, const Kernel *> kernels_;
  bool sizesInScope_ = false;
  unsigned nextId_ = 0;
};
} // namespace

std::string verify(const Program &program) { return Verifier(program).run(); }

} // namespace hetc::ir
