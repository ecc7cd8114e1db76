#include "compiler/frontend/converter.hpp"
#include "compiler/ir/expr_properties.hpp"

#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

namespace hetc::frontend {

namespace {

using ir::ExprKind;

std::optional<ir::Extent> extentNamed(llvm::StringRef name) {
  for (const ir::Extent extent : {ir::Extent::Mt, ir::Extent::Nt, ir::Extent::M, ir::Extent::N, ir::Extent::Mb,
                                  ir::Extent::Nb, ir::Extent::P, ir::Extent::Q})
    if (name == ir::name(extent))
      return extent;
  return std::nullopt;
}

std::optional<ExprKind> binaryKind(llvm::StringRef op) {
  static const std::map<llvm::StringRef, ExprKind> kinds = {
      {"+", ExprKind::Add}, {"-", ExprKind::Sub},  {"*", ExprKind::Mul}, {"/", ExprKind::Div}, {"%", ExprKind::Rem},
      {"<", ExprKind::Lt},  {"<=", ExprKind::Le},  {">", ExprKind::Gt},  {">=", ExprKind::Ge}, {"==", ExprKind::Eq},
      {"!=", ExprKind::Ne}, {"&&", ExprKind::And}, {"||", ExprKind::Or}};
  const auto found = kinds.find(op);
  return found == kinds.end() ? std::nullopt : std::optional(found->second);
}

/// T(2.0) and the like: the number that a number is made from. A copy is its original.
const clang::Expr *constructedFrom(const clang::Expr &expr) {
  if (const auto *cast = llvm::dyn_cast<clang::ExplicitCastExpr>(&expr))
    return cast->getSubExprAsWritten();
  const auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(&expr);
  if (!construct || construct->getNumArgs() == 0)
    return nullptr;
  for (unsigned i = 1; i < construct->getNumArgs(); ++i)
    if (!llvm::isa<clang::CXXDefaultArgExpr>(construct->getArg(i)))
      return nullptr;
  return construct->getArg(0);
}

bool isCopy(const clang::Expr &expr) {
  const auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(&expr);
  return construct && construct->getConstructor()->isCopyOrMoveConstructor();
}

/// Nodes that only wrap another expression and change nothing.
const clang::Expr *wrapped(const clang::Expr &expr) {
  if (const auto *paren = llvm::dyn_cast<clang::ParenExpr>(&expr))
    return paren->getSubExpr();
  if (const auto *full = llvm::dyn_cast<clang::FullExpr>(&expr))
    return full->getSubExpr();
  if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(&expr))
    return temporary->getSubExpr();
  if (const auto *bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(&expr))
    return bound->getSubExpr();
  if (const auto *argument = llvm::dyn_cast<clang::CXXDefaultArgExpr>(&expr))
    return argument->getExpr();
  if (const auto *parameter = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(&expr))
    return parameter->getReplacement();
  return nullptr;
}

/// int or a wider signed type: arithmetic in it means what the IR's arithmetic means.
bool isWideSigned(clang::QualType type, const clang::ASTContext &context) {
  return type->isSignedIntegerType() && context.getIntWidth(type) >= context.getIntWidth(context.IntTy);
}

} // namespace

ir::ExprRef Converter::convertExpr(const clang::Expr &expr) {
  ++expressions_;
  ir::ExprRef value = convertNode(expr);
  return --expressions_ ? value : bounded(std::move(value), expr.getBeginLoc());
}

/// Nothing, after an error, when whoever walks it would take long: constants that are named twice each double it.
ir::ExprRef Converter::bounded(ir::ExprRef value, clang::SourceLocation location) {
  if (!value || ir::hasAtMost(*value, ir::maxOperators))
    return value;
  error(location,
        "this value, with those of the names in it, has more than " + std::to_string(ir::maxOperators) + " operators");
  return nullptr;
}

ir::ExprRef Converter::convertNode(const clang::Expr &expr) {
  if (const clang::Expr *inner = wrapped(expr))
    return convertExpr(*inner);
  if (const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(&expr))
    return convertImplicitCast(*cast);
  if (const auto *literal = llvm::dyn_cast<clang::IntegerLiteral>(&expr))
    return ir::makeInt(static_cast<std::int64_t>(literal->getValue().getLimitedValue(INT64_MAX)));
  if (const auto *literal = llvm::dyn_cast<clang::FloatingLiteral>(&expr))
    return convertFloating(*literal);
  if (const auto *literal = llvm::dyn_cast<clang::CXXBoolLiteralExpr>(&expr))
    return ir::makeInt(literal->getValue() ? 1 : 0);
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(&expr))
    return convertReference(*reference);
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(&expr))
    return convertUnary(expr, clang::UnaryOperator::getOpcodeStr(unary->getOpcode()), *unary->getSubExpr());
  if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(&expr))
    return convertBinary(expr, binary->getOpcodeStr(), *binary->getLHS(), *binary->getRHS());
  if (const auto *rewritten = llvm::dyn_cast<clang::CXXRewrittenBinaryOperator>(&expr)) // != of std::complex
    return convertBinary(expr, rewritten->getOpcodeStr(), *rewritten->getLHS(), *rewritten->getRHS());
  if (const auto *select = llvm::dyn_cast<clang::ConditionalOperator>(&expr)) {
    const ir::ExprRef condition = convertExpr(*select->getCond()), then = convertExpr(*select->getTrueExpr()),
                      otherwise = convertExpr(*select->getFalseExpr());
    return condition && then && otherwise ? ir::makeSelect(condition, then, otherwise) : nullptr;
  }
  if (const auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&expr))
    return convertMember(*member);
  if (const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&expr))
    return convertOperator(*call);
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(&expr))
    return convertFunction(*call);
  if (const clang::Expr *operand = constructedFrom(expr))
    return isCopy(expr) ? convertExpr(*operand) : convertCast(expr, *operand);
  return convertOther(expr);
}

/// The argument of a kernel call, without the conversion to the parameter's type: the generated call makes it again.
ir::ExprRef Converter::convertArgument(const clang::Expr &expr) {
  if (const clang::Expr *inner = wrapped(expr))
    return convertArgument(*inner);
  const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(&expr);
  return cast ? convertArgument(*cast->getSubExpr()) : convertExpr(expr);
}

/// Conversions change values (1 / 2 and 1 / 2.0), so those that do are kept.
ir::ExprRef Converter::convertImplicitCast(const clang::ImplicitCastExpr &cast) {
  const clang::Expr &operand = *cast.getSubExpr();
  switch (cast.getCastKind()) {
  case clang::CK_IntegralCast:
    return convertIntegral(cast, operand);
  case clang::CK_IntegralToBoolean:
  case clang::CK_FloatingToBoolean: {
    const ir::ExprRef value = convertExpr(operand);
    return value ? ir::makeBinary(ExprKind::Ne, value, ir::makeInt(0)) : nullptr;
  }
  case clang::CK_IntegralToFloating:
  case clang::CK_FloatingToIntegral:
  case clang::CK_FloatingCast:
    return convertCast(cast, operand);
  default:
    return convertExpr(operand);
  }
}

ir::ExprRef Converter::convertIntegral(const clang::Expr &expr, const clang::Expr &operand) {
  clang::Expr::EvalResult constant;
  const clang::QualType from = operand.getType();
  const bool plain = from->isBooleanType() || from->isEnumeralType() || isWideSigned(from, context_);
  if (from->isEnumeralType()) { // the option is of another type than its number
    if (!expr.isValueDependent() && expr.EvaluateAsInt(constant, context_))
      return ir::makeInt(constant.Val.getInt().getExtValue());
    const ir::ExprRef option = convertExpr(operand);
    return option ? ir::makeCast("int", option) : nullptr;
  }
  if (plain && isWideSigned(expr.getType(), context_))
    return convertExpr(operand);
  if (expr.EvaluateAsInt(constant, context_))
    return ir::makeInt(constant.Val.getInt().getExtValue());
  error(expr.getBeginLoc(), "unsigned and narrow integers are outside the language of task programs: use int")
      << expr.getSourceRange();
  return nullptr;
}

/// As written where that is a plain decimal number, else (suffixes, macros, hexadecimal) by value.
ir::ExprRef Converter::convertFloating(const clang::FloatingLiteral &literal) {
  const clang::SourceManager &sources = context_.getSourceManager();
  std::string text =
      clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(sources.getSpellingLoc(literal.getBeginLoc())),
                                  sources, context_.getLangOpts())
          .str();
  if (text.empty() || text.find_first_not_of("0123456789.eE+-") != std::string::npos) {
    llvm::SmallString<32> value;
    llvm::APFloat(literal.getValueAsApproximateDouble()).toString(value, /*FormatPrecision=*/0, /*FormatMaxPadding=*/6);
    text = value.str().str() + (value.find_first_of(".eE") == llvm::StringRef::npos ? ".0" : "");
  }
  const ir::ExprRef real = ir::makeReal(text);
  const bool isDouble = literal.getType()->isSpecificBuiltinType(clang::BuiltinType::Double);
  return isDouble ? real : ir::makeCast(castName(literal.getType()), real);
}

ir::ExprRef Converter::convertUnary(const clang::Expr &expr, llvm::StringRef op, const clang::Expr &operand) {
  if (op != "+" && op != "-" && op != "!")
    return convertOther(expr);
  const ir::ExprRef value = convertExpr(operand);
  if (!value || op == "+")
    return value;
  return ir::makeUnary(op == "-" ? ExprKind::Neg : ExprKind::Not, value);
}

/// The operators of std::complex.
ir::ExprRef Converter::convertOperator(const clang::CXXOperatorCallExpr &call) {
  const char *spelling = clang::getOperatorSpelling(call.getOperator());
  for (const clang::Expr *argument : call.arguments())
    if (!spelling || !elementType(argument->getType()))
      return convertOther(call);
  if (call.getNumArgs() == 1)
    return convertUnary(call, spelling, *call.getArg(0));
  return call.getNumArgs() == 2 ? convertBinary(call, spelling, *call.getArg(0), *call.getArg(1)) : convertOther(call);
}

ir::ExprRef Converter::convertReference(const clang::DeclRefExpr &reference) {
  const clang::ValueDecl *decl = reference.getDecl();
  if (const auto *constant = llvm::dyn_cast<clang::EnumConstantDecl>(decl)) {
    const std::int64_t value = constant->getInitVal().getExtValue();
    if (tlaEnumerator(constant->getNameAsString()) == value)
      return ir::makeEnum(constant->getNameAsString(), value);
    return ir::makeInt(value);
  }
  const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl);
  if (const auto found = bindings_.find(variable); variable && found != bindings_.end() && found->second.value)
    return found->second.value;
  return convertOther(reference);
}

/// The IR computes with ints.
bool Converter::isWideArithmetic(const clang::Expr &expr, ir::ExprKind kind) const {
  const bool isArithmetic = kind == ExprKind::Add || kind == ExprKind::Sub || kind == ExprKind::Mul ||
                            kind == ExprKind::Div || kind == ExprKind::Rem;
  return isArithmetic && expr.getType()->isIntegerType() &&
         context_.getIntWidth(expr.getType()) > context_.getIntWidth(context_.IntTy);
}

/// A constant, or an error: what is more than an int would be another number.
ir::ExprRef Converter::convertWide(const clang::Expr &expr) {
  clang::Expr::EvalResult result;
  if (!expr.isValueDependent() && expr.EvaluateAsInt(result, context_) && result.Val.getInt().isSignedIntN(64))
    return ir::makeInt(result.Val.getInt().getExtValue());
  error(expr.getBeginLoc(), "this is computed in '" + expr.getType().getAsString() +
                                "', and programs compute with int: make all that it is made of int");
  return nullptr;
}

ir::ExprRef Converter::convertBinary(const clang::Expr &expr, llvm::StringRef op, const clang::Expr &leftOperand,
                                     const clang::Expr &rightOperand) {
  const auto kind = binaryKind(op);
  if (!kind)
    return convertOther(expr);
  if (isWideArithmetic(expr, *kind))
    return convertWide(expr);
  const ir::ExprRef left = convertExpr(leftOperand), right = convertExpr(rightOperand);
  if (!left || !right)
    return nullptr;
  if ((kind == ExprKind::Div || kind == ExprKind::Rem) && right->kind == ExprKind::Int && right->value == 0) {
    error(rightOperand.getBeginLoc(), "division by zero");
    return nullptr;
  }
  return ir::makeBinary(*kind, left, right);
}

ir::ExprRef Converter::convertMember(const clang::CXXMemberCallExpr &call) {
  if (rule_)
    return convertSliceExtent(call);
  const clang::Expr *object = call.getImplicitObjectArgument();
  const auto matrix = object ? matrixOf(*object) : std::nullopt;
  if (matrix && call.getMethodDecl() && call.getMethodDecl()->getNameAsString() == ir::name(ir::Extent::Has))
    return convertHas(call, *object, *matrix);
  const auto extent = call.getMethodDecl() ? extentNamed(call.getMethodDecl()->getNameAsString()) : std::nullopt;
  if (matrix && extent)
    return extentOf(*matrix, *extent);
  const auto *tile = object ? llvm::dyn_cast<clang::CXXOperatorCallExpr>(&strip(*object)) : nullptr;
  const bool isSize = tile && tile->getNumArgs() == 3 && (extent == ir::Extent::M || extent == ir::Extent::N);
  return isSize ? convertTileSize(*tile, *extent) : convertOther(call);
}

/// A(i, j).m() and A(i, j).n(): of tiles at the edge what is left.
ir::ExprRef Converter::convertTileSize(const clang::CXXOperatorCallExpr &tile, ir::Extent extent) {
  const auto matrix = matrixOf(*tile.getArg(0));
  if (!matrix)
    return convertOther(tile);
  const bool isRows = extent == ir::Extent::M;
  const ir::ExprRef index = convertExpr(*tile.getArg(isRows ? 1 : 2)),
                    most = extentOf(*matrix, isRows ? ir::Extent::Mb : ir::Extent::Nb), all = extentOf(*matrix, extent);
  if (!index || !most || !all)
    return nullptr;
  const ir::ExprRef left = ir::makeBinary(ExprKind::Sub, all, ir::makeBinary(ExprKind::Mul, index, most));
  return ir::makeBinary(ExprKind::Min, most, left);
}

/// The condition for a tile to be there, i >= j && A.has(i, j) for the lower triangle of a general matrix.
ir::ExprRef Converter::convertHas(const clang::CXXMemberCallExpr &call, const clang::Expr &object,
                                  const Binding &matrix) {
  const ir::ExprRef row = convertExpr(*call.getArg(0)), column = convertExpr(*call.getArg(1));
  if (!row || !column)
    return nullptr;
  return hasOfType(matrixType(object.IgnoreParenImpCasts()->getType()), matrix, row,
                   column); // members are a base class'
}

ir::ExprRef Converter::hasOfType(const std::optional<MatrixType> &type, const Binding &matrix, const ir::ExprRef &row,
                                 const ir::ExprRef &column) {
  const ir::ExprRef has = hasOf(matrix, row, column);
  if (!has || !type || (type->kind != ir::MatrixKind::Lower && type->kind != ir::MatrixKind::Upper))
    return has;
  const ExprKind side = type->kind == ir::MatrixKind::Lower ? ExprKind::Ge : ExprKind::Le;
  return ir::makeBinary(ExprKind::And, ir::makeBinary(side, row, column), has);
}

/// A workspace's sizes are what it was declared with, except the number of tiles into which it is cut.
ir::ExprRef Converter::makeExtent(const std::string &name, ir::Extent extent) const {
  const ir::Matrix &matrix = *program_.findMatrix(name);
  if (ir::isPeriod(extent)) // the same for all: of one that the run knows
    return program_.matrices.empty() ? nullptr : ir::makeExtent(program_.matrices.front().name, extent);
  if (matrix.kind != ir::MatrixKind::Workspace)
    return ir::makeExtent(name, extent);
  if (!matrix.rows) // a parameter whose shape clause is behind this one
    return nullptr;
  if (matrix.isCut()) {
    const bool rows = extent == ir::Extent::M, cols = extent == ir::Extent::N;
    const bool tile = extent == ir::Extent::Mb || extent == ir::Extent::Nb;
    return rows ? matrix.rows : cols ? matrix.cols : tile ? matrix.tileRows : ir::makeExtent(name, extent);
  }
  switch (extent) {
  case ir::Extent::Mt:
    return matrix.rows;
  case ir::Extent::Nt:
    return matrix.cols;
  case ir::Extent::Mb:
    return matrix.tileRows;
  case ir::Extent::Nb:
    return matrix.tileCols;
  case ir::Extent::M:
    return ir::makeBinary(ExprKind::Mul, matrix.rows, matrix.tileRows);
  default:
    break;
  }
  return ir::makeBinary(ExprKind::Mul, matrix.cols, matrix.tileCols);
}

ir::ExprRef Converter::convertFunction(const clang::CallExpr &call) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  if (callee && declarations_.kernels.count(canonicalFunction(*callee))) {
    error(call.getBeginLoc(), "the result of kernel '" + callee->getNameAsString() +
                                  "' cannot be used in the program; hetc stops at the first info that is not zero");
    return nullptr;
  }
  const std::string name = callee ? callee->getQualifiedNameAsString() : std::string();
  const bool isMin = name == "std::min" || name == "tla::min", isMax = name == "std::max" || name == "tla::max";
  if ((isMin || isMax) && call.getNumArgs() == 2 && isWideSigned(call.getType(), context_)) {
    const ir::ExprRef left = convertExpr(*call.getArg(0)), right = convertExpr(*call.getArg(1));
    return left && right ? ir::makeBinary(isMin ? ExprKind::Min : ExprKind::Max, left, right) : nullptr;
  }
  return convertOther(call);
}

ir::ExprRef Converter::convertCast(const clang::Expr &expr, const clang::Expr &operand) {
  const clang::QualType type = expr.getType();
  if (type->isIntegerType() && !type->isBooleanType() && operand.getType()->isIntegralOrEnumerationType())
    return convertIntegral(expr, operand);
  const std::string name = type->isBooleanType() ? "" : castName(type);
  const ir::ExprRef value = convertExpr(operand);
  if (!value)
    return nullptr;
  if (type->isBooleanType())
    return ir::makeBinary(ExprKind::Ne, value, ir::makeInt(0));
  return name.empty() ? convertOther(expr) : ir::makeCast(name, value);
}

/// As ir::castName; empty for what is no element type.
std::string Converter::castName(clang::QualType type) {
  const auto element = elementType(type);
  return element ? ir::castName(*element, program_.type) : "";
}

/// Whether tla::value is called in it.
static bool asksValue(const clang::Stmt &part) {
  const auto *call = llvm::dyn_cast<clang::CallExpr>(&part);
  const clang::FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  if (callee && callee->getQualifiedNameAsString() == "tla::value")
    return true;
  return llvm::any_of(part.children(), [](const clang::Stmt *child) { return child && asksValue(*child); });
}

/// Converts an expression that no rule above takes: a constant that Clang can evaluate, or an error that says why not.
ir::ExprRef Converter::convertOther(const clang::Expr &expr) {
  clang::Expr::EvalResult result;
  if (!expr.isValueDependent() && expr.getType()->isIntegralOrEnumerationType() &&
      expr.EvaluateAsInt(result, context_)) {
    const std::int64_t value = result.Val.getInt().getExtValue();
    if (const std::string option = tlaEnumerator(tlaEnumName(expr.getType()), value); !option.empty())
      return ir::makeEnum(option, value);
    if (!expr.getType()->isScopedEnumeralType())
      return ir::makeInt(value);
  }
  const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&expr);
  if (call && call->getNumArgs() > 0 && tileType(call->getArg(0)->getType())) {
    error(expr.getBeginLoc(),
          "the program reads an element of a tile here: what runs may depend on sizes, loop variables "
          "and scalar parameters only")
        << expr.getSourceRange();
    return nullptr;
  }
  if (asksValue(expr)) {
    error(expr.getBeginLoc(),
          "an element ends an outermost loop, by 'if (tla::value(r) < tolerance) break;' directly in "
          "its body, and decides nothing else")
        << expr.getSourceRange();
    return nullptr;
  }
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(&expr)) {
    error(expr.getBeginLoc(), "'" + reference->getDecl()->getNameAsString() +
                                  "' is not known to hetc here: use loop variables, "
                                  "const ints, sizes of matrices and parameters of the algorithm");
    return nullptr;
  }
  error(expr.getBeginLoc(), "hetc does not understand this expression: use + - * / %, comparisons, && || !, ?:, min, "
                            "max, sizes of matrices, loop variables and scalar parameters")
      << expr.getSourceRange();
  return nullptr;
}

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
    return ir::makeBinary(*binaryKind(expr.text), operands[0], operands[1]);
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
