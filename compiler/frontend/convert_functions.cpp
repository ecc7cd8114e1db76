// Algorithms that call themselves, directly or through others: no program is long enough to have all their calls in
// place, so they are functions of it. What an argument is decides how the function has it. Matrices of the program,
// options and numbers are fixed: a call with others is one of another function. Ranges of tiles and ints are
// parameters.
#include "compiler/frontend/converter.hpp"
#include "compiler/ir/expr_properties.hpp"

#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace hetc::frontend {

namespace {

constexpr std::size_t mostFunctions = 32; ///< the most functions of one algorithm

bool isDiagonal(const ir::TileRange &range) {
  return ir::equal(*range.row, *range.column) && ir::equal(*range.rowEnd, *range.columnEnd);
}

bool isInt(const clang::ParmVarDecl &parameter) { return elementType(parameter.getType()) == ir::ElementType::I; }

/// All tiles of a matrix.
ir::TileRange wholeRange(const ir::Matrix &matrix, const ir::ExprRef &mt, const ir::ExprRef &nt) {
  const bool isTriangle = matrix.kind == ir::MatrixKind::Lower || matrix.kind == ir::MatrixKind::Upper;
  return {ir::makeInt(0), isTriangle ? nt : mt, ir::makeInt(0), nt};
}

} // namespace

/// The algorithm that is called; null: it is none, or has no body here.
const clang::FunctionDecl *Converter::definitionOf(const clang::CallExpr &call) const {
  const clang::FunctionDecl *const callee = call.getDirectCallee(), *definition = nullptr;
  const bool isAlgorithm = callee && declarations_.algorithms.count(canonicalFunction(*callee));
  return isAlgorithm && callee->hasBody(definition) ? definition : nullptr;
}

/// Adds the calls of algorithms in the statement.
void Converter::addCalls(const clang::Stmt *statement, std::vector<const clang::CallExpr *> &calls) const {
  if (!statement)
    return;
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(statement); call && definitionOf(*call))
    calls.push_back(call);
  for (const clang::Stmt *child : statement->children())
    addCalls(child, calls);
}

/// The algorithms to which a call of this one leads.
const std::set<const clang::FunctionDecl *> &Converter::reachedFrom(const clang::FunctionDecl &algorithm) {
  const auto [known, isNew] = reached_.try_emplace(&algorithm);
  std::set<const clang::FunctionDecl *> &reached = known->second;
  std::vector<const clang::FunctionDecl *> open;
  if (isNew)
    open.push_back(&algorithm);
  while (!open.empty()) {
    std::vector<const clang::CallExpr *> calls;
    addCalls(open.back()->getBody(), calls);
    open.pop_back();
    for (const clang::CallExpr *call : calls)
      if (const clang::FunctionDecl *const callee = definitionOf(*call); reached.insert(callee).second)
        open.push_back(callee);
  }
  return reached;
}

bool Converter::isRecursive(const clang::FunctionDecl &algorithm) {
  return reachedFrom(algorithm).contains(&algorithm);
}

/// Whether each call inside the algorithms that call one another gives an int parameter as the caller has it. Then its
/// value is one of those who call from outside, and as fixed as an option.
bool Converter::isPassedOn(const clang::ParmVarDecl &parameter) {
  const auto *algorithm = llvm::cast<clang::FunctionDecl>(parameter.getDeclContext());
  std::set<const clang::FunctionDecl *> around = reachedFrom(*algorithm);
  std::erase_if(around, [&](const auto *other) { return !reachedFrom(*other).contains(algorithm); });
  std::set<const clang::ParmVarDecl *> passed;
  for (const clang::FunctionDecl *each : around)
    std::ranges::copy_if(each->parameters(), std::inserter(passed, passed.end()),
                         [](const clang::ParmVarDecl *one) { return isInt(*one); });
  for (std::size_t before = passed.size() + 1; before != passed.size();) {
    before = passed.size();
    for (const clang::FunctionDecl *each : around) {
      std::vector<const clang::CallExpr *> calls;
      addCalls(each->getBody(), calls);
      for (const clang::CallExpr *call : calls)
        for (unsigned i = 0; i < call->getNumArgs() && i < definitionOf(*call)->getNumParams(); ++i) {
          const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(&strip(*call->getArg(i)));
          const auto *given = name ? llvm::dyn_cast<clang::ParmVarDecl>(name->getDecl()) : nullptr;
          if (!given || !passed.contains(given))
            passed.erase(definitionOf(*call)->getParamDecl(i));
        }
    }
  }
  return passed.contains(&parameter);
}

/// The body of the program: of an algorithm that calls itself it is the first call.
void Converter::convertEntry(const clang::FunctionDecl &algorithm) {
  if (isRecursive(algorithm)) {
    std::vector<Binding> arguments;
    for (const clang::ParmVarDecl *parameter : algorithm.parameters())
      arguments.push_back(bindings_.at(parameter));
    callFunction(algorithm, arguments, algorithm.getLocation(), program_.body);
  } else
    convertStatement(*algorithm.getBody(), program_.body);
  for (std::size_t number = 0; number < pending_.size() && !failed_; ++number)
    convertFunction(number);
  if (program_.until && !pending_.empty())
    error(breakAt_, "an element ends no loop of a program in which an algorithm calls itself");
}

void Converter::callFunction(const clang::FunctionDecl &algorithm, const std::vector<Binding> &arguments,
                             clang::SourceLocation location, ir::Block &block) {
  const std::string name = algorithm.getNameAsString();
  auto call = std::make_unique<ir::Call>();
  call->location = locate(location);
  std::string key;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (!addArgument(*algorithm.getParamDecl(i), arguments[i], location, key, *call))
      return;
  const auto known = functions_.find({&algorithm, key});
  if (known != functions_.end())
    call->function = program_.functions[known->second].name;
  else {
    const std::size_t others = std::ranges::count(pending_, &algorithm, &PendingFunction::algorithm);
    if (others == mostFunctions) {
      error(location, "'" + name + "' calls itself with other options, numbers or matrices each time, " +
                          std::to_string(others) + " so far: only ranges of tiles and ints may change without end");
      return;
    }
    std::string own = name;
    for (int number = 1; program_.findFunction(own); ++number)
      own = name + "_" + std::to_string(number);
    call->function = own;
    functions_[{&algorithm, key}] = program_.functions.size();
    addFunction(algorithm, arguments, own, location);
  }
  block.push_back(std::move(call));
}

/// Adds what the argument fixes of the function to `key`, and the values of parameters to `call`. False after an error.
bool Converter::addArgument(const clang::ParmVarDecl &parameter, const Binding &argument,
                            clang::SourceLocation location, std::string &key, ir::Call &call) {
  const std::string what = "argument '" + parameter.getNameAsString() + "' of an algorithm that calls itself ";
  if (argument.choice) {
    error(location, what + "is one of two matrices, as a condition or a swap decides; call it with one of them");
    return false;
  }
  if (argument.isMatrix()) {
    const ir::TileRange range =
        argument.window ? argument.window->range
                        : wholeRange(*program_.findMatrix(argument.matrix), makeExtent(argument.matrix, ir::Extent::Mt),
                                     makeExtent(argument.matrix, ir::Extent::Nt));
    call.arguments.insert(call.arguments.end(), {range.row, range.rowEnd});
    if (!isDiagonal(range))
      call.arguments.insert(call.arguments.end(), {range.column, range.columnEnd});
    key += argument.matrix + (argument.isTransposed ? "^" : "") + (isDiagonal(range) ? " diagonal;" : " block;");
    return true;
  }
  const bool isFixed = ir::isDecidedByArguments(program_, *argument.value);
  if (isInt(parameter) && !(isFixed && isPassedOn(parameter))) {
    call.arguments.push_back(argument.value);
    key += "int;";
    return true;
  }
  if (!isFixed) {
    error(location, what + "is " + ir::print(*argument.value) +
                        ", which loops, ranges or its own calls decide: only ints and ranges of tiles may change");
    return false;
  }
  key += ir::print(*argument.value) + ";";
  return true;
}

/// The meaning of a matrix argument in the function: the tiles that its parameters say.
Converter::Binding Converter::bindPart(const std::string &name, const Binding &argument, ir::Function &function) {
  const bool isBlock =
      argument.window
          ? !isDiagonal(argument.window->range)
          : !isDiagonal(wholeRange(*program_.findMatrix(argument.matrix), makeExtent(argument.matrix, ir::Extent::Mt),
                                   makeExtent(argument.matrix, ir::Extent::Nt)));
  std::vector<ir::ExprRef> bounds;
  const std::size_t first = function.parameters.size();
  for (const char *bound : {"_row", "_rowEnd", "_column", "_columnEnd"})
    if (isBlock || bounds.size() < 2) {
      function.parameters.push_back(uniqueName(name + (isBlock ? bound : bounds.empty() ? "_begin" : "_end")));
      bounds.push_back(ir::makeVar(function.parameters.back()));
    }
  const std::size_t columns = isBlock ? 2 : 0;
  function.parts.push_back({name, argument.matrix, first, first + 1, first + columns, first + columns + 1});
  Binding part = argument;
  part.variable = nullptr;
  part.window =
      std::make_shared<const Window>(Window{{bounds[0], bounds[1], bounds[columns], bounds[columns + 1]}, nullptr});
  return part;
}

void Converter::addFunction(const clang::FunctionDecl &algorithm, const std::vector<Binding> &arguments,
                            std::string name, clang::SourceLocation location) {
  ir::Function function;
  function.name = std::move(name);
  function.algorithm = algorithm.getNameAsString();
  function.location = locate(algorithm.getLocation());
  PendingFunction pending{&algorithm, {}, {&algorithm}, {}};
  if (!function_ && !isRecursive(*inlining_.front())) { // deeper calls are those of other functions
    pending.inlining.insert(pending.inlining.begin(), inlining_.begin(), inlining_.end());
    pending.calls = calls_;
    pending.calls.push_back(location);
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const clang::ParmVarDecl &parameter = *algorithm.getParamDecl(i);
    if (arguments[i].isMatrix())
      pending.parameters.push_back(bindPart(parameter.getNameAsString(), arguments[i], function));
    else if (isInt(parameter) && !(ir::isDecidedByArguments(program_, *arguments[i].value) && isPassedOn(parameter))) {
      function.parameters.push_back(uniqueName(parameter.getNameAsString()));
      pending.parameters.push_back({"", ir::makeVar(function.parameters.back())});
    } else
      pending.parameters.push_back({"", arguments[i].value});
  }
  program_.functions.push_back(std::move(function));
  pending_.push_back(std::move(pending));
}

/// Converts the body. Its calls may make further functions, which are converted behind it.
void Converter::convertFunction(std::size_t number) {
  const PendingFunction pending = pending_[number];
  inlining_ = pending.inlining;
  calls_ = pending.calls;
  names_.clear();
  guards_.clear();
  loops_.clear();
  loopDepth_ = controlDepth_ = 0;
  function_ = pending.algorithm;
  for (std::size_t i = 0; i < pending.parameters.size(); ++i)
    bind(*pending.algorithm->getParamDecl(i), pending.parameters[i]);
  requireOfFunction(*pending.algorithm, program_.functions[number]);
  ir::Block body;
  convertStatement(*pending.algorithm->getBody(), body);
  program_.functions[number].body = std::move(body);
}

/// Adds what the algorithm requires, over the function's parameters: each call checks it when it is made.
void Converter::requireOfFunction(const clang::FunctionDecl &algorithm, ir::Function &function) {
  const PragmaRecord &pragma = *declarations_.algorithms.at(canonicalFunction(algorithm));
  const auto &annotation = std::get<annotations::AlgorithmAnnotation>(pragma.annotation);
  if (annotation.requirements.empty())
    return;
  const std::size_t visible = names_.size();
  bindSizes(algorithm, annotation);
  for (const annotations::Expr &written : annotation.requirements)
    if (const ir::ExprRef condition = resolve(written, pragma);
        condition && requireCondition(condition, pragma.at(written.offset)))
      for (const ir::ExprRef &each : conjunction(condition))
        function.requirements.push_back({each, function.algorithm});
  names_.resize(visible);
}

} // namespace hetc::frontend
