// The sizes of a call's matrices: what they say of the symbols m, n, k, and whether they fit together.
#pragma once

#include <tla/runtime/algorithm.hpp>

#include <array>
#include <optional>
#include <string>

namespace tla::runtime {

inline constexpr int sizeSymbolCount = 3;
inline constexpr char sizeSymbols[sizeSymbolCount] = {'m', 'n', 'k'};
inline constexpr long Values::*sizeMembers[sizeSymbolCount] = {&Values::m, &Values::n, &Values::k};

/// A number of rows or columns.
using Dimension = long (*)(const Values &);

/// dimension = constant + sum of coefficient x symbol
struct LinearForm {
  long constant;
  std::array<long, sizeSymbolCount> coefficients;
};

/// Found by probing the function; nothing when it is not linear, as min(m, n).
std::optional<LinearForm> linearForm(Dimension dimension, const ScalarValue *scalars);
/// A symbol whose value a number of rows or columns decides: quotient / coefficient.
struct DecidedSymbol {
  int symbol;
  long quotient, coefficient;
};
/// The one symbol of the dimension that is not known yet, where it is linear and there is one: what it must be for the
/// dimension to be `size`. The scalars are those of `values`, as are the symbols that are known.
std::optional<DecidedSymbol> decidedBy(Dimension dimension, long size, const Values &values,
                                       const std::array<bool, sizeSymbolCount> &known);
/// Whether the dimension changes with a symbol.
bool mentions(Dimension dimension, int symbol, const ScalarValue *scalars);
/// The shape as the author has written it, "n x k", or, where options decide it, as they do with these scalars.
std::string shapeText(const MatrixParameter &matrix, const ScalarValue *scalars);

/// Throws UsageError when the storages cannot be the arguments of one call: other element types, shapes that contradict
/// each other ("B is 11 x 3 (n x k), but A is 10 x 10 (n x n)"), different tiles, a workspace of another size, tiles
/// cut in another way than the program asks for, periods that differ in an algorithm that asks for them, one matrix
/// twice in a program for copies of the nodes.
void requireFittingShapes(const Algorithm &algorithm, const Arguments &arguments);

/// Whether the call would write nothing, every matrix that it writes being empty: nobody need run it. Throws UsageError
/// where the program is not for these arguments (`requires`), as it says before its first task.
bool writesNothing(const Algorithm &algorithm, const Arguments &arguments);

} // namespace tla::runtime
