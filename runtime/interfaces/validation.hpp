// Programs that hetc has transformed, held against the plain ones before anything is computed by them. What finds a
// difference shares no code with what made the program: it runs the compiled code of both, with the kernels that the
// process has installed (tla/kernels/table.hpp).
#pragma once

#include <tla/runtime/algorithm.hpp>

#include <optional>
#include <string>

namespace tla {
class Distribution;
}

namespace tla::runtime {

/// Runs the loops of a distribution's nodes (Algorithm::generateNode) beside replay of the whole program
/// (Algorithm::generate), without data, at small and odd sizes: 0 to 6 tiles in each dimension, in all combinations,
/// the last one full or not, and a few that go more than once round the distribution; the scalars' defaults, all values
/// of enumerations, small integers. Every node, or 16 with the corners, must have the same tasks in the same order and
/// the same messages between them; and of each pair of these nodes both ends the same messages in the same order, which
/// is what matches them in a run. Work is counted, not timed: about two million instances, some tenths of a second.
///
/// The first difference, as text that says what it takes to see it again; nothing where there is none. A program is
/// only held to what replay does without a fault: calls at which it names a tile that there is not are left out.
///
/// Loops that never end and never append anything do not come back: validateLibrary() ends them.
std::optional<std::string> validateNodeLoops(const Algorithm &algorithm, const Distribution &distribution);

/// A compiled library and the checks that it must pass.
struct ValidationRequest {
  std::string library; ///< path of a shared library
  std::string symbol;  ///< symbol of the description in it
  /// The distribution whose loops of nodes are tried; null: the program itself is, if it is one on slices or for copies
  /// of nodes.
  const Distribution *distribution = nullptr;
};

/// Runs all checks that apply to the library, in a process of its own, so that code that crashes or never ends is a
/// difference like any other. Forks: to be called while no other thread holds a lock that the child needs.
std::optional<std::string> validateLibrary(const ValidationRequest &request);

/// A case in which a program on slices, or for copies of nodes, computes something else than the plain one.
struct SplitDifference {
  /// "m = 5, n = 3, nb = 4 in slices of 1, 3, ib = 2: C(2, 1) is 0.3, and 0.6 in the plain program": all that is needed
  /// to see it again.
  std::string text;
};

/// Runs a program on slices, or for copies of nodes (Algorithm::mapping), on one thread, and its serial
/// elision, on the same small matrices, and compares what they leave in every parameter: sizes of 0 to 4 tiles with
/// ragged edges, slices of widths that divide nothing, several values of the scalars. Not bitwise, as sums are in
/// another order; NaN equals NaN. Of workspace parameters, whose contents may depend on the cut (split rules with
/// opaque tiles), and which follow-up programs apply, only what Algorithm::checkCall makes of them is compared.
///
/// Cases that the plain program is not for are passed over: where either stops (info, a view outside its tile), or
/// where the plain result is not finite. Deterministic, in work as well. Whatever else a program may do to the process,
/// such as never to end, is the caller's concern.
std::optional<SplitDifference> validateSplit(const Algorithm &algorithm);

} // namespace tla::runtime
