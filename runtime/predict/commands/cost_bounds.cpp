#include "runtime/predict/commands/cost_bounds.hpp"

#include "runtime/host/base/element_type.hpp"
#include "runtime/host/problem/nominal_flops.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace tla::host {
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

/// The elements of the three matrices that a node needs which does 1/P of a matrix product [Al Daas et al. 2022]: the
/// least x + y + z with x y z >= (m n k / P)^2 where each is at least 1/P of its matrix.
double leastGemmData(const Problem &problem, int nodes) {
  const CheckedMatrices operands{problem};
  const double m = operands.rows(6), n = operands.columns(6);
  double side[] = {m, n, operands.rows(3) * operands.columns(3) / m}; // op(A) is m x k
  std::sort(side, side + 3);
  const double least = side[0], middle = side[1], most = side[2], P = nodes;
  if (P <= most / middle)
    return most * (middle + least) / P + middle * least;
  if (P <= most * middle / (least * least))
    return 2 * std::sqrt(most * middle * least * least / P) + most * middle / P;
  return 3 * std::pow(most * middle * least / P, 2.0 / 3);
}

/// The different elements that a node names which does 1/P of the updates of a factorization, at least: see the header.
std::optional<double> leastNamed(const Problem &problem, int nodes) {
  const std::string_view check = checkOf(problem);
  const CheckedMatrices operands{problem};
  const double n = isOneOf(check, {"lu", "plu", "llt"}) ? operands.rows(0) : 0;
  if (isOneOf(check, {"lu", "plu"}) && operands.square(0))
    return std::cbrt(4 * std::pow(n * (n - 1) * (2 * n - 1) / (6 * nodes), 2));
  if (check == "llt")
    return std::cbrt(2 * std::pow(n * (n - 1) * (n - 2) / (6 * nodes), 2));
  return std::nullopt;
}

} // namespace

std::optional<double> requiredElements(const Problem &problem, const BoundedRun &run) {
  const std::optional<double> leading = leadingTerm(problem);
  if (!leading || run.memory <= 0)
    return std::nullopt;
  double loaded = *leading / std::sqrt(run.memory);
  if (checkOf(problem) == "gemm")
    loaded = std::max(loaded, run.nodes * leastGemmData(problem, run.nodes));
  if (const std::optional<double> named = leastNamed(problem, run.nodes))
    loaded = std::max(loaded, run.nodes * *named);
  return loaded > run.owned ? std::optional(loaded - run.owned) : std::nullopt;
}

std::optional<double> requiredOnDevice(const Problem &problem, double part, double memory) {
  const std::optional<double> leading = leadingTerm(problem);
  if (!leading || memory <= 0)
    return std::nullopt;
  return std::max(0.0, part * *leading / std::sqrt(memory) - 2 * memory);
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

} // namespace tla::host
