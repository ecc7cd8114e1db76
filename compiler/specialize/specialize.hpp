// From the sequential program and a distribution of tiles over nodes to the loops of one node: those tasks that run on
// it, and its ends of all messages. One text serves all nodes; it visits what the node does and little else.
#pragma once

#include "compiler/dependence/dependence.hpp"
#include "compiler/specialize/node_program.hpp"
#include "runtime/distribution/distribution.hpp"

#include <string>
#include <variant>

namespace hetc::specialize {

/// Why there are no such loops: every node then runs the whole program and keeps what concerns it (replay).
struct Obstacle {
  std::string reason;         ///< "more than 3500000 operations", lower case, no full stop
  ir::Location location = {}; ///< the statement at fault; none: where the program as a whole is
};

/// How much work isl may do: about two million operations a second. Time only fences off machines that are very busy.
using Limits = dependence::AnalysisLimits;
inline constexpr Limits defaultLimits{3'500'000, std::chrono::milliseconds{30'000}};

/// The instances of a node, in the order in which it has them. [Song12] section 6, with data that goes directly from
/// its producer to its readers:
///
/// 1. A task runs on the home of its main output (of a panel: the home of its first tile).
/// 2. A version of a tile is produced where its writer runs; what no task wrote yet is at home. Local workspaces have
///    no such version.
/// 3. For each version and each node but the producer: the first task in program order that runs there and reads the
///    version makes the pair `send` and `receive`, before the task, in the order of its accesses (ir::accessOrder), in
///    a panel of rows.
/// 4. The last version of a tile of a matrix parameter goes home, if it is produced elsewhere: `send` and `receive`
///    directly after its writer, in the same order. Readers at home find it and cause no transfer of their own.
/// 5. Of matrices that the program uses by halves each half has versions of its own. An argument that needs both halves
///    from one writer, or both as they were at home, gets them in one transfer; else the lower one comes first.
///
/// 6. A release clause is obeyed at the tile's home, behind the returns. When a node needs the tile of another node no
///    more is left to the runtime, which sees all its uses.
///
/// `limits` holds for distributions that are one case to isl (Distribution::islDisjuncts): of several, two fifths of
/// the operations are allowed.
///
/// The program must be analyzed completely (no violations, `analysis.relations` not null), and must outlive the result.
std::variant<NodeProgram, Obstacle> specialize(const ir::Program &program, const dependence::Analysis &analysis,
                                               const tla::Distribution &distribution,
                                               const Limits &limits = defaultLimits);

} // namespace hetc::specialize
