// Loops of their own for the nodes of a distribution that the program was not compiled for: from the compiler, when
// that has started the program.
#pragma once

#include "runtime/host/problem/settings.hpp"
#include "runtime/host/ranks/ranks.hpp"

#include <tla/runtime/algorithm.hpp>

#include <string>

namespace tla::host {

/// The algorithm as it is to run on the distribution: with generateNode where that is wanted and to be had, by replay
/// otherwise. For one process. Loops that the program does not have are asked for if `ask`. Throws UsageError when
/// --generator nodes asks for what there is not. Shared libraries that it loads stay loaded.
runtime::Algorithm withNodeLoops(const runtime::Algorithm &algorithm, const Distribution &distribution,
                                 const Settings &settings, bool ask);

/// withNodeLoops() on all ranks of a run, with the same result on each; collective. Only the first rank of each machine
/// asks for loops that are not there.
runtime::Algorithm withNodeLoops(const runtime::Algorithm &algorithm, const Distribution &distribution,
                                 const Settings &settings, Ranks &ranks, const Neighbours &neighbours);

/// The program as it is for so many copies of the nodes: from the compiler, when that has started this program; it
/// lasts as long as the process. Null: it has not, or the program's updates cannot be dealt to copies.
const runtime::Algorithm *forCopies(const runtime::Algorithm &algorithm, int copies);

/// "nodes" or "replay": how nodes of the distribution find their instances.
const char *generatorName(const runtime::Algorithm &algorithm, const Distribution &distribution);

/// Whether there is a compiler (hetc) to ask for loops that a program lacks.
bool canAskForLoops();

} // namespace tla::host
