// Task maps on a node: who computes an update is decided by its place in the cube of all updates, (i, j, l), and not by
// where its tile is: algorithm 2 of [Ballard11] for elements that differ, the cores and the accelerators of a node.
//
// [Ballard11]: G. Ballard, J. Demmel, A. Gearhart, "Communication Bounds for Heterogeneous Architectures", Technical
// Report UCB/EECS-2011-13, 2011.
#pragma once

#include "compiler/maps/mapped.hpp"

#include <variant>
#include <vector>

namespace hetc::maps {

/// The program in which the tasks of products, that is of nests
///
///   for (i = 0; i < I; ++i) for (j = 0; j < J; ++j) { before; for (l = 0; l < L; ++l) { C(i, j) += ...; } behind; }
///
/// come in the order of tla::TaskOrder and are added up by its parts, each in a layer of a workspace C__parts, but for
/// the part of l = 0, which adds to C(i, j) itself. With a tile's last task the other parts are added to it, in their
/// order. What the order and the parts are the run says: expressions with Extent::Dealt*. The loops may be in another
/// order, if nothing stands between them; j may be missing, where the tile is C(i, 0).
///
/// Legal as I, J and L are decided by arguments, the nest writes nothing but C(i, j), reads no other tile of C, and all
/// its tasks but those of l = 0 add to a whole tile (clause sum), and none releases a tile: tiles are independent of
/// each other, and each has its tasks in ascending order of l within a part. So the sums of a tile are in another
/// order, which the map decides and nothing else. A step of which a condition leaves out the task counts as one.
///
/// Errors: no such nest, with what is in the way of the first one that adds something. `kernels`: tla::laset and
/// tla::geadd.
std::variant<Mapped, ir::Diagnostic> deal(const ir::Program &program, const std::vector<ir::Kernel> &kernels);

} // namespace hetc::maps
