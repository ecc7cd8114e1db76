#include "compiler/frontend/converter.hpp"
#include "compiler/ir/expr_properties.hpp"

#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

namespace hetc::frontend {

using ir::ExprKind;

std::optional<ir::Extent> extentNamed(llvm::StringRef name) {
  for (const ir::Extent extent : {ir::Extent::Mt, ir::Extent::Nt, ir::Extent::M, ir::Extent::N, ir::Extent::Mb,
                                  ir::Extent::Nb, ir::Extent::P, ir::Extent::Q})
    if (name == ir::name(extent))
      return extent;
  return std::nullopt;
}

namespace {

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
  const auto kind = ir::kindOf(op);
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

} // namespace hetc::frontend
