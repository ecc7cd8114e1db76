// Programs with a loop that an element ends (Until), as programs whose control looks at no element.
#pragma once

#include "compiler/ir/program.hpp"

namespace hetc::ir {

/// The kernel of the task that stands for the test in withAnyEnd().
inline constexpr const char *testKernel = "tla::value";

/// "tla::value(r) < tolerance".
std::string print(const Until &until);

/// The number of the loop's iterations, where nothing ends it early; null: its condition and step do not say. It says
/// so where the loop goes on by a constant while its variable is below (above, at most, at least) an end that does not
/// change.
ExprRef iterationsOf(const Loop &loop);

/// All that a run of the program may do, for proofs: how many iterations begin is an argument, stageBegun, one or more,
/// of those that the loop has; and the test reads its element.
Program withAnyEnd(const Program &program);

/// One part of a run, for code: which part, which iteration, and how many there were are arguments (Scalar::ofStage),
/// and the algorithm's own workspaces are held from one part to the next. Tiles of workspaces are kept until the end:
/// releases only say that nobody needs them, and are left out where that is proved.
Program inStages(const Program &program);

} // namespace hetc::ir
