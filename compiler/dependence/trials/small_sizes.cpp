#include "compiler/dependence/trials/small_sizes.hpp"

#include "compiler/ir/diagnose.hpp"
#include "compiler/ir/unroll.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

namespace hetc::dependence {

using ir::ExprKind;
using ir::ExprRef;

namespace {

constexpr std::int64_t largestSize = 5;
constexpr std::size_t mostTasks = 2000;

/// Runs the program for small sizes: no proof, and what goes wrong then is wrong.
class Trials {
public:
  explicit Trials(const ir::Program &program) : program_(program) {}

  std::optional<ir::Diagnostic> run() {
    ir::Sizes sizes;
    return isDecided() ? runFrom(0, sizes) : std::nullopt;
  }

private:
  /// Whether sizes and defaults alone decide what the program does, in whole numbers.
  bool isDecided() const {
    const auto isKnown = [](const ir::Scalar &scalar) { return scalar.defaultValue || isNumber(scalar.type); };
    return std::ranges::all_of(program_.scalars, isKnown) && !asksNumbers(program_.body) &&
           std::ranges::none_of(program_.functions,
                                [this](const ir::Function &function) { return asksNumbers(function.body); });
  }

  static bool isNumber(const std::string &type) {
    return type == "T" || type == "real" || type == "float" || type == "double" || type.starts_with("complex_");
  }

  /// Whether a condition asks for numbers that are not whole.
  bool asksNumbers(const ir::Block &block) const {
    return std::ranges::any_of(block, [this](const ir::Statement &statement) {
      if (const auto *loop = std::get_if<std::unique_ptr<ir::Loop>>(&statement))
        return holdsNumber(*(*loop)->init) || holdsNumber(*(*loop)->condition) || holdsNumber(*(*loop)->next) ||
               asksNumbers((*loop)->body);
      if (const auto *branch = std::get_if<std::unique_ptr<ir::If>>(&statement))
        return holdsNumber(*(*branch)->condition) || asksNumbers((*branch)->then) || asksNumbers((*branch)->otherwise);
      return false;
    });
  }

  bool holdsNumber(const ir::Expr &expr) const {
    const ir::Scalar *const scalar = expr.kind == ExprKind::Var ? program_.findScalar(expr.text) : nullptr;
    return expr.kind == ExprKind::Real || (expr.kind == ExprKind::Cast && isNumber(expr.text)) ||
           (scalar && isNumber(scalar->type)) ||
           std::ranges::any_of(expr.operands, [this](const ExprRef &operand) { return holdsNumber(*operand); });
  }

  std::optional<ir::Diagnostic> runFrom(std::size_t next, ir::Sizes &sizes) {
    if (next == program_.sizes.size())
      return runAt(sizes);
    for (std::int64_t size = 0; size <= largestSize; ++size) {
      sizes.values[program_.sizes[next]] = size;
      if (auto error = runFrom(next + 1, sizes))
        return error;
    }
    return std::nullopt;
  }

  std::optional<ir::Diagnostic> runAt(const ir::Sizes &sizes) const {
    if (!isAllowed(sizes))
      return std::nullopt;
    std::size_t tasks = 0; // which end the trial, and are no error
    const auto error = ir::forEachInstance(program_, sizes, mostTasks + 1,
                                           [&](const ir::TaskInstance &) { return ++tasks < mostTasks; });
    if (!error || error->location == ir::Location())
      return std::nullopt;
    std::string text;
    for (const std::string &size : program_.sizes)
      text += (text.empty() ? "" : ", ") + size + " = " + std::to_string(sizes.values.at(size));
    return ir::makeError(error->location, error->message + ", of a run with " + (text.empty() ? "" : text + " and ") +
                                              "tiles of one element");
  }

  bool isAllowed(const ir::Sizes &sizes) const {
    const auto bound = ir::bindSizes(program_, sizes);
    const auto *environment = std::get_if<ir::Environment>(&bound);
    return environment && std::ranges::all_of(program_.requirements, [&](const ir::Requirement &requirement) {
             return ir::evaluate(*requirement.condition, *environment).value_or(0) != 0;
           });
  }

  const ir::Program &program_;
};

} // namespace

std::optional<ir::Diagnostic> trySmallSizes(const ir::Program &program) { return Trials(program).run(); }

} // namespace hetc::dependence
