// Who makes and who judges the matrices: the clauses input and check.
#include "compiler/frontend/converter.hpp"
#include "compiler/ir/simplify.hpp"
#include "dsl/annotations/vocabulary.hpp"
#include "dsl/base/nearest.hpp"
#include "dsl/base/text.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace hetc::frontend {
namespace {
using Kind = annotations::Expr::Kind;

/// The enumeration that an enumerator of <tla/types.hpp> belongs to: its values are CBLAS's, ten for each.
std::string enumerationOf(std::int64_t enumerator) {
  static const char *const names[] = {"Op", "Uplo", "Diag", "Side"};
  return names[enumerator / 10 - 11];
}

bool isNumber(const annotations::Expr &expr) {
  return expr.kind == Kind::Number ||
         (expr.kind == Kind::Unary && expr.text == "-" && expr.operands[0].kind == Kind::Number);
}

/// The types of scalar parameters that an argument with that letter may be.
bool isScalarLetter(char letter) { return letter >= 'a' && letter <= 'z'; }
std::string enumerationOfLetter(char letter) {
  return letter == 'o' ? "Op" : letter == 'u' ? "Uplo" : letter == 'd' ? "Diag" : letter == 's' ? "Side" : "";
}
} // namespace

void Converter::applyInput(const annotations::Input &input, const PragmaRecord &pragma) {
  ir::Matrix *matrix = parameterMatrix(input.matrix, pragma.at(input.offset));
  if (!matrix)
    return;
  if (matrix->kind == ir::MatrixKind::Workspace)
    error(pragma.at(input.offset), "'" + input.matrix + "' is a workspace: it has no input");
  matrix->generator = input.generator.name;
  for (const auto &argument : input.generator.arguments)
    if (ir::ExprRef value = resolve(argument, pragma); requireConstant(value, pragma.at(argument.offset))) {
      if (holds(*value, ir::ExprKind::Enum))
        error(pragma.at(argument.offset),
              "a generator's arguments are numbers, and " + annotations::print(argument) + " is none");
      else
        matrix->generatorArguments.push_back(std::move(value));
    }
  requireGenerator(*matrix, input.generator, pragma);
}

/// A generator of hetc's or, where there is none of that name, a function of the source.
void Converter::requireGenerator(ir::Matrix &matrix, const annotations::Application &generator,
                                 const PragmaRecord &pragma) {
  const bool isInteger = matrix.type == ir::ElementType::I;
  const tla::GeneratorName *const known = isInteger ? tla::findName(tla::integerGeneratorNames, generator.name)
                                                    : tla::findName(tla::generatorNames, generator.name);
  const clang::SourceLocation place = pragma.at(generator.offset);
  if (known) {
    if (generator.arguments.size() > known->maxArguments)
      error(place, tla::takesArguments(*known));
    return;
  }
  if (clang::FunctionDecl *function = findFunction(generator.name)) {
    matrix.maker = function->getDescribedFunctionTemplate() ? ir::Maker::Template : ir::Maker::Function;
    requireGeneratorFunction(*function, matrix, generator, pragma);
    return;
  }
  const auto names = isInteger ? tla::namesIn(tla::integerGeneratorNames) : tla::namesIn(tla::generatorNames);
  error(place, "no generator '" + generator.name + "'" + (isInteger ? " of matrices of int" : "") + "; known are " +
                   tla::alternatives(names) + ", and functions of the file" + tla::suggestion(generator.name, names));
}

/// A function at global scope, or a template of one, that is not the system's.
clang::FunctionDecl *Converter::findFunction(const std::string &name) {
  for (clang::NamedDecl *found : context_.getTranslationUnitDecl()->lookup(&context_.Idents.get(name))) {
    if (context_.getSourceManager().isInSystemHeader(found->getLocation()))
      continue;
    if (auto *pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(found))
      return pattern->getTemplatedDecl();
    if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(found))
      return function;
  }
  return nullptr;
}

/// T f(long i, long j, std::uint64_t seed, double...)
void Converter::requireGeneratorFunction(clang::FunctionDecl &function, const ir::Matrix &matrix,
                                         const annotations::Application &generator, const PragmaRecord &pragma) {
  const std::string element = ir::castName(matrix.type, program_.type);
  std::string wanted = element + " " + generator.name + "(long i, long j, std::uint64_t seed";
  for (std::size_t a = 0; a < generator.arguments.size(); ++a)
    wanted += ", double";
  const clang::FunctionDecl *const declared =
      instantiateFunction_(function, matrixType(parameterNamed(matrix.name).getType())->element);
  const auto fits = [&] {
    if (!declared || declared->getNumParams() != generator.arguments.size() + 3 || declared->isVariadic())
      return false;
    for (unsigned p = 0; p < declared->getNumParams(); ++p) {
      const clang::QualType type = declared->getParamDecl(p)->getType();
      if (p < 3 ? !type->isIntegerType() || context_.getTypeSize(type) < 64 : !type->isRealFloatingType())
        return false;
    }
    return elementType(declared->getReturnType()) == matrix.type;
  };
  if (context_.getDiagnostics().hasErrorOccurred() || fits())
    return;
  error(pragma.at(generator.offset), "'" + generator.name + "' makes '" + matrix.name +
                                         "' if it is a function, or a template of one over T, of this kind: " + wanted +
                                         ")");
  note(function.getLocation(), "'" + generator.name + "' is declared here");
}

void Converter::applyCheck(const annotations::Application &check, const PragmaRecord &pragma) {
  const tla::CheckName *const known = tla::findName(tla::checkNames, check.name);
  if (!known) {
    const auto names = tla::namesIn(tla::checkNames);
    error(pragma.at(check.offset),
          "no check '" + check.name + "'; known are " + tla::alternatives(names) + tla::suggestion(check.name, names));
    return;
  }
  if (check.arguments.size() != known->signature.size()) {
    std::string kinds;
    for (const char letter : known->signature)
      kinds += (kinds.empty() ? "" : ", ") + std::string(tla::checkArgumentText(letter));
    error(pragma.at(check.offset), "the check '" + check.name + "' takes " + std::to_string(known->signature.size()) +
                                       (known->signature.size() == 1 ? " argument: " : " arguments: ") + kinds);
    return;
  }
  program_.check = check.name;
  for (std::size_t a = 0; a < check.arguments.size(); ++a)
    if (auto argument = convertCheckArgument(check.arguments[a], known->signature[a], pragma))
      program_.checkArguments.push_back(std::move(*argument));
}

std::optional<ir::CheckArgument> Converter::convertCheckArgument(const annotations::Expr &argument, char letter,
                                                                 const PragmaRecord &pragma) {
  if (letter == 'Q' || letter == 'F') {
    if (argument.kind == Kind::Call)
      return convertCheckCall(argument, letter, pragma);
  } else if (argument.kind == Kind::Name && isParameter(argument.text)) {
    if (fitsLetter(argument.text, letter))
      return ir::CheckArgument{ir::CheckArgument::Kind::Parameter, argument.text, nullptr, {}};
  } else if (isScalarLetter(letter)) {
    const auto enumerator = argument.kind == Kind::Name ? tlaEnumerator(argument.text) : std::nullopt;
    if (enumerator ? enumerationOf(*enumerator) == enumerationOfLetter(letter) : letter == 't' && isNumber(argument))
      return ir::CheckArgument{ir::CheckArgument::Kind::Constant, "", resolve(argument, pragma), {}};
  }
  error(pragma.at(argument.offset),
        "this argument of the check is " + std::string(tla::checkArgumentText(letter)) +
            (isScalarLetter(letter)           ? ", a parameter of '" + program_.name + "' or a constant"
             : letter == 'Q' || letter == 'F' ? ""
                                              : ", a parameter of '" + program_.name + "'"));
  return std::nullopt;
}

bool Converter::isParameter(const std::string &name) const {
  return std::ranges::find(program_.parameterOrder, name) != program_.parameterOrder.end();
}

const clang::ParmVarDecl &Converter::parameterNamed(const std::string &name) const {
  for (const clang::ParmVarDecl *parameter : inlining_.front()->parameters())
    if (parameter->getNameAsString() == name)
      return *parameter;
  llvm_unreachable("a parameter of the algorithm");
}

/// A parameter of the algorithm as that argument of a check.
bool Converter::fitsLetter(const std::string &name, char letter) {
  if (const ir::Matrix *matrix = program_.findMatrix(name))
    return matrix->type == (letter == 'I' ? ir::ElementType::I : program_.type) && !isScalarLetter(letter);
  const ir::Scalar *const scalar = parameterScalar(name);
  return scalar &&
         (letter == 't' ? scalar->type == "T" || scalar->type == "real" : scalar->type == enumerationOfLetter(letter));
}

/// The call of an algorithm: 'Q', apply_q(ib, A, W), where apply_q(op, ib, A, W, B) overwrites B with op(Q) * B; or
/// 'F', f(before(A), X), where f(before(A), X, r) writes the residual to r.
std::optional<ir::CheckArgument> Converter::convertCheckCall(const annotations::Expr &call, char letter,
                                                             const PragmaRecord &pragma) {
  clang::FunctionDecl *const pattern = findAlgorithm(call.text, pragma.at(call.offset));
  const clang::FunctionDecl *const callee = pattern ? instantiate_(*pattern) : nullptr;
  if (!callee) {
    failed_ = true;
    return std::nullopt;
  }
  ir::CheckArgument result{ir::CheckArgument::Kind::Call, call.text, nullptr, {}};
  const unsigned first = letter == 'Q' ? 1 : 0; // op comes before them
  bool fits = isCheckedBy(*callee, letter, call.operands.size());
  for (unsigned a = 0; fits && a < call.operands.size(); ++a) {
    auto argument = convertCallArgument(call.operands[a], *callee->getParamDecl(first + a), letter, pragma);
    fits = argument.has_value();
    if (fits)
      result.arguments.push_back(std::move(*argument));
    else if (failed_)
      return std::nullopt;
  }
  if (!fits) {
    reportCheckCall(call, *callee, letter, pragma);
    return std::nullopt;
  }
  if (letter == 'F' && !requireShapesOfCall(call, *callee, result.arguments, pragma))
    return std::nullopt;
  return result;
}

/// Whether an algorithm with these parameters, except those that the check names, can be called by a check.
bool Converter::isCheckedBy(const clang::FunctionDecl &callee, char letter, std::size_t named) {
  const std::size_t own = letter == 'Q' ? 2 : 1;
  if (callee.getNumParams() != named + own)
    return false;
  const auto last = matrixType(callee.parameters().back()->getType());
  return last && last->kind == ir::MatrixKind::General && elementType(last->element) == program_.type &&
         (letter != 'Q' || tlaEnumName(callee.getParamDecl(0)->getType()) == "Op");
}

/// Nothing when the argument does not fit the parameter.
std::optional<ir::CheckArgument> Converter::convertCallArgument(const annotations::Expr &argument,
                                                                const clang::ParmVarDecl &parameter, char letter,
                                                                const PragmaRecord &pragma) {
  using Argument = ir::CheckArgument::Kind;
  const bool isBefore = letter == 'F' && argument.kind == Kind::Call && argument.text == "before" &&
                        argument.operands.size() == 1 && argument.operands[0].kind == Kind::Name;
  const annotations::Expr &named = isBefore ? argument.operands[0] : argument;
  if (named.kind == Kind::Name && isParameter(named.text)) {
    const ir::Matrix *const matrix = program_.findMatrix(named.text);
    if (isBefore && (!matrix || matrix->kind == ir::MatrixKind::Workspace)) {
      error(pragma.at(named.offset), "before() takes a matrix, which '" + named.text + "' is not");
      return std::nullopt;
    }
    if (!takesParameter(parameter, named.text))
      return std::nullopt;
    return ir::CheckArgument{isBefore ? Argument::Before : Argument::Parameter, named.text, nullptr, {}};
  }
  const clang::QualType type = parameter.getType();
  const auto enumerator = argument.kind == Kind::Name ? tlaEnumerator(argument.text) : std::nullopt;
  const bool isConstant = enumerator ? tlaEnumName(type) == enumerationOf(*enumerator)
                                     : isNumber(argument) && tlaEnumName(type).empty() && !matrixType(type);
  if (letter == 'F' && isConstant) {
    const ir::ExprRef value = resolve(argument, pragma);
    if (value && (enumerator || castName(type) != "int" || ir::evaluate(*value, {})))
      return ir::CheckArgument{Argument::Constant, "", value, {}};
    return std::nullopt;
  }
  if (argument.kind == Kind::Name || argument.kind == Kind::Call || letter == 'Q')
    error(pragma.at(argument.offset),
          "the arguments of this call are parameters of '" + program_.name + "'" +
              (letter == 'F' ? ", matrices as they were before it, as in before(A), and constants" : ""));
  return std::nullopt;
}

/// Whether a parameter of this algorithm is what the callee takes there.
bool Converter::takesParameter(const clang::ParmVarDecl &parameter, const std::string &name) {
  const clang::QualType given = parameterNamed(name).getType().getNonReferenceType().getUnqualifiedType(),
                        taken = parameter.getType().getNonReferenceType().getUnqualifiedType();
  const auto from = matrixType(given), to = matrixType(taken);
  const bool converts = from && to && from->kind == ir::MatrixKind::Workspace && to->kind == ir::MatrixKind::General &&
                        context_.hasSameType(from->element, to->element);
  return converts || context_.hasSameType(given, taken);
}

void Converter::reportCheckCall(const annotations::Expr &call, const clang::FunctionDecl &callee, char letter,
                                const PragmaRecord &pragma) {
  std::string wanted;
  for (const annotations::Expr &operand : call.operands)
    wanted += annotations::print(operand) + ", ";
  error(pragma.at(call.offset),
        "'" + call.text + "' must take (" +
            (letter == 'Q'
                 ? "tla::Op, " + wanted + "tla::Matrix<T> B) to be called in a check: it overwrites B with op(Q) * B"
                 : wanted + "tla::Matrix<T> r) to be called in a check: it writes the residual to r, which is 1 x 1"));
  note(callee.getLocation(), "'" + call.text + "' is declared here");
}

/// The matrices of the call must have the shapes that the callee says: it is proved for no others.
bool Converter::requireShapesOfCall(const annotations::Expr &call, const clang::FunctionDecl &callee,
                                    const std::vector<ir::CheckArgument> &arguments, const PragmaRecord &pragma) {
  const PragmaRecord &own = *declarations_.algorithms.at(canonicalFunction(callee));
  const auto &annotation = std::get<annotations::AlgorithmAnnotation>(own.annotation);
  const auto shapeOf = [&](const clang::ParmVarDecl &parameter) {
    return std::ranges::find(annotation.shapes, parameter.getNameAsString(), &annotations::ShapeOf::matrix);
  };
  const clang::ParmVarDecl &residual = *callee.parameters().back();
  if (const auto shape = shapeOf(residual); shape == annotation.shapes.end() ||
                                            annotations::print(shape->rows) != "1" ||
                                            annotations::print(shape->cols) != "1") {
    error(residual.getLocation(), "the residual that a check asks for is 1 x 1: say shape(" +
                                      residual.getNameAsString() + "(1, 1)) in '#pragma tla algorithm'");
    return false;
  }
  const std::size_t visible = names_.size();
  std::vector<std::pair<annotations::Expr, ir::ExprRef>> sizes; // what the callee says, and what it is here
  std::vector<std::size_t> of;
  const auto name = [](const char *text) { return annotations::Expr{Kind::Name, text, {}, 0}; };
  for (std::size_t a = 0; a < arguments.size(); ++a) {
    const clang::ParmVarDecl &parameter = *callee.getParamDecl(static_cast<unsigned>(a));
    const auto type = matrixType(parameter.getType());
    const ir::CheckArgument &argument = arguments[a];
    if (!type) {
      names_.emplace_back(parameter.getNameAsString(),
                          Binding{"", argument.value ? argument.value : ir::makeVar(argument.name)});
      continue;
    }
    const ir::Matrix &matrix = *program_.findMatrix(argument.name);
    if (type->kind == ir::MatrixKind::Workspace || matrix.kind == ir::MatrixKind::Workspace)
      continue;
    const auto shape = shapeOf(parameter);
    const bool isGiven = shape != annotation.shapes.end();
    sizes.emplace_back(isGiven ? shape->rows : name(type->kind == ir::MatrixKind::General ? "m" : "n"), matrix.rows);
    sizes.emplace_back(isGiven ? shape->cols : name("n"), matrix.cols);
    of.insert(of.end(), 2, a);
  }
  std::set<std::string> bound;
  for (const auto &[said, here] : sizes)
    if (said.kind == Kind::Name && (said.text == "m" || said.text == "n" || said.text == "k") &&
        bound.insert(said.text).second)
      names_.emplace_back(said.text, Binding{"", here});
  bool fit = true;
  for (std::size_t s = 0; fit && s < sizes.size(); ++s) {
    const ir::ExprRef said = resolve(sizes[s].first, own);
    fit = said && ir::equal(*ir::simplify(said), *ir::simplify(sizes[s].second));
    if (!fit) {
      const ir::CheckArgument &argument = arguments[of[s]];
      const std::size_t row = s - s % 2;
      error(pragma.at(call.operands[of[s]].offset),
            "'" + call.text + "' takes a matrix of " + annotations::print(sizes[row].first) + " x " +
                annotations::print(sizes[row + 1].first) + " here, but " + argument.name + " is " +
                ir::print(*sizes[row].second) + " x " + ir::print(*sizes[row + 1].second));
      note(callee.getLocation(), "'" + call.text + "' is declared here");
    }
  }
  names_.resize(visible);
  return fit;
}

clang::FunctionDecl *Converter::findAlgorithm(const std::string &name, clang::SourceLocation location) {
  std::vector<std::string> names;
  for (const auto &[declaration, pragma] : declarations_.algorithms) {
    names.push_back(declaration->getNameAsString());
    if (const auto *pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(declaration); pattern && names.back() == name)
      return pattern->getTemplatedDecl();
  }
  std::ranges::sort(names); // the map's order is that of addresses
  const std::string nearest = tla::nearest(name, names);
  error(location,
        "no algorithm '" + name + "' is defined here; " +
            (nearest.empty() ? "algorithms are " + llvm::join(names, ", ") : "did you mean '" + nearest + "'?"));
  return nullptr;
}

} // namespace hetc::frontend
