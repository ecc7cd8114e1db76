#include "compiler/frontend/converter.hpp"
#include "compiler/ir/conditional_writes.hpp"

#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

namespace hetc::frontend {

namespace {

/// The whitespace that the line of `location` begins with.
std::string indentation(clang::SourceLocation location, const clang::SourceManager &sources) {
  const auto [file, offset] = sources.getDecomposedExpansionLoc(location);
  const llvm::StringRef text = sources.getBufferData(file);
  const std::size_t newline = text.rfind('\n', offset ? offset - 1 : 0);
  const std::size_t start = newline == llvm::StringRef::npos ? 0 : newline + 1;
  return text.slice(start, std::min<std::size_t>(text.find_first_not_of(" \t", start), offset)).str();
}

/// Both null, or equal.
bool same(const ir::ExprRef &a, const ir::ExprRef &b) { return !a == !b && (!a || ir::equal(*a, *b)); }

bool sameTile(const ir::TileAccess &a, const ir::TileAccess &b) {
  return a.matrix == b.matrix && ir::equal(*a.row, *b.row) && ir::equal(*a.column, *b.column) && a.region == b.region &&
         same(a.rowEnd, b.rowEnd) && same(a.rowStep, b.rowStep);
}

ir::Device convertDevice(annotations::Device device) {
  switch (device) {
  case annotations::Device::Host:
    return ir::Device::Host;
  case annotations::Device::Gpu:
    return ir::Device::Gpu;
  case annotations::Device::Any:
    break;
  }
  return ir::Device::Any;
}

bool isInteger(const ir::Expr &expr) {
  return expr.kind != ir::ExprKind::Real && expr.kind != ir::ExprKind::Cast &&
         std::all_of(expr.operands.begin(), expr.operands.end(),
                     [](const ir::ExprRef &operand) { return isInteger(*operand); });
}

} // namespace

ir::Bound convertBound(annotations::Bound bound) {
  return bound == annotations::Bound::Memory ? ir::Bound::Memory : ir::Bound::Compute;
}

std::string calledName(const clang::FunctionDecl &callee) {
  clang::PrintingPolicy policy(callee.getASTContext().getLangOpts());
  policy.SuppressUnwrittenScope = true;
  std::string name;
  llvm::raw_string_ostream out(name);
  callee.printQualifiedName(out, policy);
  return name;
}

void Converter::reportMissingTaskPragma(const clang::CallExpr &call, const clang::FunctionDecl &callee) {
  const std::string indent = indentation(call.getBeginLoc(), context_.getSourceManager());
  error(call.getBeginLoc(), "call of kernel '" + callee.getNameAsString() + "' without '#pragma tla task'")
      << clang::FixItHint::CreateInsertion(call.getBeginLoc(), "#pragma tla task\n" + indent);
}

/// A task for each matrix that a name in it may stand for, under the condition that it does.
void Converter::convertTask(const clang::CallExpr &call, const clang::FunctionDecl &callee, ir::Block &block) {
  constexpr unsigned mostCases = 256;
  const unsigned first = nextTask_;
  if (decided_.empty())
    firstCase_ = first;
  if (first - firstCase_ > mostCases) {
    error(call.getBeginLoc(), "this task is one of more than " + std::to_string(mostCases) +
                                  ": so many combinations of matrices may its names stand for here; give what one loop "
                                  "swaps names of its own, or swap back");
    return;
  }
  ir::Block tasks;
  open_ = nullptr;
  convertKernelCall(call, callee, tasks);
  if (!open_ || failed_) {
    std::ranges::move(tasks, std::back_inserter(block));
    return;
  }
  nextTask_ = first;
  auto branch = std::make_unique<ir::If>();
  branch->condition = std::exchange(open_, nullptr);
  branch->location = locate(call.getBeginLoc());
  for (const bool holds : {true, false}) {
    decided_.emplace_back(branch->condition, holds);
    convertTask(call, callee, holds ? branch->then : branch->otherwise);
    decided_.pop_back();
  }
  block.push_back(std::move(branch));
}

void Converter::convertKernelCall(const clang::CallExpr &call, const clang::FunctionDecl &callee, ir::Block &block) {
  if (!requirePlainTemplateArguments(call, callee))
    return;
  const ir::Kernel *kernel = declareKernel(callee, *declarations_.kernels.at(canonicalFunction(callee)));
  if (!kernel || !requireSameKernel(call, callee, kernel->name))
    return;
  auto task = std::make_unique<ir::Task>();
  task->kernel = kernel->name;
  task->location = locate(call.getBeginLoc());
  task->calls = callSites();
  recordCall(callee, kernel->name);
  const std::vector<ir::KernelParameter> parameters = kernel->parameters;
  assert(call.getNumArgs() == parameters.size() && "a kernel has one declaration");
  for (unsigned i = 0; i < call.getNumArgs(); ++i) {
    if (parameters[i].isTile || parameters[i].isPanel) {
      auto tile = convertTile(*call.getArg(i), parameters[i].access);
      if (!tile)
        return;
      task->arguments.emplace_back(std::move(*tile));
    } else if (ir::ExprRef value = convertArgument(*call.getArg(i));
               value && requireFit(*value, *kernel, parameters[i], call.getArg(i)->getBeginLoc()))
      task->arguments.emplace_back(std::move(value));
    else
      return;
  }
  const auto written = firstWritten(*task);
  if (!written) {
    error(call.getBeginLoc(),
          "kernel '" + callee.getNameAsString() + "' writes no tile, so the task could not be seen");
    return;
  }
  task->mainOutput = *written;
  const PragmaRecord &pragma = *declarations_.tasks.at(call.getBeginLoc());
  ofTask_ = true;
  applyTaskClauses(*task, std::get<annotations::TaskAnnotation>(pragma.annotation), pragma);
  ofTask_ = false;
  const ir::Kernel &called = *program_.findKernel(task->kernel);
  ir::appendCall(program_, block, called, std::move(task), nextTask_);
}

/// A constant that the parameter's type does not hold would be another number in the kernel. What is no constant is
/// looked at when the task runs.
bool Converter::requireFit(const ir::Expr &value, const ir::Kernel &kernel, const ir::KernelParameter &parameter,
                           clang::SourceLocation location) {
  const auto number = value.kind == ir::ExprKind::Enum ? std::nullopt : ir::evaluate(value, {});
  if (!number || parameter.number != "int" || (*number >= INT32_MIN && *number <= INT32_MAX))
    return true;
  error(location, std::to_string(*number) + " does not fit 'int', the type of parameter '" + parameter.name +
                      "' of kernel '" + kernel.name + "'");
  return false;
}

void Converter::recordCall(const clang::FunctionDecl &callee, const std::string &kernel) {
  const auto *arguments = callee.getTemplateSpecializationArgs();
  const bool hasType = arguments && arguments->size() > 0 && (*arguments)[0].getKind() == clang::TemplateArgument::Type;
  const clang::QualType type = hasType ? (*arguments)[0].getAsType() : clang::QualType();
  if (!rule_)
    declarations_.calls[kernel].emplace(hasType ? elementType(type).value_or(program_.type) : program_.type, type);
}

std::optional<std::size_t> Converter::firstWritten(const ir::Task &task) const {
  for (std::size_t i = 0; i < task.arguments.size(); ++i)
    if (const auto *tile = std::get_if<ir::TileAccess>(&task.arguments[i]); tile && tile->access != ir::Access::Read)
      return i;
  return std::nullopt;
}

/// Generated code names a kernel; overloads would be one name for different accesses.
bool Converter::requireSameKernel(const clang::CallExpr &call, const clang::FunctionDecl &callee,
                                  const std::string &name) {
  const clang::NamedDecl *first = kernelDeclarations_.at(name);
  if (first == canonicalFunction(callee))
    return true;
  error(call.getBeginLoc(), "kernel '" + name + "' is overloaded; give each kernel a name of its own");
  note(first->getLocation(), "the other '" + name + "' that this program calls");
  return false;
}

/// sh<2>(...) asks for a body that generated code, which calls sh(...), would not; f<T>(...) says only what is deduced.
bool Converter::requirePlainTemplateArguments(const clang::CallExpr &call, const clang::FunctionDecl &callee) {
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(&strip(*call.getCallee()));
  if (!reference || !reference->hasExplicitTemplateArgs())
    return true;
  const auto arguments = reference->template_arguments();
  if (arguments.size() == 1 && arguments[0].getArgument().getKind() == clang::TemplateArgument::Type &&
      elementType(arguments[0].getArgument().getAsType()) == program_.type)
    return true;
  error(call.getBeginLoc(), "kernel '" + callee.getNameAsString() +
                                "' is called with explicit template arguments; pass options as function arguments");
  return false;
}

std::optional<ir::TileAccess> Converter::convertTile(const clang::Expr &outer, ir::Access access) {
  if (rule_)
    return convertSlice(outer, access);
  const clang::Expr &expr = strip(outer);
  if (const auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&expr))
    return convertTileMember(*member, access);
  if (const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&expr))
    return convertTileCall(*call, access);
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(&expr); call && isConjTrans(*call))
    return convertTransposed(*call, access);
  reportNoTile(expr);
  return std::nullopt;
}

void Converter::reportNoTile(const clang::Expr &expr) {
  error(expr.getBeginLoc(),
        "a tile is passed to a kernel as A(i, j), A(i, j).lower(), A(i, j).upper(), A(i, j).rows(first, count), "
        "A(i, j).cols(first, count), A.panel(i0, i1, j) or A.panel(i0, i1, j, step)")
      << expr.getSourceRange();
}

void transpose(ir::TileAccess &access) {
  std::swap(access.row, access.column);
  access.isTransposed = !access.isTransposed;
}

/// Converts the transpose of a whole tile.
std::optional<ir::TileAccess> Converter::convertTransposed(const clang::CallExpr &call, ir::Access access) {
  auto tile = convertTile(*call.getArg(0), access);
  if (!tile)
    return std::nullopt;
  if (tile->rowEnd || tile->isView() || tile->region != ir::Region::Full) {
    error(call.getBeginLoc(),
          "conjTrans() is of whole tiles: conjTrans(A(i, j)), of which lower(), upper(), rows() and "
          "cols() are parts")
        << call.getSourceRange();
    return std::nullopt;
  }
  tile->isTransposed = !tile->isTransposed;
  return tile;
}

std::optional<ir::TileAccess> Converter::makeAccess(const clang::Expr &place, const NamedMatrix &matrix,
                                                    ir::Access kind, const clang::Expr &row,
                                                    const clang::Expr &column) {
  ir::TileAccess access;
  access.matrix = matrix.name;
  access.access = kind;
  access.location = locate(place.getBeginLoc());
  access.row = convertExpr(row);
  access.column = convertExpr(column);
  if (!access.row || !access.column)
    return std::nullopt;
  if (matrix.isTransposed)
    transpose(access);
  return access;
}

/// Tiles row, row + step, ..., all below rowEnd, of a column.
std::optional<ir::TileAccess> Converter::makePanel(const clang::CXXMemberCallExpr &call, const NamedMatrix &matrix,
                                                   ir::Access kind) {
  if (matrix.isTransposed) {
    error(call.getBeginLoc(), transposedPanel) << call.getSourceRange();
    return std::nullopt;
  }
  auto access = makeAccess(call, matrix, kind, *call.getArg(0), *call.getArg(2));
  if (!access)
    return std::nullopt;
  access->rowEnd = convertExpr(*call.getArg(1));
  access->rowStep = convertExpr(*call.getArg(3));
  if (!access->rowEnd || !access->rowStep)
    return std::nullopt;
  if (access->rowStep->kind == ir::ExprKind::Int && access->rowStep->value == 1)
    access->rowStep = nullptr;
  moveInto(matrix, *access);
  return access;
}

std::optional<ir::TileAccess> Converter::convertTileCall(const clang::CXXOperatorCallExpr &call, ir::Access access) {
  const auto matrix = call.getNumArgs() == 3 ? namedMatrix(*call.getArg(0)) : std::nullopt;
  if (!matrix) {
    error(call.getBeginLoc(), "expected a tile of a matrix or workspace of this algorithm, such as A(i, j)")
        << call.getSourceRange();
    return std::nullopt;
  }
  auto tile = makeAccess(call, *matrix, access, *call.getArg(1), *call.getArg(2));
  if (tile)
    moveInto(*matrix, *tile);
  return tile;
}

std::optional<ir::TileAccess> Converter::convertTileMember(const clang::CXXMemberCallExpr &call, ir::Access access) {
  const std::string member = call.getMethodDecl() ? call.getMethodDecl()->getNameAsString() : "";
  const clang::Expr &object = *call.getImplicitObjectArgument();
  if (member == "lower" || member == "upper") {
    auto tile = convertTile(object, access);
    if (tile && tile->isView()) {
      reportViewOfPart(call);
      return std::nullopt;
    }
    if (tile)
      tile->region = member == "lower" ? ir::Region::Lower : ir::Region::Upper;
    if (tile && tile->isTransposed && access == ir::Access::Write)
      tile->access = ir::Access::ReadWrite; // the rest of the tile stays
    return tile;
  }
  if ((member == "rows" || member == "cols") && call.getNumArgs() == 2)
    return convertView(call, member == "rows" ? &ir::TileAccess::rows : &ir::TileAccess::cols, access);
  const auto matrix = namedMatrix(object);
  if (member != "panel" || !matrix || call.getNumArgs() != 4) {
    reportNoTile(call);
    return std::nullopt;
  }
  return makePanel(call, *matrix, access);
}

/// rows() or cols() of a tile; of rows() already, those among them.
std::optional<ir::TileAccess> Converter::convertView(const clang::CXXMemberCallExpr &call,
                                                     ir::Strip ir::TileAccess::*member, ir::Access access) {
  auto tile = convertTile(*call.getImplicitObjectArgument(), access);
  if (!tile)
    return std::nullopt;
  if (tile->rowEnd || tile->region != ir::Region::Full) {
    reportViewOfPart(call);
    return std::nullopt;
  }
  ir::Strip &strip = (*tile).*member;
  const ir::ExprRef first = convertExpr(*call.getArg(0)), count = convertExpr(*call.getArg(1));
  if (!first || !count)
    return std::nullopt;
  strip = {strip.first ? ir::makeBinary(ir::ExprKind::Add, strip.first, first) : first, count};
  if (access == ir::Access::Write)
    tile->access = ir::Access::ReadWrite; // the rest of the tile stays
  return tile;
}

void Converter::reportViewOfPart(const clang::Expr &expr) {
  error(expr.getBeginLoc(), "rows() and cols() are of whole tiles: not with lower(), upper() or panel()")
      << expr.getSourceRange();
}

void Converter::applyTaskClauses(ir::Task &task, const annotations::TaskAnnotation &annotation,
                                 const PragmaRecord &pragma) {
  if (annotation.priority) {
    task.priority = resolve(*annotation.priority, pragma);
    if (task.priority && !isInteger(*task.priority))
      error(pragma.at(annotation.priority->offset), "a priority is an integer");
  }
  if (annotation.device)
    task.device = convertDevice(*annotation.device);
  if (annotation.bound)
    task.bound = convertBound(*annotation.bound);
  for (const auto &tile : annotation.releases)
    // The tile is released, and of a part of a transpose, which is to the whole tile, nothing before the rest.
    if (auto access = resolveTile(tile, pragma);
        access && !(access->isTransposed && access->region != ir::Region::Full)) {
      access->isTransposed = false;
      task.releases.push_back(std::move(*access));
    }
  if (!annotation.at)
    return;
  const auto wanted = resolveTile(*annotation.at, pragma);
  if (!wanted)
    return;
  for (std::size_t i = 0; i < task.arguments.size(); ++i)
    if (const auto *tile = std::get_if<ir::TileAccess>(&task.arguments[i]);
        tile && tile->access != ir::Access::Read && sameTile(*tile, *wanted)) {
      task.mainOutput = i;
      return;
    }
  error(pragma.at(annotation.at->offset),
        "this task does not write " + annotations::print(*annotation.at) + "; at() names one of its outputs");
}

} // namespace hetc::frontend
