// What the literature says that an operation must communicate, and what [Song12] says that its programs do.
#pragma once

#include "runtime/host/problem/problem.hpp"

#include "runtime/interfaces/cost.hpp"

#include <optional>

namespace tla::host {

/// The machine and the data of a run, in elements.
struct BoundedRun {
  int nodes;
  double memory; ///< each node has room for
  double owned;  ///< held at the start, on all nodes together
};

/// Elements that all nodes together must receive to do what the algorithm's check stands for. Nothing when no source
/// below speaks of the operation, or when the bound says nothing: less than 0 for so much memory.
///
/// The sources bound the elements that a machine with a fast memory of M elements loads. A node is such a machine, what
/// the others have its slow memory, and the bounds are proportional to the work that it does, so that their sum over
/// the nodes does not depend on who does what [Irony, Toledo & Tiskin 2004, for gemm; Ballard, Demmel & Gearhart 2011,
/// section 4]. What a node holds at the start it need not load: the - M of [Irony et al.] and [Ballard et al.], here
/// with the node's own tiles for M. Leading terms:
///
///   gemm         2 m n k / sqrt(M)             [Smith, Lowery, Langou & van de Geijn 2019]
///   lu, plu      2 n^3 / (3 sqrt(M)), square   [Kwasniewski et al. 2021, of COnfLUX]
///   llt          n^3 / (3 sqrt(2) sqrt(M))     [Beaumont, Eyraud-Dubois, Verite & Langou 2022]
///   syrk, herk   n^2 k / (sqrt(2) sqrt(M))     [Beaumont et al. 2022]
///   ldl, qr, symm, hemm, trmm, trsm
///                flops / (8 sqrt(M)) sent and received [Ballard, Demmel, Holtz & Schwartz 2011; for QR with
///                Demmel, Grigori, Hoemmen & Langou 2012]: half of it received
///
/// Others hold for any memory, when each node does the same share of the work, V updates A(i, j) -= L(i, k) U(k, j);
/// the larger one counts:
///
///   gemm         [Al Daas, Ballard, Grigori, Kumar & Rouse 2022]
///   lu, plu      P (4 V^2)^(1/3), V = n (n - 1) (2 n - 1) / (6 P)
///   llt          P (2 V^2)^(1/3), V = n (n - 1) (n - 2) / (6 P), those off the diagonal
///
/// In the manner of [Ballard, Demmel, Holtz, Lipshitz & Schwartz 2012]: by Loomis & Whitney V updates name x elements
/// of L, y of U and z that are updated, x y z >= V^2. L and U have none in common, but what is updated may be one of
/// theirs, so that at least max(x + y, z) >= (4 V^2)^(1/3) are different. For Cholesky, with its updates mirrored, 2 V
/// of them name x elements of L and L^H each and 2 z: 2 x^2 z >= 4 V^2, max(x, z) >= (2 V^2)^(1/3). The messages about
/// one element connect all nodes that name it with the one that has it at the start, so that there are as many as nodes
/// that have it not.
std::optional<double> requiredElements(const Problem &problem, const BoundedRun &run);

/// Elements that a device loads, at least, which has room for `memory` of them, holds none at the start, and does this
/// part of what the algorithm's check stands for: the leading term above for its part of the work, less 2 M. The
/// sources cut a run into segments of 2 M loads and bound the work of each; the last one may load fewer. Not below 0;
/// nothing where no source speaks of the operation.
std::optional<double> requiredOnDevice(const Problem &problem, double part, double memory);

/// Words on all nodes together after [Song12], Table 1, logarithms to base 2: for llt and qr, where 2-D grids of n x n
/// matrices are meant; the virtual tile is one tile.
std::optional<double> songElements(const Problem &problem, int nodes);

} // namespace tla::host
