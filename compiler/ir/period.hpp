// Programs that ask how a distribution repeats (A.p(), A.q()), for one distribution.
#pragma once

#include "compiler/ir/program.hpp"

namespace hetc::ir {

/// Whether what runs depends on p() or q() of some matrix: a loop, a condition, a tile, or the size of a workspace.
bool asksPeriod(const Program &program);

/// The program on a distribution that repeats after p rows and q columns of tiles: p() and q() are these numbers, what
/// they decide is computed, branches that are never taken are gone, and loops of unequal steps that numbers decide, as
/// `for (int d = 1; d < A.p(); d *= 2)`, are written out. Task::origin and Task::variables say of which task of the
/// program a task is.
Program bindPeriod(const Program &program, std::int64_t p, std::int64_t q);

} // namespace hetc::ir
