#include "runtime/host/check/check.hpp"

#include "dsl/annotations/vocabulary.hpp"
#include "dsl/base/nearest.hpp"
#include "dsl/base/text.hpp"
#include "runtime/host/check/residuals.hpp"

#include <algorithm>

namespace tla::host {
namespace {

using Residual = double (*)(ElementType, const CheckArguments &);

/// The residual functions of a check, in the order of checkNames.
struct Formula {
  std::string_view name;
  Residual fast;
  Residual wide; ///< residual for matrices of doubles
};

#define TLA_CHECK(name, function)                                                                                      \
  Formula {                                                                                                            \
    name,                                                                                                              \
        [](ElementType type, const CheckArguments &arguments) {                                                        \
          return withNumberType(type, [&](auto zero) { return function<Fast<decltype(zero)>>(arguments); });           \
        },                                                                                                             \
        [](ElementType type, const CheckArguments &arguments) {                                                        \
          return type == ElementType::D ? function<Wide<double>>(arguments)                                            \
                                        : function<Wide<std::complex<double>>>(arguments);                             \
        }                                                                                                              \
  }
constexpr Formula formulas[] = {
    TLA_CHECK("llt", residualOfLlt),     TLA_CHECK("ldl", residualOfLdl),
    TLA_CHECK("lu", residualOfLu),       TLA_CHECK("plu", residualOfPlu),
    TLA_CHECK("qr", residualOfQr),       TLA_CHECK("solve", residualOfSolve),
    TLA_CHECK("potrs", residualOfPotrs), TLA_CHECK("gemm", residualOfGemm),
    TLA_CHECK("symm", residualOfSymm),   TLA_CHECK("hemm", residualOfHemm),
    TLA_CHECK("syrk", residualOfSyrk),   TLA_CHECK("herk", residualOfHerk),
    TLA_CHECK("trmm", residualOfTrmm),   TLA_CHECK("trsm", residualOfTrsm),
    TLA_CHECK("lauum", residualOfLauum), TLA_CHECK("trtri", residualOfTrtri),
    TLA_CHECK("potri", residualOfPotri), TLA_CHECK("inverse", residualOfInverse),
    TLA_CHECK("user", residualOfUser),   TLA_CHECK("least_squares", residualOfLeastSquares),
};
#undef TLA_CHECK
static_assert(std::ranges::equal(formulas, checkNames, {}, &Formula::name, &CheckName::name));

const CheckName *findCheck(const runtime::Algorithm &algorithm) {
  if (!algorithm.check || !*algorithm.check)
    return nullptr;
  if (const CheckName *const known = findName(checkNames, algorithm.check))
    return known;
  const std::vector<std::string> names = namesIn(checkNames);
  throw UsageError(std::string("unknown check '") + algorithm.check + "' in " + algorithm.source + "; known are " +
                   alternatives(names) + suggestion(algorithm.check, names) + " (--no-check runs without)");
}

/// The kind of argument that is required and missing; empty when the argument fits.
std::string missing(const runtime::Algorithm &algorithm, char letter, std::string_view name) {
  if (letter == 'Q' || letter == 'F')
    return algorithm.checkCall.generate ? "" : std::string(checkArgumentText(letter));
  if (letter != 'M' && letter != 'I') // a parameter, or a constant, as the compiler has seen
    return "";
  for (int i = 0; i < algorithm.matrixCount; ++i)
    if (name == algorithm.matrices[i].name && (algorithm.matrices[i].type == ElementType::I) == (letter == 'I'))
      return "";
  return letter == 'I' ? "a matrix of int" : "a matrix";
}

bool isDouble(ElementType type) { return type == ElementType::D || type == ElementType::Z; }

/// Why a residual that failed may be no fault of the program's; empty where it is one.
std::string causeOf(const NumberRange &range, ElementType type) {
  const char *const real = isDouble(type) ? "double" : "float";
  if (range.inputNotFinite)
    return "the input holds Inf or NaN: nothing can be judged";
  if (range.resultNotFinite)
    return format("the result holds Inf or NaN: it is wrong, or larger than %s has numbers (%.2g)", real,
                  isDouble(type) ? std::numeric_limits<double>::max() : std::numeric_limits<float>::max());
  if (range.ownNotFinite)
    return "the algorithm's own check came to no number: the result is wrong, or the check's numbers leave their range";
  if (range.belowNormalRange)
    return format("what it should be lies below %.2g, where numbers of %s lose digits: scale the input up",
                  isDouble(type) ? std::numeric_limits<double>::min() : std::numeric_limits<float>::min(), real);
  return "";
}
} // namespace

void requireKnownCheck(const runtime::Algorithm &algorithm) {
  const CheckName *const check = findCheck(algorithm);
  if (!check)
    return;
  const std::string where = "the check " + std::string(check->name) + " in " + algorithm.source;
  if (algorithm.checkArgumentCount != static_cast<int>(check->signature.size()))
    throw UsageError(where + " takes " + std::to_string(check->signature.size()) +
                     (check->signature.size() == 1 ? " argument" : " arguments"));
  for (int a = 0; a < algorithm.checkArgumentCount; ++a) {
    const std::string name = algorithm.checkArguments[a];
    if (const std::string what = missing(algorithm, check->signature[a], name); !what.empty())
      throw UsageError(where + ": " + name + " is not " + what +
                       (what.starts_with("the call") ? "" : std::string(" of ") + algorithm.name));
  }
}

Verdict checkResult(const Problem &problem, CheckMode mode, const Team &team) {
  const CheckName *const check = mode == CheckMode::None ? nullptr : findCheck(*problem.algorithm);
  if (!check)
    return {};
  const Formula &formula = formulas[check - checkNames.data()];
  const ElementType type = problem.algorithm->type;
  NumberRange range;
  double residual = formula.fast(type, {problem, mode, team, range});
  if (range.left && isDouble(type)) {
    range = {};
    residual = formula.wide(type, {problem, mode, team, range});
  }
  if (residual <= residualThreshold)
    return {true, residual, true, ""};
  return {true, residual, false, causeOf(range, type)};
}

} // namespace tla::host
