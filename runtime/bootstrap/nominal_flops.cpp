#include "runtime/bootstrap/nominal_flops.hpp"

namespace tla::bootstrap {
namespace {
struct Order {
  double rows, columns;
};

/// Extent of the matrix that is check argument number `position`.
Order extentOf(const Problem &problem, int position) {
  const ProblemMatrix *const matrix = problem.find(problem.algorithm->checkArguments[position]);
  if (!matrix)
    return {0, 0};
  return {static_cast<double>(matrix->extent.rows), static_cast<double>(matrix->extent.columns)};
}

double potrfFlops(double n) { return n * n * n / 3 + n * n / 2 + n / 6; }

double realFlops(const Problem &problem) {
  const std::string_view check = problem.algorithm->check ? problem.algorithm->check : "";
  const int arguments = problem.algorithm->checkArgumentCount;
  if (check == "llt" && arguments == 1)
    return potrfFlops(extentOf(problem, 0).rows);
  if ((check == "solve" || check == "potrs") && arguments == 2) {
    const Order B = extentOf(problem, 1);
    return 2 * B.rows * B.rows * B.columns + (check == "solve" ? potrfFlops(B.rows) : 0);
  }
  if (check == "gemm" && arguments == 7) {
    const Order A = extentOf(problem, 3), C = extentOf(problem, 6);
    return C.rows > 0 ? 2 * A.rows * A.columns * C.columns : 0; // A holds m x k elements in either form
  }
  return 0;
}
} // namespace

double nominalFlops(const Problem &problem) { return realFlops(problem) * flopFactor(problem.algorithm->type); }

} // namespace tla::bootstrap
