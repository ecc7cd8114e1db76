#include "runtime/bootstrap/cost_bounds.hpp"

#include "runtime/bootstrap/element_type.hpp"
#include "runtime/bootstrap/nominal_flops.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace tla::bootstrap {
namespace {

/// Sizes of the matrices that a check names.
struct CheckedMatrices : CheckOperands {
  double rows(int position) const { return static_cast<double>(matrix(position).extent.rows); }
  double columns(int position) const { return static_cast<double>(matrix(position).extent.columns); }
  bool square(int position) const { return rows(position) == columns(position); }
};

std::string_view checkOf(const Problem &problem) { return problem.algorithm->check ? problem.algorithm->check : ""; }

bool isOneOf(std::string_view check, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), check) != names.end();
}

/// The leading term for one machine with M = 1; nothing: unknown.
std::optional<double> leadingTerm(const Problem &problem) {
  const std::string_view check = checkOf(problem);
  const CheckedMatrices operands{problem};
  const double flops = nominalFlops(problem) / flopFactor(problem.algorithm->type);
  if (flops <= 0)
    return std::nullopt;
  if (check == "gemm")
    return flops; // 2 m n k
  if (isOneOf(check, {"lu", "plu"}) && operands.square(0))
    return 2 * std::pow(operands.rows(0), 3) / 3;
  if (check == "llt")
    return std::pow(operands.rows(0), 3) / (3 * std::sqrt(2));
  if (isOneOf(check, {"syrk", "herk"}))
    return flops / std::sqrt(2); // n (n + 1) k
  if (isOneOf(check, {"ldl", "qr", "symm", "hemm", "trmm", "trsm"}))
    return flops / 16;
  return std::nullopt;
}

} // namespace

std::optional<double> requiredElements(const Problem &problem, double memory, double owned) {
  const std::optional<double> leading = leadingTerm(problem);
  if (!leading || memory <= 0)
    return std::nullopt;
  const double received = *leading / std::sqrt(memory) - owned;
  return received > 0 ? std::optional(received) : std::nullopt;
}

std::optional<double> songElements(const Problem &problem, int nodes) {
  const CheckedMatrices operands{problem};
  const double P = nodes, log = std::log2(P);
  if (checkOf(problem) == "llt") {
    const double n = operands.rows(0);
    return (log / 4 + 0.5) * n * n * std::sqrt(P);
  }
  if (checkOf(problem) == "qr" && operands.square(0)) {
    const double n = operands.rows(0);
    return n * n * n / (3 * problem.nb) + n * n * std::sqrt(P) * log / 4;
  }
  return std::nullopt;
}

} // namespace tla::bootstrap
