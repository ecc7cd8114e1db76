// The description of a compiled algorithm: emitted by the compiler beside its generator, read by the program's main
// (runtime/host) and by C++ callers. Plain data, stable.
#pragma once

#include <tla/runtime/generator.hpp>

namespace tla {
class TaskMap; // tla/runtime/task_map.hpp
}

namespace tla::runtime {

/// LAPACK's letter of an element type; I is int.
enum class ElementType : char { S = 's', D = 'd', C = 'c', Z = 'z', I = 'i' };

/// The bytes that an element of the type takes.
constexpr std::size_t elementBytes(ElementType type) {
  switch (type) {
  case ElementType::S:
  case ElementType::I:
    return 4;
  case ElementType::D:
  case ElementType::C:
    return 8;
  case ElementType::Z:
    break;
  }
  return 16;
}

/// A scalar argument. `integer` for int and the enumerations (by value), `real` and `imag` for T and real.
struct ScalarValue {
  long integer = 0;
  double real = 0, imag = 0;
};

struct MatrixParameter;

/// Says which tiles matrices have, where some are absent: known before the run, for any size of tiles.
class TilePatterns {
public:
  virtual ~TilePatterns() = default;
  /// Calls Storage::setPattern() on the storage that will be that matrix's, if not all of its tiles are there. Throws
  /// std::bad_alloc.
  virtual void describe(const MatrixParameter &matrix, Storage &storage) const = 0;
};

/// Values of the size symbols and scalar parameters, from which shapes follow.
struct Values {
  long m = 0, n = 0, k = 0;
  const ScalarValue *scalars = nullptr;   ///< one for each of Algorithm::scalars, in that order
  Period period{};                        ///< the period that all matrices have, since sizes may depend on it
  const TilePatterns *patterns = nullptr; ///< null: all tiles are there
};

/// A block of a matrix to be filled: elements (row, column) .. (row + m - 1, column + n - 1), 0-based, column-major at
/// `elements` with leading dimension ld >= m.
struct Block {
  ElementType type;
  void *elements;
  long row, column;
  int m, n, ld;
};

struct MatrixParameter {
  const char *name;
  Shape shape;
  ElementType type;
  /// The numbers of elements per column and per row.
  long (*rows)(const Values &);
  long (*cols)(const Values &);
  const char *shapeText; ///< "n x k", for messages
  /// The generator that fills the matrix when no file is given: "spd", "random", ...; empty when the algorithm does not
  /// say.
  const char *generator;
  const double *generatorArguments;
  int generatorArgumentCount;
  bool written; ///< some task writes it: what --output may save
  /// Some task takes a run of its tiles as one panel: such kernels are faster when the tiles of a column lie in memory
  /// as in a LAPACK array.
  bool panels = false;
  /// The shape of a Workspace parameter, which the caller allocates before the call; null for other parameters. `rows`
  /// and `cols` then give 0: its sizes may depend on that of the tiles.
  const struct WorkspaceShape *workspace = nullptr;
  /// Whether the matrix's tiles are cut, in a program that was split (Mapping::Kind::Slices). Others have whole tiles.
  bool cut = false;
  /// The author's own generator, which `generator` names then, with as many arguments as that has; null: one of hetc's.
  /// What is random in its elements depends on the seed and the position.
  void (*fill)(const Block &, unsigned long seed, const double *arguments) = nullptr;
  bool (*byRows)(const Values &) = nullptr; ///< Storage::byRows(), by the scalars; null: it is not
};

/// The four numbers of Workspace's constructor, for matrices in tiles of nb; and the elements, fewer than tiles times
/// their size where the tiles at the lower and right edge are smaller. Storage(rows, cols, tileRows, tileCols, ...) is
/// all of it.
struct WorkspaceShape {
  long (*tilesDown)(const Values &, long nb);
  long (*tilesAcross)(const Values &, long nb);
  long (*tileRows)(const Values &, long nb);
  long (*tileCols)(const Values &, long nb);
  long (*rows)(const Values &, long nb);
  long (*cols)(const Values &, long nb);
};

struct ScalarParameter {
  const char *name;
  const char *type; ///< "int", "T", "real", "Op", "Uplo", "Diag", "Side"
  bool hasDefault;
  ScalarValue defaultValue;
  /// An int that changes the speed and not the meaning, such as an inner block size: the values worth trying when the
  /// user gives none, from `tune(ib : 16 | 32)`. Candidates and values are positive.
  const int *candidates = nullptr;
  int candidateCount = 0;
};

/// One part of a run of a program whose loop an element ends (Stages).
struct Stage {
  enum Part : int { Before, First, Second, After };
  int part = -1; ///< the Part that runs: before the loop, an iteration up to its test or behind it, behind the loop;
                 ///< -1: none yet
  int at = 0;    ///< value of the loop's variable
  int begun = 0, ended = 0; ///< iterations begun so far, and those of them that have passed their test
};

/// Arguments of one call, in the order of the description.
struct Arguments {
  Storage *const *matrices; ///< for a stage the held workspaces follow
  const ScalarValue *scalars;
  const Stage *stage = nullptr; ///< null: all of the program, to the end of its loop
  /// Who adds what to tiles, where a program deals its updates (Algorithm::isDealt): null: the owner.
  const TaskMap *taskMap = nullptr;
};

/// A program with `if (tla::value(r) < tolerance) break;`: its run has parts, each of which is a program whose control
/// looks at no element. Results are at their owners after each, and the test is made between two of them.
struct Stages {
  int matrices; ///< number of the caller's matrices
  int held;     ///< number of workspaces that last over the parts
  /// Makes the storage of one, which has no memory for tiles yet; to be held by a StorageRef. The arguments are the
  /// caller's, with those before it; all else wants those of a stage.
  Storage *(*makeHeld)(const Arguments &, int number);
  int (*iterations)(const Arguments &);              ///< number of iterations of the loop when no element ends it
  int (*variable)(const Arguments &, int iteration); ///< the loop's variable in that iteration, from 0 on
  bool (*isDone)(const Arguments &);                 ///< the test; needs the first tile of `value` in memory
  int value;                                         ///< number of the matrix that the test asks
  const char *location;                              ///< source location of the test
  /// Numbers, among all that last, of workspaces of algorithms that the loop calls: each iteration begins without
  /// content in them.
  const int *ofCalls = nullptr;
  int ofCallsCount = 0;
};

/// The algorithm that a check calls: its sequential program, and what its arguments are in the order of its own
/// description. check(qr(A, f(...))): it overwrites B with op(Q) * B. check(user(f(...))): it writes the residual to a
/// 1 x 1 matrix r, and nothing else that is the run's.
struct CheckCall {
  void (*generate)(Generator &, const Arguments &) = nullptr; ///< null: there is none
  /// The run's matrices that are its arguments, by number, as the run left them; -1: B or r; -2 - i: a copy of matrix i
  /// as it was before.
  const int *matrices = nullptr;
  int matrixCount = 0;
  /// The run's scalars that are its arguments, by number; -1: op; -2 - i: constants[i].
  const int *scalars = nullptr;
  int scalarCount = 0;
  const ScalarValue *constants = nullptr;
};

/// Who computes what is added to a tile: one of these at a time.
struct Mapping {
  enum class Kind : unsigned char {
    Owner,  ///< the owner of the whole tile
    Slices, ///< tiles are cut ([Song12] 3.1), and `generate` and `generateNode` name slices in place of tiles
    Copies, ///< updates of a tile are dealt to copies of a grid of nodes (Distribution::copies)
    Dealt   ///< products are dealt to the elements of one node by Arguments::taskMap, without one to one element
  };
  Kind kind = Kind::Owner;
  int count = 1; ///< number of slices of a cut tile, or of copies
  bool operator==(const Mapping &) const = default;
};

struct Algorithm {
  const char *name;   ///< "cholesky"
  const char *source; ///< "algorithms/cholesky.tla"
  ElementType type;
  const MatrixParameter *matrices;
  int matrixCount;
  const ScalarParameter *scalars;
  int scalarCount;
  /// Size symbols in use ("mn") and the default of each ("m", "n", "k"): 0 when there is none.
  const char *sizes;
  Values sizeDefaults;
  const char *check; ///< "llt", or empty
  /// The arguments of the check: names of parameters, or constants; an argument that is a call, as in check(qr(A,
  /// apply_q(ib, A, W))), is its text.
  const char *const *checkArguments;
  int checkArgumentCount;
  /// Bytes of workspace tiles for these values and this tile size.
  double (*workspaceBytes)(const Values &, long nb);
  /// The sequential program, appending its tasks.
  void (*generate)(Generator &, const Arguments &);
  /// The serial elision: the same source, run by plain C++ on the calling thread.
  void (*serial)(const Arguments &);
  /// The call of an algorithm in a check argument, as in check(qr(A, apply_q(ib, A, W))).
  CheckCall checkCall = {};
  /// The distribution that the program is compiled for ("2dbc:2x3", as Distribution::name()) and what its node with
  /// coordinates x and y has to do there: its own tasks, sends and receives, in program order. Called twice in a run.
  /// Null for a program whose nodes run all of `generate`. With a distribution and no function, hetc has made such
  /// loops and found that they do something else than the program (validation.hpp).
  const char *distribution = nullptr;
  void (*generateNode)(Generator &, const Arguments &, int x, int y) = nullptr;
  Mapping mapping = {};
  /// How many tasks the sequential program has: what the tasks of all ranks must add up to. Counts innermost loops and
  /// does not run them. Null in descriptions that were written by hand.
  long (*countTasks)(const Arguments &) = nullptr;
  /// Whether the program's control flow depends on p() or q() of a matrix.
  bool asksPeriod = false;
  /// Whether the program's control flow depends on which tiles matrices have.
  bool asksTiles = false;
  /// Null: the program has no parts. Else `generate` and `countTasks` without a stage are all of it.
  const Stages *stages = nullptr;

  /// Slices of a cut tile, and copies of a grid of nodes; 1: nothing is cut, and nodes stand once.
  int slices() const { return mapping.kind == Mapping::Kind::Slices ? mapping.count : 1; }
  int copies() const { return mapping.kind == Mapping::Kind::Copies ? mapping.count : 1; }
  bool isDealt() const { return mapping.kind == Mapping::Kind::Dealt; }
};

} // namespace tla::runtime
