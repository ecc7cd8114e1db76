// How large the problem is: the size symbols m, n, k from options, input files and defaults.
#pragma once

#include "runtime/host/problem/settings.hpp"

#include <tla/runtime/algorithm.hpp>

#include <string>
#include <utility>
#include <vector>

namespace tla::host {

/// The shape an input file, or the caller's own matrix, brings for a matrix parameter.
struct GivenShape {
  int matrix; ///< index in Algorithm::matrices
  long rows, columns;
  std::string path; ///< empty: no file
};

/// Values of the symbols. A symbol that the algorithm uses comes, in this order, from the command line, from the shapes
/// of the input files, from the algorithm's default, or from n (m = n, k = n). Throws UsageError: a file that does not
/// fit ("B is 100 x 5 in b.npy, but n = 90 (from A in a.npy, 90 x 90) asks for 90 x k"), no way to know a symbol.
/// A shape that is not linear in the symbols, as min(m, n), says nothing of them, but must fit.
runtime::Values resolveSizes(const runtime::Algorithm &algorithm, const Settings &settings,
                             const std::vector<GivenShape> &files, const std::vector<runtime::ScalarValue> &scalars);

/// Rows and columns of every matrix for these values; throws UsageError when one is negative or above 2^31 - 1. A
/// workspace has 0 x 0: its size follows from the tile size (layout.hpp).
struct Extent {
  long rows, columns;
};
std::vector<Extent> matrixExtents(const runtime::Algorithm &algorithm, const runtime::Values &values);

/// The symbols that the algorithm uses, of m, n, k in this order, with their values.
std::vector<std::pair<char, long>> usedSizes(const runtime::Algorithm &algorithm, const runtime::Values &values);
/// The sizes that the algorithm uses, as text: "m = 70, n = 50"; empty where it uses none.
std::string sizesText(const runtime::Algorithm &algorithm, const runtime::Values &values);

} // namespace tla::host
