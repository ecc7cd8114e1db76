// The isl side of an analysis, for stages that compute with it. Tiles of a matrix that is used by halves appear as
// AL[i, j] (strictly below the diagonal) and AU[i, j] (the diagonal and above), of any other as A[i, j].
#pragma once

#include "compiler/dependence/model.hpp"

namespace hetc::dependence {

/// Exact and memory based; edges that a later write makes redundant are not listed. Those that nobody asked for are
/// empty.
struct Relations {
  Model model; // first: owns isl's context
  /// { S0[k] -> [S1[k, i] -> A[k, k]] }: the last writer of the tile -> its reader.
  isl::union_map flow;
  /// { S1[k, i] -> [S2[k'] -> A[k, k]] }: a reader that does not write the tile -> the next writer.
  isl::union_map anti;
  /// { S0[k] -> [S1[k] -> A[k, k]] }: a writer -> the next writer, if neither that one nor a task in between reads the
  /// tile.
  isl::union_map output;
  /// { S0[k] -> A[k, k] }: reads that no write precedes, that is of the tile's initial content; where only
  /// those without a value were asked for, reads of workspaces alone.
  isl::union_map initialReads;
  /// { S0[k] -> A[k, k] }: reads of workspaces of algorithms that loops call, of tiles that no earlier task of the same
  /// call wrote. Empty where there are no such workspaces, and where initialReads have these reads.
  isl::union_map readsOfEarlierCalls;
};

struct LastAccesses {
  isl::union_map found;  ///< { source -> [sink -> tile] }
  isl::union_map absent; ///< { sink -> tile }
};
/// Finds, for every access in `sinks` { S -> A }, the last of `sources` { S -> A } to the same tile strictly before it.
LastAccesses lastBefore(const isl::union_map &sinks, const isl::union_map &sources, const isl::union_map &schedule);
/// Time run backwards: the last access before in it is the first after.
isl::union_map reversed(const isl::union_map &schedule);

/// Fills in the relations for a model. Throws isl::exception when isl fails.
Relations computeDependences(Model model, Questions::Dependences wanted = Questions::Dependences::All);

/// { S0[k] -> A[k, k] }: accesses that no later access to the same tile follows.
isl::union_map computeLastUses(const Model &model);

/// The workspaces whose reads are looked at: all of the program's own, or those of algorithms that loops call alone.
enum class Workspaces { All, OfCalls };
/// { S0[k] -> A[k, k] }: reads of tiles of the program's own workspaces that no write precedes, of those of algorithms
/// that are called no write by the same call.
isl::union_map computeUnwrittenReads(const Model &model, Workspaces which = Workspaces::All);

/// Whether a tile of one of the program's own workspaces is read after a release, be it written in between or not.
bool mayReadAfterRelease(const Model &model);

/// { S0[k] -> A[k, k] }: reads of a tile, of the program's own workspaces, that a task released after its last write.
isl::union_map computeReadsAfterRelease(const Model &model);

/// Every access that can leave its matrix, with its smallest counterexample, in textual order. Complete: an access
/// not listed stays inside for all parameter values of the context.
std::vector<Violation> findBoundsViolations(const Model &model);

/// Every argument that can read a tile of the algorithm's own workspaces (inside it) that no earlier task wrote.
std::vector<Violation> findUninitializedReads(const Relations &relations);

/// Every argument that can read a tile of the algorithm's own workspaces after its release.
std::vector<Violation> findReadsAfterRelease(const Model &model);

/// The priorities that dependence::derivePriorities describes, by task id.
Priorities computePriorities(const Model &model);

} // namespace hetc::dependence
