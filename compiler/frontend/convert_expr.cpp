#include "compiler/frontend/converter.hpp"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtVisitor.h>
#include <clang/Lex/Lexer.h>

namespace hetc::frontend {

namespace {

using ir::ExprKind;

std::optional<ir::Extent> extentNamed(llvm::StringRef name) {
  for (const ir::Extent extent :
       {ir::Extent::Mt, ir::Extent::Nt, ir::Extent::M, ir::Extent::N, ir::Extent::Mb, ir::Extent::Nb})
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

} // namespace

ir::ExprRef Converter::convertExpr(const clang::Expr &outer) {
  const clang::Expr &expr = strip(outer);
  if (const auto *literal = llvm::dyn_cast<clang::IntegerLiteral>(&expr))
    return ir::makeInt(static_cast<std::int64_t>(literal->getValue().getLimitedValue(INT64_MAX)));
  if (const auto *literal = llvm::dyn_cast<clang::FloatingLiteral>(&expr))
    return ir::makeReal(clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(literal->getSourceRange()),
                                                    context_.getSourceManager(), context_.getLangOpts())
                            .str());
  if (const auto *literal = llvm::dyn_cast<clang::CXXBoolLiteralExpr>(&expr))
    return ir::makeInt(literal->getValue() ? 1 : 0);
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(&expr))
    return convertReference(*reference);
  if (const auto *substituted = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(&expr))
    return convertExpr(*substituted->getReplacement());
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(&expr)) {
    const auto opcode = unary->getOpcode();
    if (opcode == clang::UO_Plus)
      return convertExpr(*unary->getSubExpr());
    if (opcode == clang::UO_Minus || opcode == clang::UO_LNot) {
      const ir::ExprRef operand = convertExpr(*unary->getSubExpr());
      return operand ? ir::makeUnary(opcode == clang::UO_Minus ? ExprKind::Neg : ExprKind::Not, operand) : nullptr;
    }
    return convertOther(expr);
  }
  if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(&expr))
    return convertBinary(*binary);
  if (const auto *select = llvm::dyn_cast<clang::ConditionalOperator>(&expr)) {
    const ir::ExprRef condition = convertExpr(*select->getCond()), then = convertExpr(*select->getTrueExpr()),
                      otherwise = convertExpr(*select->getFalseExpr());
    return condition && then && otherwise ? ir::makeSelect(condition, then, otherwise) : nullptr;
  }
  if (const auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&expr))
    return convertMember(*member);
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(&expr))
    return convertFunction(*call);
  if (const clang::Expr *operand = constructedFrom(expr))
    return isCopy(expr) ? convertExpr(*operand) : convertCast(expr, *operand);
  return convertOther(expr);
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

ir::ExprRef Converter::convertBinary(const clang::BinaryOperator &expr) {
  const auto kind = binaryKind(expr.getOpcodeStr());
  if (!kind)
    return convertOther(expr);
  const ir::ExprRef left = convertExpr(*expr.getLHS()), right = convertExpr(*expr.getRHS());
  return left && right ? ir::makeBinary(*kind, left, right) : nullptr;
}

ir::ExprRef Converter::convertMember(const clang::CXXMemberCallExpr &call) {
  const clang::Expr *object = call.getImplicitObjectArgument();
  const std::string *matrix = object ? matrixName(*object) : nullptr;
  const auto extent = call.getMethodDecl() ? extentNamed(call.getMethodDecl()->getNameAsString()) : std::nullopt;
  if (matrix && extent)
    return ir::makeExtent(*matrix, *extent);
  return convertOther(call);
}

ir::ExprRef Converter::convertFunction(const clang::CallExpr &call) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  if (callee && declarations_.kernels.count(canonicalFunction(*callee))) {
    error(call.getBeginLoc(), "the result of kernel '" + callee->getNameAsString() +
                                  "' cannot be used in the program; hetc stops at the first info that is not zero");
    return nullptr;
  }
  const std::string name = callee ? callee->getQualifiedNameAsString() : "";
  if ((name == "std::min" || name == "std::max") && call.getNumArgs() == 2) {
    const ir::ExprRef left = convertExpr(*call.getArg(0)), right = convertExpr(*call.getArg(1));
    return left && right ? ir::makeBinary(name == "std::min" ? ExprKind::Min : ExprKind::Max, left, right) : nullptr;
  }
  return convertOther(call);
}

ir::ExprRef Converter::convertCast(const clang::Expr &expr, const clang::Expr &operand) {
  const std::string type = castName(expr.getType());
  if (type.empty())
    return convertOther(expr);
  const ir::ExprRef value = convertExpr(operand);
  return value ? ir::makeCast(type, value) : nullptr;
}

/// "T" for the element type, "real" for its real type, "int"; empty for anything else.
std::string Converter::castName(clang::QualType type) {
  const auto element = elementType(type);
  if (element == program_.type)
    return "T";
  const bool single = program_.type == ir::ElementType::C;
  if (element == (single ? ir::ElementType::S : ir::ElementType::D) && (single || program_.type == ir::ElementType::Z))
    return "real";
  return element == ir::ElementType::I ? "int" : "";
}

/// What no rule above takes: a constant that Clang can evaluate, or an error that says why not.
ir::ExprRef Converter::convertOther(const clang::Expr &expr) {
  clang::Expr::EvalResult result;
  if (!expr.isValueDependent() && expr.getType()->isIntegralOrEnumerationType() && expr.EvaluateAsInt(result, context_))
    return ir::makeInt(result.Val.getInt().getExtValue());
  const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&expr);
  if (call && call->getNumArgs() > 0 && tileType(call->getArg(0)->getType())) {
    error(expr.getBeginLoc(),
          "the program reads an element of a tile here: what runs may depend on sizes, loop variables "
          "and scalar parameters only")
        << expr.getSourceRange();
    return nullptr;
  }
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(&expr)) {
    error(expr.getBeginLoc(), "'" + reference->getDecl()->getNameAsString() +
                                  "' is not known to hetc here: use loop variables, "
                                  "const ints, sizes of matrices and parameters of the algorithm");
    return nullptr;
  }
  error(expr.getBeginLoc(),
        "hetc does not understand this expression: use + - * / %, comparisons, && || !, ?:, std::min, "
        "std::max, sizes of matrices, loop variables and scalar parameters")
      << expr.getSourceRange();
  return nullptr;
}

const std::string *Converter::matrixName(const clang::Expr &expr) const {
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(&strip(expr));
  const auto *variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  const auto found = bindings_.find(variable);
  if (!variable || found == bindings_.end() || found->second.matrix.empty())
    return nullptr;
  return &found->second.matrix;
}

const Converter::Binding *Converter::findName(const std::string &name) const {
  for (auto entry = names_.rbegin(); entry != names_.rend(); ++entry)
    if (entry->first == name)
      return &entry->second;
  return nullptr;
}

ir::ExprRef Converter::resolve(const annotations::Expr &expr, const PragmaRecord &pragma) {
  using Kind = annotations::Expr::Kind;
  std::vector<ir::ExprRef> operands;
  if (expr.kind != Kind::Member && expr.kind != Kind::Name)
    for (const auto &operand : expr.operands)
      if (operands.push_back(resolve(operand, pragma)); !operands.back())
        return nullptr;
  switch (expr.kind) {
  case Kind::Number:
    if (expr.text.find_first_not_of("0123456789") != std::string::npos)
      return ir::makeReal(expr.text);
    return ir::makeInt(std::stoll(expr.text));
  case Kind::Name:
    return resolveName(expr, pragma);
  case Kind::Member:
    return resolveMember(expr, pragma);
  case Kind::Unary:
    return ir::makeUnary(expr.text == "-" ? ExprKind::Neg : ExprKind::Not, operands[0]);
  case Kind::Binary:
    return ir::makeBinary(*binaryKind(expr.text), operands[0], operands[1]);
  case Kind::Select:
    return ir::makeSelect(operands[0], operands[1], operands[2]);
  case Kind::Call:
    if ((expr.text == "min" || expr.text == "max") && operands.size() == 2)
      return ir::makeBinary(expr.text == "min" ? ExprKind::Min : ExprKind::Max, operands[0], operands[1]);
    error(pragma.at(expr.offset), "'" + expr.text + "(...)' is not known here; min(a, b) and max(a, b) are");
    return nullptr;
  }
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
  if (object && !object->matrix.empty() && extent && expr.operands.size() == 1)
    return ir::makeExtent(object->matrix, *extent);
  error(pragma.at(expr.offset), "expected the size of a matrix: mt(), nt(), m(), n(), mb() or nb()");
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
  const bool panel = expr.kind == Kind::Member && expr.text == "panel" && expr.operands.size() == 4 &&
                     expr.operands[0].kind == Kind::Name;
  const bool tile = expr.kind == Kind::Call && expr.operands.size() == 2;
  const Binding *matrix = panel ? findName(expr.operands[0].text) : tile ? findName(expr.text) : nullptr;
  if (!matrix || matrix->matrix.empty()) {
    error(pragma.at(expr.offset), "expected a tile, such as A(i, j)");
    return std::nullopt;
  }
  ir::TileAccess access;
  access.matrix = matrix->matrix;
  access.row = resolve(expr.operands[panel ? 1 : 0], pragma);
  if (panel)
    access.rowEnd = resolve(expr.operands[2], pragma);
  access.column = resolve(expr.operands[panel ? 3 : 1], pragma);
  access.location = locate(pragma.at(expr.offset));
  if (!access.row || !access.column || (panel && !access.rowEnd))
    return std::nullopt;
  return access;
}

} // namespace hetc::frontend
