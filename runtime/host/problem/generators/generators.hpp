// Matrices made from nothing: the sources behind input(A : spd) and --generate.
#pragma once

#include "runtime/host/files/matrix_source.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tla::host {

/// name(arguments)
struct GeneratorCall {
  std::string name;
  std::vector<double> arguments;
};

/// Reads "matern(0.1, 1.5)" or "spd"; throws UsageError.
GeneratorCall parseGenerator(std::string_view text);
std::string printGenerator(const GeneratorCall &call);

/// A rows x columns matrix of the given type (i, j 1-based):
///   random        uniform in [-1/2, 1/2], both parts of a complex number
///   spd           Hermitian and positive definite: random off the diagonal, real random + n on it (PLASMA's plghe)
///   hermitian     Hermitian and indefinite: random, real on the diagonal
///   random(c), spd(c), hermitian(c)
///                 the same with the condition number c and the largest singular value 1: see conditioned.hpp
///   dominant      1 on the diagonal, + a number in [-1/s, 1/s] (both parts) everywhere, s = max(rows, columns): needs
///   no
///                 pivoting, and either triangle is a well-conditioned factor, with a unit diagonal as well
///   lower, upper  triangular: random, + n on the diagonal (diagonally dominant, well conditioned), zero elsewhere
///   matern(range = 0.1, smoothness = 0.5, nugget = 0)
///                 covariance of a Gaussian process over n random sites: see matern.hpp
///   toeplitz(ratio = 0.5)
///                 ratio^|i - j|
///   hilbert       1 / (i + j - 1)
///   minij         min(i, j), positive definite with condition about n^2
///   identity, zero
/// and of integers
///   zero
///   pivots        LAPACK's ipiv: element (i, j) is a random row from i to the last
/// The generator that a call names. Throws UsageError: unknown name, wrong arguments, a matrix that is not square.
std::unique_ptr<MatrixSource> makeGenerator(const GeneratorCall &call, ElementType type, const std::string &matrix,
                                            long rows, long columns, std::uint64_t seed);

/// "random, spd, matern(range), ..." for help texts.
std::string generatorHelp();
/// True when the generator makes a triangular factor rather than a Hermitian matrix.
bool makesTriangle(std::string_view generator);
/// The names of the generators that make Hermitian matrices.
std::vector<std::string> hermitianGenerators();

} // namespace tla::host
