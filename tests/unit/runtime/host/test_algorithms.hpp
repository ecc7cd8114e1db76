// Hand-written descriptions, as the compiler would emit them, and small helpers.
#pragma once

#include "tests/unit/usage_error.hpp"

#include <tla/runtime/algorithm.hpp>

#include <complex>
#include <functional>
#include <string>
#include <vector>

namespace tla::test {

/// A = L L^H (llt), like algorithms/cholesky.tla. T: float, double, std::complex<double>.
template <typename T> runtime::Algorithm cholesky();
/// The Cholesky factorization on tiles in so many slices, as a split program has it.
template <typename T> runtime::Algorithm slicedCholesky(int slices);
/// The Cholesky factorization from above: A = U^H U on an UpperMatrix.
runtime::Algorithm upperCholesky();
/// Solves A X = B by one-tile kernels (use nb >= n); the factorization stays inside.
template <typename T> runtime::Algorithm posv();
/// B = (L L^H)^-1 B.
template <typename T> runtime::Algorithm potrs();
/// C = alpha op(A) op(B) + beta C.
template <typename T> runtime::Algorithm gemm();
/// A task throws on tile (1, 0).
runtime::Algorithm faulty();
/// An algorithm whose chain of tasks that sleep outlasts any test's time limit; for signals. The first one writes a
/// byte to the file descriptor, if there is one.
runtime::Algorithm sleeper(int begun = -1);

/// The result of a call of runProgram().
struct RunResult {
  int code = 0;
  std::string out, err;
};
RunResult runProgram(const runtime::Algorithm &algorithm, const std::vector<std::string> &arguments);
/// Calls runProgram() in a process of its own, whose standard output is a file, after `prepare` has changed that
/// process. A signal that ended it is a negative code.
RunResult runInChild(
    const runtime::Algorithm &algorithm, const std::vector<std::string> &arguments,
    const std::function<void()> &prepare = [] {});

/// A folder of its own, removed at the end.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  std::string path(const std::string &name) const { return folder_ + "/" + name; }
  /// Writes a file and returns its path.
  std::string write(const std::string &name, const std::string &content) const;
  std::vector<std::string> files() const;

private:
  std::string folder_;
};

std::string readFile(const std::string &path);

} // namespace tla::test
