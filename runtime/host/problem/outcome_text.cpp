#include "runtime/host/problem/outcome_text.hpp"

#include "dsl/base/text.hpp"

namespace tla::host {
namespace {
using runtime::Outcome;

/// "(gemm on A(1, 0), cholesky.tla:21)"; copies and messages are of no line
std::string taskText(const Outcome &outcome) {
  if (outcome.kernel.empty())
    return {};
  std::string tile;
  if (!outcome.matrix.empty())
    tile = format(" on %s(%d, %d)", outcome.matrix.c_str(), outcome.row, outcome.column);
  if (outcome.slice >= 0)
    tile += format(" slice %d", outcome.slice);
  return " (" + outcome.kernel + tile + (outcome.location.empty() ? "" : ", " + outcome.location) + ")";
}

std::string numericalText(const runtime::Algorithm &algorithm, const Outcome &outcome) {
  const std::string order = std::to_string(outcome.info), element = "(" + order + ", " + order + ")";
  const auto what = [&]() -> std::string {
    if (outcome.kernel == "potrf")
      return "the leading minor of order " + order + " is not positive definite";
    if (outcome.kernel == "getrf" || outcome.kernel == "getrf_nopiv")
      return "U" + element + " is exactly zero";
    if (outcome.kernel == "hetrf_nopiv")
      return "pivot " + order + " is zero or not a number";
    if (outcome.kernel == "trtri" || outcome.kernel == "requireNonsingular")
      return "the triangular factor is singular: its element " + element + " is exactly zero";
    if (outcome.kernel == "requireFinite")
      return "the matrix holds NaN or Inf";
    return outcome.kernel + (outcome.wentOn ? " returned info = " : " stopped with info = ") + order;
  };
  return std::string(algorithm.name) + ": " + what();
}

} // namespace

std::string failureText(const runtime::Algorithm &algorithm, const Outcome &outcome) {
  return (outcome.kind == Outcome::Kind::Numerical ? numericalText(algorithm, outcome) : outcome.message) +
         taskText(outcome);
}

} // namespace tla::host
