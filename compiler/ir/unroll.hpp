// Runs a program's loops for concrete sizes and lists its tasks in program order: the meaning of the IR in its
// plainest form. Used to draw graphs and as the oracle for the dependence analysis. Knows no isl.
#pragma once

#include "compiler/ir/loop_ends.hpp"
#include "compiler/ir/program.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <variant>
#include <vector>

namespace hetc::ir {

/// One region of one tile.
struct TileRef {
  std::size_t matrix = 0;           ///< index in Program::matrices
  std::int64_t row = 0, column = 0; ///< position of the tile; of a sliced matrix column is a slice column
  Region region = Region::Full;
  auto operator<=>(const TileRef &) const = default;
};

struct TaskInstance {
  const Task *task = nullptr;
  std::vector<std::int64_t> indices; ///< values of the enclosing loops' variables, outermost first
  struct Use {
    TileRef tile;
    Access access;
    std::size_t argument;
  };
  std::vector<Use> uses; ///< panels and gathered slices expanded, tile by tile, slice by slice
};

/// Edge from the task that must come first to the one that must wait; indices into the list of instances.
struct Dependence {
  enum class Kind { Flow, Anti, Output } kind;
  std::size_t from, to;
  TileRef tile; ///< the region both touch (Lower or Upper when only one half meets)
  auto operator<=>(const Dependence &) const = default;
};

struct UnrollError {
  std::string message; ///< "loop 'k' does not end", "division by zero in ...", "A(3, 0) is outside ..."
  Location location;
};

/// The most calls of functions that may be inside one another; programs that run have the same limit
/// (tla/generated/nested_calls.hpp).
inline constexpr int mostCalls = 1000;

/// Sizes: element counts for the size symbols ("m", "n", "k"), the tile size "nb", and integer values (enumerations by
/// value) for scalar parameters. `limit` bounds the number of tasks. A tile outside its matrix is an error,
/// and so is a view outside its tile.
struct Sizes {
  std::map<std::string, std::int64_t> values;
  std::int64_t nb = 1;
  std::int64_t sliceWidth = 1; ///< columns of the slices of a tile but the last, in a program with slices
  std::int64_t p = 1, q = 1;   ///< the period of the distribution
};
std::variant<std::vector<TaskInstance>, UnrollError> unroll(const Program &program, const Sizes &sizes,
                                                            std::size_t limit = 10'000'000);

/// Calls visit(instance) for each task in program order instead of listing them, until it returns false.
using VisitInstance = std::function<bool(const TaskInstance &)>;
std::optional<UnrollError> forEachInstance(const Program &program, const Sizes &sizes, std::size_t limit,
                                           const VisitInstance &visit);

/// Some tasks of a program, at sizes that are tried one after the other: what is known of the program at all sizes is
/// found once. Borrows the program.
class TaskSearch {
public:
  explicit TaskSearch(const Program &program) : program_(program), ends_(loopEnds(program)) {}

  /// Calls accept(environment) with what bindSizes() gives and, if that returns true, visit(instance) as
  /// forEachInstance() does, but for these tasks only. Loops without any of them are not run, and nothing that other
  /// tasks do is an error.
  using AcceptSizes = std::function<bool(const Environment &)>;
  std::optional<UnrollError> forEachInstance(const Sizes &sizes, std::size_t limit, const std::set<unsigned> &tasks,
                                             const AcceptSizes &accept, const VisitInstance &visit) const;

private:
  const Program &program_;
  const std::map<const Loop *, LoopEnd> ends_;
};

/// The values of names in the program's body at these sizes: scalar parameters and the extents of matrices.
std::variant<Environment, UnrollError> bindSizes(const Program &program, const Sizes &sizes);

/// Exact dependences: flow from the last writer of each region, anti from readers since to the next writer, output from
/// writer to writer with no reader between; transitive edges that pass through a later writer are not listed.
std::vector<Dependence> dependences(const std::vector<TaskInstance> &instances);

} // namespace hetc::ir
