#include "runtime/host/check/check.hpp"

#include "dsl/base/nearest.hpp"
#include "dsl/base/text.hpp"
#include "runtime/host/check/residuals.hpp"

namespace tla::host {
namespace {

using Residual = double (*)(ElementType, const CheckArguments &);

/// Signature: one letter per argument, M for a matrix of the algorithm's type, I for one of integers, S for a scalar
/// parameter, Q for a call of the algorithm that applies Q.
struct KnownCheck {
  const char *name;
  std::string_view signature;
  Residual residual;
};

#define TLA_CHECK(name, signature, function)                                                                           \
  KnownCheck {                                                                                                         \
    name, signature, [](ElementType type, const CheckArguments &arguments) {                                           \
      return withNumberType(type, [&](auto zero) { return function<decltype(zero)>(arguments); });                     \
    }                                                                                                                  \
  }
constexpr KnownCheck checks[] = {
    TLA_CHECK("llt", "M", residualOfLlt),         TLA_CHECK("ldl", "M", residualOfLdl),
    TLA_CHECK("lu", "M", residualOfLu),           TLA_CHECK("plu", "MI", residualOfPlu),
    TLA_CHECK("qr", "MQ", residualOfQr),          TLA_CHECK("solve", "MM", residualOfSolve),
    TLA_CHECK("potrs", "MM", residualOfPotrs),    TLA_CHECK("least_squares", "SMM", residualOfLeastSquares),
    TLA_CHECK("gemm", "SSSMMSM", residualOfGemm), TLA_CHECK("symm", "SSSMMSM", residualOfSymm),
    TLA_CHECK("hemm", "SSSMMSM", residualOfHemm), TLA_CHECK("syrk", "SSSMSM", residualOfSyrk),
    TLA_CHECK("herk", "SSSMSM", residualOfHerk),  TLA_CHECK("trmm", "SSSSSMM", residualOfTrmm),
    TLA_CHECK("trsm", "SSSSSMM", residualOfTrsm), TLA_CHECK("lauum", "SM", residualOfLauum),
    TLA_CHECK("trtri", "SSM", residualOfTrtri),   TLA_CHECK("potri", "SM", residualOfPotri),
    TLA_CHECK("inverse", "M", residualOfInverse),
};
#undef TLA_CHECK

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

/// What an argument should be and is not; empty when it fits.
std::string missing(const runtime::Algorithm &algorithm, char letter, std::string_view name) {
  if (letter == 'Q')
    return algorithm.applyOrthogonal.generate ? "" : "a call of an algorithm that applies Q";
  if (letter == 'S')
    return findScalar(algorithm, std::string(name)) < 0 ? "a scalar parameter" : "";
  for (int i = 0; i < algorithm.matrixCount; ++i)
    if (name == algorithm.matrices[i].name && (algorithm.matrices[i].type == ElementType::I) == (letter == 'I'))
      return "";
  return letter == 'I' ? "a matrix of integers" : "a matrix";
}
} // namespace

void requireKnownCheck(const runtime::Algorithm &algorithm) {
  const KnownCheck *const check = findCheck(algorithm);
  if (!check)
    return;
  const std::string where = std::string("the check ") + check->name + " in " + algorithm.source;
  if (algorithm.checkArgumentCount != static_cast<int>(check->signature.size()))
    throw UsageError(where + " takes " + std::to_string(check->signature.size()) +
                     (check->signature.size() == 1 ? " argument" : " arguments"));
  for (int a = 0; a < algorithm.checkArgumentCount; ++a) {
    const std::string name = algorithm.checkArguments[a];
    if (const std::string what = missing(algorithm, check->signature[a], name); !what.empty())
      throw UsageError(where + ": " + name + " is not " + what +
                       (check->signature[a] == 'Q' ? "" : std::string(" of ") + algorithm.name));
  }
}

Verdict checkResult(const Problem &problem, CheckMode mode, const Team &team) {
  const KnownCheck *const check = mode == CheckMode::None ? nullptr : findCheck(*problem.algorithm);
  if (!check)
    return {};
  const double residual = check->residual(problem.algorithm->type, {problem, mode, team});
  return {true, residual, residual <= residualThreshold};
}

} // namespace tla::host
