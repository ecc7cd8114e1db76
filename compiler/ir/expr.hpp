// Expressions of the IR: immutable trees over integers (loop bounds, tile indices, conditions) and over the values that
// kernels take as scalars. Text is C++'s, with extents written A.mt() as in the source.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hetc::ir {

/// A place in the user's source; line 0 means none. Printed as @line:column.
struct Location {
  unsigned line = 0, column = 0;
  std::string file; ///< empty: the program's main file
  bool operator==(const Location &) const = default;
};

/// Sizes an expression may ask of a matrix: tiles per column and row, elements, elements per tile; the rows and columns
/// of tiles after which its distribution repeats, the same for all matrices; of one that is cut into slices, the number
/// of slice columns. With an argument: the first column of slice d within its tile, the columns
/// of slice column J; only in views. With two: whether there is a tile (i, j), 0 or 1.
///
/// Of a matrix whose updates are dealt (Matrix::dealt), known to the run: to how many parts, and how many tasks there
/// are; of task s in their order its row, column, step and part; whether that is the tile's own part, the first of
/// another one, the tile's last task (0 or 1); and by then, whether part p is to be joined to the tile.
enum class Extent {
  Mt,
  Nt,
  M,
  N,
  Mb,
  Nb,
  P,
  Q,
  Ns,
  SliceBegin,
  SliceCols,
  Has,
  DealtParts,
  DealtCount,
  DealtRow,
  DealtColumn,
  DealtStep,
  DealtPart,
  DealtHome,
  DealtOpens,
  DealtCloses,
  DealtJoins
};
constexpr bool isPeriod(Extent extent) { return extent == Extent::P || extent == Extent::Q; }
constexpr bool isDealt(Extent extent) { return extent >= Extent::DealtParts; }
constexpr int argumentCount(Extent extent) {
  if (extent == Extent::Has || extent == Extent::DealtJoins)
    return 2;
  return extent == Extent::SliceBegin || extent == Extent::SliceCols || extent >= Extent::DealtRow ? 1 : 0;
}

enum class ExprKind {
  Int,    // value
  Real,   // text, as written in the source
  Enum,   // text (e.g. "NoTrans"), value
  Var,    // text: a loop variable, a size symbol or a scalar parameter
  Extent, // text: the matrix; extent; an operand for each argument
  Neg,
  Not, // one operand
  Add,
  Sub,
  Mul,
  Div,
  Rem,
  Min,
  Max, // two operands; Div and Rem truncate, as in C++
  Lt,
  Le,
  Gt,
  Ge,
  Eq,
  Ne,
  And,
  Or,     // two operands
  Select, // condition, then, else
  Cast,   // text: "T" or "real" (RealType<T>) or a C++ arithmetic type, or as castName() has it; one operand
};

class Expr;
using ExprRef = std::shared_ptr<const Expr>;

class Expr {
public:
  ExprKind kind = ExprKind::Int;
  std::int64_t value = 0;
  std::string text;
  Extent extent = Extent::Mt;
  std::vector<ExprRef> operands;
};

ExprRef makeInt(std::int64_t value);
ExprRef makeReal(std::string text);
ExprRef makeEnum(std::string name, std::int64_t value);
ExprRef makeVar(std::string name);
ExprRef makeExtent(std::string matrix, Extent extent);
ExprRef makeExtent(std::string matrix, Extent extent, ExprRef argument);
ExprRef makeExtent(std::string matrix, Extent extent, ExprRef first, ExprRef second);
ExprRef makeHas(std::string matrix, ExprRef row, ExprRef column);
ExprRef makeUnary(ExprKind kind, ExprRef operand);
ExprRef makeBinary(ExprKind kind, ExprRef left, ExprRef right);
ExprRef makeSelect(ExprRef condition, ExprRef then, ExprRef otherwise);
ExprRef makeCast(std::string type, ExprRef operand);

/// The members' names: "mt", "nt", "m", "n", "mb", "nb", "p", "q", "ns", "sliceBegin", "sliceCols", "has",
/// "dealtParts", "dealtCount", ...
const char *name(Extent extent);

/// C++ text with the fewest parentheses: "2 * (k + 1) < A.nt() && opA == NoTrans". min and max are written min(a, b), a
/// cast T(x). Parses back to an equal tree.
std::string print(const Expr &expr);

bool equal(const Expr &a, const Expr &b);

/// Every Var replaced that `replace` maps, every Extent whose matrix `rename` maps.
ExprRef substitute(const ExprRef &expr, const std::map<std::string, ExprRef> &replace,
                   const std::map<std::string, std::string> &rename = {});

/// Names of all variables in the expression, each once, in order of first appearance.
std::vector<std::string> variables(const Expr &expr);

/// Integer value under an environment, with C++'s semantics; std::nullopt when a name is unknown, a value is not an
/// integer, or on division by zero.
class Environment {
public:
  std::map<std::string, std::int64_t> variables;
  /// Extent of a matrix, e.g. {"A", Extent::Mt} -> 4. Of Extent::Has its MatrixKind: it is taken to
  /// have all Mt x Nt tiles that its kind has.
  std::map<std::pair<std::string, Extent>, std::int64_t> extents;
};
std::optional<std::int64_t> evaluate(const Expr &expr, const Environment &environment);

} // namespace hetc::ir
