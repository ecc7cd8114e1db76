// Split rules (tla/split.hpp): programs whose matrices are the tiles of a kernel call, with slices for columns.
#include "compiler/frontend/converter.hpp"

#include <clang/AST/ExprCXX.h>

#include <algorithm>

namespace hetc::frontend {

using ir::ExprKind;

namespace {

/// Whether a parameter of a rule can stand for this parameter of its kernel.
bool standsFor(const clang::ParmVarDecl &ofRule, const clang::ParmVarDecl &ofKernel) {
  const auto cut = cutType(ofRule.getType());
  const auto tile = tileType(ofKernel.getType());
  if (cut)
    return tile && cut->panel == tile->panel;
  return ofRule.getType().getCanonicalType() == ofKernel.getType().getCanonicalType();
}

} // namespace

std::optional<ir::Program> Converter::convertRule(const clang::FunctionDecl &rule, const PragmaRecord &pragma,
                                                  const clang::FunctionDecl &kernel, ir::ElementType type) {
  rule_ = &rule;
  program_.name = calledName(kernel);
  program_.type = type;
  inlining_.push_back(&rule);
  if (!requireKernelParameters(rule, kernel))
    return std::nullopt;
  for (unsigned i = 0; i < rule.getNumParams(); ++i)
    convertRuleParameter(*rule.getParamDecl(i));
  applyOpaque(std::get<annotations::SplitAnnotation>(pragma.annotation), pragma);
  convertStatement(*rule.getBody(), program_.body);
  if (failed_ || !requireAccesses(rule, kernel))
    return std::nullopt;
  return std::move(program_);
}

bool Converter::requireKernelParameters(const clang::FunctionDecl &rule, const clang::FunctionDecl &kernel) {
  const auto refuse = [&](clang::SourceLocation place, const std::string &what) {
    error(place, what +
                     "; a split rule takes what its kernel takes, with CutTile<T> for tiles of T and CutPanel<T> for "
                     "panels");
    note(kernel.getLocation(), "kernel '" + calledName(kernel) + "' is declared here");
    return false;
  };
  if (rule.getNumParams() != kernel.getNumParams())
    return refuse(rule.getLocation(), "this rule has " + std::to_string(rule.getNumParams()) + " parameters, kernel '" +
                                          calledName(kernel) + "' " + std::to_string(kernel.getNumParams()));
  for (unsigned i = 0; i < rule.getNumParams(); ++i)
    if (!standsFor(*rule.getParamDecl(i), *kernel.getParamDecl(i)))
      return refuse(rule.getParamDecl(i)->getLocation(), "parameter '" + rule.getParamDecl(i)->getNameAsString() +
                                                             "' is not what kernel '" + calledName(kernel) +
                                                             "' takes there");
  return true;
}

void Converter::convertRuleParameter(const clang::ParmVarDecl &parameter) {
  const std::string name = uniqueName(parameter.getNameAsString());
  program_.parameterOrder.push_back(name);
  const auto cut = cutType(parameter.getType());
  const auto tile = cut ? cut : tileType(parameter.getType());
  if (!tile) {
    program_.scalars.push_back({name, castName(parameter.getType()), nullptr, {}, locate(parameter.getLocation())});
    return bind(parameter, {"", ir::makeVar(name)});
  }
  ir::Matrix matrix;
  matrix.name = name;
  matrix.type = elementType(tile->element).value_or(program_.type);
  if (cut)
    matrix.mapping = ir::Sliced{};
  matrix.location = locate(parameter.getLocation());
  bind(parameter, {name, nullptr});
  panels_[name] = tile->panel;
  program_.matrices.push_back(std::move(matrix));
}

void Converter::applyOpaque(const annotations::SplitAnnotation &annotation, const PragmaRecord &pragma) {
  for (const annotations::Expr &name : annotation.opaque) {
    const auto matrix = std::ranges::find(program_.matrices, name.text, &ir::Matrix::name);
    if (name.kind == annotations::Expr::Kind::Name && matrix != program_.matrices.end() && matrix->isSliced())
      matrix->opaque = true;
    else
      error(pragma.at(name.offset), "opaque(...) names parameters of this rule that are CutTile or CutPanel");
  }
}

/// A rule may write what its kernel writes.
bool Converter::requireAccesses(const clang::FunctionDecl &rule, const clang::FunctionDecl &kernel) {
  std::map<std::string, ir::Access> allowed;
  for (unsigned i = 0; i < rule.getNumParams(); ++i)
    if (const auto tile = tileType(kernel.getParamDecl(i)->getType()))
      allowed[program_.parameterOrder[i]] = tile->access;
  ir::forEachTask(program_.body, [&](const ir::Task &task) {
    for (const ir::Argument &argument : task.arguments)
      if (const auto *tile = std::get_if<ir::TileAccess>(&argument);
          tile && tile->access != ir::Access::Read && allowed.at(tile->matrix) == ir::Access::Read)
        error(rule.getLocation(),
              "this rule writes '" + tile->matrix + "', which kernel '" + program_.name + "' only reads");
  });
  return !failed_;
}

/// A.slice(d), A.slice(d).cols(first, count), these with rows(first, count) or below(first), or A or A.rows(first,
/// count), or what is not cut.
std::optional<ir::TileAccess> Converter::convertSlice(const clang::Expr &outer, ir::Access access) {
  const clang::Expr &expr = strip(outer);
  if (const auto matrix = namedMatrix(expr)) {
    if (matrix->isTransposed) {
      error(expr.getBeginLoc(), "a rule passes slices on as they are, without conjTrans()") << expr.getSourceRange();
      return std::nullopt;
    }
    ir::TileAccess tile;
    tile.matrix = matrix->name;
    tile.row = tile.column = ir::makeInt(0);
    if (panels_.at(matrix->name))
      tile.rowEnd = ir::makeInt(1);
    if (program_.findMatrix(matrix->name)->isSliced())
      tile.columnEnd = ir::makeInt(1);
    tile.access = access;
    tile.location = locate(expr.getBeginLoc());
    return tile;
  }
  const auto *call = llvm::dyn_cast<clang::CXXMemberCallExpr>(&expr);
  const std::string member = call && call->getMethodDecl() ? call->getMethodDecl()->getNameAsString() : "";
  auto tile = member == "slice" || member == "cols" || member == "rows" || member == "below"
                  ? convertSlice(*call->getImplicitObjectArgument(), access)
                  : std::nullopt;
  if (tile && member == "slice" && tile->columnEnd) {
    tile->columnEnd = nullptr;
    tile->column = convertExpr(*call->getArg(0));
    return tile->column ? tile : std::nullopt;
  }
  if (tile && member == "cols" && !tile->isView() && !tile->isRun() && program_.findMatrix(tile->matrix)->isSliced()) {
    tile->cols = {convertExpr(*call->getArg(0)), convertExpr(*call->getArg(1))};
    if (access == ir::Access::Write)
      tile->access = ir::Access::ReadWrite; // the rest stays
    return tile->cols.first && tile->cols.count ? tile : std::nullopt;
  }
  if (tile && member != "slice" && member != "cols" && !tile->within.first &&
      program_.findMatrix(tile->matrix)->isSliced() && !tile->rowEnd) {
    tile->within.first = convertExpr(*call->getArg(0));
    tile->within.count = member == "rows" ? convertExpr(*call->getArg(1)) : nullptr;
    if (access == ir::Access::Write)
      tile->access = ir::Access::ReadWrite; // the rest stays
    return tile->within.first && (member == "below" || tile->within.count) ? tile : std::nullopt;
  }
  if (!failed_)
    error(
        expr.getBeginLoc(),
        "a split rule passes a parameter to a kernel as A.slice(d), A.slice(d).rows(first, count), "
        "A.slice(d).below(first), A.slice(d).cols(first, count), also with rows, or whole as A or A.rows(first, count)")
        << expr.getSourceRange();
  return std::nullopt;
}

/// A.slices(), A.sliceBegin(d), A.sliceCols(d), A.m(); A.isWhole() and A.isOverwritten() are variables that the
/// call decides.
ir::ExprRef Converter::convertSliceExtent(const clang::CXXMemberCallExpr &call) {
  const auto matrix = call.getImplicitObjectArgument() ? namedMatrix(*call.getImplicitObjectArgument()) : std::nullopt;
  const std::string member = call.getMethodDecl() ? call.getMethodDecl()->getNameAsString() : "";
  if (matrix && member == "slices")
    return ir::makeExtent(matrix->name, ir::Extent::Ns);
  if (matrix && member == "m" && !panels_.at(matrix->name))
    return ir::makeExtent(matrix->name, ir::Extent::M);
  if (matrix && (member == "isWhole" || member == "isOverwritten"))
    return ir::makeVar(matrix->name + "." + member + "()");
  const bool isBegin = member == "sliceBegin";
  if (matrix && (isBegin || member == "sliceCols"))
    if (ir::ExprRef slice = convertExpr(*call.getArg(0)))
      return ir::makeExtent(matrix->name, isBegin ? ir::Extent::SliceBegin : ir::Extent::SliceCols, std::move(slice));
  if (!failed_)
    error(call.getBeginLoc(), "of a tile a split rule knows slices(), sliceBegin(d), sliceCols(d), isWhole() and "
                              "isOverwritten(), and in views m()")
        << call.getSourceRange();
  return nullptr;
}

} // namespace hetc::frontend
