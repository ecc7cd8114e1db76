#include "runtime/bootstrap/check.hpp"

#include "runtime/bootstrap/residuals.hpp"
#include "runtime/bootstrap/scalars.hpp"
#include "runtime/bootstrap/text.hpp"

namespace tla::bootstrap {
namespace {

/// Signature: one letter per argument, M for a matrix, S for a scalar parameter.
struct KnownCheck {
  const char *name;
  std::string_view signature;
  double (*residual)(ElementType, const CheckArguments &);
};

constexpr KnownCheck checks[] = {
    {"llt", "M",
     [](ElementType type, const CheckArguments &arguments) {
       return withNumberType(type, [&](auto zero) { return residualOfLlt<decltype(zero)>(arguments); });
     }},
    {"solve", "MM",
     [](ElementType type, const CheckArguments &arguments) {
       return withNumberType(type, [&](auto zero) { return residualOfSolve<decltype(zero)>(arguments); });
     }},
    {"potrs", "MM",
     [](ElementType type, const CheckArguments &arguments) {
       return withNumberType(type, [&](auto zero) { return residualOfPotrs<decltype(zero)>(arguments); });
     }},
    {"gemm", "SSSMMSM",
     [](ElementType type, const CheckArguments &arguments) {
       return withNumberType(type, [&](auto zero) { return residualOfGemm<decltype(zero)>(arguments); });
     }},
};

const KnownCheck *findCheck(const runtime::Algorithm &algorithm) {
  if (!algorithm.check || !*algorithm.check)
    return nullptr;
  std::vector<std::string> names;
  for (const KnownCheck &check : checks) {
    if (std::string_view(algorithm.check) == check.name)
      return &check;
    names.push_back(check.name);
  }
  throw UsageError(std::string("unknown check '") + algorithm.check + "' in " + algorithm.source + "; known are " +
                   alternatives(names) + suggestion(algorithm.check, names) + " (--no-check runs without)");
}

bool hasMatrix(const runtime::Algorithm &algorithm, std::string_view name) {
  for (int i = 0; i < algorithm.matrixCount; ++i)
    if (name == algorithm.matrices[i].name)
      return true;
  return false;
}
} // namespace

void requireKnownCheck(const runtime::Algorithm &algorithm) {
  const KnownCheck *const check = findCheck(algorithm);
  if (!check)
    return;
  const std::string where = std::string("the check ") + check->name + " in " + algorithm.source;
  if (algorithm.checkArgumentCount != static_cast<int>(check->signature.size()))
    throw UsageError(where + " takes " + std::to_string(check->signature.size()) + " arguments");
  for (int a = 0; a < algorithm.checkArgumentCount; ++a) {
    const std::string name = algorithm.checkArguments[a];
    const bool matrix = check->signature[a] == 'M';
    if (matrix ? !hasMatrix(algorithm, name) : findScalar(algorithm, name) < 0)
      throw UsageError(where + ": " + name + " is not a " + (matrix ? "matrix" : "scalar parameter") + " of " +
                       algorithm.name);
  }
}

Verdict checkResult(const Problem &problem, CheckMode mode, runtime::Executor &executor) {
  const KnownCheck *const check = findCheck(*problem.algorithm);
  if (mode == CheckMode::None || !check)
    return {};
  const double residual = check->residual(problem.algorithm->type, {problem, mode, executor});
  return {true, residual, residual <= residualThreshold};
}

} // namespace tla::bootstrap
