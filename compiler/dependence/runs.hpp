// Runs of updates: what several tasks add to one tile, one after the other, with nothing in between that looks at it.
#pragma once

#include "compiler/dependence/dependence.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>

namespace hetc::dependence {

/// The conditions, over an update's loops and the program's sizes and scalars, for instances that are the first and the
/// last of their run.
struct RunEnds {
  ir::ExprRef begins, ends;
};

struct Runs {
  std::map<unsigned, RunEnds> ends;             ///< conditions of each task
  std::set<std::pair<unsigned, unsigned>> meet; ///< tasks, the smaller first, that may add to the same tile
  std::map<std::string, std::string> obstacles; ///< why there are none for the updates of a matrix
};

/// `updates`: tasks that add to their main output, a whole tile. One that may name this tile twice is none. Exact, for
/// all sizes; why it cannot be known where the program is not affine or too hard.
std::variant<Runs, std::string> findRuns(const ir::Program &program, const std::set<unsigned> &updates,
                                         const AnalysisLimits &limits = {});

} // namespace hetc::dependence
