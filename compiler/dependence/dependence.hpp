// What a program's tasks touch and in which order they must run, proved with isl for all sizes at once. This header is
// free of isl: it is what the driver and the front end use. Later stages that compute with the relations themselves
// include relations.hpp.
#pragma once

#include "compiler/ir/program.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace hetc::dependence {

/// How much work isl may do before the analysis gives up. Operations make the limit reproducible (about a million a
/// second; tile Cholesky takes 50'000, tile QR 100'000) of each of two phases, time, processor time of both, makes it
/// sure.
struct AnalysisLimits {
  unsigned long maxOperations = 3'000'000;
  std::chrono::milliseconds maxTime{10'000};
};

/// Says what analyze() is asked for. It always finds all violations.
struct Questions {
  enum class Dependences {
    Unwritten, ///< finds which tiles of workspaces are read before they are written, and no other relation
    Flow,      ///< finds which task reads what another one has written, as loops of nodes need it
    All        ///< finds which one overwrites it as well, as --emit=deps shows it
  };
  Dependences dependences = Dependences::All;
  bool priorities = true;
};

using Priorities = std::map<unsigned, ir::ExprRef>; ///< by task id; see derivePriorities

using Bindings = std::vector<std::pair<std::string, std::int64_t>>;

/// One access that some execution gets wrong, with the smallest such execution: fewest tiles first (size symbols in
/// program order), then the scalar parameters nearest to zero, then the earliest iteration.
struct Violation {
  enum class Kind { OutOfBounds, OutOfRange, Uninitialized, Released } kind = Kind::OutOfBounds;
  unsigned task = 0;
  std::size_t argument = 0; ///< index in Task::arguments, or in Task::releases when `release`
  bool release = false;
  ir::Location location;
  std::string matrix;
  ir::Region region = ir::Region::Full; ///< Uninitialized: the half that was never written, or Full
  bool writes = false;                  ///< the access writes the tile (and perhaps reads it)
  std::int64_t row = 0, column = 0;     ///< the tile
  std::string range;                    ///< OutOfRange: what it is outside of, "A.tiles(0, k, 0, k)"
  std::int64_t mt = 0, nt = 0;          ///< tiles per column and row of the matrix
  Bindings tileCounts; ///< size symbol -> tiles, e.g. {"n", 1}: with tiles of one element these are the sizes
  Bindings periods;    ///< "A.p()" and "A.q()", where the program asks for them
  Bindings scalars;    ///< scalar parameters (enumerations by value) and other sizes that the analysis kept symbolic
  Bindings loops;      ///< enclosing loops, outermost first
};

/// "for k = 0 (A has 1 x 1 tiles) this reads A(0, -1)".
std::string describe(const ir::Program &program, const Violation &violation);

/// The program is outside the affine subset: it can still run in replay mode. Where only steps of loops are at fault,
/// as in trees, something is known from a cover: the program whose loops take every value up to their end.
struct NonAffine {
  ir::Location location;
  std::string text;   ///< the smallest expression at fault
  std::string reason; ///< "'i * i' is not affine", "the step of loop 'k' is not a constant"
  /// Accesses that may leave their matrix: those of the cover that do, which the program need not have. All others
  /// stay inside. Nothing: no access is known to.
  std::optional<std::vector<Violation>> unproved = {};
  Priorities priorities = {}; ///< the cover's
};

/// isl did not finish within the limits, or failed: the program can still run in replay mode.
struct LimitExceeded {
  std::string reason;
};

/// The isl side of an analysis: relations.hpp.
struct Relations;

/// The result for one program, which must outlive it where it is: relations refer to it.
struct Analysis {
  std::vector<Violation> outOfBounds;   ///< every access that can leave its matrix, once each, in textual order
  std::vector<Violation> uninitialized; ///< reads of workspace tiles that nobody wrote, or that are released
  std::vector<Violation> unproved;      ///< as the two above, but their counterexamples need sizes that do not exist
  Priorities priorities;
  std::shared_ptr<const Relations> relations; ///< the relations that were asked for; null when `incomplete`
  /// The indices are proved, but the dependences were beyond the limits: no relations, priorities or uninitialized
  /// reads.
  std::optional<LimitExceeded> incomplete;
};

std::variant<Analysis, NonAffine, LimitExceeded> analyze(const ir::Program &program, const AnalysisLimits &limits = {},
                                                         const Questions &questions = {});

/// Gives every task without a user's priority the one the analysis found, and marks it as derived.
///
/// The priority is minus the time at which some task that works on another tile first reads one that this task writes:
/// what others wait for soonest runs first. If no one ever does, any readers count. Instances whose tiles no one reads
/// come last, at minus the total time, unless an expression that serves the others is no earlier than their own
/// iteration: then that one is kept, as it is shorter.
///
/// Tasks of one column of tiles may wait for each other only to wait for the next panel together, as those of LU do:
/// by the rule above all columns of step k were as urgent as panel k + 1. So a task's time is when a task that works on
/// another column first reads its column, where that is later, but no more than three iterations later:
/// max(-j, -k - 4) for the updates of LU. That is lookahead of depth 3: the next panels come early, and no column falls
/// so far behind that its tasks, which run one after the other, are left at the end.
///
/// Time counts the iterations of the outermost loops: top-level statement p of the program starts at the sum of the
/// trip counts of those before it (a task outside loops counts as one), so loop nests in sequence, as composition makes
/// them, order correctly. No task gets a priority in a program where only a tile's own tasks read it. Where the time of
/// the first use would need more than four cases, or a size that has no name in the program, the task's own time stands
/// for it, which is never later. A task keeps its author's priority; one that was derived before is replaced.
void derivePriorities(ir::Program &program, const Priorities &priorities);

/// The text of --emit=deps: domains, accesses, flow, anti and output dependences as isl text, one statement pair a
/// line, with kernels and source positions as comments. Deterministic. The analysis was asked for all dependences.
std::string print(const ir::Program &program, const Analysis &analysis);

} // namespace hetc::dependence
