// Whether loops end: the way a loop's variable goes, and whether its condition stops it there. By the form of the
// expressions and lower bounds of their values, so that it holds for every program, affine or not.
#pragma once

#include "compiler/ir/program.hpp"

#include <map>
#include <string>
#include <vector>

namespace hetc::ir {

struct LoopEnd {
  /// 1: the variable goes up, -1: down, because the step says so or because only so the condition ends the loop. 0: not
  /// known.
  int direction = 0;
  bool proved = false; ///< each step goes that way, and the condition fails in the end
  std::string never;   ///< why the loop, once entered, never ends; empty: nothing says so
};

/// A condition that must hold before a program runs so that one of its loops ends, as far as arguments alone decide it.
struct StepCondition {
  const Loop *loop = nullptr;
  ExprRef holds;   ///< the first step goes on: "step > 0"
  ExprRef reached; ///< the loop is entered, as far as arguments decide that
};

/// The known facts about the end of each loop of the program.
std::map<const Loop *, LoopEnd> loopEnds(const Program &program);
/// One condition for each loop that is not proved to end, over scalar parameters and the sizes of matrix parameters.
std::vector<StepCondition> stepConditions(const Program &program);

/// The places of panels whose step is not known to be positive, each with the step.
struct PanelStep {
  ExprRef step;
  Location location;
};
std::vector<PanelStep> openPanelSteps(const Program &program);

/// "j += step", "++k".
std::string printStep(const Loop &loop);

/// The size of a step, and whether it is added to the loop's variable or subtracted; null when the step does something
/// else.
struct StepSize {
  ExprRef size;
  bool adds = true;
};
StepSize stepSize(const Loop &loop);

} // namespace hetc::ir
