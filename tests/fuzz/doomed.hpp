// Runs that cannot finish, as one rank is silent for ever. In a process of their own: nobody can join its threads.
#pragma once

#include "tests/fuzz/examiner.hpp"
#include "tests/fuzz/ranks.hpp"

#include <functional>

namespace fuzz {

/// `run` runs all ranks on the network. Nothing: the ranks have ended it in time with exit code 4 and have named the
/// silent one, or its fault has not happened and run() has found nothing wrong.
std::optional<Failure> runDoomed(const Case &one, const tla::runtime::Cost &cost,
                                 const std::function<std::optional<Failure>(Network &)> &run, Counts &counts);

} // namespace fuzz
