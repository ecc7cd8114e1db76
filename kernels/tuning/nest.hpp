// Ways to run a plan's loop nest.
#pragma once

#include "kernels/tuning/plan.hpp"

#include <functional>
#include <tla/kernels/tuning/nest.hpp>

namespace hetc::tuning {

/// One worker's run. Compiled code is one (emit.hpp), the interpreter another.
using Nest = std::function<void(tla::tuning::Run &)>;

/// The nest as the plan says it, step by step: some hundred times slower than the compiled one, and what that is tested
/// against. Counts what is removed by going through it. The plan must outlive it.
Nest interpretNest(const Plan &plan);

/// Why the nest failed at a point: what could not be computed, and where. `depth` iterators are set.
Diagnostic explainFailure(const Plan &plan, const std::vector<std::int64_t> &point, int depth);

/// All symbols' values at a point, given by the iterators' values from the outermost loop inwards. Throws
/// EvaluationError.
std::vector<std::int64_t> valuesAt(const Plan &plan, const std::vector<std::int64_t> &point);

} // namespace hetc::tuning
