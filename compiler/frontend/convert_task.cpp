#include "compiler/frontend/converter.hpp"

#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

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

bool sameTile(const ir::TileAccess &a, const ir::TileAccess &b) {
  return a.matrix == b.matrix && ir::equal(*a.row, *b.row) && ir::equal(*a.column, *b.column) && a.region == b.region &&
         !a.rowEnd == !b.rowEnd && (!a.rowEnd || ir::equal(*a.rowEnd, *b.rowEnd));
}

ir::Bound convertBound(annotations::Bound bound) {
  return bound == annotations::Bound::Memory ? ir::Bound::Memory : ir::Bound::Compute;
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

} // namespace

void Converter::reportMissingTaskPragma(const clang::CallExpr &call, const clang::FunctionDecl &callee) {
  const std::string indent = indentation(call.getBeginLoc(), context_.getSourceManager());
  error(call.getBeginLoc(), "call of kernel '" + callee.getNameAsString() + "' without '#pragma tla task'")
      << clang::FixItHint::CreateInsertion(call.getBeginLoc(), "#pragma tla task\n" + indent);
}

void Converter::convertTask(const clang::CallExpr &call, const clang::FunctionDecl &callee, ir::Block &block) {
  const ir::Kernel *kernel = declareKernel(callee, *declarations_.kernels.at(canonicalFunction(callee)));
  if (!kernel)
    return;
  auto task = std::make_unique<ir::Task>();
  task->id = nextTask_++;
  task->kernel = kernel->name;
  task->location = locate(call.getBeginLoc());
  const std::vector<ir::KernelParameter> parameters = kernel->parameters;
  for (unsigned i = 0; i < call.getNumArgs() && i < parameters.size(); ++i) {
    if (parameters[i].isTile || parameters[i].isPanel) {
      auto tile = convertTile(*call.getArg(i), parameters[i].access);
      if (!tile)
        return;
      task->arguments.emplace_back(std::move(*tile));
    } else if (ir::ExprRef value = convertExpr(*call.getArg(i)))
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
  applyTaskClauses(*task, std::get<annotations::TaskAnnotation>(pragma.annotation), pragma);
  block.push_back(std::move(task));
}

std::optional<std::size_t> Converter::firstWritten(const ir::Task &task) const {
  for (std::size_t i = 0; i < task.arguments.size(); ++i)
    if (const auto *tile = std::get_if<ir::TileAccess>(&task.arguments[i]); tile && tile->access != ir::Access::Read)
      return i;
  return std::nullopt;
}

const ir::Kernel *Converter::declareKernel(const clang::FunctionDecl &callee, const PragmaRecord &pragma) {
  const std::string name = callee.getQualifiedNameAsString();
  if (const ir::Kernel *known = program_.findKernel(name))
    return known;
  const auto &annotation = std::get<annotations::KernelAnnotation>(pragma.annotation);
  ir::Kernel kernel;
  kernel.name = name;
  kernel.isTemplate = callee.getPrimaryTemplate() != nullptr;
  kernel.location = locate(callee.getLocation());
  kernel.flops = annotation.flops ? annotations::print(*annotation.flops) : "";
  kernel.bound = annotation.bound ? convertBound(*annotation.bound) : ir::Bound::Compute;
  if (!callee.getReturnType()->isVoidType() && elementType(callee.getReturnType()) != ir::ElementType::I) {
    error(callee.getLocation(), "kernel '" + name + "' must return void, or int for LAPACK's info");
    return nullptr;
  }
  kernel.returnsInfo = !callee.getReturnType()->isVoidType();
  for (const clang::ParmVarDecl *declared : callee.parameters()) {
    ir::KernelParameter parameter;
    parameter.name = declared->getNameAsString();
    if (const auto type = tileType(declared->getType())) {
      parameter.isPanel = type->panel;
      parameter.isTile = !type->panel;
      parameter.access = type->access;
    }
    kernel.parameters.push_back(std::move(parameter));
  }
  program_.kernels.push_back(std::move(kernel));
  return &program_.kernels.back();
}

std::optional<ir::TileAccess> Converter::convertTile(const clang::Expr &outer, ir::Access access) {
  const clang::Expr &expr = strip(outer);
  if (const auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&expr))
    return convertTileMember(*member, access);
  if (const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&expr))
    return convertTileCall(*call, access);
  error(expr.getBeginLoc(),
        "a tile is passed to a kernel as A(i, j), A(i, j).lower(), A(i, j).upper() or A.panel(i0, i1, j)")
      << expr.getSourceRange();
  return std::nullopt;
}

std::optional<ir::TileAccess> Converter::convertTileCall(const clang::CXXOperatorCallExpr &call, ir::Access access) {
  const std::string *matrix = call.getNumArgs() == 3 ? matrixName(*call.getArg(0)) : nullptr;
  if (!matrix) {
    error(call.getBeginLoc(), "expected a tile of a matrix or workspace of this algorithm, such as A(i, j)")
        << call.getSourceRange();
    return std::nullopt;
  }
  ir::TileAccess tile;
  tile.matrix = *matrix;
  tile.access = access;
  tile.location = locate(call.getBeginLoc());
  tile.row = convertExpr(*call.getArg(1));
  tile.column = convertExpr(*call.getArg(2));
  if (!tile.row || !tile.column)
    return std::nullopt;
  return tile;
}

std::optional<ir::TileAccess> Converter::convertTileMember(const clang::CXXMemberCallExpr &call, ir::Access access) {
  const std::string member = call.getMethodDecl() ? call.getMethodDecl()->getNameAsString() : "";
  const clang::Expr &object = *call.getImplicitObjectArgument();
  if (member == "lower" || member == "upper") {
    auto tile = convertTile(object, access);
    if (tile)
      tile->region = member == "lower" ? ir::Region::Lower : ir::Region::Upper;
    return tile;
  }
  const std::string *matrix = matrixName(object);
  if (member != "panel" || !matrix || call.getNumArgs() != 3) {
    error(call.getBeginLoc(),
          "a tile is passed to a kernel as A(i, j), A(i, j).lower(), A(i, j).upper() or A.panel(i0, i1, j)")
        << call.getSourceRange();
    return std::nullopt;
  }
  ir::TileAccess panel;
  panel.matrix = *matrix;
  panel.access = access;
  panel.location = locate(call.getBeginLoc());
  panel.row = convertExpr(*call.getArg(0));
  panel.rowEnd = convertExpr(*call.getArg(1));
  panel.column = convertExpr(*call.getArg(2));
  if (!panel.row || !panel.rowEnd || !panel.column)
    return std::nullopt;
  return panel;
}

void Converter::applyTaskClauses(ir::Task &task, const annotations::TaskAnnotation &annotation,
                                 const PragmaRecord &pragma) {
  if (annotation.priority)
    task.priority = resolve(*annotation.priority, pragma);
  if (annotation.device)
    task.device = convertDevice(*annotation.device);
  if (annotation.bound)
    task.bound = convertBound(*annotation.bound);
  for (const auto &tile : annotation.releases)
    if (auto access = resolveTile(tile, pragma))
      task.releases.push_back(std::move(*access));
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
