// The IR: one algorithm, instantiated for one element type, with all calls to other algorithms inlined. Loops,
// conditions and tasks; what a task touches is explicit. Built by the front end, refined by later stages, printed
// as C++ by codegen.
#pragma once

#include "compiler/ir/expr.hpp"
#include "compiler/ir/kernel.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace hetc::ir {

/// Element types by LAPACK's letter; i is int (pivots).
enum class ElementType { S, D, C, Z, I };
char letter(ElementType type);
const char *cxxName(ElementType type); ///< "float", "double", "std::complex<float>", "std::complex<double>", "int"
std::optional<ElementType> elementTypeFromLetter(char letter);

/// How a program over `program` writes a cast to a type: "T", "real" (RealType<T>), or the type's own name: "float",
/// "double", "complex_float", "complex_double", "int".
std::string castName(ElementType type, ElementType program);
/// The type of such a cast; nothing for other types.
std::optional<ElementType> castType(const std::string &name, ElementType program);

enum class MatrixKind { General, Lower, Upper, Workspace };

enum class Maker { Hetc, Function, Template };

/// The tiles of a matrix are cut into Program::slices slices: accesses name slice columns (compiler/split).
struct Sliced {};
/// Nodes stand in copies (Declarations::copies).
struct InCopies {
  int copy = 0; ///< number of copies by which the tiles are shifted from the parameters'
  /// The condition on scalars for which tile (i, j) is with copy i mod copies, not j mod copies, as a step reads rows
  /// of it. Null: for none.
  ExprRef byRows;
};
/// Tasks that add to the tiles are dealt (compiler/maps/deal.hpp): rows, columns and steps of their nest, which
/// arguments decide. None is null.
struct Dealt {
  ExprRef rows, columns, steps;
};
/// A workspace that is cut as a dealt matrix has a layer of its tiles for each part: tile (i, j) of part k is tile
/// (k * mt() + i, j), by the mt() of the dealt one.
struct Layers {
  std::string of; ///< the dealt matrix
};
/// Who computes what is written to a matrix: the owner of the tile (std::monostate), or, each by a program of its own
/// kind, somebody else, too.
using Mapping = std::variant<std::monostate, Sliced, InCopies, Dealt, Layers>;

struct Matrix {
  std::string name;
  MatrixKind kind = MatrixKind::General;
  ElementType type = ElementType::D;
  /// Rows and columns: for a parameter in elements, over the size symbols m, n, k and scalar parameters; for a
  /// workspace in tiles, over everything visible where it is declared.
  ExprRef rows, cols;
  /// Workspace only: elements per tile. Without tileCols the workspace is cut as a Matrix(rows, cols, tileRows) is: its
  /// rows and columns are elements, and the tiles at the lower and right edge may be smaller.
  ExprRef tileRows, tileCols;
  /// Parameters only: how the stand-alone program fills it; empty generator: from a file or `random`.
  std::string generator;
  std::vector<ExprRef> generatorArguments;
  /// The source of the generator: hetc itself, or a function of the source, or a template of one, whose element (i, j)
  /// is generator(i, j, seed, arguments...).
  Maker maker = Maker::Hetc;
  Location location;

  Mapping mapping;
  /// Workspaces of algorithms that a program calls: the variables of the loops around the call, outermost first. Each
  /// iteration of these has a call of its own, whose workspace begins without content.
  std::vector<std::string> madeIn;
  /// In a split rule, clause opaque: what the rule writes to these tiles, or reads in them, depends on how tiles are
  /// cut.
  bool opaque = false;

  /// Whether the shape of this parameter is a default, since the author gives none. Not part of the text form.
  bool hasDefaultShape = false;

  /// A workspace of the algorithm's own that lasts over the parts of a run (inStages): a parameter to all stages, the
  /// run's to callers. Not part of the text form.
  bool held = false;

  bool isSliced() const { return std::holds_alternative<Sliced>(mapping); }
  /// InCopies::copy; 0 where nodes stand once.
  int copy() const { return inCopies() ? inCopies()->copy : 0; }
  /// InCopies::byRows; null where nodes stand once, too.
  ExprRef byRows() const { return inCopies() ? inCopies()->byRows : nullptr; }
  const InCopies *inCopies() const { return std::get_if<InCopies>(&mapping); }
  const Dealt *dealt() const { return std::get_if<Dealt>(&mapping); }
  const Layers *layers() const { return std::get_if<Layers>(&mapping); }
  bool isCut() const { return kind == MatrixKind::Workspace && !tileCols; }
};

/// A parameter that is not a matrix. `type` is "int", "T", "real", or one of tla's enumerations ("Op", ...).
struct Scalar {
  std::string name;
  std::string type;
  ExprRef defaultValue;                 ///< null: must be given
  std::vector<std::int64_t> candidates; ///< values that the search tries, for an int that only changes the speed
  Location location;
  bool ofStage = false; ///< says which part of a run this is (Until); no parameter. Not part of the text form
};

/// Rows or columns of a tile: `count` from `first` on, or all when both are null.
struct Strip {
  ExprRef first, count;
};

/// Tile rows row .. rowEnd - 1 of tile columns column .. columnEnd - 1 of a matrix: what A.tiles(...) names.
struct TileRange {
  ExprRef row, rowEnd, column, columnEnd;
};

/// A(row, column), or the run A.panel(row, rowEnd, column) when rowEnd is set; with rowStep, which is positive, every
/// rowStep-th tile of that run. Of a sliced matrix the column is a slice
/// column, and with columnEnd the slices column .. columnEnd - 1 of a tile, or of each tile of a panel, are gathered:
/// the kernel sees them as the tile, or tiles, that they are slices of. Where it is transposed, the kernel sees the
/// conjugate transpose of the tile, of which region and views are parts.
struct TileAccess {
  std::string matrix;
  ExprRef row, rowEnd, rowStep, column, columnEnd;
  bool isTransposed = false;
  Region region = Region::Full;
  /// A view: what the kernel sees of the tile, A(row, column).rows(first, count).cols(first, count). The access is to
  /// the whole tile, and never Write, as the rest of it stays.
  Strip rows, cols;
  /// A further view, in a split rule, of what `rows` and `cols` leave: the rows from `first` on, at most `count` where
  /// that is set, and none beyond the last row.
  Strip within;
  /// The ranges of tiles that the program takes it from, the innermost first: B(0, 0) with B = A.tiles(1, 3, 1, 3) is
  /// A(1, 1) inside that range. An access to a tile elsewhere is wrong, whether or not the matrix has that tile.
  std::vector<TileRange> inside;
  Access access = Access::Read;
  Location location;

  bool isView() const { return rows.first || cols.first || within.first; }
  /// Whether the access is to a panel or block of tiles, which may have any number of them.
  bool isRun() const { return rowEnd || columnEnd; }
  /// The region of the tile that the access touches: `region`, or the whole tile where the kernel sees the region of a
  /// view, a transpose or gathered slices.
  Region touched() const { return isView() || columnEnd || isTransposed ? Region::Full : region; }
  /// Whether the kernel sees less than the access is to: a view, or one region of a transpose or gathered slices.
  bool isPartial() const { return isView() || touched() != region; }
};

/// Calls visit(expression) for each expression of the access that is there: const ExprRef &, or ExprRef & where the
/// access may be changed.
template <typename Access, typename Visit> void forEachExpr(Access &access, Visit &&visit) {
  const auto each = [&](auto &expr) {
    if (expr)
      visit(expr);
  };
  for (auto *expr : {&access.row, &access.rowEnd, &access.rowStep, &access.column, &access.columnEnd})
    each(*expr);
  for (auto *strip : {&access.rows, &access.cols, &access.within}) {
    each(strip->first);
    each(strip->count);
  }
  for (auto &range : access.inside)
    for (auto *expr : {&range.row, &range.rowEnd, &range.column, &range.columnEnd})
      each(*expr);
}

/// Every variable that `replace` maps replaced in all the access' expressions.
TileAccess substitute(TileAccess access, const std::map<std::string, ExprRef> &replace);

/// A tile or a scalar; the order is the kernel's parameters'.
using Argument = std::variant<TileAccess, ExprRef>;

/// The call of an algorithm, which was inlined.
struct CallSite {
  std::string callee;
  Location location;
};

struct Task {
  unsigned id = 0; ///< unique in the program, in textual order: the statement's name in every later stage
  std::string kernel;
  std::vector<Argument> arguments;
  ExprRef priority;             ///< larger is sooner; null: none given
  bool derivedPriority = false; ///< `priority` was found by the dependence analysis, not written by the user
  Device device = Device::Any;
  std::optional<Bound> bound; ///< overrides the kernel's
  std::size_t mainOutput = 0; ///< index in `arguments` of the tile where the task runs
  std::vector<TileAccess> releases;
  // Proved for all sizes.
  bool fits = false;     ///< the kernel's requirements hold
  bool distinct = false; ///< no tile of a matrix that it writes is another argument as well
  /// In a program made of another one (bindPeriod): the id of the task there whose instances these are some of, and
  /// what loop variables around that are here.
  std::optional<unsigned> origin;
  std::map<std::string, ExprRef> variables;
  Location location;
  std::vector<CallSite> calls; ///< calls that lead to it, innermost first; not part of the text form
};

/// Whether the call may give one tile for both: the kernel allows it, and sees it alike.
bool mayAlias(const Kernel &kernel, const Task &task, std::size_t argument, std::size_t other);

/// The tile arguments, as indices in `arguments`, in the order in which the running task accesses them: the main output
/// comes first, so that its access number is 0 whatever the lengths of panels; then tiles, then panels.
std::vector<std::size_t> accessOrder(const Task &task);

struct Loop;
struct If;
struct Call;
using Statement =
    std::variant<std::unique_ptr<Loop>, std::unique_ptr<If>, std::unique_ptr<Task>, std::unique_ptr<Call>>;
using Block = std::vector<Statement>;

/// for (int variable = init; condition; variable = next). Variable names are unique in the program.
struct Loop {
  std::string variable;
  ExprRef init, condition, next;
  Block body;
  Location location;
};

struct If {
  ExprRef condition;
  Block then, otherwise;
  Location location;
};

/// The call of one of Program::functions, with a value for each of its parameters.
struct Call {
  std::string function;
  std::vector<ExprRef> arguments;
  Location location;
};

/// if (tla::value(matrix) < bound) break; directly in the body of an outermost loop. What a run does depends on an
/// element then, so it has parts, each of which is a program that does not: what stands before the loop, the statements
/// of an iteration before the test, those behind it, and what stands behind the loop. Names of matrices may depend on
/// how often the loop has begun, and ended, an iteration: scalars of the stage (Scalar::ofStage).
struct Until {
  std::string loop;         ///< the variable of that loop
  std::size_t position = 0; ///< number of statements of its body that stand before the test
  std::string matrix;
  ExprKind compare = ExprKind::Lt;
  ExprRef bound;     ///< bound over scalar parameters
  unsigned task = 0; ///< a number among the tasks', for the test in proofs
  Location location;
  /// The loop's number of iterations and its variable, first + step * iteration, in programs of stages.
  ExprRef iterations, first;
  std::int64_t step = 1;
};

/// The scalars of a stage, all int: which part, from 0 on in the order above; the loop's variable; how many iterations
/// have begun, and ended.
inline constexpr const char *stagePart = "part__", *stageAt = "at__", *stageBegun = "begun__", *stageEnded = "ended__";

/// An argument of a check: a parameter as the run left it; or a constant; or the call of another algorithm. Such a call
/// either applies an orthogonal factor, where apply_q(ib, A, W) stands for apply_q(op, ib, A, W, B) with any op and B,
/// or computes a residual, where f(before(A), X, 2) stands for f(before(A), X, 2, r) with a 1 x 1 matrix r.
struct CheckArgument {
  enum class Kind { Parameter, Before, Constant, Call };
  Kind kind = Kind::Parameter;
  std::string name;                     ///< name of the parameter, or of the algorithm
  ExprRef value;                        ///< value of a constant: a number or an enumerator
  std::vector<CheckArgument> arguments; ///< arguments of the call, no calls themselves; for Before, the matrix as it
                                        ///< was before the run

  bool isCall() const { return kind == Kind::Call; }
};
std::string print(const CheckArgument &argument);

/// A condition on the arguments, over scalars and sizes of parameters, that must hold before a program runs.
struct Requirement {
  ExprRef condition;
  std::string callee; ///< the algorithm that requires it, where that is one that the program calls
};

/// The declarations of a program.
struct Declarations {
  std::string name; ///< name of the algorithm
  ElementType type = ElementType::D;
  std::string source;                                        ///< the .tla file as the user named it
  std::vector<std::string> sizes;                            ///< size symbols in use, in the order m, n, k
  std::vector<std::pair<std::string, ExprRef>> sizeDefaults; ///< defaults from default(...)
  std::vector<Matrix> matrices;            ///< parameters first, in order, then the algorithm's own workspaces
  std::vector<Scalar> scalars;             ///< in order
  std::vector<std::string> parameterOrder; ///< names of matrices and scalars as the function takes them
  std::vector<Requirement> requirements;
  std::vector<Kernel> kernels; ///< kernels that tasks call, each once
  std::optional<Until> until;
  std::string check; ///< name of the residual check, or empty
  std::vector<CheckArgument> checkArguments;
  int slices = 1; ///< number of slices into which the tiles of sliced matrices are cut; 1: none are
  /// Nobody has proved that no task reads what was released, or what only an earlier call of an algorithm wrote to its
  /// workspace (Matrix::madeIn): the run checks it. Not part of the text form.
  bool checksContent = false;
  int copies = 1; ///< number of copies of a grid of nodes to which updates of a tile are dealt (compiler/maps)
  std::string documentation; ///< the /// lines above the algorithm, without the slashes; not part of the text form

  const Matrix *findMatrix(const std::string &name) const;
  /// Whether updates of a matrix are dealt to elements of a node.
  bool isDealt() const;
  /// Whether a workspace is one of an algorithm that loops call.
  bool hasWorkspacesOfCalls() const;
  const Kernel *findKernel(const std::string &name) const;
  const Scalar *findScalar(const std::string &name) const;
  /// Whether the matrix is a parameter of the algorithm, or of its stages; its own (local) workspaces are not.
  bool isParameter(const Matrix &matrix) const;
};

/// A parameter of a function's algorithm that stands for tiles row .. rowEnd - 1 of columns column .. columnEnd - 1 of
/// a matrix of the program. The numbers are indices in Function::parameters; a block on the diagonal has two of them.
struct MatrixPart {
  std::string name; ///< name of the algorithm's parameter
  std::string matrix;
  std::size_t row = 0, rowEnd = 0, column = 0, columnEnd = 0;
};

/// An algorithm that calls itself, directly or through others, for certain matrices of the program and certain values
/// of scalars that are no ints. Its parameters are ints: bounds of ranges of tiles, and the ints of the algorithm.
struct Function {
  std::string name;      ///< unique among the functions
  std::string algorithm; ///< the name of the algorithm
  std::vector<std::string> parameters;
  std::vector<MatrixPart> parts;
  std::vector<Requirement> requirements; ///< conditions on the parameters that must hold at each call
  Block body;
  Location location;
};

struct Program : Declarations {
  Block body;
  std::vector<Function> functions; ///< the algorithms that call themselves: all others are inlined

  const Function *findFunction(const std::string &name) const;
};

/// A copy with copies of all that is in it.
Block copyOf(const Block &block);

/// Whether the arguments of a call decide the value: it names no loop's variable, no size of a workspace of the
/// algorithm's own.
bool isDecidedByArguments(const Declarations &program, const Expr &expr);

/// Whether what the block does depends on which tiles matrices have (Extent::Has).
bool asksTiles(const Block &block);

/// Variables of the loops around each task, by its id, outermost first.
std::map<unsigned, std::vector<std::string>> loopsAround(const Block &block);

/// Whether what the program does depends on which tiles matrices have.
bool asksTiles(const Program &program);

/// Leaves out kernels that no task calls.
void dropUnusedKernels(Program &program);

/// Calls visit(task) for every task in textual order. Calls of functions are not followed.
template <typename Visitor> void forEachTask(const Block &block, Visitor &&visit) {
  for (const Statement &statement : block) {
    if (auto *loop = std::get_if<std::unique_ptr<Loop>>(&statement))
      forEachTask((*loop)->body, visit);
    else if (auto *branch = std::get_if<std::unique_ptr<If>>(&statement)) {
      forEachTask((*branch)->then, visit);
      forEachTask((*branch)->otherwise, visit);
    } else if (auto *task = std::get_if<std::unique_ptr<Task>>(&statement))
      visit(**task);
  }
}

/// Calls visit(task) for every task of the program, with those of its functions.
template <typename Of, typename Visitor>
requires std::is_base_of_v<Program, std::remove_const_t<Of>>
void forEachTask(Of &program, Visitor &&visit) {
  forEachTask(program.body, visit);
  for (auto &function : program.functions)
    forEachTask(function.body, visit);
}

} // namespace hetc::ir
